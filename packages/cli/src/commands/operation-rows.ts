/** What is done with rows after they are read: `--filter`, `--sort`, and the names and ages that tables show. */
import { ApiError } from '@bourse/sdk/errors.ts'
import { readSize } from '@bourse/text/grammar/amounts.ts'
import { readSpan } from '@bourse/text/grammar/spans.ts'
import { resolveReference } from '../input/references.ts'
import type { Session } from '../input/session.ts'
import { readTime } from '../input/times.ts'
import { type CellStyle, unnamedReference } from '../output/cells.ts'
import { readNames } from '../output/event-names.ts'
import { styleOf } from '../output/output.ts'
import { columnOf, type RowShape, rowTypeOf } from '../output/rows/columns.ts'
import { readFilter, type ValueReaders } from '../output/rows/filters.ts'
import { readSort } from '../output/rows/order.ts'
import { type ValueType, valueAt } from '../output/rows/value-types.ts'

/** The choice and the order of the rows that were read. */
export type RowChoice = {
  readonly isFiltered: boolean
  readonly isSorted: boolean
  take(rows: readonly unknown[]): unknown[]
}

type RowOptions = { readonly filter?: readonly string[] | undefined; readonly sort?: string | undefined }

/** Reads `--filter` and `--sort`. Refuses unknown columns and values, so that a typing error never hides rows. */
export async function readRowChoice(
  session: Session,
  shape: RowShape,
  { filter = [], sort }: RowOptions,
): Promise<RowChoice> {
  const type = rowTypeOf(shape)
  const readers = readersOf(session)
  const conditions = await Promise.all(filter.map((text) => readFilter(text, type, readers)))
  const compare = sort === undefined ? undefined : readSort(sort, type)
  return {
    isFiltered: conditions.length > 0,
    isSorted: compare !== undefined,
    take: (rows) => {
      const kept = rows.filter((row) => conditions.every((holds) => holds(row)))
      return compare ? kept.toSorted(compare) : kept
    },
  }
}

function readersOf(session: Session): ValueReaders {
  return {
    moment: (text) => readTime(session, text),
    span: readSpan,
    size: readSize,
    id: async (kind, text) => (kind === 'sku' ? resolveReference(session.lookup, kind, text) : text),
  }
}

/** How a table shows rows: with the time of the server, for ages, and with the names of what its cells refer to. */
export async function styleFor(session: Session, shape: RowShape, rows: readonly unknown[]): Promise<CellStyle> {
  const { terminal, output, options } = session
  const style = styleOf(terminal, output)
  if (output.format !== 'table' || options.curl || style.exact || rows.length === 0) return style
  const type = rowTypeOf(shape)
  const columns = (output.columns ?? shape.columns).map((name) => columnOf(name, type))
  const ids = new Set<string>()
  for (const column of options.ids ? [] : columns) {
    for (const row of rows) addIds(ids, valueAt(row, column.name, type), column.type)
  }
  const hasMoments = columns.some((column) => containsMoment(column.type))
  const [now, names] = await Promise.all([
    style.times === 'age' && hasMoments ? orNothing(serverNow(session)) : undefined,
    readNames(session.lookup, [...ids]),
  ])
  return { ...style, now, names: new Map(names) }
}

async function serverNow({ lookup }: Session): Promise<number> {
  return (await lookup.account.get()).server.now
}

/** Names and ages are extras: without the permission to read them the table has ids and times. */
async function orNothing<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** The ids in a value for which a table has names, where the value has none itself. */
function addIds(ids: Set<string>, value: unknown, type: ValueType): void {
  if (value === null || value === undefined) return
  if (type.kind === 'id' && !type.isOwn) ids.add(String(value))
  if (type.kind === 'list' && Array.isArray(value)) for (const one of value) addIds(ids, one, type.of)
  if (typeof value !== 'object' || Array.isArray(value)) return
  if (type.kind === 'map') {
    for (const [key, one] of Object.entries(value)) {
      if (type.keys !== undefined) ids.add(key)
      addIds(ids, one, type.of)
    }
  }
  if (type.kind === 'object') {
    const id = unnamedReference(value)
    if (id !== undefined) ids.add(id)
    for (const [name, member] of type.members) addIds(ids, Reflect.get(value, name), member)
  }
}

function containsMoment(type: ValueType): boolean {
  if (type.kind === 'time') return type.of === 'moment'
  if (type.kind === 'list' || type.kind === 'map') return containsMoment(type.of)
  return type.kind === 'object' && [...type.members.values()].some(containsMoment)
}
