/**
 * Keyset pagination. One statement reads a page and one row more, which shows whether another page follows. The cost of
 * a page depends on its rows, not on the length of the list. Not this file's work: which rows a caller may see.
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
  add(condition: string, ...values: unknown[]): Conditions
  /** Adds the condition unless the value is undefined. */
  addIf(condition: string, value: unknown): Conditions
  readonly params: readonly unknown[]
  /** ` where (a) and (b)`, or an empty text. */
  text(): string
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
  readonly among?: Among | undefined
  readonly sort: {
    readonly columns: readonly string[]
    readonly direction: 'rising' | 'falling'
    keys(row: R): SortKeys
  }
}

/** A column, and the words or ids that it may have. They become part of the statement. */
export type Among = { readonly column: string; readonly values: readonly string[] }

/** What a list is filtered by. */
export type Filters = Pick<ListSpec<never>, 'where' | 'among'>

/** A page of rows, in list order. */
export type Page<R> = { readonly rows: R[]; readonly has_more: boolean; readonly cursor: string | undefined }

const defaultLimit = 50

/** The filter of a list by a column of words or ids. */
export function among(column: string, values: readonly string[] | undefined): Among | undefined {
  return values === undefined ? undefined : { column, values }
}

/** Creates an empty set of conditions. */
export function conditions(): Conditions {
  const parts: string[] = []
  const params: unknown[] = []
  const all: Conditions = {
    params,
    add: (condition, ...values) => {
      let next = params.length
      parts.push(condition.replaceAll('$', () => `$${++next}`))
      params.push(...values)
      return all
    },
    addIf: (condition, value) => (value === undefined ? all : all.add(condition, value)),
    text: () => (parts.length > 0 ? ` where ${parts.map((part) => `(${part})`).join(' and ')}` : ''),
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

/** Reads one page. Refuses cursors that do not belong to this list with these filters. */
export async function readPage<R>(ctx: Ctx, spec: ListSpec<R>): Promise<Page<R>> {
  const { limit = defaultLimit, starting_after, ending_before } = spec.query
  if (starting_after !== undefined && ending_before !== undefined) {
    refuse('mutually_exclusive', 'Give either starting_after or ending_before.', 'ending_before')
  }
  const isBackward = ending_before !== undefined
  const ends = openBounds(ctx, spec, isBackward ? 'ending_before' : 'starting_after')
  const isRising = (spec.sort.direction === 'rising') !== isBackward
  const from = isBackward ? ends?.first : ends?.last
  if (from) {
    const columns = spec.sort.columns.join(', ')
    const values = from.map(() => '$').join(', ')
    spec.where.add(`(${columns}) ${isRising ? '>' : '<'} (${values})`, ...from)
  }
  const found = await ctx.db.rows(statement<R>(null, pageText(spec, { isRising, limit: limit + 1 })), spec.where.params)
  const rows = found.slice(0, limit)
  if (isBackward) rows.reverse()
  return { rows, has_more: found.length > limit, cursor: sealBounds(ctx, spec, rows) }
}

/** The statement of a page. With `among` it reads a page of each value. */
function pageText<R>({ select, where, among, sort }: ListSpec<R>, page: { isRising: boolean; limit: number }): string {
  const { isRising, limit } = page
  const ordered = (columns: readonly string[]) =>
    ` order by ${columns.map((column) => `${column} ${isRising ? 'asc' : 'desc'}`).join(', ')} limit ${limit}`
  const conditions = where.text()
  if (among === undefined) return select + conditions + ordered(sort.columns)
  const parts = [...new Set(among.values)].map((value) => {
    if (!/^[\w-]+$/.test(value)) throw new Error(`${value} is neither a word nor an id.`)
    return `(${select}${conditions || ' where true'} and ${among.column} = '${value}'${ordered(sort.columns)})`
  })
  // Only unknown names were given, so no row matches.
  if (parts.length === 0) return `${select}${conditions || ' where true'} and false${ordered(sort.columns)}`
  if (parts.length === 1) return parts[0] as string
  const names = sort.columns.map((column) => `page.${column.slice(column.indexOf('.') + 1)}`)
  return `select * from (${parts.join(' union all ')}) page${ordered(names)}`
}

/** The envelope of a page. */
export function pageAnswer<R, T>(
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
export function shortListAnswer<T>(data: T[]): { object: 'list'; data: T[]; has_more: boolean } {
  return { object: 'list', data, has_more: false }
}

/** An empty page, for filters that no row can match. */
export function emptyPage<R>(): Page<R> {
  return { rows: [], has_more: false, cursor: undefined }
}

/** What a cursor is bound to. */
export type CursorSpec = Pick<ListSpec<never>, 'prefix' | 'list' | 'query'>

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

function sealBounds<R>(ctx: Ctx, spec: ListSpec<R>, rows: readonly R[]): string | undefined {
  const [first] = rows
  const last = rows.at(-1)
  if (first === undefined || last === undefined) return undefined
  return sealPlace(ctx, spec, { first: spec.sort.keys(first), last: spec.sort.keys(last) })
}
