/** Enrols this host with a server, or again with the same one. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type HostFacts, hostPublicAddressesMax } from '@bourse/api/fleet/hosts.ts'
import { isUnencryptedUrl } from '@bourse/api/kit/loopback.ts'
import {
  acceleratorTable,
  type GivenFacts,
  type HardwareOptions,
  ownAddress,
  readFacts,
  readHostHardware,
} from './facts/facts.ts'
import { readIfThere, writeWhole } from './files.ts'
import { openKey, proofOf, publicHalf, readEnrolment, takeSigningTime, writeEnrolment } from './identity.ts'
import { openJournal } from './journal.ts'
import { parseAddress } from './network/addresses.rules.ts'
import { hostProblem } from './problems.ts'
import { callEnrol } from './server-calls.ts'
import { readBuild } from './version.ts'

/** The options of an enrolment. */
type EnrolOptions = GivenFacts & {
  readonly directory: string
  /** The driver, probed, and its devices: the first facts are to be those that the agent reports when it runs. */
  readonly driver: HardwareOptions['driver']
  readonly devices: HardwareOptions['devices']
  /** The operator's own models of accelerators. */
  readonly accelerators_file?: string | undefined
  readonly server: string
  /** The secret of a permit. */
  readonly token: string
  readonly name?: string | undefined
  /** Whether an http URL of another machine is accepted. */
  readonly accepts_http?: boolean
  /** Whether a host that cannot encrypt traffic to other hosts is enrolled with networks nevertheless. */
  readonly accepts_unencrypted?: boolean
  /** The network mode of this host. */
  readonly network: HostFacts['network']
}

/** Enrols the host. Returns its id and epoch. Throws a `HostProblem` if machines of another server run here. */
export async function enrolHost(options: EnrolOptions): Promise<{ host: string; epoch: number }> {
  const { directory, driver, devices, accelerators_file, token, name, network } = options
  const { accepts_http = false, accepts_unencrypted } = options
  const server = options.server.replace(/\/+$/, '')
  refuseUnencrypted(server, accepts_http)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await refuseForeignMachines(directory, server)
  refusePublicAddresses(options)
  const table = await acceleratorTable(accelerators_file)
  const key = await openKey(directory)
  const public_key = publicHalf(key)
  const facts = await readFacts(await readHostHardware({ directory, table, driver, devices }), network, options)
  const signed_at = await takeSigningTime(directory)
  const {
    host,
    epoch,
    audience,
    agent_signers = [],
  } = await callEnrol(server, {
    enrol_token: token,
    public_key,
    proof: proofOf(key, { enrol_token: token, public_key, signed_at }),
    agent_version: readBuild().version,
    facts,
    ...(name === undefined ? {} : { name }),
  })
  const accepted = {
    ...(isUnencryptedUrl(server) ? { accepts_http: true } : {}),
    ...(accepts_unencrypted ? { accepts_unencrypted } : {}),
  }
  await writeEnrolment(directory, { server, host, epoch, audience, network, ...accepted })
  await keepSigners(directory, agent_signers)
  return { host, epoch }
}

/**
 * Stores the keys that may sign versions of the agent. Those of the first enrolment stay: a server that somebody has
 * taken over later could otherwise name a key of its own.
 */
async function keepSigners(directory: string, signers: readonly string[]): Promise<void> {
  const path = join(directory, 'agent-signers')
  if (signers.length === 0 || (await readIfThere(path)) !== undefined) return
  await writeWhole(path, signers.map((signer) => `${signer}\n`).join(''))
}

/**
 * Throws a `HostProblem` if the server is another machine and its URL is http. Whoever is in between would read the
 * secret of the permit and the user data of machines, and could run machines of their own on this host.
 */
export function refuseUnencrypted(server: string, accepts_http: boolean): void {
  if (!isUnencryptedUrl(server) || accepts_http) return
  const remedy = 'Use an https URL. To enrol nevertheless, give --insecure-http.'
  throw hostProblem(`${server} is not encrypted: anyone in between controls this host. ${remedy}`)
}

/** All traffic to a public address goes to the machine that has it, so the host must not need the address itself. */
function refusePublicAddresses({ host_address, public_ipv4s = [] }: GivenFacts): void {
  const bad = public_ipv4s.find((one) => parseAddress(one) === undefined)
  if (bad !== undefined) throw hostProblem(`${bad} is not an IPv4 address.`)
  if (public_ipv4s.length > hostPublicAddressesMax) {
    throw hostProblem(
      `A host has at most ${hostPublicAddressesMax} public addresses; ${public_ipv4s.length} are given.`,
    )
  }
  const own = host_address ?? ownAddress()
  if (public_ipv4s.includes(own)) throw hostProblem(`${own} is the address of this host. Machines cannot have it.`)
}

/** The new server would end all machines that it does not know. */
async function refuseForeignMachines(directory: string, server: string): Promise<void> {
  const before = await readEnrolment(directory)
  if (!before || before.server === server || (await openJournal(directory).read()).length === 0) return
  throw hostProblem(`Machines of ${before.server} run here. Terminate them first, or use another --directory.`)
}
