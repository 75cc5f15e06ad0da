/** Server processes on one durable database. Each may be killed and restarted. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { eventually } from '../../../../../test/eventually.ts'
import { type Database, openDatabase } from '../../../src/core/db/db.ts'
import { ensureKeyFiles } from '../../../src/core/keys/key-files.ts'
import { readMigrations } from '../../../src/core/migrations/migration-files.ts'
import type { Failpoint } from '../../../src/core/work/runtime.ts'
import { startDurableCluster } from '../../support/cluster.ts'
import { createTestDatabase } from '../../support/database.ts'
import { connectTo, type TestServer } from '../../support/server.ts'
import type { ReadyReplica, ReplicaOrder } from './replica-process.ts'

export type TradingReplicas = AsyncDisposable & {
  readonly database: Database
  /** The server at an index; a new one after each restart. */
  server(index: number): TestServer
  /** Kills a server by SIGKILL and starts another at its index. */
  restart(index: number): Promise<void>
  /** Freezes a server at the next request that reaches a failpoint; resolves when it is frozen. */
  freeze(index: number, failpoint: Failpoint, request: () => void): Promise<void>
  /** Freezes a server at once, wherever it is. */
  stop(index: number): void
  thaw(index: number): void
}

const program = join(import.meta.dirname, 'replica-process.ts')
const migrations = join(import.meta.dirname, '../../../../../migrations')

type RunningReplica = { readonly child: ChildProcess; readonly server: TestServer }

/** Starts `count` servers, one after the other. The first one creates the world. */
export async function startProcesses(count: number): Promise<TradingReplicas> {
  await using stack = new AsyncDisposableStack()
  const cluster = stack.use(await startDurableCluster())
  const { target } = stack.use(await createTestDatabase({ cluster: cluster.target }))
  const directory = await mkdtemp(join(tmpdir(), 'bourse-trading-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const database = stack.use(openDatabase(target, { connections_max: 1 }))
  const keys = await ensureKeyFiles(join(directory, 'keys'))
  const schema_version = (await readMigrations(migrations)).length
  const order = (index: number): ReplicaOrder => ({ target, keys, schema_version, freeze_file: fileOf(index) })
  const fileOf = (index: number) => join(directory, `freeze-${index}`)
  const running: RunningReplica[] = []
  stack.defer(async () => {
    await Promise.all(running.map(({ child }) => end(child, 'SIGTERM')))
  })
  for (let index = 0; index < count; index++) running.push(await launch(order(index)))
  const parts = stack.move()
  return {
    database,
    server: (index) => (running[index] as RunningReplica).server,
    restart: async (index) => {
      await end((running[index] as RunningReplica).child, 'SIGKILL')
      running[index] = await launch(order(index))
    },
    freeze: async (index, failpoint, request) => {
      await writeFile(fileOf(index), failpoint)
      request()
      await eventually(`a request reaches ${failpoint} and freezes its server`, () => !existsSync(fileOf(index)))
    },
    stop: (index) => void (running[index] as RunningReplica).child.kill('SIGSTOP'),
    thaw: (index) => void (running[index] as RunningReplica).child.kill('SIGCONT'),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}

/** Starts a server again if it could not reach its busy database in time, as a supervisor does. */
async function launch(order: ReplicaOrder, tries = 3): Promise<RunningReplica> {
  const child = spawn(process.execPath, [program, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), once(child, 'exit')])
  if (typeof line !== 'string') {
    if (tries > 1) return launch(order, tries - 1)
    throw new Error(`A server exited with ${line} during its start.`)
  }
  return { child, server: connectTo(JSON.parse(line) as ReadyReplica) }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
