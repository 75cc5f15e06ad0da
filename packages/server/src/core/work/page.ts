/**
 * Keyset pagination. One statement reads a page and one row more, which shows whether another page follows. The cost of
 * a page depends on its rows, not on the length of the list: conditions that no index serves are checked on a bounded
 * number of rows. Not this file's work: which rows a caller may see.
 */

import { refuse } from '../base/refusal.ts'
import { statement } from '../db/db.ts'
import { openListCursor, type PageBounds, type SortKeys, sealListCursor } from '../keys/list-cursor.ts'
import type { Ctx } from './ctx.ts'

/** The page parameters of a list, and its filters. */
export type PageQuery = {
  readonly limit?: number
  readonly starting_after?: string
  readonly ending_before?: string
  readonly [filter: string]: unknown
}

/** The conditions of a statement and their parameters. Each `$` in a condition is a placeholder of one value. */
export type Conditions = {
  /** Adds a condition that an index in the order of the list serves, or that nearly all rows meet. */
  add(condition: string, ...values: unknown[]): Conditions
  /** Adds the condition unless the value is undefined. */
  addIf(condition: string, value: unknown): Conditions
  /** Adds a condition that few rows may meet and no index serves. */
  check(condition: string, ...values: unknown[]): Conditions
  /** Adds the check unless the value is undefined. */
  checkIf(condition: string, value: unknown): Conditions
  readonly hasChecks: boolean
  /** The texts of all conditions, or of those that are not checks. Appends their values to `params`. */
  texts(params: unknown[], options: { readonly isChecked: boolean }): string[]
}

/** A list: what it selects, its order, and the sort keys of a row. */
export type ListSpec<R> = {
  /** The prefix of its cursors, without the underscore. */
  readonly prefix: string
  /** Distinguishes lists that share a prefix. Defaults to the prefix. */
  readonly list?: string
  readonly query: PageQuery
  /** `select … from …`, without where, order or limit. */
  readonly select: string
  readonly where: Conditions
  /**
   * A filter whose values few rows may have. Each value is read by an index that begins with the column, or whose
   * condition the value meets, and the rows of all are merged. Undefined: not filtered by.
   */
  readonly among?: ColumnValues | undefined
  readonly sort: {
    readonly columns: readonly string[]
    readonly direction: 'rising' | 'falling'
    keys(row: R): SortKeys
  }
}

/** A column, and the words or ids that it may have. They become part of the statement. */
export type ColumnValues = { readonly column: string; readonly values: readonly string[] }

/** What a list is filtered by. */
export type ListFilters = Pick<ListSpec<never>, 'where' | 'among'>

/**
 * A page of rows, in list order. With checks a page can have fewer rows than its limit, or none, while more follow: its
 * cursor then continues behind the last row that was checked.
 */
export type Page<R> = { readonly rows: R[]; readonly has_more: boolean; readonly cursor: string | undefined }

const defaultLimit = 50
/** The most rows that the checks of one page look at. */
export const checkedRowsMax = 5_000

/** The filter of a list by a column of words or ids. */
export function among(column: string, values: readonly string[] | undefined): ColumnValues | undefined {
  return values === undefined ? undefined : { column, values }
}

/** Creates an empty set of conditions. */
export function conditions(): Conditions {
  type Condition = { readonly text: string; readonly values: readonly unknown[] }
  const served: Condition[] = []
  const checks: Condition[] = []
  const all: Conditions = {
    add: (text, ...values) => {
      served.push({ text, values })
      return all
    },
    addIf: (text, value) => (value === undefined ? all : all.add(text, value)),
    check: (text, ...values) => {
      checks.push({ text, values })
      return all
    },
    checkIf: (text, value) => (value === undefined ? all : all.check(text, value)),
    get hasChecks() {
      return checks.length > 0
    },
    texts: (params, { isChecked }) =>
      [...served, ...(isChecked ? checks : [])].map(({ text, values }) => {
        let next = params.length
        params.push(...values)
        return `(${text.replaceAll('$', () => `$${++next}`)})`
      }),
  }
  return all
}

/** The usual order of lists: newest first, by `created_at`, then `id`. */
export function newestFirst<R extends { created_at: number; id: string }>(alias: string): ListSpec<R>['sort'] {
  return {
    columns: [`${alias}.created_at`, `${alias}.id`],
    direction: 'falling',
    keys: (row) => [row.created_at, row.id],
  }
}

/** Refuses mutually_exclusive for a list with both cursors. */
export function refuseBothCursors({ starting_after, ending_before }: PageQuery): void {
  if (starting_after === undefined || ending_before === undefined) return
  refuse('mutually_exclusive', 'Give either starting_after or ending_before.', 'ending_before')
}

/** Reads one page. Refuses cursors that do not belong to this list with these filters. */
export async function readPage<R>(ctx: Ctx, spec: ListSpec<R>): Promise<Page<R>> {
  const { limit = defaultLimit, ending_before } = spec.query
  refuseBothCursors(spec.query)
  const isBackward = ending_before !== undefined
  const ends = openBounds(ctx, spec, isBackward ? 'ending_before' : 'starting_after')
  const isRising = (spec.sort.direction === 'rising') !== isBackward
  const range: PageRange = { isRising, behind: isBackward ? ends?.first : ends?.last, to: undefined }
  const to = await findLastChecked(ctx, spec, range)
  const found = await readRows<R>(ctx, spec, { ...range, to, limit: limit + 1 })
  const rows = found.slice(0, limit)
  const isFull = found.length > limit
  const keys = rows.map((row) => spec.sort.keys(row))
  // A page that is not full ends with the row that was checked last.
  if (to !== undefined && !isFull) keys.push(to)
  if (isBackward) {
    rows.reverse()
    keys.reverse()
  }
  const [first] = keys
  const last = keys.at(-1)
  const cursor = first && last && sealPlace(ctx, spec, { first, last })
  return { rows, has_more: isFull || to !== undefined, cursor }
}

/** The part of a list behind one row and up to another, in reading order. */
type PageRange = {
  readonly isRising: boolean
  readonly behind: SortKeys | undefined
  readonly to: SortKeys | undefined
}

/**
 * The keys of the last row that the checks of a page look at, if rows follow it. Undefined without checks. It reads an
 * index only, so that it costs less than a page, and its bound holds whatever plan the page then has.
 */
async function findLastChecked<R>(ctx: Ctx, spec: ListSpec<R>, range: PageRange): Promise<SortKeys | undefined> {
  if (!spec.where.hasChecks) return undefined
  const { columns } = spec.sort
  const alias = columns[0]?.split('.')[0]
  const [, table] = new RegExp(`from (\\w+ ${alias})\\b`).exec(spec.select) ?? []
  if (table === undefined) throw new Error(`The list selects from no table ${alias}.`)
  const { text, params } = rowsText(
    { ...spec, select: `select ${columns.join(', ')} from ${table}` },
    { ...range, limit: checkedRowsMax + 1, isChecked: false },
  )
  const ends = `select * from (${text}) page offset ${checkedRowsMax - 1}`
  const [last, next] = await ctx.db.rows(statement<Record<string, string | number>>(null, ends), params)
  return last && next && columns.map((column) => last[bareName(column)] as string | number)
}

async function readRows<R>(ctx: Ctx, spec: ListSpec<R>, range: PageRange & { readonly limit: number }): Promise<R[]> {
  const { text, params } = rowsText(spec, { ...range, isChecked: true })
  return ctx.db.rows(statement<R>(null, text), params)
}

/** A statement of rows of a list. With `among` a page of each value is read. */
function rowsText<R>(
  { select, where, among, sort: { columns } }: ListSpec<R>,
  { isRising, behind, to, limit, isChecked }: PageRange & { readonly limit: number; readonly isChecked: boolean },
): { text: string; params: readonly unknown[] } {
  const order = (names: readonly string[]) =>
    ` order by ${names.map((name) => `${name} ${isRising ? 'asc' : 'desc'}`).join(', ')} limit ${limit}`
  const params: unknown[] = []
  const place = (operator: string, keys: SortKeys) =>
    `(${columns.join(', ')}) ${operator} (${keys.map((key) => `$${params.push(key)}`).join(', ')})`
  const texts = where.texts(params, { isChecked })
  if (behind) texts.push(place(isRising ? '>' : '<', behind))
  if (to) texts.push(place(isRising ? '<=' : '>=', to))
  const read = (...more: string[]) => {
    const parts = [...texts, ...more]
    return `${select}${parts.length > 0 ? ` where ${parts.join(' and ')}` : ''}${order(columns)}`
  }
  if (among === undefined) return { text: read(), params }
  const pages = [...new Set(among.values)].map((value) => {
    if (!/^[\w-]+$/.test(value)) throw new Error(`${value} is neither a word nor an id.`)
    return `(${read(`${among.column} = '${value}'`)})`
  })
  // Only unknown names were given, so no row matches.
  if (pages.length === 0) return { text: read('false'), params }
  if (pages.length === 1) return { text: pages[0] as string, params }
  const names = columns.map((column) => `page.${bareName(column)}`)
  return { text: `select * from (${pages.join(' union all ')}) page${order(names)}`, params }
}

/** The name of a column without its table. */
function bareName(column: string): string {
  return column.slice(column.indexOf('.') + 1)
}

/** The envelope of a page. */
export function pageResponse<R, T>(
  page: Page<R>,
  data: T[],
): { object: 'list'; data: T[]; has_more: boolean; cursor?: string } {
  return {
    object: 'list',
    data,
    has_more: page.has_more,
    ...(page.cursor === undefined ? {} : { cursor: page.cursor }),
  }
}

/** The envelope of a list that is always complete. */
export function shortListResponse<T>(data: T[]): { object: 'list'; data: T[]; has_more: boolean } {
  return { object: 'list', data, has_more: false }
}

/** An empty page, for filters that no row can match. */
export function emptyPage<R>(): Page<R> {
  return { rows: [], has_more: false, cursor: undefined }
}

/** What a cursor is bound to. */
type CursorSpec = Pick<ListSpec<never>, 'prefix' | 'list' | 'query'>

/** Opens a cursor of a list that several statements read; refuses a cursor of another list. */
export function openPlace(ctx: Ctx, spec: CursorSpec, parameter: 'starting_after' | 'ending_before') {
  return openBounds(ctx, spec, parameter)
}

/** The cursor of a page whose first and last rows have these keys. */
export function sealPlace(ctx: Ctx, spec: CursorSpec, ends: PageBounds): string {
  return sealListCursor(ctx.keys.cursors(), scopeOf(ctx, spec), ends)
}

function scopeOf(ctx: Ctx, { prefix, list, query }: CursorSpec) {
  const filters: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(query)) {
    if (['limit', 'starting_after', 'ending_before'].includes(name) || value === undefined) continue
    filters[name] = Array.isArray(value) ? value.map(String) : String(value)
  }
  return { prefix, list: list ?? prefix, account_id: ctx.caller?.account_id ?? '', filters }
}

function openBounds(ctx: Ctx, spec: CursorSpec, parameter: 'starting_after' | 'ending_before'): PageBounds | undefined {
  const cursor = spec.query[parameter]
  if (cursor === undefined) return undefined
  const ends = openListCursor(ctx.keys.cursors(), scopeOf(ctx, spec), cursor)
  return ends ?? refuse('invalid_cursor', 'This cursor does not belong to this list with these filters.', parameter)
}
