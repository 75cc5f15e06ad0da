/** Reads a request's query and body by the contract's schemas and reports errors with the contract's codes. */
import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { ErrorDetail } from '@bourse/api/kit/errors.ts'
import type { TObject } from '@bourse/api/kit/schema.ts'
import { jsonLimitsOf } from '../base/json-limits.ts'
import { Refusal } from '../base/refusal.ts'
import { type JsonLimits, parseStrictJson } from '../base/strict-json.ts'
import { checkOf, type InputCheck } from '../base/validate.ts'
import type { AnyEndpoint, RawInput } from './request-context.ts'

type PlainInput = Record<string, unknown>
type ParameterSchema = { type?: string; items?: ParameterSchema; 'x-bigint'?: boolean }

/**
 * Validates the raw input of one endpoint: parameters in the path, query, body. `inspect` gets the parsed body before
 * it is validated, and may refuse it.
 */
type InputReader<E> = (raw: RawInput, headers: IncomingHttpHeaders, inspect?: (body: unknown) => void) => Input<E>

const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n
const noInput: PlainInput = Object.freeze({})

/** Creates the reader of an endpoint's input. Its checks are compiled on the first request. */
export function inputReader<E extends AnyEndpoint>(endpoint: E): InputReader<E> {
  const checkParams = checkOf(endpoint.params)
  const readQuery = queryReader(endpoint.query)
  const readBody = bodyReader(endpoint)
  return (raw, headers, inspect) => {
    refuseDetails(checkParams(raw.params))
    const query = readQuery(raw.query)
    const body = readBody(raw.body, headers, inspect)
    // The type is computed from the same schemas that the values were checked against.
    return { params: raw.params, query, body } as Input<E>
  }
}

type BodyReader = (
  bytes: Buffer | undefined,
  headers: IncomingHttpHeaders,
  inspect?: (body: unknown) => void,
) => unknown

function bodyReader({ body, method }: AnyEndpoint): BodyReader {
  if (!body) return () => undefined
  const check = checkOf(body)
  const limits = jsonLimitsOf(body)
  return (bytes, headers, inspect) => {
    // An absent body counts as an empty object, so that each missing field is named.
    const value = bytes && bytes.length > 0 ? readJson(bytes, headers, limits) : {}
    inspect?.(value)
    const cleaned = method === 'POST' ? withoutNulls(value, body as BodySchema) : value
    refuseDetails(check(cleaned))
    return cleaned
  }
}

/** Some editors and shells write it before UTF-8. */
const byteOrderMark = Buffer.from('\ufeff')

function readJson(bytes: Buffer, headers: IncomingHttpHeaders, limits: JsonLimits): unknown {
  const contentType = headers['content-type']
  refuseCoding('Content-Encoding', headers['content-encoding'], 'identity')
  refuseCoding('Transfer-Encoding', headers['transfer-encoding'], 'chunked')
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType ?? '')) {
    throw refusalOf('unsupported_media_type', 'Content-Type', 'Send the body as application/json in UTF-8.')
  }
  const parsed = parseStrictJson(bytes.indexOf(byteOrderMark) === 0 ? bytes.subarray(3) : bytes, limits)
  if (!parsed.ok) throw refusalOf(parsed.code, parsed.field ?? null, parsed.message)
  return parsed.value
}

function refuseCoding(field: string, sent: string | undefined, usual: string): void {
  if (!sent || sent.toLowerCase() === usual) return
  throw refusalOf('unsupported_media_type', field, `Send the body as it is, not packed: without ${field}, or ${usual}.`)
}

function refusalOf(code: ErrorDetail['code'], field: string | null, message: string): Refusal {
  return new Refusal({ code, field, message })
}

function refuseDetails(details: ErrorDetail[] | undefined): void {
  const [first] = details ?? []
  if (details && first) throw new Refusal({ ...first, details })
}

type BodySchema = {
  type?: string | string[]
  properties?: Record<string, BodySchema>
  required?: string[]
  items?: BodySchema
  'x-not-null'?: boolean
}

/** In POST bodies `null` counts as absent for an optional member, unless the member accepts `null`. */
function withoutNulls(value: unknown, schema: BodySchema): unknown {
  if (Array.isArray(value))
    return schema.items ? value.map((item) => withoutNulls(item, schema.items as BodySchema)) : value
  if (value === null || typeof value !== 'object' || !schema.properties) return value
  const kept: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    const own = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    const isRequired = schema.required?.includes(name) ?? false
    const keepsNull = own?.['x-not-null'] || [own?.type].flat().includes('null')
    if (member === null && own && !isRequired && !keepsNull) continue
    kept.push([name, own ? withoutNulls(member, own) : member])
  }
  return Object.fromEntries(kept)
}

function queryReader(schema: TObject): (text: string) => PlainInput {
  const properties = schema.properties as Record<string, ParameterSchema>
  const check: InputCheck = checkOf(schemaForCheck(schema))
  return (text) => {
    if (text === '') return Object.keys(properties).length === 0 ? noInput : refuseMissing(check)
    const values: PlainInput = {}
    const bigints: PlainInput = {}
    for (const [name, raw] of pairsOf(text)) {
      const parameter = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (!parameter) throw unknownParameter(name, properties)
      if (raw === '') throw refusalOf('invalid_format', name, 'The value is empty.')
      if (parameter.type === 'array') values[name] = [...((values[name] as unknown[]) ?? []), raw]
      else if (name in values || name in bigints)
        throw refusalOf('repeated_parameter', name, 'Give this parameter once.')
      else if (parameter['x-bigint']) bigints[name] = readBigint(name, raw)
      else values[name] = readScalar(name, raw, parameter)
    }
    refuseDetails(check(values))
    return Object.assign(values, bigints)
  }
}

function unknownParameter(name: string, known: object): Refusal {
  const names = Object.keys(known).join(', ')
  const message =
    names === '' ? 'There are no parameters here.' : `There is no such parameter here; there are ${names}.`
  return refusalOf('unknown_field', name.slice(0, 255), message)
}

function refuseMissing(check: InputCheck): PlainInput {
  refuseDetails(check({}))
  return {}
}

// Bigints were checked while they were parsed; the JSON Schema check does not support them.
function schemaForCheck(schema: TObject): TObject {
  const properties = Object.entries(schema.properties as Record<string, ParameterSchema>).filter(
    ([, own]) => !own['x-bigint'],
  )
  return { ...schema, properties: Object.fromEntries(properties) } as TObject
}

function* pairsOf(text: string): Iterable<[string, string]> {
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    yield at < 0 ? [decode(pair), ''] : [decode(pair.slice(0, at)), decode(pair.slice(at + 1))]
  }
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    if (!decoded.includes('\0')) return decoded
  } catch {
    // Falls through to the refusal.
  }
  throw refusalOf('invalid_url', null, 'The query is not well percent-encoded UTF-8.')
}

function readScalar(name: string, raw: string, { type }: ParameterSchema): unknown {
  if (type === 'boolean') {
    if (raw !== 'true' && raw !== 'false') throw refusalOf('invalid_type', name, 'This must be true or false.')
    return raw === 'true'
  }
  if (type !== 'integer') return raw
  if (!/^-?\d+$/.test(raw)) throw refusalOf('invalid_type', name, 'This must be a whole number.')
  const value = Number(raw)
  if (!Number.isSafeInteger(value)) throw refusalOf('out_of_range', name, 'This number is too large.')
  return value
}

function readBigint(name: string, raw: string): bigint {
  if (!/^-?\d+$/.test(raw)) throw refusalOf('invalid_type', name, 'This must be a whole number.')
  const value = raw.length > 20 ? int64Max + 1n : BigInt(raw)
  if (value < int64Min || value > int64Max) throw refusalOf('out_of_range', name, 'This must fit into 64 bits.')
  return value
}

/**
 * Reads the header `Idempotency-Key`: a surrounding pair of double quotes is removed, an empty value counts as absent.
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const text = String(header)
  const key = text.length >= 2 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text
  if (key === '') return undefined
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw refusalOf('invalid_idempotency_key', 'Idempotency-Key', 'A key has 1-255 visible ASCII characters.')
}

/**
 * The hash that shows whether two requests with one key are equal. It is keyed, because a body may hold guessable
 * secrets.
 */
export function fingerprintOf(secret: Buffer, operation: string, params: unknown, body: unknown): Buffer {
  return createHmac('sha256', secret)
    .update(canonical([operation, params, body ?? null]))
    .digest()
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}
