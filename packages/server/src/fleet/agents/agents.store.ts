import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { HostRow } from '../hosts/hosts.rules.ts'

/** The key of a host that enrols, and its permit. */
export type Enrolled = {
  readonly id: Id<'host'>
  readonly public_key: string
  readonly enrolment_id: Id<'host_enrolment'>
}

/** What an agent reports when it enrols. */
export type Introduced = Pick<HostRow, 'id' | 'agent_version' | 'facts'>

const bind = statement<never>(
  'fleet.bind_host',
  `update hosts
   set public_key = $2, enrolment_id = $3
   where id = $1`,
)

/** More epochs than a host gets in the time in which commits can be lost. */
const epochsOfHistory = 1_000_000

// The first epoch that a host gets in a new history lies above all that commits can have given that were lost with the
// earlier one. The epochs of other hosts stay: an agent stops when it sees a higher one than its own.
const updateReenrolled = statement<{ epoch: number }>(
  'fleet.enrol_host_again',
  `update hosts h
   set epoch = greatest(h.epoch, l.epochs_lost) + 1, agent_version = $2, facts = $3
   from (
     select (coalesce(max(number), 1) - 1)::bigint * ${epochsOfHistory} as epochs_lost
     from histories
   ) l
   where h.id = $1
   returning h.epoch`,
)

const selectByKey = statement<{ id: Id<'host'> }>(
  'fleet.find_host_by_key',
  `select id
   from hosts
   where public_key = $1 and state <> 'retired'`,
)

/** Writes the key and the permit of a new host. */
export async function bindHost(db: Db, { id, public_key, enrolment_id }: Enrolled): Promise<void> {
  await db.run(bind, [id, public_key, enrolment_id])
}

/** Starts the next epoch of a locked host that enrols again. Returns the epoch. */
export async function recordReenrolment(db: Db, { id, agent_version, facts }: Introduced): Promise<number> {
  return ((await db.row(updateReenrolled, [id, agent_version, JSON.stringify(facts)])) as { epoch: number }).epoch
}

/** The host with this key, unless it is retired. */
export async function findHostByKey(db: Db, public_key: string): Promise<Id<'host'> | undefined> {
  return (await db.row(selectByKey, [public_key]))?.id
}
