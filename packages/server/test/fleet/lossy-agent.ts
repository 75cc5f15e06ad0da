/**
 * An agent over a bad wire: what it sends is lost, late, repeated or out of order, its answers are lost too, it crashes
 * and comes back, and so does its host. It keeps to the protocol: it never goes back to an older desired state.
 */
import assert from 'node:assert/strict'
import type { Random } from '../../src/core/random.ts'
import { enrol, type TestAgent } from '../support/agents.ts'
import type { TestServer } from '../support/server.ts'

/** What happened on the wire of one agent, and to it. */
export type Tally = Record<
  'sent' | 'lost' | 'repeated' | 'reordered' | 'stale' | 'unheard' | 'crashes' | 'outages',
  number
>

export type LossyAgent = {
  readonly host: string
  readonly tally: Tally
  /** Does one thing, by chance. */
  step(): Promise<void>
  /** Sends all that is on its way and goes on until nothing changes any more. */
  calm(): Promise<void>
  /** The instances whose machines it has, but for those that are stopped. */
  machines(): string[]
}

/** Agents of the older version know fewer fields than the server, those of the newer one more. */
export type Version = 'older' | 'newer'

type Machine = { generation: number; state: string; reason?: string }
type Desired = { generation: number; instances: { id: string; generation: number; action: 'run' | 'stop' }[] }

const next: Readonly<Record<string, string>> = { fetching: 'starting', starting: 'running' }

/** Enrols such an agent. */
export async function enrolLossy(
  server: TestServer,
  { permit, version, random }: { permit: string; version: Version; random: Random },
): Promise<LossyAgent> {
  let agent: TestAgent = await enrol(server, permit)
  const machines = new Map<string, Machine>()
  const wire: object[] = []
  const tally: Tally = { sent: 0, lost: 0, repeated: 0, reordered: 0, stale: 0, unheard: 0, crashes: 0, outages: 0 }
  let generation = 0

  async function listen(): Promise<void> {
    const desired: Desired = await agent.ok('GET', '/desired')
    if (random.integer(5) === 0) tally.unheard += 1
    else if (desired.generation > generation) apply(desired)
  }

  function apply(desired: Desired): void {
    generation = desired.generation
    for (const id of machines.keys()) if (!desired.instances.some((one) => one.id === id)) machines.delete(id)
    for (const { id, generation: own, action } of desired.instances) {
      const known = machines.get(id)
      if (action === 'stop') machines.set(id, { generation: own, state: 'stopped' })
      else if (!known || own > known.generation) machines.set(id, { generation: own, state: 'fetching' })
    }
  }

  function work({ may_fail }: { may_fail: boolean }): boolean {
    let moved = false
    for (const machine of machines.values()) {
      const state = next[machine.state]
      if (state === undefined) continue
      moved = true
      if (may_fail && random.integer(8) === 0) Object.assign(machine, { state: 'start_failed', reason: 'no_memory' })
      else machine.state = state
    }
    return moved
  }

  function say(): void {
    const instances = [...machines].map(([id, { reason, ...machine }]) => {
      return version === 'older' ? { id, ...machine } : { id, ...machine, reason: reason ?? 'none', temperature: 40 }
    })
    const more = version === 'older' ? {} : { message: 'well', uptime_seconds: 7 }
    wire.push({ epoch: agent.epoch, generation, health: 'healthy', instances, ...more })
  }

  async function deliver(index: number): Promise<void> {
    const [report] = wire.splice(index, 1)
    const { epoch } = report as { epoch: number }
    const { status } = await agent.request('POST', '/report', report)
    tally.sent += 1
    if (epoch < agent.epoch) tally.stale += 1
    assert.equal(status, epoch < agent.epoch ? 409 : 200)
  }

  async function useWire(): Promise<void> {
    const index = random.integer(wire.length)
    const fate = random.integer(6)
    if (fate === 0) {
      tally.lost += 1
      wire.splice(index, 1)
      return
    }
    if (fate === 1) {
      tally.repeated += 1
      wire.push(wire[index] as object)
    }
    if (index > 0) tally.reordered += 1
    await deliver(index)
  }

  /** The process is gone, its machines run on; it comes back with the same key. */
  async function crash(): Promise<void> {
    tally.crashes += 1
    agent = await enrol(server, permit, { key: agent.key })
  }

  /** The power was off: what ran does not run any more. */
  function blackOut(): void {
    tally.outages += 1
    for (const machine of machines.values()) {
      if (machine.state !== 'stopped') Object.assign(machine, { state: 'unhealthy', reason: 'machine_lost' })
    }
  }

  return {
    host: agent.host,
    tally,
    machines: () => [...machines].filter(([, { state }]) => state !== 'stopped').map(([id]) => id),
    step: async () => {
      const chance = random.integer(20)
      if (chance === 0) return crash()
      if (chance === 1 && random.integer(3) === 0) return blackOut()
      if (chance < 6) return listen()
      if (chance < 10) return void work({ may_fail: true })
      if (chance < 14 || wire.length === 0) return say()
      return useWire()
    },
    calm: async () => {
      while (wire.length > 0) await deliver(0)
      for (let isBusy = true; isBusy; ) {
        const before = generation
        apply(await agent.ok('GET', '/desired'))
        isBusy = work({ may_fail: false }) || generation !== before
        say()
        await deliver(0)
      }
    },
  }
}
