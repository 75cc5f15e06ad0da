/** Rows in numbers that commands would take too long to write, for tests of what reads cost. */
import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { DatabaseTarget } from '../../src/core/db/database-target.ts'
import { type Database, statement } from '../../src/core/db/db.ts'
import type { TestServer } from '../support/server.ts'
import { statementsOf, workOf } from './statement-work.ts'

/** Rows of each table. Set BOURSE_LIST_ROWS for another number. */
export const listRows = (usual: number) => Number(process.env.BOURSE_LIST_ROWS ?? usual)
/** The rows of a page. */
const page = 50
/** For each row that a page could show: some for each value of a filter, of each of a few statements. */
const rowsMax = 10 * page
const pagesMax = 40 * page

/** Runs statements as the owner of the tables. */
export async function insert(into: Database, ...texts: readonly string[]): Promise<void> {
  await into.asOwner(async (db) => {
    for (const text of texts) await db.run(statement(null, text))
  })
}

/** Orders `first` to `last`; every value is SQL on their number `n`. By default they are filled, and of nobody. */
export function ordersOf(first: number, last: number, values: Readonly<Record<string, string>>): string {
  const row = {
    account_id: "'nobody'",
    workspace_id: "'wksp_x'",
    pool_id: "'pool_x'",
    sku_id: "'sku_x'",
    side: "'buy'",
    state: "'filled'",
    allow_standing: 'true',
    allow_partial: 'true',
    start_minute: '0',
    end_minute: '60',
    node_count: '1',
    price_micros: '1',
    seq: 'n',
    remaining: "'[]'",
    filled: "'[]'",
    lapsed: 'false',
    filled_node_minutes: '0',
    filled_value_micros: '0',
    book_version: '1',
    created_at: '0',
    ...values,
  }
  return rowsOf('orders', row, first, last)
}

/** Fills `first` to `last`; every value is SQL on their number `n`. */
export function fillsOf(first: number, last: number, values: Readonly<Record<string, string>>): string {
  const row = {
    price_micros: '1000000',
    schedule: "'[]'",
    start_minute: '0',
    end_minute: '60',
    node_minutes: '60',
    value_micros: '1000000',
    fee_micros: '0',
    ...values,
  }
  return rowsOf('fills', row, first, last)
}

/** A statement that inserts rows; every value is SQL on their number `n`. */
export function rowsOf(table: string, row: Readonly<Record<string, string>>, first: number, last: number): string {
  const values = Object.values(row).join(', ')
  return `insert into ${table} (${Object.keys(row).join(', ')})
    select ${values} from generate_series(${first}::bigint, ${last}::bigint) n`
}

type Lists = { readonly server: TestServer; readonly database: Database; readonly target: DatabaseTarget }

/**
 * Defines a test of a list: its first page and the one behind it read rows for a page, not for the table. `checked`
 * is the number of rows that checks of filters may look at besides.
 */
export function testPage({ server, database, target }: Lists, path: string, token: string, checked = 0): void {
  const name = path.replaceAll(/\d{9,}|(?:sku|wksp|pool|image|depl)_[\w-]+/g, '…')
  test(`GET ${name} reads rows for its page, not for its table`, async () => {
    const first = await server.ok('GET', path, { token })
    const places = first.has_more ? ['', `${path.includes('?') ? '&' : '?'}starting_after=${first.cursor}`] : ['']
    for (const place of places) {
      const sent = await statementsOf(database, () => server.ok('GET', path + place, { token }))
      for (const { statement: text, rows_read, pages } of await workOf(target, sent)) {
        assert.ok(rows_read <= rowsMax + checked, `${rows_read} rows: ${text}`)
        assert.ok(pages <= pagesMax + 2 * checked, `${pages} pages: ${text}`)
      }
    }
  })
}
