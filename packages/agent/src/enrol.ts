/** Enrols this host with a server, or again with the same one. */
import { mkdir } from 'node:fs/promises'
import type { Driver } from './drivers/driver.ts'
import { type GivenFacts, readFacts } from './facts.ts'
import { openKey, publicHalf, readEnrolment, writeEnrolment } from './identity.ts'
import { openJournal } from './journal.ts'
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
}

/** Enrols; gives the host's id and its epoch. Throws a `HostProblem` where machines of another server run here. */
export async function enrolHost(wish: EnrolWish, driver: Driver): Promise<{ host: string; epoch: number }> {
  const { directory, token, name, ...given } = wish
  const server = wish.server.replace(/\/+$/, '')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await refuseForeignMachines(directory, server)
  const key = await openKey(directory)
  const { host, epoch, audience } = await callEnrol(server, {
    enrol_token: token,
    public_key: publicHalf(key),
    agent_version: agentVersion,
    facts: await readFacts(directory, driver, given),
    ...(name === undefined ? {} : { name }),
  })
  await writeEnrolment(directory, { server, host, epoch, audience })
  return { host, epoch }
}

/** The new server would have all machines ended that it does not know. */
async function refuseForeignMachines(directory: string, server: string): Promise<void> {
  const before = await readEnrolment(directory)
  if (!before || before.server === server || (await openJournal(directory).read()).length === 0) return
  throw hostProblem(`Machines of ${before.server} run here. End them there first, or choose another --directory.`)
}
