/** The responses of an operation in the OpenAPI document: its success and, by status, all errors that it may return. */
import { codesOf, type Endpoint } from '../kit/endpoint.ts'
import { errorEnvelope } from '../kit/envelope.ts'
import { bodyCodes, type ErrorCode, errorCodes, shapeCodes, typesWithDetails } from '../kit/errors.ts'
import { errorExampleOf } from './error-examples.ts'
import { type Components, type Json, schemaFor } from './schemas.ts'

const text = { type: 'string' }
const seconds = { type: 'integer', minimum: 0 }

/** The headers of responses. */
export const headers: Record<string, Json> = {
  'X-Request-Id': { description: 'The id of the request: the one that was sent, or a new one.', schema: text },
  'X-Error-Code': {
    description: 'The code of an error whose type has no details and further codes, such as `same_operator`.',
    schema: text,
  },
  'RateLimit-Limit': { description: 'The capacity of the bucket in calls.', schema: seconds },
  'RateLimit-Remaining': { description: 'The remaining calls of the bucket.', schema: seconds },
  'RateLimit-Reset': { description: 'Whole seconds until the bucket is full again.', schema: seconds },
  'RateLimit-Policy': { description: 'Name, size and window of the bucket: `"write";q=50;w=5`.', schema: text },
  'Retry-After': {
    description: 'Whole seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: '`Bearer`; with `error` and `max_age` where a session needs another sign-in.',
    schema: text,
  },
  'Idempotency-Replayed': {
    description: '`true` where this is the stored response of an earlier attempt.',
    schema: text,
  },
  Link: { description: 'With CSV: `<url>; rel="next"` where there is another page.', schema: text },
  'Cache-Control': { description: 'Always `no-store`.', schema: text },
}

const csvDescription =
  'RFC 4180: a header line, then a line for each entry of `data`, without `object`. Returned where `Accept` prefers it.'

const statusTexts: Record<number, string> = {
  400: 'The request is invalid.',
  401: 'No valid API token.',
  402: 'It costs more than the account or a budget allows.',
  403: 'The permission is missing, the account is frozen, or it is asked from the wrong place.',
  404: 'Absent, or not visible to the caller.',
  408: 'The request did not arrive in time.',
  409: 'Conflict with another resource or its state.',
  410: 'The cursor is older than the retention period.',
  413: 'The body is too large.',
  415: 'The body is not JSON in UTF-8, or is packed.',
  422: 'Well-formed, but contradictory or not possible now.',
  429: 'Too many calls.',
  500: 'Internal error.',
  503: 'Not available now.',
}

/** The responses that are the same for many operations. They are components of the document. */
const sharedNames: Record<number, string> = {
  400: 'InvalidRequest',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  408: 'RequestTimeout',
  410: 'Gone',
  413: 'BodyTooLarge',
  415: 'UnsupportedMediaType',
  429: 'RateLimited',
  500: 'ServerError',
  503: 'Unavailable',
}

/** The name of a 400 without the codes of a body. */
const invalidParameters = 'InvalidParameters'

/** The shared responses, by their name among the components. */
export function sharedResponses(components: Components): Json {
  const entries = Object.entries(sharedNames).map(([status, name]) => {
    return [name, failure(Number(status), { codes: sharedCodes(Number(status)), components })]
  })
  return Object.fromEntries([
    ...entries,
    [invalidParameters, failure(400, { codes: withoutBody(sharedCodes(400)), components })],
  ])
}

function withoutBody(codes: readonly ErrorCode[]): ErrorCode[] {
  return codes.filter((code) => !bodyCodes.includes(code))
}

/** Codes that single operations have besides those of a shared response. */
const ownCodes: ReadonlySet<ErrorCode> = new Set([
  'token_lifetime_exceeded',
  'same_operator',
  'right_too_new',
  'host_retired',
  'host_not_allowed',
])

/** The codes of a shared response: for 400 those of every request, for others all that operations have in common. */
function sharedCodes(status: number): ErrorCode[] {
  const all = (Object.keys(errorCodes) as ErrorCode[]).filter((code) => !ownCodes.has(code))
  const codes = status === 400 ? [...shapeCodes] : all
  return codes.filter((code) => errorCodes[code].status === status).sort()
}

/** All responses of an operation, by status. */
export function responsesOf(operation: Endpoint, components: Components): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of ownFirst(operation)) {
    const { status } = errorCodes[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const errors = [...byStatus].sort(([a], [b]) => a - b)
  return Object.fromEntries([
    [operation.success, success(operation, components)],
    ...(operation.may_be_empty ? [[204, nothing(operation)]] : []),
    ...errors.map(([status, codes]) => [status, failureOrShared(status, { codes, components, operation })]),
  ])
}

/** Sorts the codes of an operation before those of every request. */
function ownFirst(operation: Endpoint): ErrorCode[] {
  const rest = codesOf(operation).filter((code) => !operation.errors.includes(code))
  return [...operation.errors, ...rest]
}

function nothing({ access }: Endpoint): Json {
  return { description: 'No content.', headers: references(headersOf(access)) }
}

function headersOf(access: Endpoint['access']): string[] {
  return access === 'public' || access === 'agent' ? ['X-Request-Id'] : usualHeaders
}

function success(operation: Endpoint, components: Components): Json {
  const { access, response, media_type, also_media_types, also_csv, idempotent, no_store } = operation
  const named = [
    ...headersOf(access),
    ...(idempotent ? ['Idempotency-Replayed'] : []),
    ...(no_store ? ['Cache-Control'] : []),
  ]
  const description = successText(operation)
  if (!response) return { description, headers: references(named) }
  const schema = schemaFor(response, 'answer', components)
  const csv = also_csv ? { 'text/csv': { schema: { ...text, description: csvDescription } } } : {}
  if (also_csv) named.push('Link')
  const more = Object.fromEntries(also_media_types.map((type) => [type, { schema }]))
  const content = { [media_type]: { schema }, ...more, ...csv }
  return { description, headers: references(named), content }
}

/** What a success has in its body, by the descriptions of the contract. */
function successText({ method, success: status, response, media_type, summary }: Endpoint): string {
  if (!response) return 'Done. The response has no body.'
  if (media_type === 'text/event-stream') return 'A stream of server-sent events.'
  const { description, properties } = response as DescribedShape
  const ofEntry = properties?.data?.items?.description
  if (ofEntry !== undefined) {
    return `${description ?? 'One page of a list.'} Each entry: ${begunSmall(firstSentence(ofEntry))}`
  }
  // Documents, such as the figures for Prometheus, have a media type and no schema of their own.
  if (description === undefined) return `${summary}.`
  if (status === 201) return `Created: ${begunSmall(firstSentence(description))}`
  const isChange = method === 'PATCH' || method === 'PUT'
  return isChange ? `After the change: ${begunSmall(firstSentence(description))}` : firstSentence(description)
}

/** The texts of a response, and of the entries of a list. */
type Described = { readonly description?: string }
type DescribedShape = Described & { readonly properties?: { readonly data?: { readonly items?: Described } } }

function firstSentence(text: string): string {
  return /^.*?\.(?= [A-Z]|$)/s.exec(text)?.[0] ?? text
}

/** A sentence for the middle of another one. Abbreviations keep their letters. */
function begunSmall(text: string): string {
  return /^[A-Z](?:[a-z]| )/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
}

/** The codes of a response, and the operation where it is not shared. */
type Failure = {
  readonly codes: readonly ErrorCode[]
  readonly components: Components
  readonly operation?: Endpoint
}

function failureOrShared(status: number, { codes, ...rest }: Failure): Json {
  const shared = sharedCodes(status)
  const isSame = (others: readonly ErrorCode[]) =>
    codes.length === others.length && codes.every((code) => others.includes(code))
  const name = isSame(shared) ? sharedNames[status] : undefined
  const found = name ?? (status === 400 && isSame(withoutBody(shared)) ? invalidParameters : undefined)
  return found ? { $ref: `#/components/responses/${found}` } : failure(status, { codes, ...rest })
}

function failure(status: number, { codes, components, operation }: Failure): Json {
  const { type } = errorCodes[codes[0] as ErrorCode]
  const isNamed = !typesWithDetails.includes(type) && codes.some((code) => code !== type)
  const waits = status === 429 || status === 503 || codes.includes('idempotency_key_in_use')
  const named = [
    ...(status === 401 ? ['X-Request-Id', 'WWW-Authenticate', 'Retry-After'] : usualHeaders),
    ...(waits ? ['Retry-After'] : []),
    ...(isNamed ? ['X-Error-Code'] : []),
  ]
  const schema = schemaFor(errorEnvelope, 'answer', components)
  return {
    description: `${statusTexts[status]} ${explained(codes)}`,
    headers: references(named),
    content: { 'application/json': { schema, example: exampleOf(codes[0] as ErrorCode, operation) } },
  }
}

function exampleOf(code: ErrorCode, operation: Endpoint | undefined): Json {
  const { type } = errorCodes[code]
  const { message, field } = errorExampleOf(code, operation)
  return {
    error: { type, message, ...(typesWithDetails.includes(type) ? { details: [{ field, code, message }] } : {}) },
  }
}

/** The type of an error, and its codes where the envelope contains them. */
function explained(codes: readonly ErrorCode[]): string {
  const { type } = errorCodes[codes[0] as ErrorCode]
  const list = codes.map((code) => `\`${code}\``).join(', ')
  if (typesWithDetails.includes(type)) return `Type \`${type}\`, codes ${list}.`
  return codes.length === 1 && codes[0] === type
    ? `Type \`${type}\`.`
    : `Type \`${type}\`, for ${list}: \`X-Error-Code\` names it if it is not the type.`
}

const usualHeaders = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy']

function references(names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
