/** What the machines of an agent share, their desired states and their records, for tests. */
import assert from 'node:assert/strict'
import type { DesiredInstance } from '@bourse/api/fleet/agent.ts'
import type { HostDevices } from '../../src/devices/host-devices.ts'
import { simulatedDriver } from '../../src/drivers/simulated/simulated.ts'
import { openImages } from '../../src/images.ts'
import { openJournal } from '../../src/journal.ts'
import type { MachineRecord } from '../../src/machine.rules.ts'
import type { HostNetwork } from '../../src/network/host-network.ts'
import { planNetworks } from '../../src/network/plan.rules.ts'
import type { ServerCalls } from '../../src/server-calls.ts'
import type { AgentContext } from '../../src/supervisor.ts'
import { writeTree } from './machine-trees.ts'
import { noNetwork } from './new-spec.ts'

/** A context with a journal, and a driver whose machines consist of files. Its reports arrive at once. */
export function contextWith(changes: Partial<AgentContext> = {}, directory = writeTree(new Map())): AgentContext {
  return {
    driver: simulatedDriver(),
    journal: openJournal(directory),
    images: openImages(directory),
    calls: callsWith({}),
    notify: () => {},
    whenReported: async () => {},
    log: () => {},
    ...changes,
  }
}

/** A server that a test calls only in the ways that it names. */
export function callsWith(changes: Partial<ServerCalls>): ServerCalls {
  const unexpected = async () => assert.fail('The server is not called.')
  return {
    desired: unexpected,
    report: unexpected,
    declareTunnel: unexpected,
    reportHardware: unexpected,
    reportStatements: unexpected,
    reportBenchmark: unexpected,
    reportVersion: unexpected,
    checkUpdate: unexpected,
    userData: unexpected,
    appendLogs: unexpected,
    ...changes,
  }
}

/** Devices of a host that gives none, but for what a test changes. */
export function devicesWith(changes: Partial<HostDevices>): HostDevices {
  return {
    take: async () => {},
    devicesOf: () => [],
    adaptersOf: async () => [],
    release: async () => {},
    sweep: async () => {},
    problems: async () => [],
    withheld: () => new Map(),
    ports: () => [],
    checks: () => [],
    noteCheck: async () => {},
    giveBack: async () => {},
    ...changes,
  }
}

/** Networks that are planned and not made. */
export function networkWith(changes: Partial<HostNetwork>): HostNetwork {
  const setup = {
    tag: 'ab12cd',
    address: '192.0.2.7',
    first_port: 20_000,
    reachable: [],
    nameservers: [],
    tunnel_device: 'bw-ab12cd',
  }
  return {
    attach: async (machine) => {
      const [network] = planNetworks(setup, [machine], null).networks
      const port = network?.ports[0]
      return network && port ? { network, port } : assert.fail('It has no network.')
    },
    attachmentOf: () => undefined,
    sshEndpointOf: () => undefined,
    release: async () => {},
    unusablePeers: () => [],
    encrypts: false,
    setTunnel: async () => {},
    rekey: async () => {},
    watchTunnel: async () => {},
    tunnelProblem: () => undefined,
    partitionProblem: () => undefined,
    setNotice: async () => {},
    repair: async () => {},
    restore: async () => {},
    close: async () => {},
    ...changes,
  }
}

/** A machine that a host must run. */
export function desiredWith(changes: Partial<DesiredInstance> = {}): DesiredInstance {
  return {
    id: 'inst_a',
    generation: 1,
    action: 'run',
    slot: 0,
    hostname: 'a',
    machine: { cpu_count: 2, memory_bytes: 2 ** 30, storage_bytes: null },
    image: null,
    user_data_ticket: null,
    network: noNetwork,
    terminate_at: null,
    terminate_reason: null,
    ...changes,
  }
}

/** The record of such a machine, which has stopped. */
export function recordWith(changes: Partial<MachineRecord> = {}): MachineRecord {
  const { user_data_ticket: _, ...wanted } = desiredWith()
  return {
    id: wanted.id,
    generation: 1,
    phase: 'stopped',
    reason: null,
    next_seqnum: 1,
    console_byte: 0,
    wanted,
    ...changes,
  }
}
