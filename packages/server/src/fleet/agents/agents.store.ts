import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { HostRow } from '../hosts/hosts.rules.ts'

/** How a host that enrols shows itself, and by which permit it came. */
export type Enrolled = {
  readonly id: Id<'host'>
  readonly public_key: string
  readonly enrolment_id: Id<'host_enrolment'>
}

/** What an agent says of its host and itself when it enrols. */
export type Introduced = Pick<HostRow, 'id' | 'agent_version' | 'facts'>

const bind = statement<never>(
  'fleet.bind_host',
  `update hosts
   set public_key = $2, enrolment_id = $3
   where id = $1`,
)

const introduceAgain = statement<{ epoch: number }>(
  'fleet.enrol_host_again',
  `update hosts
   set epoch = epoch + 1, agent_version = $2, facts = $3
   where id = $1
   returning epoch`,
)

const selectByKey = statement<{ id: Id<'host'> }>(
  'fleet.find_host_by_key',
  `select id
   from hosts
   where public_key = $1 and state <> 'retired'`,
)

/** Gives a new host its key and the permit that it came by. */
export async function bindHost(db: Db, { id, public_key, enrolment_id }: Enrolled): Promise<void> {
  await db.run(bind, [id, public_key, enrolment_id])
}

/** Notes that a host that is locked has enrolled again; gives its epoch. */
export async function updateIntroduced(db: Db, { id, agent_version, facts }: Introduced): Promise<number> {
  return ((await db.row(introduceAgain, [id, agent_version, JSON.stringify(facts)])) as { epoch: number }).epoch
}

/** The host that is not retired and has this key. */
export async function findHostByKey(db: Db, public_key: string): Promise<Id<'host'> | undefined> {
  return (await db.row(selectByKey, [public_key]))?.id
}
