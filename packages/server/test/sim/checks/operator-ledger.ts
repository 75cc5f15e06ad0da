/** money.operator: the operator's export and revenue, read over HTTP, are what the ledger moved. */
import { type Database, statement } from '../../../src/core/db/db.ts'

/** The first day and the day behind the last one of a ledger, in seconds, and what each owner got in all. */
export type MovedMoney = {
  readonly from: number
  readonly to: number
  /** By account, and by book of the operator. */
  readonly owners: ReadonlyMap<string, bigint>
}

type LedgerLine = {
  readonly account: string | null
  readonly book: string
  readonly amount_dollars: string
  readonly fill: string | null
  readonly transaction: string | null
}

const listMoved = statement<{ owner: string; moved: bigint; first: number; last: number }>(
  'sim.list_moved',
  `select coalesce(account_id, book) as owner, sum(amount_micros) as moved, min(created_at) as first,
     max(created_at) as last
   from ledger
   group by coalesce(account_id, book)`,
)

/** What the ledger moved; undefined while it is empty. */
export async function readMoved({ reader }: Database): Promise<MovedMoney | undefined> {
  const rows = await reader.rows(listMoved)
  if (rows.length === 0) return undefined
  const dayOf = (seconds: number) => seconds - (seconds % 86_400)
  return {
    from: dayOf(Math.min(...rows.map(({ first }) => first))),
    to: dayOf(Math.max(...rows.map(({ last }) => last))) + 86_400,
    owners: new Map(rows.filter(({ moved }) => moved !== 0n).map(({ owner, moved }) => [owner, moved])),
  }
}

/** What in an export as JSON lines differs from the ledger, one line each. */
export function wrongInLedger(text: string, { owners }: Pick<MovedMoney, 'owners'>): string[] {
  const owned = new Map<string, bigint>()
  const causes = new Map<string, bigint>()
  for (const line of text.split('\n')) {
    if (line === '') continue
    // Amounts keep their digits: they are read as text.
    const row = JSON.parse(line.replaceAll(/:(-?\d+\.\d{6})(?=[,}])/g, ':"$1"')) as LedgerLine
    const micros = BigInt(row.amount_dollars.replace('.', ''))
    add(owned, row.account ?? row.book, micros)
    add(causes, row.fill ?? row.transaction ?? '', micros)
  }
  const wrong = [...causes]
    .filter(([, sum]) => sum !== 0n)
    .map(([cause, sum]) => `money.operator: ${cause} adds up to ${sum}`)
  for (const owner of new Set([...owned.keys(), ...owners.keys()])) {
    const [exported, moved] = [owned.get(owner) ?? 0n, owners.get(owner) ?? 0n]
    if (exported !== moved) wrong.push(`money.operator: ${owner} got ${moved}, the export says ${exported}`)
  }
  return wrong
}

function add(sums: Map<string, bigint>, key: string, micros: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + micros)
}
