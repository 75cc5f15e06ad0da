/** The SSH endpoint of an instance. */
import type { InstanceSsh } from '@bourse/api/fleet/instance-access.ts'
import type { Ref } from '@bourse/api/kit/ids.ts'
import { refuse } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { allow } from '../../iam/access/permissions.service.ts'
import { whyNoShell } from '../instances/instances.rules.ts'
import { loadInstance } from '../instances/instances.service.ts'
import { findSsh } from './instance-ssh.store.ts'

/** Reads the SSH endpoint. Not found also while it is not known, and after the end of the instance. */
export async function getInstanceSsh(ctx: Ctx, ref: Ref<'instance'>): Promise<InstanceSsh> {
  const instance = await loadInstance(ctx, ref)
  await allow(ctx, 'instance:read', instance)
  const row = instance.state === 'terminated' ? undefined : await findSsh(ctx.db, instance.id)
  if (!row) refuse('not_found', whyNoShell(instance))
  const { hostname, port, host_keys } = row.ssh
  return {
    object: 'instance_ssh',
    hostname,
    port,
    host_keys: host_keys.map(({ key_type, key }) => ({ key_type, key })),
    keys_read_at: row.ssh_read_at,
  }
}
