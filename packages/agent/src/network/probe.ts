/** Checks whether this host can create networks: tools, rights and kernel, tested with a temporary network. */
import { access, stat } from 'node:fs/promises'
import { readIfThere } from '../files.ts'
import { parseAddress } from './addresses.rules.ts'
import { runCommand } from './apply.ts'
import { makeNamespace, makeTap, type NetworkCommand, swapRuleset } from './commands.rules.ts'
import { type HostSetup, type NetworkPlan, planNetworks, uplinkPrefix } from './plan.rules.ts'
import { hostRuleset, networkRuleset } from './ruleset.rules.ts'
import { findTunnelKind, type TunnelKind } from './tunnel.ts'

const tun = '/dev/net/tun'
const tools = [
  { program: 'ip', words: ['-V'], package: 'iproute2' },
  { program: 'bridge', words: ['-V'], package: 'iproute2' },
  { program: 'nft', words: ['--version'], package: 'nftables' },
  { program: 'nsenter', words: ['--version'], package: 'util-linux' },
  { program: 'sysctl', words: ['--version'], package: 'procps' },
] as const

/** How this host can encrypt traffic to other hosts; undefined if it cannot. Tried in a temporary namespace. */
export async function probeTunnel({ tag }: HostSetup): Promise<TunnelKind | undefined> {
  const namespace = `bourse-${tag}-probe-tunnel`
  const remove = () => runCommand(link(['netns', 'del', namespace])).catch(() => {})
  try {
    await remove()
    await runCommand(link(['netns', 'add', namespace]))
    return await findTunnelKind(namespace)
  } catch {
    return undefined
  } finally {
    await remove()
  }
}

/** What prevents networks on this host, each with a remedy; empty if nothing does. */
export async function findNetworkObstacles(setup: HostSetup): Promise<string[]> {
  const packages = new Set((await Promise.all(tools.map(lackingPackage))).flat())
  if (packages.size > 0) return [`install: apt-get install -y --no-install-recommends ${[...packages].join(' ')}`]
  const found: string[] = []
  const number = parseAddress(setup.address)
  if (number === undefined || number >>> 24 === 127 || number === 0) {
    found.push(`machines cannot be reached at ${setup.address}: set --host-address`)
  }
  if (await hasStrangers(setup)) {
    found.push('another agent has networks on this host; only one can have them')
  }
  const refusal = await tryOut(setup)
  if (refusal !== undefined) {
    found.push(`a network could not be created (requires root, or CAP_NET_ADMIN and CAP_SYS_ADMIN): ${refusal}`)
  }
  return found
}

/**
 * Settings of the host that prevent networks. The operator must change them, because they also affect other programs.
 */
export async function findSettings(): Promise<string[]> {
  const found: string[] = []
  if ((await readIfThere('/proc/sys/net/ipv4/ip_forward'))?.trim() !== '1') {
    found.push('the host does not forward packets: sysctl -w net.ipv4.ip_forward=1')
  }
  const device = await stat(tun).catch(() => undefined)
  // udev allows everyone to open it; without the right to create links this has no effect.
  if (device && (device.mode & 0o006) !== 0o006) found.push(`machines cannot open ${tun}: chmod 0666 ${tun}`)
  return found
}

async function lackingPackage({ program, words, package: name }: (typeof tools)[number]): Promise<string[]> {
  return runCommand({ program, namespace: null, words, input: null }).then(
    () => [],
    () => [name],
  )
}

/** Whether there are links of networks of another agent. */
async function hasStrangers({ tag }: HostSetup): Promise<boolean> {
  const [links, names] = await Promise.all(
    [
      ['link', 'show'],
      ['netns', 'list'],
    ].map((words) => runCommand(link(words)).catch(() => '')),
  )
  return new RegExp(`: ${uplinkPrefix}`).test(links ?? '') && !names?.includes(`bourse-${tag}-`)
}

/** Creates one network with a filter, a VXLAN link and a tap in a temporary namespace. */
async function tryOut(setup: HostSetup): Promise<string | undefined> {
  const plan = samplePlan({ ...setup, tag: `${setup.tag}-probe`, address: '192.0.2.3' })
  const [network] = plan.networks as [NetworkPlan['networks'][number]]
  const { namespace } = network
  // Both filters, also that of the host, and the links are tested inside of the namespace.
  const inside = (command: NetworkCommand): NetworkCommand => ({ ...command, namespace })
  const commands = [
    ...makeNamespace(network),
    swapRuleset(namespace, hostRuleset(plan)),
    swapRuleset(namespace, networkRuleset(plan.setup, network)),
    makeTap(() => 0)(network, network.ports[0] as NetworkPlan['networks'][number]['ports'][number]),
    inside(link(['link', 'add', 'vx0', 'type', 'vxlan', 'id', '1', 'dstport', '14789', 'nolearning'])),
    inside(link(['link', 'add', 'a0', 'type', 'veth', 'peer', 'name', 'b0'])),
  ]
  const remove = () => runCommand(link(['netns', 'del', namespace])).catch(() => {})
  try {
    // One may be left from an interrupted probe.
    await remove()
    await access(tun)
    for (const command of commands) await runCommand(command)
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    await remove()
  }
}

function samplePlan(setup: HostSetup): NetworkPlan {
  const rules = [{ protocol: 'tcp' as const, port_from: 1, port_to: 2, source_cidr: '192.0.2.0/24' }]
  const addresses = { mac: '02:00:00:00:00:01', private_ip: '10.0.0.4', public_ip: '192.0.2.1' }
  const network = {
    ...addresses,
    subnet: null,
    vni: 1,
    cidr: '10.0.0.0/24',
    firewall_rules: rules,
    traffic: 'encrypted' as const,
    peers: [{ private_ip: '10.0.0.5', host_address: '192.0.2.2', tunnel_address: '192.0.2.66' }],
    infiniband_partition: null,
    partition_key: null,
  }
  const key = Buffer.alloc(32, 0x42).toString('base64')
  const keys = { public_key: key, next_public_key: null, port: 1 }
  const peer = { ...keys, public_key: Buffer.alloc(32, 0x43).toString('base64'), address: '192.0.2.66' }
  const tunnel = { ...keys, address: '192.0.2.65', peers: [{ ...peer, host_address: '192.0.2.2' }] }
  return planNetworks(setup, [{ id: 'probe', slot: 0, network }], tunnel)
}

function link(words: readonly string[]): NetworkCommand {
  return { program: 'ip', namespace: null, words, input: null }
}
