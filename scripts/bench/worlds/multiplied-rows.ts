// Large tables. Services write the first rows, as in production; a million of them would take hours, so that the rest
// are copies. A copy has every column of its row, so that a column that is added later is copied too.

import { type Db, statement } from '../../../packages/server/src/core/db/db.ts'

type Copies = {
  /** Which rows are copied, as a condition on `t`. */
  readonly of: string
  /** A copy is made for each of these numbers, which is `n` in the expressions. */
  readonly numbers: readonly [from: number, to: number]
  /** The columns that differ from the row, as expressions. */
  readonly changes: Readonly<Record<string, string>>
}

const listColumns = statement<{ name: string }>(
  null,
  `select attname as name
   from pg_attribute
   where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
   order by attnum`,
)

/** The columns of a table that a row is written with, in their order. */
export async function columnsOf(db: Db, table: string): Promise<string[]> {
  return (await db.rows(listColumns, [table])).map(({ name }) => name)
}

/** Inserts copies of rows of a table, and of each row one for each number. Throws if there is no such row. */
export async function multiplyRows(db: Db, table: string, { of, numbers: [from, to], changes }: Copies): Promise<void> {
  const columns = await columnsOf(db, table)
  const values = columns.map((name) => changes[name] ?? `t.${name}`)
  const count = await db.run(
    statement<never>(
      null,
      `insert into ${table} (${columns.join(', ')})
       select ${values.join(', ')}
       from ${table} t
       cross join generate_series($1::bigint, $2::bigint) n
       where ${of}`,
    ),
    [from, to],
  )
  if (count === 0) throw new Error(`There is no row of ${table} to copy where ${of}.`)
}
