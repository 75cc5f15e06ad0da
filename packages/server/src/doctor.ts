/**
 * Examines an installation without changing it: settings, keys, the database, and every invariant that SQL can see.
 * Works on a database of its own address, on a data directory whose sandbox runs, and on one that is stopped, whose
 * database it then starts for the time. Whether the API answers is not seen from here.
 */
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { app } from './app.ts'
import { type Config, type Environment, readConfig } from './config.ts'
import { wallMilliseconds } from './core/base/clock.ts'
import { startProblem } from './core/base/start-problem.ts'
import { describeProblem, judgeSettings, readSettings } from './core/db/database-settings.ts'
import { type DatabaseTarget, describeTarget } from './core/db/database-target.ts'
import { type Database, openDatabase } from './core/db/db.ts'
import { readMigrations } from './core/db/migrate.ts'
import { readSchemaState } from './core/db/schema-state.ts'
import { keyPaths, readKeyFiles } from './core/keys/key-files.ts'
import { startBundledPostgres } from './core/postgres/bundled-postgres.ts'
import { dataDirectoryHolder, lockDataDirectory } from './core/postgres/data-directory.ts'
import { choosePlace, recordedSocketDirectory, systemDirectory } from './core/postgres/postgres-place.ts'
import { type AuditRow, readExtent, runAudit } from './core/work/auditor.ts'

/** One thing that was looked at. A `note` is worth knowing and no fault; what is `skipped` could not be looked at. */
export type Check = {
  readonly object: 'check'
  readonly name: string
  readonly status: 'ok' | 'note' | 'violation' | 'skipped'
  readonly message: string
  /** What to do; `null` where there is nothing to do, or the message says it. */
  readonly remedy: string | null
  /** What offends: ids, positions, amounts; at most 20 rows of each area. */
  readonly rows: readonly AuditRow[]
}

const migrationsDirectory = join(import.meta.dirname, '../../../migrations')
const lagSecondsMax = 60
const corruption =
  'This must never be, and nothing repairs it by itself. Stop every server, keep a copy of the database as it is, ' +
  'go back to the last backup without it, and report the rows.'

/** What it means that an invariant of money, capacity or the market holds. */
const proofs: Readonly<Record<string, string>> = {
  'money.zero-sum': 'the ledger sums to zero, transfer by transfer',
  'money.floor': 'nobody ever held less than nothing',
  'money.fold': 'every balance is the sum of its ledger rows',
  'money.held-exact': 'what is held is the limit of what open orders still want',
  'money.release-exact': 'what orders no longer want was given back to the micro-dollar',
  'money.fill-priced': 'every fill moved its price, its saving and its fee',
  'money.once': 'every cause moved money once',
  'money.append-only': 'the program can add to the ledger, and neither change nor remove',
  'capacity.free': 'no pool has promised more than it owns, at any minute',
  'capacity.supply': 'no capacity was sold twice: pools own together what hosts put in',
  'capacity.moved-whole': 'what each pool owns is what it got less what it gave',
  'capacity.promised-exact': 'what is promised is what open sells still offer',
  'market.uncrossed': 'no book is crossed',
  'market.price': 'every fill is at the limit of the older order',
  'market.vector': 'every order was filled, is open or was lost, minute by minute',
  'market.pair': 'every fill joins a buy and a sell of different accounts',
}

/** Looks at everything, in order. Behind what cannot be opened nothing more is looked at. */
export async function examine(variables: Environment, print: (line: string) => void): Promise<Check[]> {
  await using stack = new AsyncDisposableStack()
  const checks: Check[] = []
  try {
    const config = readConfig(isProduction(variables) ? 'production' : 'sandbox', variables)
    checks.push(ok('configuration', `${config.mode}, data in ${config.data_directory}`))
    checks.push(await checkKeys(config))
    const target = await openTarget(config, stack, print)
    const database = stack.use(openDatabase(target, { connections_max: 1 }))
    checks.push(...(await checkSettings(database, target)))
    const schema = await checkSchema(database)
    checks.push(...schema.checks)
    if (!schema.isKnown) return [...checks, skipped('audits', 'They are written for another schema.')]
    const findings = await runAudit(database, app.audits)
    // Several areas look after one invariant, each at its own tables.
    for (const [name, parts] of Map.groupBy(findings, (finding) => finding.name)) {
      checks.push(
        auditCheck(
          name,
          parts.flatMap(({ rows }) => rows),
        ),
      )
    }
    return [...checks, await checkExtent(database)]
  } catch (error) {
    const names = ['configuration', 'keys', 'settings', 'schema', 'audits']
    const done = new Set(checks.map(({ name }) => name))
    const [broken = 'audits', ...behind] = names.filter((name) => !done.has(name))
    const message = error instanceof Error ? error.message : String(error)
    return [...checks, violation(broken, message), ...behind.map((name) => skipped(name, `${broken} comes first.`))]
  }
}

/** Whether these are the settings of `bourse serve`. */
function isProduction({ BOURSE_DATABASE_URL, BOURSE_PUBLIC_URL }: Environment): boolean {
  return Boolean(BOURSE_DATABASE_URL && BOURSE_PUBLIC_URL)
}

async function checkKeys({ mode, data_directory, key_paths }: Config): Promise<Check> {
  const isOwn = mode === 'production'
  const paths = isOwn ? key_paths : { ...keyPaths(join(data_directory, 'keys')), ...key_paths }
  try {
    await readKeyFiles(paths, { production: isOwn })
    return ok('keys', 'all three files are whole and private')
  } catch (error) {
    return violation('keys', (error as Error).message)
  }
}

async function openTarget(
  config: Config,
  stack: AsyncDisposableStack,
  print: (line: string) => void,
): Promise<DatabaseTarget> {
  if (config.database) return config.database
  const { data_directory } = config
  const socket = await recordedSocketDirectory(data_directory)
  if (socket === undefined) throw nothingThere(data_directory)
  const holder = await dataDirectoryHolder(data_directory)
  if (holder) {
    print(`A server (pid ${holder.pid}) runs on ${data_directory}: looking at its database.`)
    return { host: socket, port: 5432, user: 'bourse', database: 'bourse', ssl: false }
  }
  // Started without a cluster, it would make a new one and find it in the best of health.
  const place = await choosePlace({
    data_directory: await realpath(data_directory),
    system_directory: systemDirectory,
    log: print,
  })
  if (!existsSync(join(place.cluster, 'PG_VERSION'))) throw nothingThere(data_directory)
  print(`No server runs on ${data_directory}: starting its database for the time.`)
  stack.use(await lockDataDirectory(data_directory))
  return stack.use(await startBundledPostgres({ data_directory, log: print })).target
}

function nothingThere(data_directory: string): Error {
  return startProblem(
    'database_unreachable',
    `There is no database in ${data_directory}. Set BOURSE_DATA_DIR to the data directory of a sandbox, ` +
      'BOURSE_DATABASE_URL to a database, or run `bourse start` first.',
  )
}

async function checkSettings(database: Database, target: DatabaseTarget): Promise<Check[]> {
  const local_seconds = wallMilliseconds() / 1000
  const { refusals, warnings } = judgeSettings(await readSettings(database.reader), { local_seconds })
  const remedy = 'Change the setting; servers refuse to start on it.'
  const wrong = refusals.map((problem) => violation('settings', describeProblem(problem), remedy))
  const isClock = ({ setting }: { setting: string }) => setting === 'clock'
  const late = warnings.filter(isClock).map((problem) => {
    return violation('clock', describeProblem(problem), 'Keep both machines on time with NTP.')
  })
  const doubtful = warnings
    .filter((problem) => !isClock(problem))
    .map((problem) => {
      return { ...ok('settings', describeProblem(problem)), status: 'note' as const }
    })
  return [
    ...(wrong.length > 0 ? wrong : [ok('settings', `${describeTarget(target)} keeps what it acknowledges`)]),
    ...doubtful,
    ...(late.length > 0 ? late : [ok('clock', 'database and this machine agree')]),
  ]
}

async function checkSchema(database: Database): Promise<{ checks: Check[]; isKnown: boolean }> {
  const known = (await readMigrations(migrationsDirectory)).length
  const { version, lag_seconds } = await readSchemaState(database.reader)
  if (version > known) {
    const remedy = 'Use the newer program; there is no way back.'
    const message = `schema ${version} is newer than this program, which knows ${known}`
    return { checks: [violation('schema', message, remedy)], isKnown: false }
  }
  if (version < known) {
    const message = `schema ${version}, this program knows ${known}: the next start brings it up to date`
    return { checks: [{ ...ok('schema', message), status: 'note' }], isKnown: false }
  }
  const isLate = lag_seconds > lagSecondsMax
  const lag = `the oldest due work has waited for ${lag_seconds} s`
  const due: Check = isLate
    ? { ...ok('due work', `${lag}: is a server running?`), status: 'note' }
    : ok('due work', lag)
  return { checks: [ok('schema', `version ${version}`), due], isKnown: true }
}

/** Sums are bigints, which JSON has no word for. */
function printableRow(row: AuditRow): AuditRow {
  const members = Object.entries(row)
  return Object.fromEntries(members.map(([name, value]) => [name, typeof value === 'bigint' ? `${value}` : value]))
}

function auditCheck(name: string, rows: readonly AuditRow[]): Check {
  if (rows.length === 0) return ok(name, proofs[name] ?? 'holds')
  const count = rows.length < 20 ? `${rows.length}` : '20 or more'
  return { ...violation(name, `${count} offending rows`, corruption), rows: rows.map(printableRow) }
}

/** How much there was to look at: what holds of nothing says nothing. */
async function checkExtent(database: Database): Promise<Check> {
  const { ledger_rows, orders, fills, pools, instances, events } = await readExtent(database)
  const trade = `${ledger_rows} ledger rows, ${orders} orders, ${fills} fills, ${pools} pools`
  return ok('extent', `looked at ${trade}, ${instances} instances, ${events} events`)
}

function ok(name: string, message: string): Check {
  return { object: 'check', name, status: 'ok', message, remedy: null, rows: [] }
}

function violation(name: string, message: string, remedy: string | null = null): Check {
  return { object: 'check', name, status: 'violation', message, remedy, rows: [] }
}

function skipped(name: string, message: string): Check {
  return { object: 'check', name, status: 'skipped', message, remedy: null, rows: [] }
}
