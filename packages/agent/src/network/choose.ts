/** Whether and how machines get networks of this host, out of what its operator wants and what it has. */
import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostFacts } from '@bourse/api/fleet/hosts.ts'
import type { Driver, Finding } from '../drivers/driver.ts'
import { readIfThere } from '../files.ts'
import { readEnrolment } from '../identity.ts'
import { hostProblem } from '../problems.ts'
import { parseAddress, parseCidr } from './addresses.rules.ts'
import { makeTap } from './commands.rules.ts'
import { type HostNetwork, type NetworkWish, openHostNetwork } from './host-network.ts'
import { findNetworkObstacles, findSettings } from './probe.ts'

/** What the operator says of the networks. */
export type NetworkChoice = {
  readonly mode: string
  readonly directory: string
  readonly host_address: string
  /** Private networks that machines may reach. */
  readonly reachable: readonly string[]
  /** The name servers of machines; absent: those of the host. */
  readonly nameservers?: readonly string[] | undefined
  readonly partition_command?: string | undefined
}

/** What came of it. */
export type ChosenNetwork = {
  readonly network: HostFacts['network']
  /** What to say of it; undefined where the driver has its own. */
  readonly finding: Finding | undefined
  /** Opens the networks; undefined where there are none. */
  readonly open: (() => Promise<HostNetwork>) | undefined
}

const firstPort = 22_000

/** Looks what this host may do. Throws a `HostProblem` where an address is none. */
export async function chooseNetwork(choice: NetworkChoice, driver: Driver): Promise<ChosenNetwork> {
  const { mode, directory } = choice
  const { ownerOf } = driver
  if (!ownerOf) return { network: driver.network, finding: undefined, open: undefined }
  const what = 'network'
  if (mode === 'ssh_only') {
    const says = 'secure shells alone, as was asked for'
    return { network: 'ssh_only', finding: await unless(choice, { what, is_good: true, says }), open: undefined }
  }
  const setup = await setupOf(choice)
  const obstacles = [...(await findNetworkObstacles(setup)), ...(await findSettings())]
  if (obstacles.length === 0) {
    const says = 'machines get networks, firewalls and outbound traffic'
    const { partition_command } = choice
    const wish: NetworkWish = { directory, setup, partition_command, makePort: makeTap(ownerOf) }
    return { network: 'full', finding: { what, is_good: true, says }, open: () => openHostNetwork(wish) }
  }
  const lacking = 'secure shells alone: no subnets, no public addresses, no outbound traffic'
  const says = `${lacking}. For more: ${obstacles.join('; ')}`
  const finding = { what, is_good: false, is_optional: mode !== 'full', says }
  return { network: 'ssh_only', finding: await unless(choice, finding), open: undefined }
}

/** The server places machines by what it was told at the enrolment, so a host may not have less than that. */
async function unless({ directory }: NetworkChoice, finding: Finding): Promise<Finding> {
  const enrolment = await readEnrolment(directory)
  if (enrolment?.network !== 'full') return finding
  const before = 'this host was enrolled as one that gives machines networks'
  const says = `${before}; mend it, or enrol again. Now: ${finding.says}`
  return { what: finding.what, is_good: false, says }
}

/** By which the networks of one agent are told from those of others: it follows from where that keeps its state. */
export async function tagOf(directory: string): Promise<string> {
  const place = await realpath(directory).catch(() => directory)
  return createHash('sha256').update(place).digest('hex').slice(0, 6)
}

async function setupOf({ directory, host_address: address, reachable, nameservers }: NetworkChoice) {
  const network = reachable.find((one) => !parseCidr(one))
  if (network !== undefined) throw hostProblem(`--reachable ${network} is no IPv4 network such as 10.0.0.0/8.`)
  const server = nameservers?.find((one) => parseAddress(one) === undefined)
  if (server !== undefined) throw hostProblem(`--nameserver ${server} is no IPv4 address.`)
  const tag = await tagOf(directory)
  return { tag, address, first_port: firstPort, reachable, nameservers: nameservers ?? (await ownNameservers()) }
}

/** Those of the host; what it has on its own loopback is of no use to machines. */
async function ownNameservers(): Promise<string[]> {
  const lines = ((await readIfThere(join('/etc', 'resolv.conf'))) ?? '').split('\n')
  const named = lines.flatMap((line) => /^nameserver\s+(\S+)/.exec(line)?.[1] ?? [])
  return named.filter((one) => (parseAddress(one) ?? 127 * 2 ** 24) >>> 24 !== 127)
}
