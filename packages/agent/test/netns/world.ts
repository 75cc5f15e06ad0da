import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FirewallRule } from '@bourse/api/network/firewalls.ts'
import { eventually, limitSeconds } from '../../../../test/eventually.ts'
import { tagOf } from '../../src/network/choose.ts'
import type { NetworkedMachine } from '../../src/network/plan.rules.ts'
import { findNetworkObstacles, probeTunnel } from '../../src/network/probe.ts'
import { type Conversation, converse } from './conversation.ts'
import { guestOf, setupOf } from './setup.ts'

const run = promisify(execFile)
/** The folder of the state of a real agent, inside the folder of the world. */
export const agentFolder = 'agent'
let worlds = 0

/** A host: a namespace on the common link, with a program that manages the networks of its machines. */
export type TestHost = {
  readonly name: string
  readonly address: string
  readonly namespace: string
  readonly agent: Conversation
}

/** A machine of the tests: a namespace with a program that sends and listens. */
export type NamespaceGuest = Conversation & { readonly machine: NetworkedMachine; readonly address: string }

/** A machine on another host. Without a tunnel address that host has no tunnel. */
export type GuestPeer = { readonly private_ip: string; readonly host_address: string; readonly tunnel_address?: string }

/** The options of a machine. */
export type GuestOptions = {
  readonly slot: number
  readonly subnet?: { readonly cidr: string; readonly vni: number; readonly address: string }
  readonly peers?: readonly GuestPeer[]
  /** Default: unencrypted. */
  readonly traffic?: 'encrypted' | 'unencrypted'
  readonly public_ip?: string
  readonly rules?: readonly FirewallRule[]
  readonly partition_key?: number
}

/** Removes namespaces with all their processes. */
async function removeNamespaces(isMeant: (name: string) => boolean): Promise<void> {
  const { stdout } = await run('ip', ['netns', 'list'])
  const names = stdout.split('\n').map((line) => line.split(' ')[0] as string)
  for (const name of names.filter((one) => one !== '' && isMeant(one))) {
    const inside = await run('ip', ['netns', 'pids', name])
    const pids = inside.stdout.split('\n').filter(Boolean)
    // A process may exit meanwhile.
    if (pids.length > 0) await run('kill', ['-9', ...pids]).catch(() => {})
    await run('ip', ['netns', 'del', name])
  }
}

/** Removes the namespaces of killed test runs. */
async function sweep(): Promise<void> {
  await removeNamespaces((name) => {
    const [, pid] = /^(?:bourse-)?btest(\d+)-/.exec(name) ?? []
    return pid !== undefined && !existsSync(`/proc/${pid}`)
  })
}

/** Why these tests cannot run here; false if they can. Throws if they are required. */
export async function lacking(): Promise<string | false> {
  const number = `btest${process.pid}`
  const obstacles = await findNetworkObstacles(setupOf(number, 'p', '192.0.2.9'))
  if (obstacles.length === 0) {
    // Concurrent test files sweep the same namespaces.
    await sweep().catch(() => {})
    return false
  }
  if (process.env.BOURSE_REQUIRE_NETNS === '1') throw new Error(`Network namespaces: ${obstacles.join('; ')}`)
  return `needs network namespaces: ${obstacles.join('; ')}`
}

/** Why tests of tunnels cannot run here; false if they can. Throws if they are required. */
export async function lackingTunnels(): Promise<string | false> {
  const reason = await lacking()
  if (reason || (await probeTunnel(setupOf(`btest${process.pid}`, 'p', '192.0.2.9')))) return reason
  if (process.env.BOURSE_REQUIRE_NETNS === '1') throw new Error('Tunnels need wireguard-tools and wireguard-go.')
  return 'needs wireguard-tools, and wireguard-go or a kernel with WireGuard'
}

/** Creates hosts on one link, and a participant outside of them. Disposal removes everything. */
export async function makeWorld(hosts: number, { partition_command = false } = {}) {
  const number = `btest${process.pid}-${worlds++}`
  const directory = await mkdtemp(join(tmpdir(), 'bourse-netns-'))
  const partitions = { command: join(directory, 'partitions'), log: join(directory, 'partitions.log') }
  const namespaces: string[] = []
  const talks: Conversation[] = []
  const devices: string[] = []
  const dispose = async () => {
    await Promise.all(talks.map((talk) => talk.end()))
    // Includes those of a real agent, whose machines remain if a test has failed.
    const own = [`bourse-${number}`, `bourse-${await tagOf(join(directory, agentFolder))}-`]
    await removeNamespaces((name) => namespaces.includes(name) || own.some((start) => name.startsWith(start)))
    await rm(directory, { recursive: true, force: true })
    // Processes of tunnels that were killed leave their sockets.
    await Promise.all(devices.map((device) => rm(`/var/run/wireguard/${device}.sock`, { force: true })))
  }
  const addNamespace = async (name: string) => {
    namespaces.push(name)
    await run('ip', ['netns', 'add', name])
    await ip(name, 'link', 'set', 'lo', 'up')
  }
  const talk = async (namespace: string, program: string, words: readonly string[]) => {
    const made = await converse(namespace, program, words)
    talks.push(made)
    return made
  }
  const plug = async (name: string, address: string) => {
    await addNamespace(name)
    const port = name.slice(-12)
    await ip(`${number}-wire`, 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    await ip(`${number}-wire`, 'link', 'set', port, 'master', 'br0', 'up')
    await ip(name, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
    await ip(name, 'link', 'set', 'eth0', 'up')
    await inside(name, 'sysctl', '-q', '-w', 'net.ipv4.ip_forward=1', 'net.ipv6.conf.all.disable_ipv6=1')
  }
  try {
    await addNamespace(`${number}-wire`)
    await ip(`${number}-wire`, 'link', 'add', 'br0', 'type', 'bridge')
    await ip(`${number}-wire`, 'link', 'set', 'br0', 'up')
    await plug(`${number}-out`, '203.0.113.200')
    const outside = await talk(`${number}-out`, 'guest-process.ts', ['outside'])
    const made: TestHost[] = []
    for (let index = 0; index < hosts; index++) {
      const name = 'xyz'[index] as string
      const [namespace, address] = [`${number}-${name}`, `203.0.113.${11 + index}`]
      await plug(namespace, address)
      devices.push(setupOf(number, name, address).tunnel_device)
      const words = [number, name, address, join(directory, name), ...(partition_command ? [partitions.command] : [])]
      made.push({ name, address, namespace, agent: await talk(namespace, 'host-process.ts', words) })
    }
    return {
      number,
      hosts: made,
      outside,
      partitions,
      directory,
      machineOf,
      talk,
      ...guests({ number, addNamespace, talk }),
      [Symbol.asyncDispose]: dispose,
    }
  } catch (error) {
    await dispose()
    throw error
  }
}

type Makers = {
  readonly number: string
  readonly addNamespace: (name: string) => Promise<void>
  readonly talk: (namespace: string, program: string, words: readonly string[]) => Promise<Conversation>
}

function guests({ number, addNamespace, talk }: Makers) {
  let made = 0
  return {
    /** Attaches a machine to a host, and starts its guest program. */
    addGuest: async (host: TestHost, name: string, options: GuestOptions): Promise<NamespaceGuest> => {
      const mac = `02:00:00:00:${[made >> 8, made & 255].map((part) => part.toString(16).padStart(2, '0')).join(':')}`
      made += 1
      const namespace = guestOf(number, mac)
      await addNamespace(namespace)
      const machine = machineOf(name, mac, options)
      const { network, port } = await host.agent.ask('attach', machine)
      await ip(namespace, 'addr', 'add', `${port.address}/${network.cidr.split('/')[1]}`, 'dev', 'eth0')
      await ip(namespace, 'link', 'set', 'eth0', 'up')
      await ip(namespace, 'route', 'add', 'default', 'via', network.gateway)
      const guest = await talk(namespace, 'guest-process.ts', [name])
      return { ...guest, machine, address: port.address }
    },
    /** The desired state of a machine after a change of its network. */
    changed: ({ machine }: NamespaceGuest, network: Partial<NetworkedMachine['network']>): NetworkedMachine => ({
      ...machine,
      network: { ...machine.network, ...network },
    }),
    namespaceOf: ({ machine }: NamespaceGuest) => guestOf(number, machine.network.mac),
  }
}

function machineOf(
  id: string,
  mac: string,
  { slot, subnet, peers = [], traffic = 'unencrypted', public_ip, rules, ...options }: GuestOptions,
): NetworkedMachine {
  const network: NetworkedMachine['network'] = {
    mac,
    private_ip: subnet?.address ?? null,
    subnet: null,
    vni: subnet?.vni ?? null,
    cidr: subnet?.cidr ?? null,
    traffic,
    peers: peers.map((peer) => ({ tunnel_address: null, ...peer })),
    public_ip: public_ip ?? null,
    firewall_rules: rules === undefined ? null : [...rules],
    infiniband_partition: null,
    partition_key: options.partition_key ?? null,
  }
  return { id, slot, network }
}

/** A short time limit for packets that should be dropped, but long enough for packets that pass. */
const inVain = { wait: 1_200 }

/** The result of an attempt that should be dropped, within a time in which it would otherwise succeed. */
export function reachInVain(from: Conversation, host: string, port: number): Promise<string> {
  return from.ask('reach', host, port, inVain)
}

/** Asserts that exactly these datagrams arrive. The last one must be sent last, and must be allowed. */
export async function hears(guest: Conversation, expected: readonly string[]): Promise<void> {
  // Packets keep their order on one path, so after the last one has arrived, no earlier one is under way.
  const last = expected.at(-1) as string
  const look = async () => {
    const heard: string[] = await guest.ask('heard')
    assert.ok(heard.includes(last), JSON.stringify(heard))
    return heard
  }
  assert.deepEqual(await eventually(`${JSON.stringify(last)} arrives`, look), expected)
}

/** The whole network configuration of a namespace, and the namespaces that an agent created. */
export async function inventory({ namespace }: TestHost, number: string): Promise<object> {
  const look = async (...words: string[]) => (await ip(namespace, ...words)).split('\n').map(withoutChance).toSorted()
  return {
    addresses: await look('addr'),
    routes: await look('route', 'show', 'table', 'all'),
    neighbours: await look('neigh', 'show', 'nud', 'permanent'),
    namespaces: (await look('netns', 'list')).filter((line) => line.startsWith(`bourse-${number}`)),
    rules: await inside(namespace, 'nft', 'list', 'ruleset'),
  }
}

/** Removes the random numbers and hardware addresses of links. */
function withoutChance(line: string): string {
  return line
    .replace(/^\d+: /, '')
    .replace(/@if\d+/, '')
    .replace(/([0-9a-f]{2}:){5}[0-9a-f]{2}/g, 'mac')
    .replace(/ \(id: \d+\)/, '')
}

/** Runs `ip` inside a namespace. */
export async function ip(namespace: string, ...words: string[]): Promise<string> {
  return inside(namespace, 'ip', ...words)
}

/** Runs a program inside a namespace. */
export async function inside(namespace: string, ...words: string[]): Promise<string> {
  return (await run('nsenter', [`--net=/run/netns/${namespace}`, ...words], { timeout: limitSeconds(3) * 1000 })).stdout
}
