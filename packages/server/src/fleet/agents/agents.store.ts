import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { AcceptedProof, Proof } from '../hosts/enrolment-proofs.rules.ts'
import type { HostRow } from '../hosts/hosts.rules.ts'

/** The key of a host that enrols, and its permit. */
type Enrolled = {
  readonly id: Id<'host'>
  readonly public_key: string
  readonly enrolment_id: Id<'host_enrolment'>
  readonly proof: AcceptedProof | undefined
}

/** What an agent reports when it enrols again. */
type Reenrolled = Pick<HostRow, 'id' | 'agent_version' | 'facts'> & { readonly proof: Proof }

const bind = statement<never>(
  'fleet.bind_host',
  `update hosts
   set public_key = $2, enrolment_id = $3, proof_signed_at = $4, proof_digest = $5, proof_epoch = $6
   where id = $1`,
)

/** More epochs than a host gets in the time in which commits can be lost. */
const epochsOfHistory = 1_000_000

// The first epoch that a host gets in a new history lies above all that commits can have given that were lost with the
// earlier one. The epochs of other hosts stay: an agent stops when it sees a higher one than its own.
const updateReenrolled = statement<{ epoch: number }>(
  'fleet.enrol_host_again',
  `update hosts h
   set epoch = l.next, agent_version = $2, facts = $3, proof_signed_at = $4, proof_digest = $5, proof_epoch = l.next
   from (
     select greatest(o.epoch, (
       select (coalesce(max(number), 1) - 1)::bigint * ${epochsOfHistory}
       from histories
     )) + 1 as next
     from hosts o
     where o.id = $1
   ) l
   where h.id = $1
   returning h.epoch`,
)

const selectProof = statement<{ [K in keyof AcceptedProof]: AcceptedProof[K] | null }>(
  'fleet.find_proof_of_host',
  `select proof_signed_at as signed_at, proof_digest as digest, proof_epoch as epoch
   from hosts
   where id = $1`,
)
const selectByKey = statement<{ id: Id<'host'> }>(
  'fleet.find_host_by_key',
  `select id
   from hosts
   where public_key = $1 and state <> 'retired'`,
)

/** Writes the key and the permit of a new host. */
export async function bindHost(db: Db, { id, public_key, enrolment_id, proof }: Enrolled): Promise<void> {
  const accepted = [proof?.signed_at ?? null, proof?.digest ?? null, proof?.epoch ?? null]
  await db.run(bind, [id, public_key, enrolment_id, ...accepted])
}

/** Starts the next epoch of a locked host that enrols again. Returns the epoch. */
export async function recordReenrolment(db: Db, { id, agent_version, facts, proof }: Reenrolled): Promise<number> {
  const { signed_at, digest } = proof
  const row = await db.row(updateReenrolled, [id, agent_version, JSON.stringify(facts), signed_at, digest])
  return (row as { epoch: number }).epoch
}

/** The last request of a host that was accepted with a proof. */
export async function findProof(db: Db, id: Id<'host'>): Promise<AcceptedProof | undefined> {
  const { signed_at = null, digest = null, epoch = null } = (await db.row(selectProof, [id])) ?? {}
  return signed_at === null || digest === null || epoch === null ? undefined : { signed_at, digest, epoch }
}

/** The host with this key, unless it is retired. */
export async function findHostByKey(db: Db, publicKey: string): Promise<Id<'host'> | undefined> {
  return (await db.row(selectByKey, [publicKey]))?.id
}
