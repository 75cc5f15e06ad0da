/**
 * Adds samples of code to the operations of the OpenAPI document: a call of the SDK, a command, and a command of curl.
 * Their values are those of the recorded calls, as the examples of the same page show them.
 */
import { singleQuoted } from '@bourse/text/shell.ts'
import type { Endpoint } from '../kit/endpoint.ts'
import type { RecordedCalls } from './examples.ts'

/** How clients call an operation. */
export type ClientCall = {
  /** The method of the SDK: `orders.create`. */
  readonly method?: string
  /** What a method that iterates over a stream yields: the name of a variable. It takes path parameters only. */
  readonly yields?: string
  /** The command: `bourse orders cancel ordr_… --yes`. `…` stands for the rest of an id. */
  readonly command?: string
}

/** Calls by the name of their operation. */
export type ClientCalls = Readonly<Record<string, ClientCall>>

/** A sample, in the form that Scalar and Redoc read. */
export type CodeSample = { readonly lang: string; readonly label: string; readonly source: string }

/** The head of each sample of the SDK. */
export const sdkHead = `import { createClient } from '@bourse/sdk'

const client = createClient()
`

type ShownParameter = { readonly name: string; readonly in: string; readonly example?: unknown }
type ShownOperation = {
  readonly operationId: string
  readonly parameters?: readonly ShownParameter[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example?: unknown } } }
  'x-codeSamples'?: readonly CodeSample[]
}
type ShownDocument = { readonly paths: Readonly<Record<string, Readonly<Record<string, ShownOperation>>>> }

/** The values of one call. */
type CallValues = {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** Adds the samples to a document in place, which has its examples already. */
export function addCodeSamples(
  document: object,
  operations: readonly Endpoint[],
  { recorded, calls }: { recorded: RecordedCalls; calls: ClientCalls },
): void {
  const byName = new Map(operations.map((operation) => [operation.name, operation]))
  const completeIds = idCompleter(recorded)
  for (const methods of Object.values((document as ShownDocument).paths)) {
    for (const shown of Object.values(methods)) {
      const operation = byName.get(shown.operationId) as Endpoint
      const call = calls[operation.name] ?? {}
      const values = valuesOf(shown, operation, recorded[operation.name]?.query ?? {})
      shown['x-codeSamples'] = [
        ...(call.method ? [{ lang: 'TypeScript', label: 'SDK', source: sdkSample(operation, call, values) }] : []),
        ...(call.command ? [{ lang: 'Shell', label: 'Command line', source: completeIds(call.command, values) }] : []),
        { lang: 'curl', label: 'curl', source: curlSample(operation, values) },
      ]
    }
  }
}

/** The values of an operation: its parameters that a call must give, those that the recorded call has, and the body. */
function valuesOf({ parameters = [], requestBody }: ShownOperation, { query }: Endpoint, recorded: object): CallValues {
  const required: readonly string[] = (query as { required?: string[] }).required ?? []
  const exampleOf = (place: string) =>
    Object.fromEntries(parameters.flatMap((one) => (one.in === place ? [[one.name, one.example]] : [])))
  const examples = exampleOf('query')
  return {
    params: exampleOf('path'),
    query: { ...Object.fromEntries(required.map((name) => [name, examples[name]])), ...recorded },
    body: requestBody?.content['application/json'].example,
  }
}

function sdkSample(operation: Endpoint, { method = '', yields }: ClientCall, values: CallValues): string {
  const given = yields === undefined ? argumentsOf(operation, values) : placesOf(values)
  const call = `client.${method}(${given.join(', ')})`
  if (yields !== undefined || operation.name.startsWith('list_')) {
    const entry = yields ?? nameOf(entryOf(operation), 'entry')
    return `${sdkHead}for await (const ${entry} of ${call}) {\n  console.log(${entry})\n}`
  }
  if (!operation.response) return `${sdkHead}await ${call}`
  const answer = nameOf(operation.response, operation.media_type === 'application/json' ? 'answer' : 'text')
  return `${sdkHead}const ${answer} = await ${call}\nconsole.log(${answer})`
}

/** The places of pages: an iteration over a list reads all pages by itself. */
const paging = ['limit', 'starting_after', 'ending_before']

/** One path parameter is a plain argument, several are an object. */
function placesOf({ params }: CallValues): string[] {
  const given = Object.values(params)
  return given.length > 1 ? [printed(params, typescript)] : given.map((value) => printed(value, typescript))
}

function argumentsOf({ name }: Endpoint, values: CallValues): string[] {
  const { query, body } = values
  if (body !== undefined) return [...placesOf(values), printed(body, typescript)]
  const filters = Object.entries(query).filter(([key]) => !(name.startsWith('list_') && paging.includes(key)))
  return filters.length === 0
    ? placesOf(values)
    : [...placesOf(values), printed(Object.fromEntries(filters), typescript)]
}

type Titled = { readonly title?: string }

function entryOf({ response }: Endpoint): Titled {
  const { properties } = (response ?? {}) as { properties?: { data?: { items?: Titled } } }
  return properties?.data?.items ?? {}
}

/** The name of a variable for a resource: `instanceTemplate`. */
function nameOf({ title }: Titled, otherwise: string): string {
  return title ? title.slice(0, 1).toLowerCase() + title.slice(1) : otherwise
}

/** How a language writes objects: its keys, its texts, and what follows the last member of several lines. */
type Notation = {
  readonly key: (name: string) => string
  readonly text: (value: string) => string
  readonly last: string
}

const json: Notation = { key: (name) => JSON.stringify(name), text: (value) => JSON.stringify(value), last: '' }
const typescript: Notation = { key: keyOf, text: quoted, last: ',' }

const lineMax = 60

/** A value in one line if it is short, otherwise with a line for each member. */
function printed(value: unknown, notation: Notation, indent = ''): string {
  if (typeof value === 'string') return notation.text(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const members = isList
    ? value.map((entry) => printed(entry, notation, inner))
    : Object.entries(value).map(([name, entry]) => `${notation.key(name)}: ${printed(entry, notation, inner)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (members.length === 0) return open + close
  const padding = isList ? '' : ' '
  const line = `${open}${padding}${members.join(', ')}${padding}${close}`
  if (line.length <= lineMax && !line.includes('\n')) return line
  return `${open}\n${inner}${members.join(`,\n${inner}`)}${notation.last}\n${indent}${close}`
}

/** A text in single quotes, unless it has some. */
function quoted(text: string): string {
  const double = JSON.stringify(text)
  return text.includes("'") ? double : `'${double.slice(1, -1).replaceAll('\\"', '"')}'`
}

function keyOf(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : quoted(name)
}

function curlSample(
  { method, path, access, media_type, body: taken }: Endpoint,
  { params, query, body }: CallValues,
): string {
  const place = path.replaceAll(/:(\w+)/g, (_, name: string) => encoded(String(params[name])))
  const stream = media_type === 'text/event-stream' ? ' -N' : ''
  const verb = method === 'GET' ? '' : ` -X ${method}`
  const words = [`curl -sS${stream}${verb} "$BOURSE_BASE_URL${place}${queryText(query)}"`]
  const token = access === 'agent' ? '$AGENT_TOKEN' : '$BOURSE_API_TOKEN'
  if (access !== 'public') words.push(`-H "Authorization: Bearer ${token}"`)
  if (taken) words.push("-H 'content-type: application/json'", `--data-raw ${singleQuoted(printed(body, json))}`)
  return words.join(' \\\n  ')
}

function queryText(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}=${encoded(String(one))}`),
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** A part of a path or a query. It is read in double quotes of a shell, so it has none of its signs. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/%3A/g, ':').replaceAll("'", '%27')
}

/** Gives the ids of commands, which have only their beginning, those of the same call or of any recorded one. */
function idCompleter(recorded: RecordedCalls): (command: string, values: CallValues) => string {
  const all = idsIn(recorded)
  return (command, values) => {
    const own = idsIn(values)
    return command.replaceAll(/\b([a-z]+)_…/g, (short, prefix: string) => own.get(prefix) ?? all.get(prefix) ?? short)
  }
}

/** The first id of each prefix. */
function idsIn(value: unknown): Map<string, string> {
  const found = JSON.stringify(value).matchAll(/"(([a-z]+)_[\w-]{21,})"/g)
  const ids = [...found].map(([, id = '', prefix = '']): [string, string] => [prefix, id])
  return new Map(ids.toReversed())
}
