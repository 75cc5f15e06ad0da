/** Describes violations of a response. Independent of the server: it uses the document and the list of codes only. */
import { type ErrorCode, errorCodes, shapeCodes, typesWithDetails } from '@bourse/api/kit/errors.ts'
import type { FuzzedOperation } from './document.ts'
import type { Flaw, FuzzRequest } from './requests.ts'
import type { WireResponse } from './wire.ts'

type ViolationDetail = { code: ErrorCode; field: string | null; message: string }
type Envelope = { error: { type: string; message: string; details?: ViolationDetail[] } }

/** Codes that only a schema violation causes, so that a documented request never gets them. */
const schemaCodes: readonly ErrorCode[] = ['unknown_field', 'invalid_type', 'too_long', 'repeated_parameter']

/** The first violation; undefined if there is none. Violations of one kind begin with the same words. */
export function violationOf(request: FuzzRequest, response: WireResponse): string | undefined {
  const { status, failure } = response
  if (failure !== undefined) return `no answer: ${failure}`
  if (status >= 500) return `status ${status}: ${response.text.slice(0, 300)}`
  const form = formOf(request, response)
  if (form) return form
  const error = status >= 400 ? envelopeFault(request.operation, response) : undefined
  return error ?? meaning(request, response)
}

/** Checks headers and body against the document. */
function formOf({ operation, flaw }: FuzzRequest, response: WireResponse): string | undefined {
  const { status, headers, text } = response
  if (!/^\S{1,128}$/.test(String(headers['x-request-id'] ?? ''))) return 'no request id'
  const isJson = String(headers['content-type']).startsWith('application/json')
  if (status === 401 && headers['www-authenticate'] !== 'Bearer') return 'a 401 without challenge'
  if (status === 429 && !/^[1-9]\d*$/.test(String(headers['retry-after']))) return 'a 429 without Retry-After'
  const isRouted = !operation.isPublic && !operation.isForAgents && !flaw?.isUnrouted
  const isCounted = isRouted && status !== 401 && !isOfOtherNetwork(response)
  if (isCounted && headers['ratelimit-policy'] === undefined) return 'no rate limit headers'
  if (status >= 400 && !isJson) return `an error that is not JSON: ${text.slice(0, 100)}`
  if (!isJson) return operation.misfit(status, text === '' ? undefined : text)
  const body = parsed(text)
  return body === undefined ? `a body that is not JSON: ${text.slice(0, 100)}` : operation.misfit(status, body)
}

/** Whether a token is refused for the network it is used from. As with a wrong token, no rate of it is drawn. */
function isOfOtherNetwork({ status, text }: WireResponse): boolean {
  return status === 403 && text.includes('may not be used from your network address')
}

/** Whether a token is limited, and the operation is not open to such tokens: then no input is looked at. */
function isOfLimitedToken({ status, text }: WireResponse): boolean {
  return status === 403 && text.includes('This token is limited')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An error in its envelope, with codes of the list that belong to it. */
function envelopeFault({ codes }: FuzzedOperation, { status, text }: WireResponse): string | undefined {
  const { error, ...beside } = JSON.parse(text) as Envelope
  const { type, message, details, ...more } = error
  if (Object.keys({ ...beside, ...more }).length > 0) return `an unknown field in the envelope: ${text}`
  if (message === '') return 'an error without words'
  const typesOfStatus = Object.values(errorCodes).filter((one) => one.status === status)
  if (!typesOfStatus.some((one) => one.type === type)) return `type ${type} with status ${status}`
  if (typesWithDetails.includes(type as never) !== (details !== undefined)) return `details with ${type}: ${text}`
  for (const { code, field, ...rest } of details ?? []) {
    if (!codes.has(code)) return `a code that is not listed: ${code}`
    if (errorCodes[code].status !== status) return `code ${code} with status ${status}`
    if (field === undefined || typeof rest.message !== 'string') return `a detail without a field or a message: ${text}`
  }
  return undefined
}

/** Checks whether the response is correct for the request. */
function meaning({ operation, actor, flaw, expected }: FuzzRequest, response: WireResponse): string | undefined {
  const { status, text } = response
  if (flaw?.isUnrouted) return flawFault(flaw, response)
  if (!operation.isPublic && actor.token === undefined) return status === 401 ? undefined : `${status} without a token`
  if (operation.isForAgents && (status === 401 || !operation.isPublic)) {
    return status === 401 ? undefined : `${status} for a caller that is not an agent`
  }
  if (status === 401) return actor.isLasting ? 'a good token is refused' : undefined
  if (!operation.isPublic && isOfOtherNetwork(response) !== (actor.isElsewhere === true)) {
    return `${status} for a token of ${actor.isElsewhere ? 'another' : 'this'} network: ${text}`
  }
  if (isOfLimitedToken(response))
    return actor.isLasting ? 'a token without limits is refused as a limited one' : undefined
  if (isOfOtherNetwork(response) || status === 429) return undefined
  if (flaw) return flawFault(flaw, response)
  if (expected && status < 300) return replayFault(expected, response)
  if (status < 300) return status === operation.success ? undefined : `${status} instead of ${operation.success}`
  if (status === 413) return 'a small body is too large'
  if (status !== 400) return undefined
  const { details = [] } = (JSON.parse(text) as Envelope).error
  const isShape = details.some(({ code }) => schemaCodes.includes(code) && !operation.ownCodes.has(code))
  return isShape ? `a documented request is refused: ${text}` : undefined
}

function flawFault({ rule, status, code, field }: Flaw, response: WireResponse): string | undefined {
  if (response.status < 300) return `a broken rule is accepted: ${rule}`
  if (response.status !== status) return `${response.status} instead of ${status} for ${rule}: ${response.text}`
  const { details = [] } = (JSON.parse(response.text) as Envelope).error
  const isNamed = details.some((detail) => {
    const isThere = field === undefined || detail.field === field
    return isThere && (code === undefined || detail.code === code || !shapeCodes.includes(detail.code))
  })
  return isNamed ? undefined : `no detail ${code} at ${field} for ${rule}: ${response.text}`
}

function replayFault(
  expected: NonNullable<FuzzRequest['expected']>,
  { status, text, headers }: WireResponse,
): string | undefined {
  const isSame = status === expected.status && withoutSecret(text) === withoutSecret(expected.text)
  if (!isSame) return `another response with the same key: ${text}`
  return headers['idempotency-replayed'] === 'true' ? undefined : 'an answer under a known key that is not a replay'
}

/** A replayed creation of a webhook shows the secret of its last rotation. */
function withoutSecret(text: string): string {
  return text.replace(/"whsec_[^"]*"/, '"whsec_"')
}
