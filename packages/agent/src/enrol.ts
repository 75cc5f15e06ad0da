/** Enrols this host with a server, or again with the same one. */
import { mkdir } from 'node:fs/promises'
import type { HostFacts } from '@bourse/api/fleet/hosts.ts'
import { type GivenFacts, ownAddress, readFacts } from './facts.ts'
import { openKey, publicHalf, readEnrolment, writeEnrolment } from './identity.ts'
import { openJournal } from './journal.ts'
import { parseAddress } from './network/addresses.rules.ts'
import { hostProblem } from './problems.ts'
import { callEnrol } from './server-calls.ts'
import { agentVersion } from './version.ts'

/** What it takes to enrol. */
export type EnrolWish = GivenFacts & {
  readonly directory: string
  readonly server: string
  /** The secret of a permit. */
  readonly token: string
  readonly name?: string | undefined
  /** What machines are given here. */
  readonly network: HostFacts['network']
}

/** Enrols; gives the host's id and its epoch. Throws a `HostProblem` where machines of another server run here. */
export async function enrolHost(wish: EnrolWish): Promise<{ host: string; epoch: number }> {
  const { directory, token, name, network, ...given } = wish
  const server = wish.server.replace(/\/+$/, '')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await refuseForeignMachines(directory, server)
  refusePublicAddresses(given)
  const key = await openKey(directory)
  const { host, epoch, audience } = await callEnrol(server, {
    enrol_token: token,
    public_key: publicHalf(key),
    agent_version: agentVersion,
    facts: await readFacts(directory, network, given),
    ...(name === undefined ? {} : { name }),
  })
  await writeEnrolment(directory, { server, host, epoch, audience, network })
  return { host, epoch }
}

/** All that comes to a public address goes to the machine that has it, so none may be one that the host needs. */
function refusePublicAddresses({ host_address, public_ipv4s = [] }: GivenFacts): void {
  const bad = public_ipv4s.find((one) => parseAddress(one) === undefined)
  if (bad !== undefined) throw hostProblem(`${bad} is no IPv4 address.`)
  const own = host_address ?? ownAddress()
  if (public_ipv4s.includes(own)) throw hostProblem(`${own} is this host's own address: no machine can have it.`)
}

/** The new server would have all machines ended that it does not know. */
async function refuseForeignMachines(directory: string, server: string): Promise<void> {
  const before = await readEnrolment(directory)
  if (!before || before.server === server || (await openJournal(directory).read()).length === 0) return
  throw hostProblem(`Machines of ${before.server} run here. End them there first, or choose another --directory.`)
}
