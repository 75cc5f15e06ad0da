/**
 * The end of SSH keys: one by one, with their owner, or with the token or session by which they were added.
 * Not this file's work: who may delete a key (ssh-keys/ssh-keys.service.ts).
 */
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import {
  type EndedSshKey,
  removeSshKey,
  removeSshKeysByOpeners,
  removeSshKeysLetInBy,
  removeSshKeysOf,
  type SshKeyOpeners,
} from './ssh-key-ends.store.ts'

/** Topic of `ctx.publish`: a key is deleted. The key is its id. */
export const sshKeyEnded = 'ssh_key.ended'

/** Deletes a key. False if there is none. */
export async function endSshKey(ctx: Ctx, id: Id<'ssh_key'>): Promise<boolean> {
  const ended = await removeSshKey(ctx.db, id)
  tellEnds(ctx, ended)
  return ended.length > 0
}

/** Deletes the keys of users and tokens that are being deleted. */
export async function endSshKeysOf(ctx: Ctx, ownerIds: readonly string[]): Promise<void> {
  if (ownerIds.length > 0) tellEnds(ctx, await removeSshKeysOf(ctx.db, ownerIds))
}

/** Deletes the keys that descend from tokens or sessions, as other ways in do. */
export async function endSshKeysOpenedBy(ctx: Ctx, openers: SshKeyOpeners): Promise<void> {
  tellEnds(ctx, await removeSshKeysByOpeners(ctx.db, openers))
}

/** Deletes the keys of a user to which links of others led. */
export async function endSshKeysLetInBy(ctx: Ctx, userId: string, openers: readonly string[]): Promise<void> {
  tellEnds(ctx, await removeSshKeysLetInBy(ctx.db, userId, openers))
}

function tellEnds(ctx: Ctx, ended: readonly EndedSshKey[]): void {
  for (const { id, account_id } of ended) {
    ctx.emit({ account_id, workspace_id: null, action: 'ssh_key.deleted', target_type: 'ssh_key', target_id: id })
    ctx.publish(sshKeyEnded, id)
  }
}
