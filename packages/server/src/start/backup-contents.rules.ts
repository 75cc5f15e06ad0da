/** Compares what a backup says that it contains with what a restored copy contains. */
import type { BackupContents } from '../core/backup/backup-record.rules.ts'

/** A sentence for each difference. */
export function compareContents(
  wanted: BackupContents,
  found: Pick<BackupContents, 'ledger' | 'event_positions'>,
): string[] {
  const books = new Set([...wanted.ledger, ...found.ledger].map(({ book }) => book))
  const ledger = [...books].flatMap((book) => {
    const [one, other] = [wanted.ledger, found.ledger].map((sums) => sums.find((sum) => sum.book === book))
    if (one?.rows === other?.rows && one?.amount_micros === other?.amount_micros) return []
    return [`the ledger of ${book} has ${describeSum(other)}, and the backup had ${describeSum(one)}`]
  })
  if (wanted.event_positions === found.event_positions) return ledger
  const events = `the event logs have ${found.event_positions} events, and the backup had ${wanted.event_positions}`
  return [...ledger, events]
}

function describeSum(sum: BackupContents['ledger'][number] | undefined): string {
  return sum ? `${sum.rows} rows with a sum of ${sum.amount_micros} micro-dollars` : 'no row'
}
