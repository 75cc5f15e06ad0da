/** Which running programs pending migrations would stop. */

/** A program that uses the database, by its schema version; null where it does not say it. */
export type RunningProgram = { readonly schema_version: number | null }

/** The newest program that does not say its version: migration 79 adds the column for it. */
const silentVersionMax = 78

/**
 * The programs that a schema no longer serves which serves `pending_serves` and newer ones. A program that does not say
 * its version counts as the newest that it can be: the one that the schema belongs to, or the last that said nothing.
 */
export function stoppedPrograms(
  running: readonly RunningProgram[],
  { version, pending_serves }: { readonly version: number; readonly pending_serves: number },
): RunningProgram[] {
  const silent = Math.min(version, silentVersionMax)
  return running.filter(({ schema_version }) => (schema_version ?? silent) < pending_serves)
}
