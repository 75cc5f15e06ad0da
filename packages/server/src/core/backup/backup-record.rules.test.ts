import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  type BackupRecord,
  backupIdAt,
  backupsToRemove,
  choiceProblem,
  chooseBackup,
  claimRenewMilliseconds,
  claimText,
  isBackupId,
  isClaimed,
  parseRecord,
  restoreProblem,
} from './backup-record.rules.ts'

function recordOf(day: number): BackupRecord {
  const at = Date.UTC(2026, 10, day, 3)
  return {
    object: 'backup',
    format: 1,
    id: backupIdAt(at),
    program: { version: '0.0.0', commit: null },
    database: {
      system_identifier: '7',
      postgres_version: '18.4',
      postgres_major: 18,
      name: 'bourse',
      owner: 'bourse',
      segment_bytes: 2 ** 24,
      installation_id: 'x',
      history: 1,
      schema: 93,
      serves: 55,
    },
    timeline: 1,
    start_lsn: '0/2000028',
    end_lsn: '0/2000120',
    started_at: new Date(at).toISOString(),
    ended_at: new Date(at + 60_000).toISOString(),
    files: [{ name: 'base.tar.zst', size_bytes: 1, sha256: 'x' }],
    contents: { before_transaction: '800', day: '2026-11-29', ledger: [], event_positions: '0', images: 0 },
    keys: null,
  }
}

test('an id is the time of the beginning', () => {
  assert.equal(backupIdAt(Date.UTC(2026, 10, 29, 3, 4, 5, 678)), '20261129T030405Z')
  assert.ok(isBackupId('20261129T030405Z'))
  for (const text of ['wal', '20261129', '20261129T030405Z/..', '']) assert.ok(!isBackupId(text), text)
})

test('a record is read whole, and says why it is none', () => {
  const record = recordOf(1)
  assert.deepEqual(parseRecord(JSON.stringify(record)), record)
  const cases: [string, RegExp][] = [
    [JSON.stringify(record).slice(0, 80), /cut short or damaged/],
    ['null', /not one of a backup/],
    ['{"object":"list"}', /not one of a backup/],
    [JSON.stringify({ ...record, format: 2 }), /format 2, and this program reads format 1/],
    [JSON.stringify({ ...record, files: undefined }), /lacks members/],
    [JSON.stringify({ ...record, id: '../x' }), /lacks members/],
  ]
  for (const [text, problem] of cases) assert.match(parseRecord(text) as string, problem)
})

test('the newest backup that ended at the time or before is chosen', () => {
  const records = [recordOf(3), recordOf(1), recordOf(2)]
  const idFor = (to?: string) => (chooseBackup(records, to) as BackupRecord).id
  assert.equal(idFor(), recordOf(3).id)
  assert.equal(idFor('2026-11-02T03:01:00Z'), recordOf(2).id)
  assert.equal(idFor('2026-11-02T03:00:59.999Z'), recordOf(1).id)
  assert.equal(idFor('2026-11-02T05:01:00+02:00'), recordOf(2).id)
  assert.match(chooseBackup(records, '2026-11-01T00:00:00Z') as string, /the oldest backup ended at 2026-11-01T03:01/)
  assert.match(chooseBackup([], undefined) as string, /no complete backup/)
})

test('where a location has backups of several databases, a restore has to name one', () => {
  const [one, other] = [recordOf(1), recordOf(2)]
  assert.equal(choiceProblem([one, other]), undefined)
  const foreign = { ...other, database: { ...other.database, system_identifier: '8' } }
  assert.match(choiceProblem([one, foreign]) ?? '', /of 2 databases \(systems .*, 8\): name the backup by its id/)
})

test('a backup of a newer schema and a time before its end are refused', () => {
  const record = recordOf(2)
  assert.equal(restoreProblem(record, record.ended_at, 55), undefined)
  assert.match(restoreProblem(record, undefined, 54) ?? '', /serves programs of schema 55 .* has schema 54/)
  assert.match(restoreProblem(record, '2026-11-02T03:00:30Z', 93) ?? '', /which is after 2026-11-02T03:00:30Z/)
})

test('the oldest backups are removed', () => {
  const ids = [3, 1, 2].map((day) => recordOf(day).id)
  assert.deepEqual(backupsToRemove(ids, 2), [recordOf(1).id])
  assert.deepEqual(backupsToRemove(ids, 3), [])
  assert.deepEqual(backupsToRemove(ids, 9), [])
})

test('a claim ends when it is not renewed', () => {
  const renewed = Date.parse('2026-11-02T03:00:00Z')
  assert.ok(isClaimed(claimText(renewed), renewed + 10 * claimRenewMilliseconds))
  assert.ok(!isClaimed(claimText(renewed), renewed + 15 * claimRenewMilliseconds))
  assert.ok(!isClaimed('', renewed), 'a claim without a time')
})
