/** Faults of the database: killed primaries, a full disk, no connection left, and no write allowed. */
import { pause } from '@bourse/text/time/pause.ts'
import pg from 'pg'
import type { DatabasePair } from '../../restart/failover/database-pair.ts'
import { noSmallDisk, type SmallDisk } from '../../support/small-disk.ts'
import type { Stage } from '../stage.ts'
import type { ChaosKind } from './kind.ts'
import { allAreReady } from './waits.ts'

export const primaryKilled: ChaosKind = {
  what: 'The primary is killed with all its processes, and its synchronous standby is promoted.',
  promise: 'No acknowledged write is lost, no cursor ends, and writes succeed within 10 s of the promotion.',
  database: 'synchronous pair',
  uses_up: true,
  goals: { writes_again_milliseconds: 10_000 },
  inject: async (stage, fault) => {
    const pair = pairOf(stage)
    fault.begin()
    pair.killPrimary()
    await pause(stage.random.integer(1_000))
    await pair.promote()
    fault.end()
    await allAreReady(stage)
  },
}

export const standbyBehind: ChaosKind = {
  what: 'An asynchronous standby is cut off while clients write, the primary is killed, and the standby is promoted.',
  promise:
    'Acknowledged writes are lost and named below. No replica shows them any more, and cursors after them end (410).',
  database: 'asynchronous pair',
  uses_up: true,
  goals: { loses_commits: true, writes_again_milliseconds: 10_000 },
  inject: async (stage, fault) => {
    const pair = pairOf(stage)
    await pair.catchUp()
    fault.begin()
    await pair.cut()
    await stage.load.more(20)
    // Followers read what will be lost.
    await pause(fault.milliseconds)
    pair.killPrimary()
    await pair.promote()
    fault.end()
    await allAreReady(stage)
  },
}

export const primaryRestarted: ChaosKind = {
  what: 'The primary is killed with all its processes, and started again after its recovery.',
  promise: 'No acknowledged write is lost.',
  database: 'asynchronous pair',
  uses_up: true,
  goals: { writes_again_milliseconds: 5_000 },
  inject: async (stage, fault) => {
    const pair = pairOf(stage)
    fault.begin()
    pair.killPrimary()
    await pair.startReplaced()
    fault.end()
    await allAreReady(stage)
  },
}

export const diskFull: ChaosKind = {
  what: 'The disk of the tables of the database is full for a while.',
  promise: 'Writes are refused (503), no acknowledged one is lost, and all goes on when there is room.',
  database: 'small disk',
  uses_up: true,
  goals: { writes_again_milliseconds: 10_000 },
  missing: noSmallDisk,
  inject: async (stage, fault) => {
    const disk = diskOf(stage)
    fault.begin()
    await disk.fill()
    await pause(fault.milliseconds)
    await disk.free()
    fault.end()
    await allAreReady(stage)
  },
}

export const connectionsExhausted: ChaosKind = {
  what: 'The connections of the replicas are ended, and others take all that the database allows.',
  promise: 'Requests get 503 and none has two effects.',
  database: 'synchronous pair',
  goals: { writes_again_milliseconds: 5_000 },
  inject: async (stage, fault) => {
    await using administrator = await openClient(stage)
    const taken: Client[] = []
    fault.begin()
    let isOver = false
    const over = pause(fault.milliseconds).then(() => {
      isOver = true
    })
    while (!isOver) {
      await administrator.query(endReplicas)
      const count = await takeAll(stage, taken)
      if (count > 0) stage.note(`took ${count} connections`)
      await pause(200)
    }
    await over
    await Promise.all(taken.map((one) => one[Symbol.asyncDispose]()))
    fault.end()
    await allAreReady(stage)
  },
}

export const databaseReadOnly: ChaosKind = {
  what: 'The database allows no writes for a while (default_transaction_read_only), as an operator may set it.',
  promise: 'Writes are refused (503) and no acknowledged one is lost.',
  database: 'synchronous pair',
  goals: { writes_again_milliseconds: 5_000 },
  inject: async (stage, fault) => {
    await using administrator = await openClient(stage)
    fault.begin()
    await administrator.query('alter system set default_transaction_read_only = on')
    await administrator.query('select pg_reload_conf()')
    await pause(fault.milliseconds)
    await administrator.query('alter system reset default_transaction_read_only')
    await administrator.query('select pg_reload_conf()')
    fault.end()
    await allAreReady(stage)
  },
}

const endReplicas = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'bourse'`
const connectionsMax = 200
const tooMany = '53300'

type Client = AsyncDisposable & { query(text: string): Promise<void> }

async function openClient({ database }: Stage): Promise<Client> {
  const { host, port, user, database: name } = database.nodes[0] as (typeof database.nodes)[number]
  const client = new pg.Client({ host, port, user, database: name, application_name: 'chaos' })
  client.on('error', () => {})
  await client.connect()
  return {
    query: async (text) => void (await client.query(text)),
    [Symbol.asyncDispose]: () => client.end(),
  }
}

/** Opens connections until the database refuses one. Returns how many. */
async function takeAll(stage: Stage, taken: Client[]): Promise<number> {
  for (let count = 0; count < connectionsMax; count++) {
    const client = await openClient(stage).catch((error: { code?: string }) => {
      if (error.code !== tooMany) throw error
      return undefined
    })
    if (client === undefined) return count
    taken.push(client)
  }
  throw new Error(`The database allows more than ${connectionsMax} connections.`)
}

function pairOf({ database }: Stage): DatabasePair {
  if (!database.pair) throw new Error('The round has no pair of databases.')
  return database.pair
}

function diskOf({ database }: Stage): SmallDisk {
  if (!database.disk) throw new Error('The round has no small disk.')
  return database.disk
}
