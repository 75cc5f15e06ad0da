/** How fast this machine is, for figures of different days and machines. */
import { mkdtemp, open, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { loopMilliseconds, roundTripsMilliseconds } from '../../test/machine-factor.ts'
import type { MachineSpeed } from './report.ts'
import { median } from './row.ts'
import { makePlace } from './worlds/event-world.ts'

const fsyncs = 50
const fsyncBytes = 4_096

/** Measures a loop, 50 round trips to a PostgreSQL that is started for them, and the median `fsync` of 4 KiB. */
export async function measureSpeed(): Promise<MachineSpeed> {
  return {
    processors: availableParallelism(),
    memory_gib: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    loop_ms: loopMilliseconds(),
    round_trips_ms: await measureRoundTrips(),
    fsync_ms: await measureFsync(),
  }
}

async function measureRoundTrips(): Promise<number> {
  await using place = await makePlace({ pinned: false })
  const client = new pg.Client(place.target)
  await client.connect()
  try {
    const ask = () => client.query('select 1')
    await roundTripsMilliseconds(ask)
    return await roundTripsMilliseconds(ask)
  } finally {
    await client.end()
  }
}

async function measureFsync(): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'bourse-bench-fsync-'))
  try {
    await using file = await open(join(directory, 'file'), 'w')
    const block = Buffer.alloc(fsyncBytes, 1)
    const times: number[] = []
    for (let n = 0; n < fsyncs; n++) {
      const began = performance.now()
      await file.write(block, 0, fsyncBytes, n * fsyncBytes)
      await file.sync()
      times.push(performance.now() - began)
    }
    return median(times)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
