/** The published openapi.json for the fuzzer: the valid requests and the schemas of responses. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentEndpoints, endpoints } from '@bourse/api/contract.ts'
import { codesOf, type Endpoint } from '@bourse/api/kit/endpoint.ts'
import type { ErrorCode } from '@bourse/api/kit/errors.ts'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/** The part of JSON Schema that requests use. */
export type FuzzedSchema = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly multipleOf?: number
  readonly items?: FuzzedSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, FuzzedSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | FuzzedSchema
  readonly propertyNames?: FuzzedSchema
  readonly minProperties?: number
  readonly maxProperties?: number
}

/** One operation, prepared for calls and checks. */
export type FuzzedOperation = {
  readonly name: string
  readonly method: string
  /** With parameters as `{name}`. */
  readonly path: string
  readonly isPublic: boolean
  /** Accepts no API token: the agent of a host signs its own token. */
  readonly isForAgents: boolean
  readonly takesKey: boolean
  readonly params: Readonly<Record<string, FuzzedSchema>>
  readonly query: Readonly<Record<string, FuzzedSchema>>
  readonly body: FuzzedSchema | undefined
  /** The largest body, in bytes. */
  readonly bodyBytesMax: number
  /** Whether a body is valid. */
  fitsBody(body: unknown): boolean
  /** The documented success. */
  readonly success: number
  /** Describes an undocumented response body; undefined if it is as documented. */
  misfit(status: number, body: unknown): string | undefined
  /** The codes that it may return. */
  readonly codes: ReadonlySet<ErrorCode>
  /** The codes that it lists, in addition to those of any request. */
  readonly ownCodes: ReadonlySet<ErrorCode>
}

type SchemaReference = { $ref?: string }
type DocumentParameter = SchemaReference & { name: string; in: 'path' | 'query' | 'header'; schema: FuzzedSchema }
type MediaContent = Readonly<Record<string, { schema: FuzzedSchema }>>
type DescribedOperation = {
  operationId: string
  parameters?: DocumentParameter[]
  requestBody?: { content: MediaContent }
  responses: Record<string, SchemaReference & { content?: MediaContent }>
  security?: unknown[]
}
type OpenApiDocument = {
  paths: Record<string, Record<string, DescribedOperation>>
  components: Record<string, Record<string, object>>
}

const file = join(import.meta.dirname, '../../../../../openapi.json')

// Most schemas check few responses, so their compilation takes longer than all checks.
const quickly = { code: { optimize: false }, inlineRefs: false } as const

/** Every operation of the document, in its order, except streams: their responses do not end. */
export function readOperations(): FuzzedOperation[] {
  const document = JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, ...quickly })
  ajv.addSchema(document, 'document')
  const context = { document, compile: lazily((pointer) => ajv.compile({ $ref: `document#${pointer}` })) }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => !responses['200']?.content?.['text/event-stream'])
      .map(([method, described]) => operationOf(context, { path, method, described })),
  )
}

/** Compiles schemas on first use. Compiling all of them takes seconds, and most responses never occur. */
function lazily(compile: (pointer: string) => ValidateFunction): DocumentContext['compile'] {
  const compiled = new Map<string, ValidateFunction>()
  return (pointer) => () => {
    const validate = compiled.get(pointer) ?? compile(pointer)
    compiled.set(pointer, validate)
    return validate
  }
}

type DocumentContext = { document: OpenApiDocument; compile(pointer: string): () => ValidateFunction }
type OperationPlace = { path: string; method: string; described: DescribedOperation }

function operationOf(context: DocumentContext, { path, method, described }: OperationPlace): FuzzedOperation {
  const { operationId: name, parameters = [], requestBody, responses, security } = described
  const endpoint = ([...endpoints, ...agentEndpoints] as readonly Endpoint[]).find(
    (one) => one.name === name,
  ) as Endpoint
  const pointer = pointerTo('paths', path, method)
  const fits = requestBody && context.compile(`${pointer}/requestBody/content/application~1json/schema`)
  const checks = new Map(
    Object.keys(responses).map((status) => [Number(status), responseCheck(context, pointer, { status, described })]),
  )
  const schemas = (place: DocumentParameter['in']) =>
    Object.fromEntries(parameters.filter((one) => one.in === place).map((one) => [one.name, one.schema]))
  return {
    name,
    method: method.toUpperCase(),
    path,
    isPublic: security?.length === 0,
    isForAgents: path.startsWith('/agent/'),
    takesKey: parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')),
    params: schemas('path'),
    query: schemas('query'),
    body:
      requestBody &&
      (resolve(context, requestBody.content['application/json']?.schema as SchemaReference) as FuzzedSchema),
    bodyBytesMax: endpoint.body_bytes_max,
    fitsBody: (body) => fits?.()(body) === true,
    success: Math.min(...checks.keys()),
    misfit: (status, body) => {
      const check = checks.get(status)
      return check ? check(body) : `status ${status} is not documented`
    },
    codes: new Set(codesOf(endpoint)),
    ownCodes: new Set(endpoint.errors),
  }
}

type Answered = { status: string; described: DescribedOperation }

function responseCheck(context: DocumentContext, pointer: string, { status, described }: Answered) {
  const response = described.responses[status] as SchemaReference
  const { content } = resolve(context, response) as { content?: MediaContent }
  if (!content) return (body: unknown) => (body === undefined ? undefined : 'a body where none is documented')
  const schema = content['application/json']?.schema as SchemaReference | undefined
  if (!schema) return () => undefined
  const inline = `${pointer}/responses/${status}/content/application~1json/schema`
  const compiled = context.compile(schema.$ref?.slice(1) ?? inline)
  return (body: unknown) => {
    const validate = compiled()
    if (validate(body)) return undefined
    const { instancePath = '', message = '' } = validate.errors?.[0] ?? {}
    return `the body violates its schema: ${instancePath || 'it'} ${message}`
  }
}

function resolve({ document }: DocumentContext, part: SchemaReference): object {
  if (part.$ref === undefined) return part
  const [, , kind = '', name = ''] = part.$ref.split('/')
  return document.components[kind]?.[name] as object
}

function pointerTo(...segments: string[]): string {
  return segments.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
