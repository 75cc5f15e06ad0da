/** Runs one operation of the contract: parses the arguments, calls the client, prints the response. */
import { isDeepStrictEqual } from 'node:util'
import { confirmations } from '@bourse/api/confirmations.ts'
import { endpoints, type OperationName } from '@bourse/api/contract.ts'
import type { Instance } from '@bourse/api/fleet/instances.ts'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import type { TSchema } from '@bourse/api/kit/schema.ts'
import type { Order } from '@bourse/api/market/orders.ts'
import type { Reply, RequestOptions } from '@bourse/sdk/call.ts'
import { ForbiddenError } from '@bourse/sdk/errors.ts'
import { methodAt, type Placement, placements } from '@bourse/sdk/naming.ts'
import { counted } from '@bourse/text/formats/amounts.ts'
import { confirm } from '../input/confirmation.ts'
import { fieldsOf, kindOf } from '../input/fields.ts'
import { readInput, resolve, spokenTimes, type TypedInput } from '../input/operation-input.ts'
import type { Session } from '../input/session.ts'
import { emptyText, type Narrowing } from '../output/empty-lists.ts'
import { endingOf } from '../output/endings.ts'
import {
  type List,
  type OutputOptions,
  printList,
  printObject,
  requirePrintable,
  rowPrinter,
} from '../output/output.ts'
import { columnsByTitle, droppableByTitle, type Presentation, presentations } from '../output/presentation.ts'
import type { RowShape } from '../output/rows/columns.ts'
import { typeAt, typeOf, type ValueType } from '../output/rows/value-types.ts'
import { usageProblem } from '../output/usage.ts'
import { verifyShown } from './checks/attestation.ts'
import { describeOperation, firstSentence } from './help/operation-texts.ts'
import { type InstanceWait, readInstanceWait, waitForInstance } from './instance-waiting.ts'
import { watchList, watchObject } from './list-watch.ts'
import { type RowChoice, readRowChoice, styleFor } from './operation-rows.ts'
import { isInThePast, reportCancel } from './order-reports.ts'
import { approve, report } from './spending.ts'

type OperationValues = Record<string, unknown>
type PresentedRows = NonNullable<Presentation['rows']>
type Method = (...given: unknown[]) => Promise<unknown> & { withResponse(): Promise<Reply<unknown>> }

/** The arguments of one operation. */
export type TypedArguments = TypedInput & {
  readonly limit?: string | undefined
  readonly all?: boolean | undefined
  readonly watch?: boolean | undefined
  readonly filter?: readonly string[] | undefined
  readonly sort?: string | undefined
  readonly idempotencyKey?: string | undefined
  readonly wait?: string | boolean | undefined
  readonly timeout?: string | undefined
}

const places = placements(endpoints.map(({ name }) => name))

/** The method of an operation in the client. */
export function commandNameOf(endpoint: Endpoint): Placement {
  return places.get(endpoint.name) as Placement
}

/** The columns of an operation's response, and the types of their values. */
export function shapeOf({ response }: Endpoint): RowShape {
  type Plain = { title?: string; properties?: Record<string, Plain>; items?: Plain }
  const whole = (response ?? {}) as Plain
  const schema = whole.properties?.data?.items ?? whole
  const { title = '', properties = {} } = schema
  const type = typeOf(schema)
  const members = type.kind === 'object' ? [...type.members.keys()] : Object.keys(properties)
  const columns = columnsByTitle[title] ?? members.filter((name) => name !== 'object').slice(0, 6)
  const droppable = droppableByTitle[title]
  return { members, columns, type, ...(droppable === undefined ? {} : { droppable }) }
}

/** The shape of the rows of a response that is one object but is shown as a table. */
function shapeOfRows(endpoint: Endpoint, { columns, from, besides = {} }: PresentedRows): RowShape {
  const whole = typeOf(endpoint.response)
  const typeOfEach = (path: string) => {
    const found = typeAt(whole, path)
    return found?.kind === 'list' ? found.of : found
  }
  const row = typeOfEach(from)
  const members = new Map<string, ValueType>()
  if (columns.includes('side')) members.set('side', { kind: 'word', words: ['ask', 'bid'], isOpen: false })
  for (const [name, path] of Object.entries(besides)) members.set(name, typeOfEach(path) as ValueType)
  if (row?.kind === 'object') for (const [name, type] of row.members) members.set(name, type)
  return { members: [...members.keys()], columns, type: { kind: 'object', members, isWindow: false } }
}

/** The rows that show an object of a response in this format; undefined where it is shown as the object that it is. */
function rowsIn({ format }: OutputOptions, { name }: Endpoint): PresentedRows | undefined {
  const { rows } = presentations[name as OperationName] ?? {}
  return rows && (rows.formats ?? ['table', 'csv']).includes(format) ? rows : undefined
}

/** Refuses options of the output with which the response of an operation cannot be printed. */
export function requireShown(output: OutputOptions, endpoint: Endpoint): void {
  const rows = rowsIn(output, endpoint)
  if (endpoint.response) requirePrintable(output, rows ? shapeOfRows(endpoint, rows) : shapeOf(endpoint))
}

/** Runs an operation with the given arguments. */
export async function runOperation(session: Session, endpoint: Endpoint, typed: TypedArguments): Promise<void> {
  requireShown(session.output, endpoint)
  waitOf(typed)
  const params = await readParams(session, endpoint, typed)
  const input = await readInput(session, endpoint, typed)
  try {
    await runWith(session, endpoint, { params, input, typed })
  } catch (error) {
    // What was typed relative to now may have passed on its way. A request under a key stays as it is.
    if (!isInThePast(error) || typed.idempotencyKey !== undefined) throw error
    const later = await readInput(session, endpoint, typed)
    if (isDeepStrictEqual(later, input)) throw error
    await runWith(session, endpoint, { params, input: later, typed })
  }
}

async function runWith(session: Session, endpoint: Endpoint, { params, input, typed }: SentOperation): Promise<void> {
  const wait = waitOf(typed)
  const head = params.length > 1 ? [Object.fromEntries(params)] : params.map(([, value]) => value)
  if (endpoint.name.startsWith('list_')) return runList(session, endpoint, { head, query: input, typed })
  // The plan of a spending command shows its window itself.
  const isPlanned = confirmations[endpoint.name as OperationName] === 'spends'
  if (endpoint.body && !isPlanned && session.output.format === 'table') {
    for (const line of spokenTimes(endpoint, typed, input)) session.terminal.note(line)
  }
  if (!(await agree(session, endpoint, { params, input, typed }))) return
  const ended = endpoint.name === 'cancel_order' ? await readOrder(session, params) : undefined
  const takesInput = endpoint.body !== undefined || Object.keys(endpoint.query.properties).length > 0
  const options: RequestOptions = typed.idempotencyKey ? { idempotencyKey: typed.idempotencyKey } : {}
  const method = methodAt<Method>(session.client, commandNameOf(endpoint))
  const send = () => method(...head, ...(takesInput ? [input] : []), options)
  if (typed.watch && !session.options.curl) {
    return watchObject(session, {
      endpoint,
      read: async () => (await send()) as OperationValues,
      show: (value) => showObject(session, endpoint, value),
    })
  }
  const { data, headers } = await send().withResponse()
  if (headers.get('idempotency-replayed') === 'true') {
    session.terminal.note('Nothing changed: this is the stored response to an earlier call with the same key.')
  }
  const proof = await verifyShown(session, endpoint, data)
  const shown = wait === undefined ? data : await waitForInstance(session, (data as Instance).id, wait)
  if (ended) return reportCancel(session, ended)
  const done = endingOf(
    endpoint.name,
    params.map(([, value]) => value),
  )
  if (shown === undefined) return session.terminal.note(done ?? 'Done.')
  await showObject(session, endpoint, shown as OperationValues)
  for (const line of [done, proof]) {
    if (line !== undefined && session.output.format === 'table') session.terminal.note(line)
  }
  await report(session, endpoint, shown)
}

/** Prints the response of an operation on one object. */
async function showObject(session: Session, endpoint: Endpoint, value: OperationValues): Promise<void> {
  const { terminal, output } = session
  const { hidden = [] } = presentations[endpoint.name as OperationName] ?? {}
  const rows = rowsIn(output, endpoint)
  if (rows) {
    const list: List = { object: 'list', data: rows.of(value), has_more: false }
    const shape = shapeOfRows(endpoint, rows)
    return printList(terminal, output, list, shape, await styleFor(session, shape, list.data))
  }
  const shape = shapeOf(endpoint)
  const whole = { ...shape, columns: shape.members }
  const isWhole = output.format !== 'table' || output.columns !== undefined
  const read = Object.entries(value).filter(([name]) => isWhole || !hidden.includes(name))
  printObject(terminal, output, Object.fromEntries(read), shape, await styleFor(session, whole, [value]))
}

type ListCall = { readonly head: unknown[]; readonly query: OperationValues; readonly typed: TypedArguments }

async function runList(session: Session, endpoint: Endpoint, call: ListCall): Promise<void> {
  const { terminal, output, options } = session
  const shape = { ...shapeOf(endpoint), empty: emptyText(endpoint.name, narrowingOf(endpoint, call.query)) }
  const choice = await readRowChoice(session, shape, call.typed)
  const read = () => readList(session, endpoint, call)
  const show = async (list: List) => {
    const chosen = { ...list, data: choice.take(list.data) }
    const isLess = choice.isFiltered && chosen.data.length < list.data.length
    const shown = isLess ? { ...shape, empty: 'No row meets the filter.' } : shape
    printList(terminal, output, chosen, shown, await styleFor(session, shape, chosen.data))
    if (isLess) noteFiltered(session, list, chosen)
  }
  if (call.typed.watch && !options.curl) {
    return watchList(session, { endpoint, shape, read, show, take: choice.take })
  }
  if (!isStreamed(session, endpoint, { call, choice })) return show(await read())
  const printRow = rowPrinter(terminal, output, shape)
  await readList(session, endpoint, call, (rows) => choice.take(rows).forEach(printRow))
}

/** Whether rows can be printed before all are read. */
function isStreamed(
  { output }: Session,
  endpoint: Endpoint,
  { call, choice }: { call: ListCall; choice: RowChoice },
): boolean {
  if (choice.isSorted || call.query.ending_before !== undefined || !isPaged(endpoint)) return false
  return ['jsonl', 'csv', 'id'].includes(output.format)
}

/** Says that a filter has seen only the rows that were read. */
function noteFiltered({ terminal, output }: Session, read: List, { data }: List): void {
  if (output.format !== 'table') return
  const others = read.has_more ? '; --all reads the others' : ''
  terminal.note(terminal.dim(`--filter: ${data.length} of ${counted(read.data.length, 'row')} read${others}`))
}

const cursors = ['starting_after', 'ending_before']

/** What narrows a list. A required member, such as the start of a period, is no filter. */
export function narrowingOf(endpoint: Endpoint, query: OperationValues): Narrowing {
  const given = Object.keys(query)
  const required = fieldsOf(endpoint.query).flatMap((field) => (field.required ? [field.name] : []))
  return {
    has_filters: given.some((name) => !cursors.includes(name) && !required.includes(name)),
    has_cursor: given.some((name) => cursors.includes(name)),
  }
}

function isPaged({ query }: Endpoint): boolean {
  return 'limit' in query.properties
}

/** Reads a list from any number of pages. With `take`, each page is handed over instead of being kept. */
async function readList(
  session: Session,
  endpoint: Endpoint,
  { head, query, typed }: ListCall,
  take?: (rows: readonly unknown[]) => void,
): Promise<List> {
  const list = methodAt<Method>(session.client, commandNameOf(endpoint))
  if (!isPaged(endpoint)) return (await list(...head, query)) as List
  const most = typed.all ? Number.POSITIVE_INFINITY : readCount(typed.limit)
  const isBackward = query.ending_before !== undefined
  let data: unknown[] = []
  let count = 0
  for (let where: OperationValues = query; ; ) {
    const page = (await list(...head, { ...where, limit: Math.min(200, most - count) })) as List
    count += page.data.length
    if (take) take(page.data)
    else data = isBackward ? [...page.data, ...data] : [...data, ...page.data]
    const { has_more, cursor } = page
    if (!has_more || count >= most) {
      const more_flag = isBackward ? 'ending-before' : 'starting-after'
      return { object: 'list' as const, data, has_more, ...(data.length > 0 && cursor ? { cursor, more_flag } : {}) }
    }
    where = { ...query, [isBackward ? 'ending_before' : 'starting_after']: cursor }
  }
}

async function readParams(
  session: Session,
  { params }: Endpoint,
  { positional }: TypedArguments,
): Promise<[string, string][]> {
  const read = Object.entries(params.properties).map(async ([name, schema]): Promise<[string, string]> => {
    if (positional[name] === '') throw usageProblem(`<${name}> is empty.`, 'See --help for its values.')
    return [name, (await resolve(session, kindOf(schema as TSchema), positional[name])) as string]
  })
  return Promise.all(read)
}

type SentOperation = {
  readonly params: readonly [string, string][]
  readonly input: OperationValues
  readonly typed: TypedArguments
}

/** Asks before an operation that destroys or spends something. Returns false if there is nothing to send. */
async function agree(session: Session, endpoint: Endpoint, { params, input, typed }: SentOperation): Promise<boolean> {
  const consequence = confirmations[endpoint.name as OperationName]
  const what = params.map(([, value]) => value).join(' ')
  if (consequence === 'spends') {
    const { sku, pool } = { ...typed.flags, ...typed.positional } as { sku?: string; pool?: string }
    const names = { ...(sku === undefined ? {} : { sku }), ...(pool === undefined ? {} : { pool }) }
    return approve(session, endpoint, { id: params[0]?.[1], body: input, names })
  }
  const { asks } = presentations[endpoint.name as OperationName] ?? {}
  if (consequence) await confirm(session, asks?.(input, what) ?? questionOf(endpoint, what))
  return true
}

/** What is asked before an operation: its title, what it is about, and what happens. */
function questionOf(endpoint: Endpoint, what: string): string {
  const happens = firstSentence(describeOperation(endpoint, () => undefined))
  return `${endpoint.summary}${what === '' ? '' : ` (${what})`}. ${happens} Continue?`
}

/** The order before its cancellation. One that the caller may cancel but not read is cancelled without a report. */
async function readOrder({ lookup, options }: Session, params: SentOperation['params']): Promise<Order | undefined> {
  if (options.curl) return undefined
  try {
    return (await lookup.orders.get(params[0]?.[1] as 'ordr_')) as Order
  } catch (error) {
    if (error instanceof ForbiddenError) return undefined
    throw error
  }
}

function waitOf({ wait, timeout }: TypedArguments): InstanceWait | undefined {
  if (wait === undefined) return undefined
  return readInstanceWait(typeof wait === 'string' ? wait : 'running', timeout)
}

/** Reads the number of rows to show. The default is 50. */
export function readCount(text = '50'): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  throw usageProblem(`--limit takes a number of rows, not "${text}".`)
}
