/** Prints an error: its message, field, remedy, and the request's id. */

import { ApiError, AuthenticationError, MalformedAnswerError, NetworkError, TimeoutError } from '@bourse/sdk/errors.ts'
import { printable, visibleJson } from '@bourse/text/plain-text.ts'
import { authorityRemedy } from '@bourse/text/private-authority.ts'
import type { Format } from './formats.ts'
import { isWithoutTrade } from './outcome.ts'
import type { Terminal } from './terminal.ts'
import { isUsageProblem } from './usage.ts'

/** The remedy for an invalid token. */
export const tokenRemedy = 'The token comes from BOURSE_API_TOKEN, a profile or sandbox.env: see `bourse config show`.'

/** Prints an error to standard error: as sentences, or with JSON and YAML as one line of JSON. */
export function printFailure(terminal: Terminal, thrown: unknown, format: Format): void {
  if (isForPrograms(format)) return void terminal.note(visibleJson(JSON.stringify({ error: failureAsData(thrown) })))
  // The command did what it was told, so this is no error, but it has an exit code of its own.
  if (isWithoutTrade(thrown)) return void terminal.note(printable(thrown.message))
  const { message, lines } = explain(thrown)
  terminal.note(`${terminal.red('Error:')} ${printable(message)}`)
  for (const line of lines) terminal.note(`  ${printable(line)}`)
}

/** Whether programs read a format: errors beside it are one line of JSON. */
export function isForPrograms(format: Format): boolean {
  return ['json', 'jsonl', 'yaml'].includes(format)
}

function failureAsData(thrown: unknown): Readonly<Record<string, unknown>> {
  if (thrown instanceof ApiError) {
    const { type, message, details, status, requestId, retryAfter } = thrown
    return { type, message, details, status, request_id: requestId, retry_after: retryAfter }
  }
  const { message, lines } = explain(thrown)
  return { type: nameOf(thrown), message, hints: lines }
}

function nameOf(thrown: unknown): string {
  if (isUsageProblem(thrown)) return 'UsageProblem'
  return thrown instanceof Error ? thrown.name : 'Error'
}

function explain(thrown: unknown): { message: string; lines: readonly string[] } {
  if (isUsageProblem(thrown)) return { message: thrown.message, lines: thrown.remedy ? [thrown.remedy] : [] }
  if (thrown instanceof ApiError) return { message: thrown.message, lines: explainResponse(thrown) }
  if (thrown instanceof NetworkError || thrown instanceof TimeoutError) {
    const remedy = authorityRemedy(thrown) ?? 'Check that the server is running, or run `bourse doctor`.'
    return { message: thrown.message, lines: [remedy] }
  }
  if (thrown instanceof MalformedAnswerError) return { message: thrown.message, lines: requestLine(thrown.requestId) }
  if (thrown instanceof Error) return { message: thrown.message || thrown.name, lines: [] }
  return { message: String(thrown), lines: [] }
}

function explainResponse(error: ApiError): string[] {
  const details = error.details.map(({ field, code, message }) => {
    const where = field ? `${field}: ` : ''
    return error.message.includes(message) ? `${where}${code}` : `${where}${message} (${code})`
  })
  const newHints = error.suggestions.filter((hint) => !error.message.includes(hint))
  const token = error instanceof AuthenticationError ? [tokenRemedy] : []
  const wait = error.retryAfter === undefined ? [] : [`Try again in ${error.retryAfter} s.`]
  return [...details, ...new Set(newHints), ...token, ...wait, ...requestLine(error.requestId)]
}

function requestLine(requestId: string | undefined): string[] {
  return requestId === undefined ? [] : [`Request id: ${requestId}`]
}
