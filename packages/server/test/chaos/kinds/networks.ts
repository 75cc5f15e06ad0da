/** Faults of networks: between replicas and their databases, and between clients and a replica. */
import { pause } from '@bourse/text/time/pause.ts'
import { pick } from '../../../src/core/base/random.ts'
import type { Weather } from '../../support/fault-proxy.ts'
import type { Replica, Stage } from '../stage.ts'
import type { ChaosKind, Fault } from './kind.ts'
import { allAreReady, untilBroken } from './waits.ts'

export const databaseCut: ChaosKind = {
  what: 'The connections of one replica or all to the database are reset, and refused for a while.',
  promise: 'What has no answer has one effect or none.',
  database: 'synchronous pair',
  goals: { writes_again_milliseconds: 5_000 },
  inject: async (stage, fault) => {
    const cut = drawReplicas(stage)
    fault.begin()
    await turn(stage, cut, 'reset')
    await pause(fault.milliseconds / 2)
    await turn(stage, cut, 'refused')
    await pause(fault.milliseconds / 2)
    await heal(stage, cut, fault)
  },
}

export const databaseDelayed: ChaosKind = {
  what: 'What one replica or all exchange with the database arrives 300 ms later in each direction.',
  promise: 'Requests take longer, and none has two effects.',
  database: 'synchronous pair',
  goals: { writes_again_milliseconds: 5_000 },
  inject: (stage, fault) => disturb(stage, fault, 'slow'),
}

export const databaseHalfOpen: ChaosKind = {
  what: 'The connections of one replica or all to the database stay open, and nothing arrives any more.',
  promise: 'The replica notices, answers 503, and goes on with new connections.',
  database: 'synchronous pair',
  goals: { writes_again_milliseconds: 5_000 },
  inject: (stage, fault) => disturb(stage, { ...fault, milliseconds: untilBroken(fault) }, 'black hole'),
}

export const clientsHalfOpen: ChaosKind = {
  what: 'Connections of clients to one replica stay open, but answers arrive no more, then nothing, until a reset.',
  promise: 'Requests whose answer is lost have one effect.',
  database: 'synchronous pair',
  goals: { writes_again_milliseconds: 5_000 },
  inject: async (stage, fault) => {
    const { front, name } = pick(stage.random, stage.replicas)
    fault.begin()
    for (const weather of ['one way', 'black hole'] as const) {
      stage.note(`clients of ${name}: ${weather}`)
      await front.turn(weather)
      await pause(untilBroken(fault))
    }
    await front.turn('fair')
    fault.end()
    await allAreReady(stage)
  },
}

async function disturb(stage: Stage, fault: Fault, weather: Weather): Promise<void> {
  const disturbed = drawReplicas(stage)
  fault.begin()
  await turn(stage, disturbed, weather)
  await pause(fault.milliseconds)
  await heal(stage, disturbed, fault)
}

/** One replica or all. */
function drawReplicas({ random, replicas }: Stage): readonly Replica[] {
  return random.integer(2) === 0 ? [pick(random, replicas)] : replicas
}

async function turn(stage: Stage, replicas: readonly Replica[], weather: Weather): Promise<void> {
  stage.note(`databases of ${replicas.map(({ name }) => name).join(', ')}: ${weather}`)
  for (const { databases } of replicas) for (const proxy of databases) await proxy.turn(weather)
}

async function heal(stage: Stage, replicas: readonly Replica[], fault: Fault): Promise<void> {
  await turn(stage, replicas, 'fair')
  fault.end()
  await allAreReady(stage)
}
