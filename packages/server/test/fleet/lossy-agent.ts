/**
 * An agent over an unreliable connection: its reports are lost, late, repeated or out of order, responses are lost, and
 * the agent and its host crash and return. It follows the protocol: it never applies an older desired state.
 */
import assert from 'node:assert/strict'
import type { Random } from '../../src/core/base/random.ts'
import { enrol, type TestAgent } from '../support/agents.ts'
import type { TestServer } from '../support/server.ts'

/** The number of faults of one agent and its connection, by kind. */
export type FaultTally = Record<
  'sent' | 'lost' | 'repeated' | 'reordered' | 'stale' | 'unheard' | 'crashes' | 'outages',
  number
>

/** The faults that a test can cause. */
export type AgentFault = 'lost' | 'repeated' | 'reordered' | 'crashes'

export type LossyAgent = {
  readonly host: string
  readonly tally: FaultTally
  /** Runs one random action. */
  step(): Promise<void>
  /** Suffers a fault of this kind. */
  suffer(fault: AgentFault): Promise<void>
  /** Delivers all reports and continues until nothing changes. */
  settle(): Promise<void>
  /** The instances whose machines it has and that are not stopped. */
  machines(): string[]
}

/** Agents of the older version have fewer fields than the server, agents of the newer version more. */
export type AgentVersion = 'older' | 'newer'

type LossyMachine = { generation: number; state: string; reason?: string }
type DesiredState = { generation: number; instances: { id: string; generation: number; action: 'run' | 'stop' }[] }

const next: Readonly<Record<string, string>> = { fetching: 'starting', starting: 'running' }

type LossyAgentState = {
  readonly permit: string
  readonly version: AgentVersion
  readonly random: Random
  readonly server: TestServer
  readonly machines: Map<string, LossyMachine>
  /** Reports under way, oldest first. */
  readonly wire: object[]
  readonly tally: FaultTally
  agent: TestAgent
  generation: number
}

/** Enrols an agent over an unreliable connection. */
export async function enrolLossy(
  server: TestServer,
  { permit, version, random }: { permit: string; version: AgentVersion; random: Random },
): Promise<LossyAgent> {
  const state: LossyAgentState = {
    permit,
    version,
    random,
    server,
    machines: new Map(),
    wire: [],
    tally: { sent: 0, lost: 0, repeated: 0, reordered: 0, stale: 0, unheard: 0, crashes: 0, outages: 0 },
    agent: await enrol(server, permit),
    generation: 0,
  }
  return {
    host: state.agent.host,
    tally: state.tally,
    machines: () => [...state.machines].filter(([, machine]) => machine.state !== 'stopped').map(([id]) => id),
    step: () => step(state),
    suffer: (fault) => suffer(state, fault),
    settle: () => settle(state),
  }
}

async function step(state: LossyAgentState): Promise<void> {
  const { random, wire } = state
  const chance = random.integer(20)
  if (chance === 0) return crash(state)
  if (chance === 1 && random.integer(3) === 0) return blackOut(state)
  if (chance < 6) return listen(state)
  if (chance < 10) return void work(state, { may_fail: true })
  if (chance < 14 || wire.length === 0) return send(state)
  return useWire(state)
}

async function settle(state: LossyAgentState): Promise<void> {
  while (state.wire.length > 0) await deliver(state, 0)
  for (let isBusy = true; isBusy; ) {
    const before = state.generation
    apply(state, await state.agent.call('get_desired_state'))
    isBusy = work(state, { may_fail: false }) || state.generation !== before
    send(state)
    await deliver(state, 0)
  }
}

async function listen(state: LossyAgentState): Promise<void> {
  const desired: DesiredState = await state.agent.call('get_desired_state')
  if (state.random.integer(5) === 0) state.tally.unheard += 1
  else if (desired.generation > state.generation) apply(state, desired)
}

function apply(state: LossyAgentState, desired: DesiredState): void {
  const { machines } = state
  state.generation = desired.generation
  for (const id of machines.keys()) if (!desired.instances.some((one) => one.id === id)) machines.delete(id)
  for (const { id, generation, action } of desired.instances) {
    const known = machines.get(id)
    if (action === 'stop') machines.set(id, { generation, state: 'stopped' })
    else if (!known || generation > known.generation) machines.set(id, { generation, state: 'fetching' })
  }
}

function work({ machines, random }: LossyAgentState, { may_fail }: { may_fail: boolean }): boolean {
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

function send({ agent, machines, version, generation, wire }: LossyAgentState): void {
  const instances = [...machines].map(([id, { reason, ...machine }]) => {
    return version === 'older' ? { id, ...machine } : { id, ...machine, reason: reason ?? 'none', temperature: 40 }
  })
  const more = version === 'older' ? {} : { message: 'well', uptime_seconds: 7 }
  wire.push({ epoch: agent.epoch, generation, health: 'healthy', instances, ...more })
}

async function useWire(state: LossyAgentState): Promise<void> {
  const { wire, random, tally } = state
  const index = random.integer(wire.length)
  const outcome = random.integer(6)
  if (outcome === 0) return lose(state, index)
  if (outcome === 1) repeat(state, index)
  if (index > 0) tally.reordered += 1
  await deliver(state, index)
}

function lose({ wire, tally }: LossyAgentState, index: number): void {
  tally.lost += 1
  wire.splice(index, 1)
}

function repeat({ wire, tally }: LossyAgentState, index: number): void {
  tally.repeated += 1
  wire.push(wire[index] as object)
}

async function suffer(state: LossyAgentState, fault: AgentFault): Promise<void> {
  const { wire, tally } = state
  if (fault === 'crashes') return crash(state)
  send(state)
  send(state)
  const newest = wire.length - 1
  if (fault === 'lost') return lose(state, newest)
  if (fault === 'repeated') repeat(state, newest)
  else tally.reordered += 1
  await deliver(state, newest)
}

async function deliver({ wire, agent, tally }: LossyAgentState, index: number): Promise<void> {
  const [report] = wire.splice(index, 1)
  const { epoch } = report as { epoch: number }
  const { status } = await agent.attempt('report_host', { body: report })
  tally.sent += 1
  if (epoch < agent.epoch) tally.stale += 1
  assert.equal(status, epoch < agent.epoch ? 409 : 200)
}

/** The process of the agent crashes and restarts with the same key. Its machines continue to run. */
async function crash(state: LossyAgentState): Promise<void> {
  state.tally.crashes += 1
  state.agent = await enrol(state.server, state.permit, { key: state.agent.key })
}

/** A power failure of the host: its machines no longer run. */
function blackOut({ machines, tally }: LossyAgentState): void {
  tally.outages += 1
  for (const machine of machines.values()) {
    if (machine.state !== 'stopped') Object.assign(machine, { state: 'unhealthy', reason: 'machine_lost' })
  }
}
