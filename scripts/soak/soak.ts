/**
 * Two replicas of `bourse serve` on one PostgreSQL: the first one serves all users, the other one what a load balancer
 * and a scraper ask of a replica without users. Records what each process uses.
 */
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { monotonicMilliseconds } from '../../packages/server/src/core/base/clock.ts'
import {
  installProduction,
  type ProductionServer,
  runBourse,
  type StoppedInstallation,
  startReplica,
} from '../../packages/server/test/restart/upgrade/production.ts'
import { connectTo } from '../../packages/server/test/support/server.ts'
import { pause } from '../../packages/text/src/time/pause.ts'
import { type SoakLoad, startSoakLoad } from './load.ts'
import {
  type PostgresMemory,
  type ProcessMemory,
  readPostgresMemory,
  readProcessMemory,
  readServerFigures,
  type ServerFigures,
} from './memory.ts'
import { type Point, slopeOf, type WindowSlope, windowSlopes } from './slope.ts'
import { makeSoakWorld } from './world.ts'

/** The replicas by their names. */
export const replicaNames = ['loaded', 'quiet'] as const
type ReplicaName = (typeof replicaNames)[number]

/** What was read at a time. */
export type Sample = {
  readonly minute: number
  readonly replicas: Readonly<Record<ReplicaName, ProcessMemory & ServerFigures>>
  readonly postgres: PostgresMemory
}

type SoakOptions = {
  readonly program: string
  readonly minutes: number
  readonly per_second: number
  readonly sample_seconds: number
  /** What is not fitted, because a server fills its caches then. */
  readonly warm_minutes: number
  /** Where each sample becomes a line of JSON. */
  readonly file: string
  readonly print: (line: string) => void
}

/** The figures of a run. Slopes are in MB a minute, and undefined without two samples after the warm-up. */
export type SoakResult = {
  readonly samples: readonly Sample[]
  readonly rate: number
  readonly load: Pick<SoakLoad, 'responses' | 'streamed' | 'wrong'>
  readonly slopes: Readonly<Record<ReplicaName, number | undefined>>
  readonly windows: Readonly<Record<ReplicaName, readonly WindowSlope[]>>
}

const windowMinutes = 10
/** How often a load balancer asks whether a replica is ready. */
const readyMilliseconds = 2_000

/** Runs a soak. */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const { program, per_second, file } = options
  await using stack = new AsyncDisposableStack()
  const installation = await installProduction(stack)
  const replicas = await startReplicas(program, installation, stack)
  const made = await runBourse(program, ['tokens', 'create', '--platform', '--json'], installation.variables)
  if (made.code !== 0) throw new Error(`No first token was made: ${made.err}`)
  const server = connectTo({ url: replicas.loaded.url, platform_token: JSON.parse(made.out).token })
  const world = await makeSoakWorld(server, stack)
  await mkdir(dirname(file), { recursive: true })
  const { minutes, sample_seconds, warm_minutes } = options
  await writeFile(file, `${JSON.stringify({ minutes, per_second, sample_seconds, warm_minutes })}\n`)
  stack.use(askWhetherReady(replicas.quiet))
  const load = stack.use(startSoakLoad(server, world, per_second))
  const samples = await sampleAll(options, { installation, replicas, load })
  const rate = load.rate()
  const points = (name: ReplicaName): Point[] =>
    samples.map((one) => ({ minute: one.minute, value: one.replicas[name].rss }))
  const warm = (name: ReplicaName) => points(name).filter(({ minute }) => minute >= warm_minutes)
  const slopes = { loaded: slopeOf(warm('loaded')), quiet: slopeOf(warm('quiet')) }
  const windows = {
    loaded: windowSlopes(points('loaded'), windowMinutes),
    quiet: windowSlopes(points('quiet'), windowMinutes),
  }
  await appendFile(
    file,
    `${JSON.stringify({ rate, slopes, windows, responses: load.responses(), wrong: load.wrong() })}\n`,
  )
  return { samples, rate, load, slopes, windows }
}

type Replicas = Readonly<Record<ReplicaName, ProductionServer>>

async function startReplicas(
  program: string,
  { variables, directory }: StoppedInstallation,
  stack: AsyncDisposableStack,
): Promise<Replicas> {
  const start = async (name: ReplicaName) => {
    const own = { BOURSE_REPLICA_NAME: name, BOURSE_DATA_DIR: `${directory}/${name}` }
    return stack.use(await startReplica(program, { ...variables, ...own }))
  }
  return { loaded: await start('loaded'), quiet: await start('quiet') }
}

function askWhetherReady({ url }: ProductionServer): AsyncDisposable {
  const ended = new AbortController()
  const ask = async () => {
    while (!ended.signal.aborted) {
      await fetch(`${url}/readyz`).then(
        (response) => response.text(),
        () => undefined,
      )
      await pause(readyMilliseconds, ended.signal)
    }
  }
  const asking = ask()
  return {
    [Symbol.asyncDispose]: async () => {
      ended.abort()
      await asking
    },
  }
}

type Running = { readonly installation: StoppedInstallation; readonly replicas: Replicas; readonly load: SoakLoad }

async function sampleAll(options: SoakOptions, { installation, replicas, load }: Running): Promise<Sample[]> {
  const { minutes, sample_seconds, file, print } = options
  const samples: Sample[] = []
  const began = monotonicMilliseconds()
  const count = Math.round((minutes * 60) / sample_seconds)
  const eachMinute = Math.max(1, Math.round(60 / sample_seconds))
  for (let number = 1; number <= count; number++) {
    await pause(began + number * sample_seconds * 1000 - monotonicMilliseconds())
    const sample: Sample = {
      minute: (monotonicMilliseconds() - began) / 60_000,
      replicas: { loaded: await readReplica(replicas.loaded), quiet: await readReplica(replicas.quiet) },
      postgres: await readPostgresMemory(installation.cluster.pid()),
    }
    samples.push(sample)
    await appendFile(file, `${JSON.stringify(sample)}\n`)
    if (number % eachMinute === 0) print(lineOf(sample, load.rate()))
  }
  return samples
}

async function readReplica({ pid, metrics_url, log }: ProductionServer): Promise<ProcessMemory & ServerFigures> {
  const page = await (await fetch(metrics_url)).text()
  const memory = await readProcessMemory(pid)
  if (memory === undefined) throw new Error(`A replica has ended: ${log().slice(-2_000)}`)
  return { ...memory, ...readServerFigures(page) }
}

function lineOf({ minute, replicas, postgres }: Sample, rate: number): string {
  const shown = replicaNames.map((name) => {
    const { rss, anonymous, heap_used, heap_total, external, files } = replicas[name]
    const parts = [`anonymous ${round(anonymous)}`, `heap ${round(heap_used)} of ${round(heap_total)}`]
    return `${name} ${round(rss)} MB, ${parts.join(', ')}, buffers ${round(external)}, ${files} files`
  })
  const database = `PostgreSQL ${round(postgres.pss)} MB in ${postgres.processes}`
  return `minute ${Math.round(minute)}: ${shown.join('; ')}; ${database}; ${rate.toFixed(1)} requests/s`
}

function round(value: number | undefined): string {
  return value === undefined ? '?' : value.toFixed(0)
}
