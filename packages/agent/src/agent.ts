/**
 * The agent of one host: fetches the desired state, runs the machines accordingly, and reports. Machines outlive the
 * agent; after a restart it adopts them. It never applies a desired state that is older than one it has applied.
 */

import { once } from 'node:events'
import { join } from 'node:path'
import {
  type DesiredState,
  type DesiredTunnel,
  reportEverySeconds,
  tunnelPortDefault,
} from '@bourse/api/fleet/agent.ts'
import { factsEverySeconds } from '@bourse/api/fleet/agent-hardware.ts'
import type { HostHardware } from '@bourse/api/fleet/hardware.ts'
import { pause } from '@bourse/text/time/pause.ts'
import { weekSeconds } from '@bourse/text/time/units.ts'
import { openBenchmark } from './benchmark/upkeep.ts'
import { monotonic } from './clock.ts'
import type { HostDevices } from './devices/host-devices.ts'
import { endProbes, withholdFromProbes } from './devices/verify-slot.ts'
import type { Driver } from './drivers/driver.ts'
import { refuseUnencrypted } from './enrol.ts'
import { writeWhole } from './files.ts'
import { deviceMessage, type HostHealth, healthOfDriver, healthToReport } from './host-health.rules.ts'
import { openKey, readGeneration, requireEnrolment, tokenMaker, writeGeneration } from './identity.ts'
import { openImages } from './images.ts'
import { openJournal } from './journal.ts'
import type { HostNetwork } from './network/host-network.ts'
import { hostProblem, isServerRefusal } from './problems.ts'
import { serverCalls } from './server-calls.ts'
import { openLookups } from './ssh-lookups.ts'
import { openStatements, type Statements } from './statements.ts'
import {
  type AgentContext,
  adopt,
  isIdle,
  keepMachine,
  lookAfterKeys,
  lookForSsh,
  type ManagedMachine,
  recordEnd,
  reportOf,
  setDesired,
  shipConsole,
  tryAgain,
} from './supervisor.ts'
import { openTunnelUpkeep, type TunnelOptions, type TunnelUpkeep } from './tunnel-upkeep.ts'
import { reportedFile } from './update/reported-file.ts'
import { readBuild } from './version.ts'

/** The options of an agent. */
export type AgentOptions = {
  /** The directory of the key, the enrolment, the journal and the images. */
  readonly directory: string
  readonly driver: Driver
  /** The networks of this host, if it can create any. Closed when the agent ends. */
  readonly network?: HostNetwork | undefined
  /** The devices of this host that machines get. */
  readonly devices?: HostDevices | undefined
  readonly verifySlot?: AgentContext['verifySlot']
  readonly tunnel?: Partial<TunnelOptions> | undefined
  /** Reads the hardware of this host. */
  readonly readHardware: () => Promise<HostHardware>
  /** The benchmark script of the operator. Absent: nothing is measured. */
  readonly benchmark_script?: string | undefined
  /** Called when the agent has taken up its machines. */
  readonly ready?: (() => void) | undefined
  readonly log: (message: string, fields: object) => void
  /** Between 0 and 1. Spreads the retries of agents that reconnect at the same time. */
  readonly random: () => number
}

type Agent = {
  readonly options: AgentOptions
  readonly context: AgentContext
  readonly epoch: number
  readonly machines: Map<string, ManagedMachine>
  generation: number | undefined
  readonly statements: Statements
  /** As it was last read; undefined before the first time. */
  hardware: HostHardware | undefined
  /** Undefined if this host cannot encrypt traffic to other hosts. */
  tunnel: TunnelUpkeep | undefined
  /** In the newest desired state; undefined before the first one. */
  known_tunnel: DesiredTunnel | null | undefined
  health: HostHealth
  reportSeconds: number
  wake: AbortController
  /** Aborted to report the hardware at once. */
  hardware_wake: AbortController
  /** What is wrong with the devices. */
  device_problems: readonly string[]
  /** What the last report said about them. */
  reported_devices: string | undefined
  /** Called when the next report has arrived. */
  report_waiters: (() => void)[]
}

const pollMilliseconds = 1_000
const probeMilliseconds = 60_000
const tunnelChangeSeconds = weekSeconds
const firstWait = 1_000
const lastWait = 60_000

/** Runs the agent until the signal is aborted. Throws a `HostProblem` if it cannot continue. */
export async function runAgent(options: AgentOptions, signal: AbortSignal): Promise<void> {
  const agent = await openAgent(options)
  options.driver.onEnd((id, end) => {
    const machine = agent.machines.get(id)
    if (machine) void recordEnd(machine, end)
  })
  // The networks do not survive a restart of the host, but survive a restart of the agent alone.
  await options.network?.restore()
  const probes = options.devices ? await endProbes(options) : []
  await options.devices?.sweep(new Set([...agent.machines.keys(), ...probes]))
  if (options.devices) await withholdFromProbes(options.devices, probes)
  await Promise.all([...agent.machines.values()].map(adopt))
  options.ready?.()
  const stopped = new AbortController()
  const all = AbortSignal.any([signal, stopped.signal])
  const loops = [
    follow,
    reportAlways,
    reportVersion,
    reportHardware,
    maintainMachines,
    maintainTunnel,
    maintainBenchmark,
  ].map((loop) =>
    loop(agent, all).catch((error) => {
      stopped.abort()
      throw error
    }),
  )
  try {
    await Promise.all(loops)
  } finally {
    await options.network?.close()
    options.driver.close?.()
  }
}

async function openAgent(options: AgentOptions): Promise<Agent> {
  const { directory, driver, network, log } = options
  const enrolment = await requireEnrolment(directory)
  const { server, accepts_http = false } = enrolment
  refuseUnencrypted(server, accepts_http)
  if (accepts_http) log('The server is not encrypted. Anyone in between controls this host.', { server })
  const key = await openKey(directory)
  const calls = serverCalls(enrolment.server, tokenMaker(key, enrolment))
  const { host, epoch } = enrolment
  const journal = openJournal(directory)
  const agent: Agent = {
    options,
    context: {
      driver,
      network,
      devices: options.devices,
      verifySlot: options.verifySlot,
      journal,
      log,
      images: openImages(directory),
      calls,
      notify: () => agent.wake.abort(),
      whenReported: () =>
        new Promise((resolve) => {
          agent.report_waiters.push(resolve)
          agent.wake.abort()
        }),
    },
    epoch,
    statements: openStatements({
      key,
      host,
      log,
      devicesOf: (id) => (options.devices?.devicesOf(id) ?? []).map(({ pci }) => pci),
      send: (statements, signal) => calls.reportStatements({ epoch, statements: [...statements] }, signal),
    }),
    hardware: undefined,
    tunnel: undefined,
    known_tunnel: undefined,
    machines: new Map(),
    generation: await readGeneration(directory),
    health: { health: 'healthy' },
    reportSeconds: reportEverySeconds,
    wake: new AbortController(),
    hardware_wake: new AbortController(),
    device_problems: [],
    reported_devices: undefined,
    report_waiters: [],
  }
  if (network?.encrypts) agent.tunnel = upkeepOf(agent)
  for (const record of await journal.read()) {
    agent.machines.set(record.id, keepMachine(agent.context, record.id, record))
  }
  return agent
}

function upkeepOf({ options, context, epoch }: Agent): TunnelUpkeep {
  const { directory, log, network, tunnel } = options
  const { port = tunnelPortDefault, change_every_seconds = tunnelChangeSeconds } = tunnel ?? {}
  const { calls } = context
  return openTunnelUpkeep({ directory, epoch, port, change_every_seconds, network: network as HostNetwork, calls, log })
}

/** Fetches the desired state in a loop and applies changes. The first request does not wait. */
async function follow(agent: Agent, signal: AbortSignal): Promise<void> {
  let knownGeneration: number | undefined
  await repeat(agent, signal, async () => {
    const { context, options } = agent
    const state = await context.calls.desired(knownGeneration, signal)
    // Without a newer state, steps that failed are retried.
    if (!state) for (const machine of agent.machines.values()) tryAgain(machine)
    if (!state) return
    const applied = agent.generation ?? 0
    // A state older than the applied one is skipped. The next request names the applied one, and the server raises its
    // own above it.
    if (state.generation >= applied) await takeUp(agent, state)
    else options.log('The server knows an older state than this host.', { applied, generation: state.generation })
    knownGeneration = Math.max(state.generation, applied)
  })
}

async function takeUp(agent: Agent, state: DesiredState): Promise<void> {
  const { options, context, machines } = agent
  if (state.epoch > agent.epoch) throw anotherAgent()
  await writeGeneration(options.directory, state.generation)
  agent.generation = state.generation
  agent.reportSeconds = state.report_every_seconds
  // A tunnel that cannot be made is named in the health of the host, and stops no machine.
  agent.known_tunnel = state.tunnel ?? null
  await options.network
    ?.setTunnel(agent.known_tunnel)
    .catch((error) => options.log('The tunnel could not be set.', { error: error.message }))
  const wanted = new Map(state.instances.map((instance) => [instance.id as string, instance]))
  for (const id of wanted.keys()) if (!machines.has(id)) machines.set(id, keepMachine(context, id, undefined))
  for (const [id, machine] of machines) setDesired(machine, wanted.get(id))
}

/** Reports periodically, and at once after a change. */
async function reportAlways(agent: Agent, signal: AbortSignal): Promise<void> {
  const { context, machines } = agent
  await repeat(agent, signal, async () => {
    agent.wake = new AbortController()
    const reported = agent.report_waiters
    agent.report_waiters = []
    const kept = [...machines.values()]
    const devices = deviceMessageOf(agent)
    // The facts and the health of the host change together.
    if (devices !== agent.reported_devices) agent.hardware_wake.abort()
    agent.reported_devices = devices
    const instances = kept.flatMap((machine) => reportOf(machine) ?? [])
    for (const machine of kept) if (!reportOf(machine) && isIdle(machine)) machines.delete(machine.id)
    const generation = kept.every(isIdle) ? (agent.generation ?? 0) : 0
    try {
      await context.calls.report({ epoch: agent.epoch, generation, ...healthOf(agent), instances }, signal)
    } catch (error) {
      agent.report_waiters.push(...reported)
      throw error
    }
    for (const resolve of reported) resolve()
    await pause(agent.reportSeconds * 1000, AbortSignal.any([signal, agent.wake.signal]))
  })
}

/**
 * Reports the version at the start and then once an hour. Once the server has also accepted a report of the machines,
 * the updater of the host may know it.
 */
async function reportVersion(agent: Agent, signal: AbortSignal): Promise<void> {
  const { context, options, epoch } = agent
  const { version, commit } = readBuild()
  await repeat(agent, signal, async () => {
    await context.calls.reportVersion({ epoch, version, commit }, signal)
    await Promise.race([context.whenReported(), aborted(signal)])
    if (!signal.aborted) await writeWhole(join(options.directory, reportedFile), JSON.stringify({ version, commit }))
    await pause(factsEverySeconds * 1000, signal)
  })
}

function aborted(signal: AbortSignal): Promise<unknown> {
  return signal.aborted ? Promise.resolve() : once(signal, 'abort')
}

/** Reports the hardware at the start and then once an hour. */
async function reportHardware(agent: Agent, signal: AbortSignal): Promise<void> {
  const { context, options, epoch } = agent
  await repeat(agent, signal, async () => {
    agent.hardware_wake = new AbortController()
    // The next hour may be better, and machines run without it.
    const hardware = await options.readHardware().catch((error) => {
      options.log('The hardware of this host could not be read.', { error: error.message })
    })
    agent.hardware = hardware ?? agent.hardware
    const response = hardware && (await context.calls.reportHardware({ epoch, hardware }, signal))
    if (response?.fits === false) {
      options.log('This host does not fit its SKU, so it takes no machines.', { problems: response.problems })
    }
    await pause(factsEverySeconds * 1000, AbortSignal.any([signal, agent.hardware_wake.signal]))
  })
}

/** Sends console output, reads host keys, and periodically checks whether machines can still run on this host. */
async function maintainMachines(agent: Agent, signal: AbortSignal): Promise<void> {
  const { log } = agent.options
  const lookups = openLookups((id, error) => log('Host keys could not be read.', failureFields(id, error)))
  let probed = monotonic()
  while (!signal.aborted) {
    for (const [id, machine] of agent.machines) {
      lookups.begin(id, () => lookForSsh(machine))
      lookAfterKeys(machine)
      await shipConsole(machine, signal).catch((error) => {
        // The record of an instance may be removed before its machine.
        if (!isServerRefusal(error) || error.status !== 404)
          log('Console output could not be sent.', failureFields(id, error))
      })
    }
    await stateMachines(agent, signal)
    if (monotonic() - probed > probeMilliseconds) {
      probed = monotonic()
      await checkHealth(agent)
      await agent.options.network
        ?.repair()
        .catch((error) => log('The networks could not be repaired.', { error: error.message }))
      await sweepImages(agent)
    }
    await pause(pollMilliseconds, signal)
  }
  await lookups.settled()
}

/** Signs what machines have, for their customers. */
async function stateMachines({ hardware, machines, statements, options }: Agent, signal: AbortSignal): Promise<void> {
  if (!hardware) return
  const records = [...machines.values()].flatMap(({ record }) => record ?? [])
  await statements.step(records, hardware, signal).catch((error) => {
    if (!signal.aborted) options.log('Statements about machines could not be sent.', { error: error.message })
  })
}

/** Declares and changes the keys of the tunnel, and makes the tunnel again if it is gone. */
async function maintainTunnel(agent: Agent, signal: AbortSignal): Promise<void> {
  const { tunnel, options } = agent
  if (!tunnel) return
  while (!signal.aborted) {
    const failed = (error: Error) => options.log('The tunnel could not be maintained.', { error: error.message })
    await options.network?.watchTunnel().catch(failed)
    if (agent.known_tunnel !== undefined) await tunnel.step(agent.known_tunnel, signal).catch(failed)
    await pause(pollMilliseconds, signal)
  }
}

/** Measures this host while no machine is on it. */
async function maintainBenchmark({ options, context, machines, epoch }: Agent, signal: AbortSignal): Promise<void> {
  const { directory, benchmark_script: script, log } = options
  if (script === undefined) return
  const benchmark = openBenchmark({
    directory,
    script,
    log,
    report: async (figures, until) => void (await context.calls.reportBenchmark({ epoch, ...figures }, until)),
  })
  while (!signal.aborted) {
    await benchmark.step(() => machines.size === 0, signal)
    await pause(pollMilliseconds, signal)
  }
}

/** Removes unused images. The disk of a machine is an overlay of its image, so images of machines stay. */
async function sweepImages({ context, machines }: Agent): Promise<void> {
  const kept = [...machines.values()].flatMap(({ record, wanted }) => [record?.wanted.image, wanted?.image])
  await context.images.sweep(kept.flatMap((image) => image ?? []))
}

async function checkHealth(agent: Agent): Promise<void> {
  const { devices, driver, log } = agent.options
  agent.device_problems =
    (await devices?.problems().catch((error: Error) => {
      log('The devices of this host could not be checked.', { error: error.message })
    })) ?? []
  if (deviceMessageOf(agent) !== agent.reported_devices) agent.wake.abort()
  const before = agent.health.health
  agent.health = healthOfDriver(await driver.probe())
  if (agent.health.health !== before) agent.wake.abort()
}

function deviceMessageOf({ device_problems, options }: Agent): string | undefined {
  return deviceMessage(device_problems, options.devices?.withheld())
}

function healthOf({ health, options: { network }, tunnel, reported_devices: devices }: Agent): HostHealth {
  const problem = network?.tunnelProblem() ?? tunnel?.problem()
  const notes = { partition: network?.partitionProblem(), left_out: network?.unusablePeers() ?? [] }
  return healthToReport(health, { devices, tunnel: problem, ...notes })
}

/** Runs `work` in a loop. After a failure it waits with full jitter and exponential backoff. */
async function repeat(agent: Agent, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const { log, random } = agent.options
  let wait = firstWait
  while (!signal.aborted) {
    try {
      await work()
      wait = firstWait
    } catch (error) {
      if (signal.aborted) return
      if (!isServerRefusal(error)) throw error
      if (error.code === 'stale_epoch') {
        throw anotherAgent()
      }
      // It runs nothing for this server any more. What a machine still has stays with it. Any other 401 may end: the
      // clock of the host may be off.
      if (error.code === 'host_retired') await agent.options.devices?.giveBack()
      log(error.message, { status: error.status })
      await pause(random() * wait, signal)
      wait = Math.min(wait * 2, lastWait)
    }
  }
}

function anotherAgent(): Error {
  return hostProblem('This host has enrolled again: another agent now runs it.')
}

function failureFields(id: string, error: Error): object {
  return { id, error: error.message }
}
