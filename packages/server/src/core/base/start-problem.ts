/** The reasons why the program cannot start. */
export type StartProblemCode =
  | 'address_unavailable'
  | 'archive_refused'
  | 'backup_damaged'
  | 'backup_refused'
  | 'backup_store_failed'
  | 'bad_configuration'
  | 'certificate_unusable'
  | 'wrong_mode'
  | 'bad_database_url'
  | 'data_directory_held'
  | 'data_directory_unsafe'
  | 'database_in_use'
  | 'database_unreachable'
  | 'disk_full'
  | 'keys_claimed'
  | 'keys_invalid'
  | 'keys_missing'
  | 'keys_unsafe'
  | 'migration_changed'
  | 'migration_failed'
  | 'migration_invalid'
  | 'migrations_misnumbered'
  | 'no_permission'
  | 'platform_token_exists'
  | 'postgres_failed'
  | 'postgres_missing'
  | 'replicas_would_stop'
  | 'restore_failed'
  | 'restore_refused'
  | 'role_missing'
  | 'schema_is_newer'
  | 'unsafe_database'
  | 'unsupported_platform'
  | 'worker_not_started'
  | 'wrong_postgres_version'

/** An error for the operator. Its message names the problem and the remedy, and it is printed without a stack. */
type StartProblem = Error & { readonly code: StartProblemCode }

/** Creates the error that stops a start. `cause` is for the log. */
export function startProblem(code: StartProblemCode, message: string, cause?: unknown): StartProblem {
  return Object.assign(new Error(message, cause === undefined ? {} : { cause }), { name: 'StartProblem', code })
}

/** Whether an error is a start problem with one of these codes, or with any code where none is given. */
export function isStartProblem(thrown: unknown, ...codes: StartProblemCode[]): thrown is StartProblem {
  if (!(thrown instanceof Error) || thrown.name !== 'StartProblem') return false
  return codes.length === 0 || codes.includes((thrown as StartProblem).code)
}
