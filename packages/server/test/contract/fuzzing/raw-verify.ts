/** Describes violations in the data received on a socket. */
import { type ErrorCode, errorCodes } from '@bourse/api/kit/errors.ts'
import type { RawConversation, RawResponse } from './raw-socket.ts'

/** The first violation that is independent of the request. */
export function rawViolation({ responses, rest, hangs }: RawConversation): string | undefined {
  if (hangs) return 'the connection stays open and silent'
  if (rest !== '') return `not a response: ${JSON.stringify(rest.slice(0, 200))}`
  for (const response of responses) {
    const violation = responseViolation(response)
    if (violation) return violation
  }
  return undefined
}

function responseViolation({ status, headers, body, isBare }: RawResponse): string | undefined {
  if (status === 100) return undefined
  if (status >= 500) return `status ${status}: ${body.slice(0, 200)}`
  if (!headers.get('x-request-id')) return `a ${status} without a request id`
  if (status < 400 || isBare) return undefined
  return isEnvelope(status, body) ? undefined : `a ${status} without the envelope: ${body.slice(0, 200)}`
}

function isEnvelope(status: number, body: string): boolean {
  try {
    const { error, ...beside } = JSON.parse(body)
    const codes: ErrorCode[] = (error.details ?? []).map(({ code }: { code: ErrorCode }) => code)
    const fits = codes.every((code) => errorCodes[code].status === status)
    const isKnown = Object.values(errorCodes).some((one) => one.type === error.type && one.status === status)
    return fits && isKnown && error.message !== '' && Object.keys(beside).length === 0
  } catch {
    return false
  }
}
