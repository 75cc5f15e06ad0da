import { type Db, statement } from '../../core/db/db.ts'
import type { StatementSums } from './statements.rules.ts'

/** A closed month as its statement was. */
type ClosedMonth = {
  readonly month_start: number
  readonly opening_micros: bigint
  readonly closing_micros: bigint
  readonly lines: readonly StatementSums[]
}

/** Amounts are text in JSON, which keeps all of their digits. */
type StoredLine = { readonly [K in keyof StatementSums]: StatementSums[K] extends bigint ? string : string | null }
type ClosedRow = Omit<ClosedMonth, 'lines'> & { readonly lines: readonly StoredLine[] }

const closedColumns = 'month_start, opening_micros, closing_micros, lines'
const selectOne = statement<ClosedRow>(
  'accounting.find_closed_statement',
  `select ${closedColumns}
   from closed_statements
   where account_id = $1 and month_start = $2`,
)
const selectLast = statement<ClosedRow>(
  'accounting.find_last_closed_statement',
  `select ${closedColumns}
   from closed_statements
   where account_id = $1 and month_start < $2
   order by month_start desc
   limit 1`,
)
const insertOne = statement<never>(
  'accounting.insert_closed_statement',
  `insert into closed_statements (account_id, month_start, opening_micros, closing_micros, lines, closed_at)
   values ($1, $2, $3, $4, $5, $6)`,
)
const selectFirst = statement<{ created_at: number | null }>(
  'accounting.find_first_transaction',
  `select min(created_at) as created_at
   from ledger_transactions
   where account_id = $1 and created_at >= $2`,
)

/** The closed statement of a month; undefined if none is stored. */
export async function findClosedMonth(db: Db, accountId: string, start: number): Promise<ClosedMonth | undefined> {
  const row = await db.row(selectOne, [accountId, start])
  return row && closedOf(row)
}

/** The newest closed statement from before a month; undefined if none is stored. */
export async function findClosedBefore(db: Db, accountId: string, start: number): Promise<ClosedMonth | undefined> {
  const row = await db.row(selectLast, [accountId, start])
  return row && closedOf(row)
}

export async function insertClosedMonth(db: Db, accountId: string, month: ClosedMonth, now: number): Promise<void> {
  const { month_start, opening_micros, closing_micros, lines } = month
  const texts = lines.map(({ purchases, sales, fees, credits, ...place }) => {
    return { ...place, ...textsOf({ purchases, sales, fees, credits }) }
  })
  await db.run(insertOne, [accountId, month_start, opening_micros, closing_micros, JSON.stringify(texts), now])
}

/** The time of the first transaction of an account from a second on; undefined if there is none. */
export async function findFirstTransaction(db: Db, accountId: string, from: number): Promise<number | undefined> {
  return (await db.row(selectFirst, [accountId, from]))?.created_at ?? undefined
}

function closedOf({ lines, ...row }: ClosedRow): ClosedMonth {
  return {
    ...row,
    lines: lines.map(({ purchases, sales, fees, credits, ...place }) => ({
      ...place,
      purchases: BigInt(purchases),
      sales: BigInt(sales),
      fees: BigInt(fees),
      credits: BigInt(credits),
    })),
  }
}

function textsOf(sums: Readonly<Record<string, bigint>>): Record<string, string> {
  return Object.fromEntries(Object.entries(sums).map(([name, micros]) => [name, String(micros)]))
}
