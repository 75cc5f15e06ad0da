/** Faults of replicas: killed, stopped, restarted in turn, and with a wrong clock. */
import { spawnSync } from 'node:child_process'
import { pause } from '@bourse/text/time/pause.ts'
import { buildMovedTime } from '../../../../../test/dates/moved-time.ts'
import { eventually } from '../../../../../test/eventually.ts'
import { pick } from '../../../src/core/base/random.ts'
import type { Replica, Stage } from '../stage.ts'
import type { ChaosKind } from './kind.ts'
import { allAreReady, untilBroken } from './waits.ts'

export const replicaKilled: ChaosKind = {
  what: 'One of three replicas is killed (SIGKILL) and started again.',
  promise: 'Clients with the retries of the SDK see no failure.',
  database: 'synchronous pair',
  goals: { retries_suffice: true, writes_again_milliseconds: 10_000, slower_max: 2 },
  inject: async (stage, fault) => {
    const replica = pick(stage.random, stage.replicas)
    stage.note(`killed ${replica.name}`)
    fault.begin()
    replica.signal('SIGKILL')
    fault.end()
    await pause(fault.milliseconds)
    fault.repair()
    await replica.start()
    await allAreReady(stage)
  },
}

export const replicaStopped: ChaosKind = {
  what: 'One of three replicas is stopped in the middle of its work (SIGSTOP) and goes on later (SIGCONT).',
  promise: 'What the stopped replica still commits or answers has one effect, and its caches are right.',
  database: 'synchronous pair',
  goals: { writes_again_milliseconds: 10_000 },
  inject: async (stage, fault) => {
    const replica = pick(stage.random, stage.replicas)
    stage.note(`stopped ${replica.name}`)
    fault.begin()
    replica.signal('SIGSTOP')
    await pause(untilBroken(fault))
    replica.signal('SIGCONT')
    fault.end()
    await allAreReady(stage)
  },
}

export const rollingRestart: ChaosKind = {
  what: 'Each replica in turn gets SIGTERM, ends, and is started again.',
  promise: 'No request fails, even without retries.',
  database: 'synchronous pair',
  goals: { fails_nothing: true, retries_suffice: true },
  inject: async (stage, fault) => {
    fault.begin()
    for (const replica of stage.replicas) await restart(stage, replica)
    fault.end()
  },
}

/** Stops a replica, and starts it again as a process with other variables. */
async function restart(stage: Stage, replica: Replica, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const old = replica.server()
  const code = await old.stop()
  if (code !== 0) throw new Error(`The replica ${replica.name} ended with ${code}: ${old.log().slice(-2_000)}`)
  await eventually('the balancer knows that it has ended', () => !stage.balancer.isReady(replica.url))
  await replica.start(more)
  await allAreReady(stage)
}

const hour = 3_600
const moves = [hour, -hour, 240 * hour, -240 * hour]
const hasCompiler = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0

export const clockWrong: ChaosKind = {
  what: 'The clock of one replica is wrong by an hour, then by ten days, forward or back, and then right again.',
  promise: 'All goes by the clock of the database, and tokens and cursors stay what they were.',
  database: 'synchronous pair',
  goals: { retries_suffice: true },
  missing: !hasCompiler && 'needs a C compiler on Linux: on Debian `apt-get install gcc libc6-dev`',
  inject: async (stage, fault) => {
    const replica = pick(stage.random, stage.replicas)
    const sign = stage.random.integer(2)
    const chosen = moves.filter((_, index) => index % 2 === sign)
    fault.begin()
    for (const seconds of chosen) {
      stage.note(`moved the clock of ${replica.name} by ${seconds} s`)
      await restart(stage, replica, { LD_PRELOAD: await buildMovedTime(seconds, stage.setting.directory) })
      await stage.load.more(20)
    }
    await restart(stage, replica)
    fault.end()
  },
}
