/** Prints the types of the SDK from the contract: of each resource, query and body, and the client's methods. */
import { endpoints } from '../../packages/api/src/contract.ts'
import type { Endpoint } from '../../packages/api/src/kit/endpoint.ts'
import { type IdKind, idPattern, kinds, type PathKind, refPattern } from '../../packages/api/src/kit/ids.ts'
import { placements } from '../../packages/sdk/src/naming.ts'

/** A schema of the contract, as far as types follow from it. */
type Schema = {
  title?: string
  type?: string | string[]
  description?: string
  'x-here'?: string
  const?: unknown
  enum?: unknown[]
  pattern?: string
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  'x-known-values'?: string[]
  'x-bigint'?: boolean
  'x-repeated'?: boolean
}

/** The direction of a value: clients accept unknown words from the server, and may leave members undefined. */
type Direction = 'received' | 'sent'

type Printed = Map<string, string>

const head = `/** Generated from the contract by \`npm run gen\`. Do not edit. */
import type { Call, RequestOptions } from '../call.ts'
import type { ListCall } from '../page.ts'

/** A word that a newer server may add to a list of words. */
export type OpenWord = string & {}
`

/** The text of packages/sdk/src/generated/types.ts. */
export function printSdkTypes(): string {
  const named: Printed = new Map()
  const operations = endpoints as readonly Endpoint[]
  const responses = operations.map((endpoint) => `  ${endpoint.name}: ${responseOf(endpoint, named)}`)
  const bodies = operations.map((endpoint) => `  ${endpoint.name}: ${bodyOf(endpoint, named)}`)
  const queries = operations.map((endpoint) => `  ${endpoint.name}: ${queryOf(endpoint, named)}`)
  const params = operations.map((endpoint) => `  ${endpoint.name}: ${paramsTypeOf(endpoint)}`)
  const parts = [
    head,
    identifiers(),
    ...[...named.values()],
    mapOf('Answers', 'The data of the successful response of each operation.', responses),
    mapOf('Bodies', 'The body of each operation.', bodies),
    mapOf('Queries', 'The query of each operation.', queries),
    mapOf('Params', 'The path parameters of each operation.', params),
    groupsOf(operations),
  ]
  return parts.join('\n')
}

function mapOf(name: string, description: string, members: readonly string[]): string {
  return `/** ${description} */\nexport type ${name} = {\n${members.join('\n')}\n}\n`
}

function responseOf({ response }: Endpoint, named: Printed): string {
  return response ? typeOf(response as Schema, 'received', named) : 'undefined'
}

function bodyOf({ name, body }: Endpoint, named: Printed): string {
  if (!body) return 'never'
  return declare(`${pascal(name)}Body`, objectOf(body as Schema, 'sent', named), named, `The body of \`${name}\`.`)
}

function queryOf({ name, query }: Endpoint, named: Printed): string {
  if (Object.keys(query.properties).length === 0) return 'never'
  const text = objectOf(query as Schema, 'sent', named)
  return declare(`${pascal(name)}Query`, text, named, `The query of \`${name}\`.`)
}

function declare(title: string, text: string, named: Printed, description: string | undefined): string {
  const declared = `${comment(description)}export type ${title} = ${text}\n`
  const known = named.get(title)
  if (known !== undefined && known !== declared) throw new Error(`Two types are called ${title}.`)
  named.set(title, declared)
  return title
}

/** The type of a schema, as text. Adds the named types in it. */
function typeOf(schema: Schema, direction: Direction, named: Printed): string {
  const { title } = schema
  if (title === undefined || direction === 'sent') return plainOf(schema, direction, named)
  const isNullable = [schema.type].flat().includes('null')
  const own = isNullable ? { ...schema, type: 'object' } : schema
  declare(title, plainOf(own, direction, named), named, schema.description)
  return isNullable ? `${title} | null` : title
}

function plainOf(schema: Schema, direction: Direction, named: Printed): string {
  if ('const' in schema) return literal(schema.const)
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, direction, named)).join(' | ')
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const types = [schema.type ?? 'object'].flat()
  return [...new Set(types.map((type) => typeNamed(type, schema, direction, named)))].join(' | ')
}

function typeNamed(type: string, schema: Schema, direction: Direction, named: Printed): string {
  switch (type) {
    case 'integer':
    case 'number':
      return schema['x-bigint'] ? 'bigint | number' : 'number'
    case 'string':
      return textOf(schema, direction)
    case 'array': {
      const entry = typeOf(schema.items ?? {}, direction, named)
      const list = entry.includes(' ') ? `(${entry})[]` : `${entry}[]`
      return schema['x-repeated'] ? `${entry} | readonly ${list}` : direction === 'sent' ? `readonly ${list}` : list
    }
    case 'object':
      return objectOf(schema, direction, named)
    default:
      return type
  }
}

function textOf({ pattern, 'x-known-values': words }: Schema, direction: Direction): string {
  if (words) return [...words.map(literal), ...(direction === 'received' ? ['OpenWord'] : [])].join(' | ')
  if (pattern === undefined) return 'string'
  const [, word] = /^\^([a-z_]+)\$$/.exec(pattern) ?? []
  return word === undefined ? (textsByPattern.get(pattern) ?? 'string') : literal(word)
}

/** The names of the types of ids and of references, by the pattern of their schema. */
const textsByPattern = new Map(
  (Object.keys(kinds) as IdKind[]).flatMap((kind): [string, string][] => {
    const id: [string, string] = [idPattern(kind), `${pascal(kind)}Id`]
    return isPathKind(kind) ? [id, [refPattern(kind), `${pascal(kind)}Ref`]] : [id]
  }),
)

function isPathKind(kind: IdKind): kind is PathKind {
  return kinds[kind].path_segments > 0
}

/** The types of ids and of references. */
function identifiers(): string {
  const printed = (Object.keys(kinds) as IdKind[]).flatMap((kind) => {
    const naming: { prefix: string; also_prefix?: string } = kinds[kind]
    const prefixes = [naming.prefix, naming.also_prefix].filter((prefix) => prefix !== undefined)
    const id = `export type ${pascal(kind)}Id = ${prefixes.map((prefix) => `\`${prefix}_\${string}\``).join(' | ')}`
    if (!isPathKind(kind)) return [id]
    return [id, `export type ${pascal(kind)}Ref = ${pascal(kind)}Id | \`svc:${kind}:\${string}\``]
  })
  return `/* Ids, and references: an id or a resource path. */\n${printed.join('\n')}\n`
}

function objectOf(schema: Schema, direction: Direction, named: Printed): string {
  const { properties, required = [], additionalProperties } = schema
  if (!properties) {
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, direction, named) : 'unknown'
    return `Record<string, ${values}>`
  }
  const members = Object.entries(properties).map(([name, member]) => {
    const type = typeOf(member, direction, named)
    const isSure = required.includes(name)
    const mark = isSure ? '' : '?'
    const absent = !isSure && direction === 'sent' ? ' | undefined' : ''
    return indent(`${comment(meaningOf(member, direction))}${keyOf(name)}${mark}: ${type}${absent}`)
  })
  return `{\n${members.join('\n')}\n}`
}

/** What a member is. A constant and a named type say it themselves, unless the member is more than that. */
function meaningOf(schema: Schema, direction: Direction): string | undefined {
  const { title, description, 'x-here': own } = schema
  const isSaidByType = 'const' in schema || (title !== undefined && direction === 'received')
  return own ?? (isSaidByType ? undefined : description)
}

function groupsOf(operations: readonly Endpoint[]): string {
  const places = placements(operations.map(({ name }) => name))
  const groups = new Map<string, string[]>()
  for (const endpoint of operations) {
    const { noun, verb } = places.get(endpoint.name) ?? { noun: '', verb: '' }
    groups.set(noun, [...(groups.get(noun) ?? []), methodOf(endpoint, verb)])
  }
  const printed = [...groups].map(([noun, methods]) => `  readonly ${noun}: {\n${methods.join('\n')}\n  }`)
  return `/** Every group of the client with its methods. */\nexport type Groups = {\n${printed.join('\n')}\n}\n`
}

function methodOf(endpoint: Endpoint, verb: string): string {
  const { name, summary, description } = endpoint
  const result = name.startsWith('list_') ? `ListCall<Answers['${name}']['data'][number]>` : `Call<Answers['${name}']>`
  const given = [...paramsOf(endpoint), ...inputOf(endpoint), 'options?: RequestOptions']
  const text = `${comment([summary, description].filter(Boolean).join('\n\n'))}${verb}(${given.join(', ')}): ${result}`
  return indent(indent(text))
}

/** One path parameter is a plain argument, several are an object. */
function paramsOf(endpoint: Endpoint): string[] {
  const entries = paramTypesOf(endpoint)
  return entries.length > 1 ? [`params: { ${entries.join('; ')} }`] : entries
}

function paramsTypeOf(endpoint: Endpoint): string {
  const entries = paramTypesOf(endpoint)
  return entries.length === 0 ? 'never' : `{ ${entries.join('; ')} }`
}

function paramTypesOf({ params }: Endpoint): string[] {
  return Object.entries(params.properties).map(([name, schema]) => {
    return `${name}: ${plainOf(schema as Schema, 'sent', new Map())}`
  })
}

function inputOf({ name, body, query }: Endpoint): string[] {
  if (body) return [`body${isOptional(body) ? '?' : ''}: Bodies['${name}']`]
  if (Object.keys(query.properties).length === 0) return []
  return [`query${isOptional(query) ? '?' : ''}: Queries['${name}']`]
}

/** Whether an object without members is a value of the schema. */
function isOptional(schema: object): boolean {
  return ((schema as Schema).required ?? []).length === 0
}

function comment(description: string | undefined): string {
  if (!description) return ''
  const lines = description.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `/** ${lines[0]} */\n`
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`
}

function keyOf(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value)
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : `  ${line}`))
    .join('\n')
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
