/** What a backup says of itself: compared with a restored copy, and for its row in the database. */
import { type BackupContents, type BackupRecord, backupBytes } from '../core/backup/backup-record.rules.ts'
import type { BackupRow } from '../process/backups.store.ts'

/** What metrics and the doctor learn of a backup. */
export function backupRow(record: BackupRecord, location: string): BackupRow {
  const { id, ended_at } = record
  return { id, location, completed_at: Math.floor(Date.parse(ended_at) / 1000), size_bytes: backupBytes(record) }
}

/** A sentence for each difference. Positions of events that could not be told on either side are not compared. */
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
  const positions = [wanted.event_positions, found.event_positions]
  if (positions.includes(null) || wanted.event_positions === found.event_positions) return ledger
  const events = `the event logs have ${found.event_positions} events, and the backup had ${wanted.event_positions}`
  return [...ledger, events]
}

function describeSum(sum: BackupContents['ledger'][number] | undefined): string {
  return sum ? `${sum.rows} rows with a sum of ${sum.amount_micros} micro-dollars` : 'no row'
}
