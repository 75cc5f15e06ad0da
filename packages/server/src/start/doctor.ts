import { join } from 'node:path'
import type { Environment } from '@bourse/text/program.ts'
import { daySeconds, hourSeconds, weekSeconds } from '@bourse/text/time/units.ts'
import { app } from '../app.ts'
import type { Config } from '../config.ts'
import { wallMilliseconds } from '../core/base/clock.ts'
import { programRoot } from '../core/base/program-root.ts'
import { connectionsNeeded } from '../core/db/connection-share.rules.ts'
import { describeProblem, evaluateSettings, readSettings } from '../core/db/database-settings.ts'
import { type DatabaseTarget, describeTarget } from '../core/db/database-target.ts'
import { type Database, openDatabase } from '../core/db/db.ts'
import { listHistories } from '../core/db/history.store.ts'
import { readMigrations } from '../core/migrations/migration-files.ts'
import { readSchemaState, schemaProblem } from '../core/migrations/schema-state.ts'
import { foreignHost } from '../core/tls/certificate-pair.rules.ts'
import { readPair } from '../core/tls/certificates.ts'
import { type AuditRow, byInvariant, readExtent, runAudit } from '../core/work/auditor.ts'
import { type LastSelfAudit, readLastRun } from '../events/audits/self-audit.service.ts'
import { listEndingAdmins } from '../iam/access/grants.store.ts'
import { verifyTrail } from '../iam/audit/seals.service.ts'
import { readProviders } from '../iam/providers/provider-settings.service.ts'
import { readBackupTimes } from '../process/backups.store.ts'
import { listUnnamedProxies } from '../process/unnamed-proxies.store.ts'
import { configOf, openTarget, readKeys } from './checked-database.ts'
import { insecureSettings } from './insecure-settings.ts'
import { type KeyUse, listKeyUses } from './master-key-rows.ts'

/** The result of one check. A `note` is information and not a fault; a `skipped` check could not run. */
export type DoctorCheck = {
  readonly object: 'check'
  readonly name: string
  readonly status: 'ok' | 'note' | 'violation' | 'skipped'
  readonly message: string
  /** The remedy; null if there is none or the message contains it. */
  readonly remedy: string | null
  /** The violations: ids, positions, amounts; at most 20 rows of each area. */
  readonly rows: readonly AuditRow[]
}

const migrationsDirectory = join(programRoot, 'migrations')
const lagSecondsMax = 60
/** Two runs of a server that runs the audits each hour. */
const recentSeconds = 2 * hourSeconds
/** The newest entries of the audit trail, which are compared with their seals even without `--now`. */
const trailSeconds = weekSeconds
/** A daily backup that is late by a day. */
const backupSeconds = 2 * daySeconds
const corruption =
  'Stored rows contradict each other, and are not repaired automatically. Keep a copy of the database and report the ' +
  'rows. A backup from before helps only if what was written since may be lost: stop every server first.'

/** How a history of the database began. */
const beginnings: Readonly<Record<string, string>> = {
  promotion: 'a standby was promoted',
  other_cluster: 'the data is in another cluster',
  evidence: 'commits were missing',
}

/** What each invariant of money, capacity and the market proves if it holds. */
const proofs: Readonly<Record<string, string>> = {
  'money.zero-sum': 'the ledger sums to zero, transfer by transfer',
  'money.floor': 'no balance was ever negative',
  'money.fold': 'every balance is the sum of its ledger rows',
  'money.approved': 'approved credits are posted once, and by two operators',
  'money.held-exact': 'the holds equal the limits of the open orders',
  'money.release-exact': 'the holds of closed orders were released to the micro-dollar',
  'money.fill-priced': 'every fill moved its price, its saving and its fee',
  'money.once': 'every cause moved money once',
  'money.budgets': 'the sums of every budget are those of its fills and holds',
  'money.append-only': 'the program can append to the ledger, and can neither change nor remove rows',
  'audit.append-only': 'the program can append to the audit trail, and can neither change nor remove rows',
  'audit.seals': 'no seal of the audit trail is missing',
  'audit.entries': 'the newest entries of the audit trail are those that were sealed',
  'capacity.free': 'no pool has promised more than it owns, at any minute',
  'capacity.supply': 'no capacity was sold twice: the pools together own what the hosts supply',
  'capacity.moved-whole': 'every pool owns what it received less what it gave away',
  'capacity.promised-exact': 'the promised capacity equals what the open sell orders offer',
  'market.uncrossed': 'no book is crossed',
  'market.price': 'every fill is at the limit of the older order',
  'market.vector': 'every order was filled, is open or was lost, minute by minute',
  'market.pair': 'every fill joins a buy and a sell of different accounts',
  'market.price-buckets': 'the price history equals the fills',
  'market.related-trades': 'the price history without trades of related accounts equals the other fills',
}

/** The options of a check. */
type ExamineOptions = {
  /** Runs all audits even if the server has run them within the last two hours. */
  readonly is_now?: boolean
}

/** Runs all checks in order. After a part that cannot be opened, the remaining checks are skipped. */
export async function examine(
  variables: Environment,
  print: (line: string) => void,
  { is_now = false }: ExamineOptions = {},
): Promise<DoctorCheck[]> {
  await using stack = new AsyncDisposableStack()
  const checks: DoctorCheck[] = []
  try {
    const config = configOf(variables)
    checks.push(ok('configuration', `${config.mode}, data in ${config.data_directory}`), ...checkProtection(config))
    checks.push(await checkKeys(config), ...(await checkCertificate(config)))
    const target = await openTarget(config, stack, print)
    const database = stack.use(openDatabase(target, { connections_max: 1 }))
    checks.push(...(await checkSettings(database, target, config)))
    const schema = await checkSchema(database)
    checks.push(...schema.checks)
    if (!schema.isKnown) return [...checks, skipped('audits', 'The audits need the schema version of this program.')]
    return [
      ...checks,
      ...(await checkAdmins(database, config)),
      ...(await checkProxies(database, config)),
      ...(config.mode === 'production' ? await checkBackups(database) : []),
      ...(await checkHistory(database)),
      ...(await checkKeyUses(database, config)),
      ...(await checkTrail(database, config, is_now)),
      ...(await checkAudits(database, is_now)),
    ]
  } catch (error) {
    const names = ['configuration', 'keys', 'settings', 'schema', 'audits']
    const done = new Set(checks.map(({ name }) => name))
    const [broken = 'audits', ...rest] = names.filter((name) => !done.has(name))
    const message = error instanceof Error ? error.message : String(error)
    const unchecked = rest.map((name) => skipped(name, `This check needs ${broken}.`))
    return [...checks, violation(broken, message), ...unchecked]
  }
}

/** Checks what a database contains: its schema and every invariant. For one that no server uses. */
export async function checkContents(database: Database): Promise<DoctorCheck[]> {
  const { checks, isKnown } = await checkSchema(database)
  // Nothing handles due work there.
  const schema = checks.filter(({ name }) => name === 'schema')
  if (!isKnown) return [...schema, skipped('audits', 'The audits need the schema version of this program.')]
  const findings = byInvariant(await runAudit(database, app.audits))
  return [...schema, ...findings.map(({ name, rows }) => auditCheck(name, rows)), await checkExtent(database)]
}

/** Shows the last hourly run of a production server, or runs the audits if there is none. */
async function checkAudits(database: Database, isNow: boolean): Promise<DoctorCheck[]> {
  const last = await readLastRun(database.reader)
  if (!isNow && last.age_seconds !== null && last.age_seconds < recentSeconds) return describeRun(last)
  const findings = await runAudit(database, app.audits)
  const checks = byInvariant(findings).map(({ name, rows }) => auditCheck(name, rows))
  return [...checks, await checkExtent(database)]
}

function describeRun({ started_at, ended_at, audits, violations }: LastSelfAudit): DoctorCheck[] {
  const names = [...new Set(app.audits.map(({ name }) => name))]
  const rows = new Map(violations.map((one) => [one.name, one.rows]))
  const checks = names.map((name) => {
    const count = rows.get(name)
    if (count === undefined) return ok(name, proofs[name] ?? 'holds')
    return violation(
      name,
      `${count} rows violated the invariant`,
      `Run \`bourse doctor --now\` for the rows. ${corruption}`,
    )
  })
  const [from, until] = [started_at ?? 0, ended_at ?? 0]
  const when = new Date(until * 1000).toISOString()
  const message = `a server ran ${audits} audits in ${until - from} s, until ${when}; \`--now\` runs them again`
  return [...checks, { ...ok('last run', message), status: 'note' }]
}

/** Lists the insecure settings in use. They are the operator's choice, so they are not violations. */
function checkProtection(config: Config): DoctorCheck[] {
  const notes = insecureSettings(config).map(({ setting, exposes }): DoctorCheck => {
    return { ...ok('protection', `${setting}: ${exposes}`), status: 'note' }
  })
  return notes.length > 0 ? notes : [ok('protection', 'no setting gives up encryption, verification or loopback')]
}

async function checkKeys(config: Config): Promise<DoctorCheck> {
  try {
    await readKeys(config)
    return ok('keys', 'all three files are valid and private')
  } catch (error) {
    return violation('keys', (error as Error).message)
  }
}

/** Lists rows that need another master key than the one that encrypts, and rows whose key is missing. */
async function checkKeyUses(database: Database, config: Config): Promise<DoctorCheck[]> {
  // Keys that cannot be read are reported by the check of the keys.
  const keys = await readKeys(config).catch(() => undefined)
  if (!keys) return []
  const { current, find } = keys.master
  const others = (await listKeyUses(database.reader)).filter(({ key_id }) => key_id !== current.key_id)
  const describe = (uses: readonly KeyUse[]) =>
    uses.map(({ key_id, kind, count }) => `${count} ${kind} need master key ${key_id}`).join(', ')
  const lost = others.filter(({ key_id }) => !find(key_id))
  const old = others.filter(({ key_id }) => find(key_id))
  const isSealed = old.some(({ kind }) => kind !== 'host_enrolments')
  const remedy = isSealed ? '`bourse keys reencrypt` encrypts them with the present key.' : null
  return [
    ...(lost.length > 0
      ? [violation('key uses', `${describe(lost)}, which is not in the file`, 'Put the key back from a backup.')]
      : []),
    ...(old.length > 0 ? [{ ...ok('key uses', describe(old)), status: 'note' as const, remedy }] : []),
  ]
}

/** Looks at the files as a start would. A running server goes on with the pair that it has. */
async function checkCertificate({ tls_files, public_url }: Config): Promise<DoctorCheck[]> {
  if (!tls_files) return []
  try {
    const { leaf, expires_at } = await readPair(tls_files, Math.floor(wallMilliseconds() / 1000))
    const expires = new Date(expires_at * 1000).toISOString()
    const message = foreignHost(leaf, public_url)
    if (message === undefined) return [ok('certificate', `valid until ${expires}`)]
    const remedy = 'Where no proxy stands in front with another certificate, clients refuse to connect.'
    return [{ ...ok('certificate', message), status: 'note', remedy }]
  } catch (error) {
    return [{ ...ok('certificate', (error as Error).message), status: 'note', remedy: 'No server starts with it.' }]
  }
}

async function checkSettings(database: Database, target: DatabaseTarget, config: Config): Promise<DoctorCheck[]> {
  const local_seconds = wallMilliseconds() / 1000
  const needed = config.mode === 'production' ? { connections_needed: connectionsNeeded(config) } : {}
  const { refusals, warnings } = evaluateSettings(await readSettings(database.reader), { local_seconds, ...needed })
  const remedy = 'Change the setting. Servers refuse to start with it.'
  const wrong = refusals.map((problem) => violation('settings', describeProblem(problem), remedy))
  const isClock = ({ setting }: { setting: string }) => setting === 'clock'
  const late = warnings.filter(isClock).map((problem) => {
    return violation('clock', describeProblem(problem), 'Synchronise the clocks of both machines with NTP.')
  })
  const doubtful = warnings
    .filter((problem) => !isClock(problem))
    .map((problem) => {
      return { ...ok('settings', describeProblem(problem)), status: 'note' as const }
    })
  return [
    ...(wrong.length > 0 ? wrong : [ok('settings', `the settings of ${describeTarget(target)} are safe`)]),
    ...doubtful,
    ...(late.length > 0 ? late : [ok('clock', 'the clocks of the database and of this machine agree')]),
  ]
}

async function checkSchema(database: Database): Promise<{ checks: DoctorCheck[]; isKnown: boolean }> {
  const known = (await readMigrations(migrationsDirectory)).length
  const state = await readSchemaState(database.reader)
  const { version, serves, lag_seconds } = state
  if (serves > known) {
    const remedy = 'Use the newer program. A migration cannot be undone.'
    return { checks: [violation('schema', schemaProblem(known, state) as string, remedy)], isKnown: false }
  }
  if (version < known) {
    const message = `schema ${version} is older than schema ${known} of this program. The next start migrates it.`
    return { checks: [{ ...ok('schema', message), status: 'note' }], isKnown: false }
  }
  const isLate = lag_seconds > lagSecondsMax
  const lag = `the oldest due work is ${lag_seconds} s late`
  const due: DoctorCheck = isLate
    ? { ...ok('due work', `${lag}. Check that a server is running.`), status: 'note' }
    : ok('due work', lag)
  const isNewer = version > known
  const schema = isNewer
    ? { ...ok('schema', `version ${version}, which serves this program of version ${known}`), status: 'note' as const }
    : ok('schema', `version ${version}`)
  return { checks: [schema, due], isKnown: true }
}

/** Converts sums to strings, because JSON has no bigints. */
function printableRow(row: AuditRow): AuditRow {
  const members = Object.entries(row)
  return Object.fromEntries(members.map(([name, value]) => [name, typeof value === 'bigint' ? `${value}` : value]))
}

function auditCheck(name: string, rows: readonly AuditRow[]): DoctorCheck {
  if (rows.length === 0) return ok(name, proofs[name] ?? 'holds')
  const count = rows.length < 20 ? `${rows.length}` : '20 or more'
  return { ...violation(name, `${count} rows violate the invariant`, corruption), rows: rows.map(printableRow) }
}

/** Reports addresses that pass requests of others on, and whose clients therefore share the limits of one address. */
async function checkProxies(database: Database, { trusted_proxies }: Config): Promise<DoctorCheck[]> {
  const unnamed = await listUnnamedProxies(database.reader, trusted_proxies)
  return unnamed.map(({ address, seen_at }) => {
    const when = new Date(seen_at * 1000).toISOString()
    const message = `${address} says who its clients are, which does not count (last noted at ${when})`
    const remedy = 'If it is your proxy, name it in BOURSE_TRUSTED_PROXIES: all of its clients share one address now.'
    return { ...ok('proxies', message), status: 'note' as const, remedy }
  })
}

/** Reports when the newest backup was made. There are other ways to make one, of which the program knows nothing. */
async function checkBackups(database: Database): Promise<DoctorCheck[]> {
  const { completed_at } = await readBackupTimes(database.reader)
  const when = completed_at === null ? undefined : new Date(completed_at * 1000).toISOString()
  if (completed_at !== null && completed_at > wallMilliseconds() / 1000 - backupSeconds) {
    return [ok('backup', `the newest backup was completed at ${when}`)]
  }
  const message = when === undefined ? 'no backup is recorded' : `the newest backup was completed at ${when}`
  const remedy = '`bourse backup create` makes one. The guide is docs/guides/backup.md.'
  return [{ ...ok('backup', message), status: 'note', remedy }]
}

/** Reports each history that began by a failover or a restore, and which events it lacks. */
async function checkHistory(database: Database): Promise<DoctorCheck[]> {
  const histories = await listHistories(database.reader)
  if (histories.length === 0) return [ok('history', 'no failover and no restore is recorded')]
  return histories.map(({ number, reason, recorded_at, evidence, lost }) => {
    const when = new Date(recorded_at * 1000).toISOString()
    const begun = `history ${number} began at ${when}: ${beginnings[reason] ?? reason}`
    const proof = evidence === null ? '' : ` ${evidence}`
    const missing = lost.map(({ account_id, from, to }) => `${account_id} ${from} to ${to}`).join(', ')
    const loss = missing === '' ? 'No lost event was observed.' : `Lost events, by account and position: ${missing}.`
    return { ...ok('history', `${begun}.${proof} ${loss}`), status: 'note' as const }
  })
}

/** Reports accounts that nobody can administer before long. */
async function checkAdmins(database: Database, { oidc_file }: Config): Promise<DoctorCheck[]> {
  const name = 'access.last_admin_token'
  const providers = await readProviders(oidc_file).catch((error: Error) => error)
  if (providers instanceof Error) return [skipped(name, `This check needs the providers. ${providers.message}`)]
  const accounts = await listEndingAdmins(database.reader, providers)
  if (accounts.length === 0) return []
  const message =
    'accounts have no admin token that lives for another 14 days, and no admin with a passkey or an identity; ' +
    'when the last token has ended, nobody can administer them'
  const remedy =
    'Let an admin add a passkey, or make an admin token that lives longer. Where no admin can come in any more, ' +
    '`bourse accounts sign-in-link` lets one in.'
  return [{ ...ok(name, message), status: 'note', remedy, rows: accounts.map(printableRow) }]
}

/** Verifies the seals of the audit trail: all of them, with the entries of the last week or of all time. */
async function checkTrail(database: Database, config: Config, isNow: boolean): Promise<DoctorCheck[]> {
  // Keys that cannot be read are reported by the check of the keys.
  const keys = await readKeys(config).catch(() => undefined)
  if (!keys) return [skipped('audit trail', 'This check needs keys.')]
  const found = await verifyTrail(database, keys, isNow ? {} : { newest_seconds: trailSeconds })
  const { problems, seals, entries } = found
  if (problems.length === 0)
    return [ok('audit trail', `${seals} seals and ${entries} entries are as they were written`)]
  const rows = problems.map(({ number, kind, message }) => ({ number, kind, message }))
  const remedy =
    'Somebody with other rights at the database than the program has changed it. Run `bourse audit verify`.'
  return [{ ...violation('audit trail', 'the audit trail was changed', remedy), rows }]
}

/** Reports the numbers of rows, since an invariant that holds on an empty database proves nothing. */
async function checkExtent(database: Database): Promise<DoctorCheck> {
  const { ledger_rows, orders, fills, pools, instances, events } = await readExtent(database)
  const trade = `${ledger_rows} ledger rows, ${orders} orders, ${fills} fills, ${pools} pools`
  return ok('extent', `checked ${trade}, ${instances} instances, ${events} events`)
}

function ok(name: string, message: string): DoctorCheck {
  return { object: 'check', name, status: 'ok', message, remedy: null, rows: [] }
}

function violation(name: string, message: string, remedy: string | null = null): DoctorCheck {
  return { object: 'check', name, status: 'violation', message, remedy, rows: [] }
}

function skipped(name: string, message: string): DoctorCheck {
  return { object: 'check', name, status: 'skipped', message, remedy: null, rows: [] }
}
