/** Chooses the network mode of this host from the options of the operator and the abilities of the host. */
import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostFacts } from '@bourse/api/fleet/hosts.ts'
import type { Environment } from '@bourse/text/program.ts'
import type { Driver, Finding } from '../drivers/driver.ts'
import { readIfThere } from '../files.ts'
import { readEnrolment } from '../identity.ts'
import { hostProblem } from '../problems.ts'
import { parseAddress, parseCidr } from './addresses.rules.ts'
import { makeTap } from './commands.rules.ts'
import { type HostNetwork, type NetworkOptions, openHostNetwork } from './host-network.ts'
import { findNetworkObstacles, findSettings, probeTunnel } from './probe.ts'

/** The network options of the operator. */
export type NetworkParams = {
  readonly mode: string
  readonly directory: string
  readonly host_address: string
  /** Private networks that machines can reach. */
  readonly reachable: readonly string[]
  /** The name servers of machines. Absent: those of the host. */
  readonly nameservers?: readonly string[] | undefined
  readonly partition_command?: string | undefined
  /** Whether a host that cannot encrypt has networks nevertheless. The server must accept it too. */
  readonly accepts_unencrypted?: boolean
}

/** The chosen network mode. */
export type ChosenNetwork = {
  readonly network: HostFacts['network']
  /** Whether traffic to other hosts is encrypted; undefined if there is none. */
  readonly encrypts?: boolean
  /** The result to print; undefined if the driver prints its own. */
  readonly finding: Finding | undefined
  /** Opens the networks, with the environment of the agent; undefined if there are none. */
  readonly open: ((log: NetworkOptions['log'], variables: Environment) => Promise<HostNetwork>) | undefined
}

const firstPort = 22_000
const noTunnel =
  'traffic to other hosts cannot be encrypted: apt-get install -y --no-install-recommends wireguard-tools wireguard-go'
const traffics = {
  kernel: 'traffic to other hosts is encrypted by the kernel',
  user_space: 'traffic to other hosts is encrypted by wireguard-go',
  none: 'traffic to other hosts is NOT encrypted',
} as const

/** Chooses the network mode. Throws a `HostProblem` if an address is malformed. */
export async function chooseNetwork(params: NetworkParams, driver: Driver): Promise<ChosenNetwork> {
  const { mode, directory } = params
  const { ownerOf } = driver
  if (!ownerOf) return { network: driver.network, finding: undefined, open: undefined }
  const subject = 'network'
  if (mode === 'ssh_only') {
    const message = 'SSH only, as requested'
    return { network: 'ssh_only', finding: await unless(params, { subject, is_good: true, message }), open: undefined }
  }
  const setup = await setupOf(params)
  const tunnel_kind = await probeTunnel(setup)
  const encrypts = tunnel_kind !== undefined
  const lack = encrypts || (await acceptsUnencrypted(params)) ? [] : [noTunnel]
  const obstacles = [...(await findNetworkObstacles(setup)), ...(await findSettings()), ...lack]
  if (obstacles.length === 0) {
    const message = `machines have networks, firewalls and outbound traffic; ${traffics[tunnel_kind ?? 'none']}`
    const { partition_command } = params
    const options = { directory, setup, partition_command, makePort: makeTap(ownerOf), tunnel_kind }
    const finding = { subject, is_good: true, message }
    return {
      network: 'full',
      encrypts,
      finding,
      open: (log, variables) => openHostNetwork({ ...options, variables, log }),
    }
  }
  const lacking = 'SSH only: no subnets, no public addresses, no outbound traffic'
  const message = `${lacking}. For full networks: ${obstacles.join('; ')}`
  const finding = { subject, is_good: false, is_optional: mode !== 'full', message }
  return { network: 'ssh_only', finding: await unless(params, finding), open: undefined }
}

/** The operator accepts it now, or did when the host enrolled. */
async function acceptsUnencrypted({ accepts_unencrypted, directory }: NetworkParams): Promise<boolean> {
  return accepts_unencrypted || (await readEnrolment(directory))?.accepts_unencrypted === true
}

/** The server places machines by the mode that was reported at the enrolment, so the host must still have it. */
async function unless({ directory }: NetworkParams, finding: Finding): Promise<Finding> {
  const enrolment = await readEnrolment(directory)
  if (enrolment?.network !== 'full') return finding
  const before = 'this host was enrolled with full networks'
  const message = `${before}. Repair it or enrol again. Now: ${finding.message}`
  return { subject: finding.subject, is_good: false, message }
}

/** A tag that separates the networks of this agent from those of others. Derived from the state directory. */
export async function tagOf(directory: string): Promise<string> {
  const place = await realpath(directory).catch(() => directory)
  return createHash('sha256').update(place).digest('hex').slice(0, 6)
}

async function setupOf({ directory, host_address: address, reachable, nameservers }: NetworkParams) {
  const network = reachable.find((one) => !parseCidr(one))
  if (network !== undefined) throw hostProblem(`--reachable ${network} is not an IPv4 network such as 10.0.0.0/8.`)
  const server = nameservers?.find((one) => parseAddress(one) === undefined)
  if (server !== undefined) throw hostProblem(`--nameserver ${server} is not an IPv4 address.`)
  const tag = await tagOf(directory)
  const tunnel_device = `bw-${tag}`
  const servers = nameservers ?? (await ownNameservers())
  return { tag, address, first_port: firstPort, reachable, nameservers: servers, tunnel_device }
}

/** The name servers of the host, without those on its loopback, which machines cannot reach. */
async function ownNameservers(): Promise<string[]> {
  const lines = ((await readIfThere(join('/etc', 'resolv.conf'))) ?? '').split('\n')
  const named = lines.flatMap((line) => /^nameserver\s+(\S+)/.exec(line)?.[1] ?? [])
  return named.filter((one) => (parseAddress(one) ?? 127 * 2 ** 24) >>> 24 !== 127)
}
