/** Which running programs pending migrations would stop. */

/** A program that uses the database, by its schema version; null where it does not say it. */
export type RunningProgram = { readonly schema_version: number | null }

/**
 * The programs that a schema no longer serves which serves `pending_serves` and newer ones. A program that does not say
 * its version may be the oldest that the present schema serves.
 */
export function stoppedPrograms(
  running: readonly RunningProgram[],
  { serves, pending_serves }: { readonly serves: number; readonly pending_serves: number },
): RunningProgram[] {
  return running.filter(({ schema_version }) => (schema_version ?? serves) < pending_serves)
}
