/** The endpoints about the process: health, readiness, version, metrics, the API reference. */
import { interfaceVersion } from '@bourse/api/interface-version.ts'
import { buildOpenapi } from '@bourse/api/openapi.ts'
import { type Readiness, readinessParts, type Version } from '@bourse/api/process/process.ts'
import { atMostEvery } from '../core/base/at-most-every.ts'
import { wallMilliseconds } from '../core/base/clock.ts'
import { once } from '../core/base/once.ts'
import { readProgramCommit } from '../core/base/program-root.ts'
import { isRefusal, Refusal } from '../core/base/refusal.ts'
import { version } from '../core/base/version.ts'
import { checkSettings } from '../core/db/database-settings.ts'
import { referencePage } from '../core/docs/docs-routes.ts'
import { createStaticContent } from '../core/http/static-content.ts'
import { readSchemaState, schemaProblem } from '../core/migrations/schema-state.ts'
import type { ReconcilerLoop } from '../core/work/reconciler.ts'
import type { Mode, Runtime } from '../core/work/runtime.ts'
import type { WriteProbe } from '../core/work/write-probe.ts'
import type { Metrics } from './metrics.service.ts'

/** The functions behind the endpoints about the process. */
export type DescribedProcess = ReturnType<typeof describeProcess>

/** What these endpoints report on. */
export type ProcessParts = {
  loop: ReconcilerLoop
  metrics: Metrics
  schema_version: number
  mode: Mode
  /** False only for tests, whose server is ready although its database is not durable. */
  requires_safe_database: boolean
  /** Whether an injected fault of the sandbox makes the database unavailable. */
  isDatabaseDown?: (() => boolean) | undefined
  /** Whether the server is about to stop. */
  isDraining: () => boolean
  /** Finds out whether the database writes durably; undefined where nothing probes. */
  probe: Pick<WriteProbe, 'problem' | 'hasWritten' | 'run'> | undefined
}

const lagSecondsMax = 60
/** Load balancers poll often, and each check runs several statements. */
const readinessMilliseconds = 1_000

// Shared by all servers of one process and created at the first use, because tests run hundreds of servers.
const openapi = once(() => {
  const text = JSON.stringify(buildOpenapi())
  return createStaticContent(Buffer.from(text), 'application/json; charset=utf-8')
})

/** Creates the functions behind the endpoints about the process. */
export function describeProcess(parts: ProcessParts) {
  const { metrics } = parts
  // Deferred, because it runs git, which takes longer than most of a start.
  const version = once(() => readVersion(parts.mode))
  let readDatabase: (() => Promise<Problems>) | undefined
  const readiness = async (runtime: Runtime) => {
    readDatabase ??= atMostEvery(readinessMilliseconds, () => checkDatabase(runtime, parts))
    return readinessOf(await readDatabase(), parts)
  }
  metrics.provideReadiness((runtime) =>
    readiness(runtime).then(
      () => true,
      (error) => {
        if (isRefusal(error)) return false
        throw error
      },
    ),
  )
  return {
    health: async () => ({ status: 'ok' as const }),
    readiness,
    version: async () => version(),
    openapi,
    docs: referencePage,
    metrics: () => metrics.text(),
  }
}

/** The version of the running build. */
function readVersion(mode: Mode): Version {
  return { name: 'bourse', version, interface_version: interfaceVersion, mode, commit: readProgramCommit() } as Version
}

type Problems = ReadonlyMap<string, string>

/** The problems of the database, by part. */
async function checkDatabase(runtime: Runtime, parts: ProcessParts): Promise<Problems> {
  const { schema_version, requires_safe_database, probe } = parts
  const problems = new Map<string, string>()
  try {
    const row = await readSchemaState(runtime.database.reader)
    const outdated = schemaProblem(schema_version, row)
    if (outdated) problems.set('schema', outdated)
    if (row.lag_seconds > lagSecondsMax) problems.set('reconcilers', `${row.lag_seconds} s behind`)
    const warnings = await checkSettings(runtime.database.reader, {
      local_seconds: Math.floor(wallMilliseconds() / 1000),
    })
    const clock = warnings.find(({ setting }) => setting.includes('clock'))
    if (clock) problems.set('clock', clock.because)
  } catch (error) {
    const isUnsafe = (error as { code?: string }).code === 'unsafe_database'
    if (!isUnsafe) problems.set('database', (error as Error).message)
    else if (requires_safe_database) problems.set('storage_settings', (error as Error).message)
  }
  // At the start, and where reads succeed again: a write is tried at once instead of after some seconds.
  if (probe && !probe.hasWritten() && !problems.has('database')) await probe.run()
  return problems
}

/** The readiness of each part. Refuses with 503 and the problems if the server cannot serve, or is about to stop. */
function readinessOf(database: Problems, { loop, isDatabaseDown, isDraining, probe }: ProcessParts): Readiness {
  if (isDraining()) throw new Refusal({ code: 'unavailable', message: 'Not ready. The server is stopping.' })
  const problems = new Map(database)
  for (const [kind, { last_error }] of loop.status())
    if (last_error !== null) problems.set('reconcilers', `${kind}: the last step failed`)
  const unwritten = probe?.problem()
  if (unwritten !== undefined) problems.set('database', unwritten)
  if (isDatabaseDown?.()) problems.set('database', 'an injected fault makes it unavailable')
  const isServing = !['database', 'schema', 'storage_settings'].some((part) => problems.has(part))
  if (isServing) {
    const parts = readinessParts.map((name) => ({ name, message: problems.get(name) ?? 'ok' }))
    return { status: 'ok', parts } as Readiness
  }
  const failing = [...problems].map(([name, message]) => `${name}: ${message}`).join('; ')
  throw new Refusal({ code: 'unavailable', message: `Not ready. ${failing}.`, retry_after_seconds: 1 })
}
