/** Which running programs pending migrations would stop. */

/** A program that uses the database, by its schema version; null where it does not say it. */
export type RunningProgram = { readonly schema_version: number | null }

/**
 * The programs that a schema no longer serves which serves `pending_serves` and newer ones. A program that does not say
 * its version counts as the one that the schema belongs to: replicas are usually all of one version.
 */
export function stoppedPrograms(
  running: readonly RunningProgram[],
  { version, pending_serves }: { readonly version: number; readonly pending_serves: number },
): RunningProgram[] {
  return running.filter(({ schema_version }) => (schema_version ?? version) < pending_serves)
}
