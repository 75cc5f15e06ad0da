/**
 * Whether a statement failed because another row has a value that is unique. It has aborted its transaction: what
 * follows can only be a refusal, which rolls back.
 */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: string } | undefined)?.code === '23505'
}
