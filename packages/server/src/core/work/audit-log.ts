/**
 * Appends to the audit trail, in the last round trip of the transaction that an entry tells of. There is an entry for
 * each write, kept for 400 days: beside the columns by which it is found, the rest is one text of arrays without names.
 * Not this file's work: what an entry contains (core/audit), listing and sealing the trail (iam/audit).
 */
import type { AuditActor, AuditChange, AuditEntry, AuditTarget } from '@bourse/api/iam/audit-entries.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../db/db.ts'
import type { Row } from '../generated/tables.ts'

/** An entry of the audit trail, before it has an id and a time. */
export type NewAuditEntry = {
  readonly account_id: string
  readonly actor: AuditActor
  readonly operation: string
  readonly targets: readonly AuditTarget[]
  readonly outcome: 'done' | 'refused'
  readonly code: string | null
  readonly changes: readonly AuditChange[]
  /** The account in which an operator acted. */
  readonly on_behalf_of: string | null
  readonly address: string | null
  readonly user_agent: string | null
  readonly request_id: string
}

/**
 * Why a command commits without an entry. There is no other way to do so, and no other reason:
 * - `by_itself`: the server does it without being asked, as reconcilers, deliveries and measurements do. Events tell of
 *   what automations and the market did.
 * - `agent`: a host reports, and the fleet follows.
 * - `nobody`: a sign-in begins or goes on, and nobody is known yet whose account could keep an entry.
 * - `refused`: somebody was refused, and only that is kept. Where a person is known, the entry is queued.
 * - `nothing`: nothing was to be done.
 * - `part`: the transaction of a batch. Each of its requests is checked by itself.
 * - `sandbox`: the control of a sandbox acts for an account. The request of its user has an entry.
 */
export type Unrecorded = 'by_itself' | 'agent' | 'nobody' | 'refused' | 'nothing' | 'part' | 'sandbox'

/** The columns that hold an entry. */
export type StoredEntry = Pick<
  Row<'audit_entries'>,
  'account_id' | 'occurred_at' | 'id' | 'operation' | 'actor_id' | 'outcome' | 'target_ids' | 'body'
>

/** The text of a change. The values of a secret field are null. */
type ChangeText = readonly [field: string, old_value: string | null, new_value: string | null] | readonly [string]

type AuditEntryBody = readonly [
  actor_type: AuditEntry['actor']['type'],
  actor_name: string | null,
  code: string | null,
  on_behalf_of: string | null,
  address: string | null,
  user_agent: string | null,
  request_id: string,
  target_types: readonly string[],
  changes: readonly ChangeText[],
]

/** The transaction that appends: the history of the database, and its id within that. */
type WritingTransaction = { readonly history: number; readonly xid: string }

/** Transaction ids have 64 bits. A database that begins ten thousand a second uses 48 of them in 890 years. */
const historyUnit = 2n ** 48n

// `json` keeps the text of each body as it was sent, which `jsonb` would not.
const insertEntries = statement<never>(
  'core.insert_audit_entries',
  `insert into audit_entries (
     stored_on, write_order, account_id, occurred_at, id, operation, actor_id, outcome, target_ids, body)
   select t.today, $2, e.account_id, $3, e.id, e.operation, e.actor_id, e.outcome, e.target_ids, e.body::text
   from (select bourse_today() as today) t
   cross join json_to_recordset($1::json) as e(
     account_id text, id text, operation text, actor_id text, outcome text, target_ids text[], body json)`,
)

/** A text with its length, so that the end of one column cannot be taken for the beginning of the next. */
const measured = (column: string) => `octet_length(${column}) || ':' || ${column}`
const entryText = [
  "to_char(e.stored_on, 'YYYY-MM-DD')",
  'e.write_order::text',
  'e.occurred_at::text',
  measured('e.account_id'),
  measured('e.id'),
  measured('e.operation'),
  measured("coalesce(e.actor_id, '')"),
  measured('e.outcome'),
  measured('array_to_json(e.target_ids)::text'),
  measured('e.body'),
].join(" || ' ' || ")

/** The digest of entries, in the order of their writes. */
export const entriesDigest =
  `encode(sha256(string_agg(sha256(convert_to(${entryText}, 'UTF8')), ''::bytea ` +
  `order by e.write_order, e.id)), 'hex')`
/** The month of an entry, which is the partition that holds it. */
export const entryMonth = "to_char(e.stored_on, 'YYYY-MM')"

/** The place of a transaction in the order of writes. */
function writeOrderOf({ history, xid }: WritingTransaction): string {
  return String(BigInt(history) * historyUnit + BigInt(xid))
}

/** Sends the append statement. The caller awaits it with its COMMIT. */
export function appendAuditEntries(
  db: Db,
  entries: readonly (NewAuditEntry & { readonly id: Id<'audit_entry'> })[],
  { now, transaction }: { readonly now: number; readonly transaction: WritingTransaction },
): Promise<number> {
  const rows = entries.map((entry) => {
    const { account_id, id, operation, actor, outcome, targets } = entry
    const target_ids = targets.map((target) => target.id)
    return { account_id, id, operation, actor_id: actor.id, outcome, target_ids, body: bodyOf(entry) }
  })
  return db.run(insertEntries, [JSON.stringify(rows), writeOrderOf(transaction), now])
}

/** The part of an entry that its columns do not hold. */
function bodyOf(entry: NewAuditEntry): AuditEntryBody {
  const { actor, code, on_behalf_of, address, user_agent, request_id, targets, changes } = entry
  const types = targets.map(({ type }) => type)
  return [actor.type, actor.name, code, on_behalf_of, address, user_agent, request_id, types, changes.map(textOf)]
}

/** The entry as the API shows it. */
export function entryOf(stored: StoredEntry): AuditEntry {
  const { account_id: account, occurred_at, id, operation, actor_id, outcome, target_ids, body } = stored
  const parts = JSON.parse(body) as AuditEntryBody | AuditEntry
  // The first versions kept whole entries.
  if (!isBody(parts)) return parts
  const [type, name, code, on_behalf_of, address, user_agent, request_id, types, changes] = parts
  return {
    object: 'audit_entry',
    id: id as AuditEntry['id'],
    occurred_at,
    account,
    // The digest of a seal does not tell an empty id from none.
    actor: { type, id: actor_id || null, name },
    operation,
    targets: target_ids.map((target, index): AuditTarget => ({ type: types[index] as string, id: target })),
    outcome: outcome as AuditEntry['outcome'],
    code: code as AuditEntry['code'],
    changes: changes.map(changeOf),
    on_behalf_of,
    address,
    user_agent,
    request_id,
  }
}

function isBody(parts: AuditEntryBody | AuditEntry): parts is AuditEntryBody {
  return Array.isArray(parts)
}

function textOf({ field, old_value, new_value, is_secret }: AuditChange): ChangeText {
  return is_secret ? [field] : [field, old_value, new_value]
}

function changeOf(text: ChangeText): AuditChange {
  const [field, old_value = null, new_value = null] = text
  return { field, old_value, new_value, is_secret: text.length === 1 }
}
