/**
 * The SSH keys of instances: which they get, and which their machines have.
 * Not this file's work: how a machine gets them (agents/desired-state.service.ts), and the keys themselves (iam).
 */
import { instanceSshKeysMax } from '@bourse/api/fleet/launch-fields.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { refuse } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { FindReferrers } from '../../core/work/references.ts'
import { type NamedSshKey, ownSshKeys, requireSshKeys } from '../../iam/ssh-keys/ssh-keys.service.ts'
import type { InstanceSshKeyRow } from './instance-ssh-keys.rules.ts'
import {
  copyInstanceSshKeys,
  insertInstanceSshKeys,
  listInstanceSshKeys,
  listMachinesWithSshKey,
  markSshKeyRemoved,
} from './instance-ssh-keys.store.ts'

/** The keys of a new instance or template: those that the request names, otherwise those of whoever makes it. */
export async function chooseSshKeys(
  ctx: Ctx,
  { ssh_keys }: { readonly ssh_keys?: readonly Id<'ssh_key'>[] | undefined },
): Promise<NamedSshKey[]> {
  if (ssh_keys === undefined) return (await ownSshKeys(ctx)).slice(-instanceSshKeysMax)
  const twice = ssh_keys.findIndex((id, index) => ssh_keys.indexOf(id) !== index)
  if (twice >= 0) refuse('duplicate_entry', 'This key is named twice.', `ssh_keys.${twice}`)
  return requireSshKeys(ctx, ssh_keys, 'ssh_keys')
}

/** Gives keys to each of some new instances. */
export async function keepSshKeys(
  ctx: Ctx,
  instances: readonly { readonly id: Id<'instance'> }[],
  keys: readonly NamedSshKey[],
): Promise<void> {
  const rows = instances.flatMap(({ id: instance_id }) =>
    keys.map(({ id, name, fingerprint }) => ({ instance_id, ssh_key_id: id, name, fingerprint })),
  )
  await insertInstanceSshKeys(ctx.db, rows)
}

/** Gives the keys of replaced instances to their successors. */
export function passSshKeys(
  ctx: Ctx,
  pairs: readonly { readonly old_id: Id<'instance'>; readonly new_id: Id<'instance'> }[],
): Promise<void> {
  return copyInstanceSshKeys(ctx.db, pairs)
}

/** The keys of instances, by instance. */
export async function sshKeysOf(
  ctx: Ctx,
  instanceIds: readonly string[],
): Promise<ReadonlyMap<string, InstanceSshKeyRow[]>> {
  const rows = instanceIds.length === 0 ? [] : await listInstanceSshKeys(ctx.db, instanceIds)
  return Map.groupBy(rows, ({ instance_id }) => instance_id)
}

/** Records that a key is deleted. */
export function recordSshKeyEnd(ctx: Ctx, id: string): Promise<void> {
  return markSshKeyRemoved(ctx.db, id, ctx.now)
}

/** Finds the machines that have a key which their host can take out, or cannot. */
export function machinesWithSshKey(is_removable: boolean): FindReferrers {
  return (ctx, id, limit) => listMachinesWithSshKey(ctx.db, id, { is_removable, limit })
}
