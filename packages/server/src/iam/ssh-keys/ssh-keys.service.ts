/**
 * SSH keys of users and of tokens of programs. Everybody manages the own ones: a key that somebody else could add to a
 * person would open the instances of that person to them.
 * Not this file's work: which keys an instance gets (fleet/instances).
 */
import {
  type createSshKey as createContract,
  type DeletedSshKey,
  keyedInstancesMax,
  type listSshKeys as listContract,
  type SshKey,
  sshKeysMax,
} from '@bourse/api/iam/ssh-keys.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { Refusal, refuse } from '../../core/base/refusal.ts'
import { type Ctx, callerOf, type Referrer, type ReferrerQuestion } from '../../core/work/ctx.ts'
import { pageResponse } from '../../core/work/page.ts'
import { principalOf, refusePrincipalBeyondRights } from '../access/grants.service.ts'
import { allow, hasPermission, refuseNotFound, requireUnfrozen } from '../access/permissions.service.ts'
import { pickSummary, summaries } from '../names/names.service.ts'
import { lockAccount } from '../names/owners.service.ts'
import { originByCaller } from '../people/sign-in-links.service.ts'
import { lastingOriginOf } from '../tokens/origins.rules.ts'
import { endSshKey, endSshKeysOf } from '../tokens/ssh-key-ends.service.ts'
import { authorizedKeyLine, readNewSshKey } from './ssh-keys.rules.ts'
import {
  findSshKey,
  insertSshKey,
  listSshKeys as listRows,
  listSomeSshKeys,
  listSshKeysOf,
  type SshKeyRow,
} from './ssh-keys.store.ts'

/** A key as instances name it. */
export type NamedSshKey = Pick<SshKeyRow, 'id' | 'name' | 'fingerprint'>

/** Adds a key of the caller. Refuses what is no public key, and a key that the account has. */
export async function createSshKey(ctx: Ctx, body: Input<typeof createContract>['body']): Promise<SshKey> {
  requireUnfrozen(ctx)
  const caller = callerOf(ctx)
  const read = readNewSshKey(body.public_key, body.name)
  if ('refusal' in read) throw new Refusal(read.refusal)
  const { account_id } = caller
  const owner_id = principalOf(caller)
  // With the lock, an owner that is deleted meanwhile leaves no key behind.
  await lockAccount(ctx, account_id)
  const origin = lastingOriginOf(await originByCaller(ctx))
  if ((await listSshKeysOf(ctx.db, owner_id)).length >= sshKeysMax) {
    refuse('limit_exceeded', `A user or token has at most ${sshKeysMax} SSH keys.`)
  }
  const id = ctx.newId('ssh_key')
  const { key } = read
  if (!(await insertSshKey(ctx.db, { ...key, ...origin, id, account_id, owner_id, created_at: ctx.now }))) {
    const message = `The account has this key already: ${key.fingerprint}.`
    refuse('ssh_key_taken', message, 'public_key')
  }
  ctx.emit({ account_id, workspace_id: null, action: 'ssh_key.created', target_type: 'ssh_key', target_id: id })
  return presentSshKey((await findSshKey(ctx.db, id)) ?? refuseNotFound())
}

/** Lists the keys of the caller, and of everybody in the account where the caller may list users. */
export async function listSshKeys(ctx: Ctx, query: Input<typeof listContract>['query']) {
  const caller = callerOf(ctx)
  const own = principalOf(caller)
  const isWide = hasPermission(ctx, 'user:list', null)
  const { owner, id: ids, fingerprint } = query
  const filter = { account_id: caller.account_id, ids, fingerprint, query }
  const isOthers = !isWide && owner !== undefined && owner !== own
  const page = await listRows(ctx, { ...filter, ids: isOthers ? [] : ids, owner_id: isWide ? owner : own })
  return pageResponse(page, page.rows.map(presentSshKey))
}

/** Reads one key. */
export async function getSshKey(ctx: Ctx, id: Id<'ssh_key'>): Promise<SshKey> {
  const row = await loadSshKey(ctx, id)
  if (!isOwn(ctx, row)) await allow(ctx, 'user:read', null)
  return presentSshKey(row)
}

/** Deletes a key, and says which machines had it. */
export async function deleteSshKey(ctx: Ctx, id: Id<'ssh_key'>): Promise<DeletedSshKey> {
  const row = await loadSshKey(ctx, id)
  if (isOwn(ctx, row)) requireUnfrozen(ctx)
  else await allow(ctx, 'user:write', null)
  const { account_id, owner_id, fingerprint } = row
  await lockAccount(ctx, account_id)
  await refusePrincipalBeyondRights(ctx, { account_id, principal_id: owner_id })
  if (!(await endSshKey(ctx, id))) refuseNotFound()
  return { object: 'deleted_ssh_key', id, fingerprint, instances: await keyedInstances(ctx, [id]) }
}

/** Ends the keys of a user that is being deleted. Returns the machines that had one. */
export async function endSshKeysOfOwner(ctx: Ctx, ownerId: string): Promise<DeletedSshKey['instances']> {
  const keys = await listSshKeysOf(ctx.db, ownerId)
  await endSshKeysOf(ctx, [ownerId])
  return keyedInstances(
    ctx,
    keys.map(({ id }) => id),
  )
}

/** The machines that have one of some keys, those first from which one cannot be removed while they run. */
async function keyedInstances(ctx: Ctx, ids: readonly Id<'ssh_key'>[]): Promise<DeletedSshKey['instances']> {
  const find = async (question: ReferrerQuestion) => {
    const found = new Map<string, Referrer>()
    for (const id of ids) {
      for (const one of await ctx.referrers(question, id, keyedInstancesMax)) found.set(one.id, one)
    }
    return found
  }
  const keeping = await find('machines_keeping_ssh_key')
  const losing = await find('machines_losing_ssh_key')
  const left = [...keeping.values()].slice(0, keyedInstancesMax)
  const others = [...losing.values()].filter((one) => !keeping.has(one.id))
  const removed = others.slice(0, keyedInstancesMax - left.length)
  const names = await summaries(
    ctx,
    [...left, ...removed].map((referrer) => referrer.id),
  )
  const present = (removal: 'requested' | 'impossible') => (referrer: Referrer) => {
    const { id: instanceId, name } = pickSummary(names, 'instance', referrer.id as Id<'instance'>)
    return { object: 'instance' as const, id: instanceId, name, removal }
  }
  return [...left.map(present('impossible')), ...removed.map(present('requested'))]
}

/** The keys of the caller, oldest first: those that an instance gets whose request names none. */
export async function ownSshKeys(ctx: Ctx): Promise<NamedSshKey[]> {
  return ctx.caller ? listSshKeysOf(ctx.db, principalOf(ctx.caller)) : []
}

/**
 * The keys that a request names. Refuses `reference_not_found` for those that the caller may not see: keys of others
 * need the permission to read users.
 */
export async function requireSshKeys(ctx: Ctx, ids: readonly Id<'ssh_key'>[], field: string): Promise<NamedSshKey[]> {
  const rows = ids.length === 0 ? [] : await listSomeSshKeys(ctx.db, ids)
  const mayRead = hasPermission(ctx, 'user:read', null)
  const { account_id } = callerOf(ctx)
  const usable = rows.filter((row) => row.account_id === account_id && (mayRead || isOwn(ctx, row)))
  const found = new Set(usable.map(({ id }) => id))
  const missing = ids.findIndex((id) => !found.has(id))
  if (missing >= 0) refuse('reference_not_found', 'There is no such SSH key.', `${field}.${missing}`)
  return usable
}

/** Those of some keys that still exist. */
export function livingSshKeys(ctx: Ctx, ids: readonly string[]): Promise<NamedSshKey[]> {
  return ids.length === 0 ? Promise.resolve([]) : listSomeSshKeys(ctx.db, ids)
}

/** The lines for machines of those of some keys that still exist, by id. */
export async function sshKeyLines(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = ids.length === 0 ? [] : await listSomeSshKeys(ctx.db, ids)
  return new Map(rows.map((row) => [row.id, authorizedKeyLine(row)]))
}

async function loadSshKey(ctx: Ctx, id: Id<'ssh_key'>): Promise<SshKeyRow> {
  const row = await findSshKey(ctx.db, id)
  return row?.account_id === callerOf(ctx).account_id ? row : refuseNotFound()
}

function isOwn({ caller }: Ctx, { owner_id }: SshKeyRow): boolean {
  return caller !== undefined && principalOf(caller) === owner_id
}

function presentSshKey(row: SshKeyRow): SshKey {
  const { id, name, owner_id, owner_name, key_type, bits, fingerprint, public_key, created_at } = row
  return {
    object: 'ssh_key',
    id,
    name,
    owner: { type: owner_id.startsWith('usr_') ? 'user' : 'token', id: owner_id, name: owner_name },
    key_type,
    bits,
    fingerprint,
    public_key: `${key_type} ${public_key}`,
    created_at,
  }
}
