import assert from 'node:assert/strict'
import { chmodSync, existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { openDatabase, statement } from '../../server/src/core/db/db.ts'
import { recordedSocketDirectory } from '../../server/src/core/postgres/postgres-place.ts'
import { bourse, newDirectory, startSandbox } from './sandbox-process.ts'

type DoctorCheck = { name: string; status: string; message: string; remedy: string | null; rows: object[] }

const directory = newDirectory()
const sandbox = await startSandbox(directory)

async function doctor(dataDirectory: string, variables: Record<string, string> = {}) {
  const { code, out, err } = await bourse(['doctor', '-o', 'json'], { BOURSE_DATA_DIR: dataDirectory, ...variables })
  const checks: DoctorCheck[] = JSON.parse(out).data
  return { code, err, checks, violated: checks.filter(({ status }) => status === 'violation') }
}

function statusOf(checks: readonly DoctorCheck[], name: string): string | undefined {
  return checks.find((check) => check.name === name)?.status
}

/** Corrupts rows as the owner of the tables. */
async function tamper(text: string): Promise<void> {
  const host = (await recordedSocketDirectory(directory)) ?? ''
  const target = { host, port: 5432, user: 'bourse', database: 'bourse', ssl: false as const }
  await using database = openDatabase(target, { connections_max: 1 })
  await database.asOwner((db) => db.run(statement(null, text)))
}

test('a running sandbox passes all checks, from its settings to its API', async () => {
  const { code, checks, violated } = await doctor(directory)
  assert.deepEqual([code, violated], [0, []])
  for (const name of ['configuration', 'keys', 'settings', 'clock', 'schema', 'events.dense', 'api']) {
    assert.equal(statusOf(checks, name), 'ok', name)
  }
  const names = checks.map(({ name }) => name)
  assert.deepEqual(names, [...new Set(names)])
})

test('key files that other users can read and a refused token are violations', async () => {
  const keys = join(directory, 'keys/master-key.json')
  chmodSync(keys, 0o644)
  const { code, violated } = await doctor(directory, { BOURSE_API_TOKEN: 'not.a.token' })
  chmodSync(keys, 0o600)
  assert.equal(code, 1)
  assert.deepEqual(
    violated.map(({ name }) => name),
    ['keys', 'api'],
  )
  assert.match(violated[0]?.message ?? '', /chmod 600/)
})

test('a malformed address is a violation and does not hide others', async () => {
  const { code, checks, violated } = await doctor(directory, { BOURSE_BASE_URL: 'nonsense' })
  assert.deepEqual([code, violated.map(({ name }) => name)], [1, ['api']])
  assert.equal(statusOf(checks, 'events.dense'), 'ok')
})

test('a wrong balance is found, and its amounts are printed', async () => {
  const move = (by: string) =>
    tamper(`update money_accounts set credit_micros = credit_micros ${by} where account_id = 'acme'`)
  await move('+ 1')
  const { code, err, violated } = await doctor(directory)
  await move('- 1')
  assert.equal(code, 1)
  assert.deepEqual(
    violated.map(({ name }) => name),
    ['money.fold'],
  )
  assert.match(err, /money\.fold[\s\S]*acme/)
})

test('the last hourly run of a server is shown, and --now runs the audits', async () => {
  const now = 'floor(extract(epoch from clock_timestamp()))'
  const found = '[{"name":"money.fold","rows":3}]'
  await tamper(`update self_audit set started_at = ${now} - 70, ended_at = ${now} - 60, violations = '${found}'`)
  const { code, checks, violated } = await doctor(directory)
  assert.deepEqual(
    [code, violated.map(({ name, message }) => `${name}: ${message}`)],
    [1, ['money.fold: 3 rows violated the invariant']],
  )
  assert.match(violated[0]?.remedy ?? '', /bourse doctor --now/)
  assert.equal(statusOf(checks, 'last run'), 'note')
  const again = await bourse(['doctor', '--now', '-o', 'json'], { BOURSE_DATA_DIR: directory })
  assert.deepEqual([again.code, statusOf(JSON.parse(again.out).data, 'extent')], [0, 'ok'])
  await tamper(`update self_audit set ended_at = ${now} - 7201`)
  assert.equal((await doctor(directory)).code, 0, 'a run of two hours ago is not shown')
})

test('an account whose last admin token ends soon is a note and no violation', async () => {
  const end = (seconds: string) => tamper(`update tokens set expires_at = ${seconds} where account_id = 'bourse'`)
  await end('bourse_now() + 13 * 86400')
  const { code, err, checks, violated } = await doctor(directory)
  await end('null')
  assert.deepEqual([code, violated], [0, []])
  assert.equal(statusOf(checks, 'access.last_admin_token'), 'note')
  assert.match(err, /access\.last_admin_token[\s\S]*"account_id":"bourse"/)
})

test('the audit trail is verified, and an entry that was put in is found', async () => {
  const verify = (...words: string[]) =>
    bourse(['audit', 'verify', '-o', 'json', ...words], { BOURSE_DATA_DIR: directory })
  const intact = await verify()
  const { is_intact, problems } = JSON.parse(intact.out)
  assert.deepEqual([intact.code, is_intact, problems], [0, true, []])
  const cut = await verify('--expect', `999:${'0'.repeat(64)}`)
  assert.deepEqual([cut.code, JSON.parse(cut.out).problems[0].kind], [1, 'missing_end'])
  assert.equal((await verify('--expect', '999')).code, 2)
  // A seal is made once an hour of the clock has ended.
  await bourse(['sandbox', 'advance', '1h', '--yes'], { BOURSE_DATA_DIR: directory })
  const { end, seals } = await eventually('there is a seal', async () => {
    const sealed = JSON.parse((await verify()).out)
    return sealed.seals > 0 && sealed
  })
  const exported = await bourse(['audit', 'export'], { BOURSE_DATA_DIR: directory })
  assert.equal(exported.code, 0, exported.err)
  const lines = exported.out.trim().split('\n')
  assert.deepEqual([lines.length, lines.at(-1)], [seals, end])
  const file = join(directory, 'seals.txt')
  const against = async (text: string) => {
    await writeFile(file, text)
    const { code, out, err } = await verify('--against', file)
    return { code, kinds: code === 2 ? [] : JSON.parse(out).problems.map(({ kind }: { kind: string }) => kind), err }
  }
  assert.deepEqual((await against(exported.out.replaceAll('\n', '\r\n'))).code, 0)
  assert.deepEqual((await against(`${exported.out}999:${'0'.repeat(64)}\n`)).kinds, ['missing_end'])
  assert.deepEqual((await against(`1:${'0'.repeat(64)}\n`)).kinds, ['changed_seal'])
  assert.match(
    (await against(`${exported.out}next\n`)).err,
    /Line \d+ of .*seals\.txt is no seal of the form NUMBER:DIGEST/,
  )
  assert.match((await against('\n')).err, /has no seals/)
  assert.match((await verify('--against', join(directory, 'none.txt'))).err, /cannot be read: ENOENT/)
  const forged = "9000000000000000000, 'acme', 1, 'audt_forged', 'nothing', null, 'done', '{}', '{}'"
  await tamper(`insert into audit_entries select bourse_today(), ${forged}`)
  const changed = await verify()
  assert.deepEqual([changed.code, JSON.parse(changed.out).problems[0].kind], [1, 'added_entries'])
  assert.match(changed.err, /put in/)
  const { code, violated } = await doctor(directory)
  assert.deepEqual([code, violated.map(({ name }) => name)], [1, ['audit trail']])
  await tamper("delete from audit_entries where id = 'audt_forged'")
})

test('a missing event is found in a running sandbox, with the row and the remedy', async () => {
  await tamper("delete from events where account_id = 'acme' and position = 2")
  const { code, err, violated } = await doctor(directory)
  assert.equal(code, 1)
  assert.deepEqual(
    violated.map(({ name }) => name),
    ['events.dense'],
  )
  assert.ok((violated[0]?.rows.length ?? 0) > 0)
  assert.match(violated[0]?.remedy ?? '', /backup/)
  assert.match(err, /events\.dense/)
  const table = await bourse(['doctor'], { BOURSE_DATA_DIR: directory })
  assert.match(table.out, /violation +events\.dense/)
})

test('a stopped sandbox is checked too, and is stopped afterwards', async () => {
  assert.equal(await sandbox.stop(), 0)
  const { code, err, checks, violated } = await doctor(directory)
  assert.equal(code, 1)
  assert.deepEqual(
    violated.map(({ name }) => name),
    ['events.dense'],
  )
  assert.equal(statusOf(checks, 'api'), 'skipped')
  assert.match(err, /Starting its database for the check/)
  assert.ok(!existsSync(join(directory, 'postgres/postmaster.pid')))
})

test('without a data directory the doctor creates nothing, and names the setting', async () => {
  const empty = newDirectory()
  const { code, checks, violated } = await doctor(empty)
  assert.equal(code, 1)
  assert.match(violated.map(({ message }) => message).join(), /BOURSE_DATA_DIR/)
  assert.equal(statusOf(checks, 'audits'), 'skipped')
  assert.ok(!existsSync(join(empty, 'postgres')))
  const named = await doctor(empty, { BOURSE_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' })
  assert.equal(named.code, 1)
  assert.deepEqual(
    named.violated.map(({ name }) => name),
    ['keys', 'settings'],
  )
})
