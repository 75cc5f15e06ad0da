/**
 * One round's processes: PostgreSQL, three replicas of `bourse serve` behind a balancer, and proxies between each
 * replica and each database, and between the balancer and each replica.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually, limitSeconds } from '../../../../test/eventually.ts'
import type { Random } from '../../src/core/base/random.ts'
import type { DatabaseTarget } from '../../src/core/db/database-target.ts'
import { type DatabasePair, startPair } from '../restart/failover/database-pair.ts'
import { type Balancer, startBalancer } from '../restart/upgrade/balancer.ts'
import { type ProductionServer, type ServerVariables, startReplica } from '../restart/upgrade/production.ts'
import { repository } from '../restart/upgrade/program-trees.ts'
import { type FaultProxy, openFaultProxy, type ProxyTarget } from '../support/fault-proxy.ts'
import { type SmallDisk, startSmallDisk } from '../support/small-disk.ts'
import type { ChaosLoad } from './load.ts'
import { type ChaosSetting, type ChaosWorld, safeSettings, urlOf } from './setting.ts'
import type { NoisyAnswers } from './verdict.ts'

/** Which database a kind of fault needs: a pair, or one on a small disk. */
export type DatabaseKind = 'synchronous pair' | 'asynchronous pair' | 'small disk'

export type ChaosDatabase = {
  /** Their own addresses, the primary first. */
  readonly nodes: readonly DatabaseTarget[]
  readonly pair: DatabasePair | undefined
  readonly disk: SmallDisk | undefined
  readonly world: ChaosWorld
}

/** A replica, whose process may be replaced. */
export type Replica = {
  readonly name: string
  /** Its way to each database. */
  readonly databases: readonly FaultProxy[]
  /** The way of clients to it. */
  readonly front: FaultProxy<ProxyTarget>
  readonly url: string
  server(): ProductionServer
  /** Sends a signal to its process. */
  signal(signal: NodeJS.Signals): void
  /** Starts another process in its place. */
  start(more?: ServerVariables): Promise<void>
}

/** What a kind of fault works on. */
export type Stage = {
  readonly setting: ChaosSetting
  readonly random: Random
  readonly database: ChaosDatabase
  readonly replicas: readonly [Replica, Replica, Replica]
  readonly balancer: Balancer
  readonly load: ChaosLoad
  /** What an account got that asked for more than its share. */
  readonly noise: NoisyAnswers
  /** Records what was done, for the report. */
  note(text: string): void
}

const names = ['one', 'two', 'three'] as const
const smallMegabytes = 128
/** How long a balancer of production waits for a replica that it asks whether it is ready. */
const readyMilliseconds = limitSeconds(0.2) * 1000
const drainSeconds = 5

/** Starts the database of a round. It ends with the stack. */
export async function startDatabase(
  setting: ChaosSetting,
  kind: DatabaseKind,
  stack: AsyncDisposableStack,
): Promise<ChaosDatabase> {
  if (kind === 'small disk') {
    const disk = stack.use(await startSmallDisk(smallMegabytes, safeSettings))
    return { nodes: [disk.target], pair: undefined, disk, world: await setting.prepare(disk.target) }
  }
  const synchronous = kind === 'synchronous pair'
  const pair = stack.use(await startPair(setting.template, { synchronous, more: safeSettings }))
  const { others = [], ...first } = pair.target
  const nodes = [first, ...others.map((other) => ({ ...first, ...other }))]
  return { nodes, pair, disk: undefined, world: setting.world }
}

/** Starts the replicas and the balancer, and waits until all are ready. They end with the stack. */
export async function startReplicas(
  setting: ChaosSetting,
  database: ChaosDatabase,
  stack: AsyncDisposableStack,
): Promise<Pick<Stage, 'replicas' | 'balancer'>> {
  const balancer = stack.use(await startBalancer({ limit_milliseconds: readyMilliseconds }))
  const [one, two, three] = await Promise.all(names.map((name) => startOne(setting, { name, database, stack })))
  const replicas = [one, two, three] as [Replica, Replica, Replica]
  for (const { url } of replicas) balancer.add(url)
  await eventually('all replicas are ready', () => replicas.every(({ url }) => balancer.isReady(url)), {
    usual_seconds: 5,
  })
  return { replicas, balancer }
}

type ReplicaPlan = {
  readonly name: string
  readonly database: ChaosDatabase
  readonly stack: AsyncDisposableStack
}

async function startOne(setting: ChaosSetting, { name, database, stack }: ReplicaPlan): Promise<Replica> {
  const databases = await Promise.all(database.nodes.map((node) => openFaultProxy(node)))
  for (const proxy of databases) stack.use(proxy)
  const data = join(setting.directory, `data-${name}`)
  // What a replica of the round before knew of its databases means nothing here.
  await rm(data, { recursive: true, force: true })
  const variables = {
    ...setting.variables,
    BOURSE_DATABASE_URL: urlOf(databases.map(({ target }) => target)),
    BOURSE_REPLICA_NAME: name,
    BOURSE_DATA_DIR: data,
    BOURSE_DRAIN_SECONDS: String(drainSeconds),
  }
  let server = await startReplica(repository, variables)
  const started = [server]
  stack.defer(async () => void (await Promise.all(started.map((one) => one[Symbol.asyncDispose]()))))
  const upstream = {
    host: '127.0.0.1',
    get port() {
      return Number(new URL(server.url).port)
    },
  }
  const front = stack.use(await openFaultProxy<ProxyTarget>(upstream, { parses: false }))
  return {
    name,
    databases,
    front,
    url: `http://127.0.0.1:${front.target.port}`,
    server: () => server,
    signal: (signal) => void process.kill(server.pid, signal),
    start: async (more = {}) => {
      server = await startReplica(repository, { ...variables, ...more })
      started.push(server)
    },
  }
}

/** Starts a replica that knows nothing yet, for what it reads: it shows what the database has. */
export async function startReference(
  setting: ChaosSetting,
  primary: DatabaseTarget,
  stack: AsyncDisposableStack,
): Promise<ProductionServer> {
  const data = join(setting.directory, 'data-reference')
  await rm(data, { recursive: true, force: true })
  const own = { BOURSE_DATABASE_URL: urlOf([primary]), BOURSE_REPLICA_NAME: 'reference', BOURSE_DATA_DIR: data }
  return stack.use(await startReplica(repository, { ...setting.variables, ...own }))
}
