/** Errors that end the program with an exit code and print nothing, because the reason is already printed. */

/** Whether an error means that the doctor found violations, which it has already printed. */
export function areViolations(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'Violations'
}

/** The error for violations that the doctor has found and printed. */
export function violations(): Error {
  return Object.assign(new Error('The doctor found violations.'), { name: 'Violations' })
}

/** The error that a server has already written to its log as the reason why it did not start; undefined for others. */
export function loggedFailure(thrown: unknown): unknown {
  return thrown instanceof Error && thrown.name === 'NotStarted' ? thrown.cause : undefined
}

/** The error for a server that did not start, and has logged why. */
export function notStarted(cause: unknown): Error {
  return Object.assign(new Error('The server did not start.', { cause }), { name: 'NotStarted' })
}

/** The exit code of a failed secure shell; undefined for any other error. */
export function shellExit(thrown: unknown): number | undefined {
  return thrown instanceof Error && thrown.name === 'ShellEnded' ? (thrown as Error & { code: number }).code : undefined
}

/** The error for a secure shell that has ended with an exit code of its own. */
export function shellEnded(code: number): Error {
  return Object.assign(new Error('The secure shell has ended.'), { name: 'ShellEnded', code })
}

/** The exit code of a command that another program reads; undefined for any other error. */
export function commandExit(thrown: unknown): number | undefined {
  return thrown instanceof Error && thrown.name === 'CommandEnded'
    ? (thrown as Error & { code: number }).code
    : undefined
}

/** The error for a command whose exit code another program reads. A cause is printed, as any failure is. */
export function commandEnded(code: number, cause?: unknown): Error {
  return Object.assign(new Error('The command has ended.', { cause }), { name: 'CommandEnded', code })
}
