/** Enrols this host with a server, or again with the same one. */
import { mkdir } from 'node:fs/promises'
import type { Driver } from './drivers/driver.ts'
import { type GivenFacts, readFacts } from './facts.ts'
import { openKey, publicHalf, writeEnrolment } from './identity.ts'
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

/** Enrols; gives the host's id and the seconds that its clock is behind the server's. */
export async function enrolHost(wish: EnrolWish, driver: Driver): Promise<{ host: string; epoch: number }> {
  const { directory, token, name, ...given } = wish
  const server = wish.server.replace(/\/+$/, '')
  await mkdir(directory, { recursive: true, mode: 0o700 })
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
