import type {
  Instance,
  updateInstancePriorities as prioritiesContract,
  updateInstance as updateContract,
} from '@bourse/api/fleet/instances.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import { isRefusal, refuse, throwIfRefused } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { shortListResponse } from '../../core/work/page.ts'
import { allow } from '../../iam/access/permissions.service.ts'
import { renameName, resolveRefs } from '../../iam/names/names.service.ts'
import { allocationKey } from '../../market/pools/capacity.service.ts'
import { lockFirewallShared } from '../../network/firewalls.service.ts'
import { instancesChanged } from '../hosts/machines.service.ts'
import { instanceNetworkChanged, lockInstances } from './instance-changes.service.ts'
import { updateInstance as updateRow, updateInstancePriorities as updateRows } from './instance-writes.store.ts'
import { type InstanceRow, refuseInstanceAction } from './instances.rules.ts'
import { findInstances, loadInstance, lockInstance, presentInstance, presentInstances } from './instances.service.ts'
import { defaultPriority } from './launches.service.ts'

const firewallField = '_preview_firewall'

/** Changes the name, tags, priority or firewall of an instance. */
export async function updateInstance(ctx: Ctx, { params, body }: Input<typeof updateContract>): Promise<Instance> {
  const known = await loadInstance(ctx, params.id)
  await allow(ctx, 'instance:write', known)
  // Refused before the references of the request: a terminated instance never runs again.
  throwIfRefused(refuseInstanceAction('update', known.state))
  const firewall_id = await chooseFirewall(ctx, known, body[firewallField])
  const row = await lockInstance(ctx, known.id)
  throwIfRefused(refuseInstanceAction('update', row.state))
  if (body.name !== undefined) await renameName(ctx, { id: row.id, kind: 'instance', name: body.name })
  if (Object.keys(body).length === 0) return presentInstance(ctx, row)
  const { tags = row.tags, priority_level = row.priority_level } = body
  const change = { tags, priority_level: priority_level ?? defaultPriority, firewall_id }
  const changed = { ...row, ...change, updated_at: ctx.now }
  await updateRow(ctx.db, changed, ctx.now)
  if (changed.priority_level !== row.priority_level) ctx.publish(instancesChanged, allocationKey(row))
  if (changed.firewall_id !== row.firewall_id) ctx.publish(instanceNetworkChanged, row.id)
  return presentInstance(ctx, changed)
}

/**
 * Sets the priority of instances of one workspace, all or none. If entries repeat an instance, the last entry counts.
 */
export async function updateInstancePriorities(ctx: Ctx, { data }: Input<typeof prioritiesContract>['body']) {
  const ids = await resolveEntries(
    ctx,
    data.map(({ id }) => id),
  )
  const requested = new Map(
    data.map((entry, at) => [ids[at] as Id<'instance'>, entry.priority_level ?? defaultPriority]),
  )
  const distinct = [...requested.keys()]
  await allowWriting(ctx, await loadEntries(ctx, distinct, ids), ids)
  await lockInstances(ctx, distinct)
  const rows = await loadEntries(ctx, distinct, ids)
  for (const { state } of rows) throwIfRefused(refuseInstanceAction('update', state))
  const changed = rows.map(
    (row): InstanceRow => ({ ...row, priority_level: requested.get(row.id) ?? defaultPriority, updated_at: ctx.now }),
  )
  await updateRows(
    ctx.db,
    changed.map(({ id, priority_level }) => ({ id, priority_level })),
    ctx.now,
  )
  for (const row of changed) ctx.publish(instancesChanged, allocationKey(row))
  return shortListResponse(await presentInstances(ctx, changed))
}

async function chooseFirewall(
  ctx: Ctx,
  { workspace_id, enable_public_ipv4, firewall_id }: InstanceRow,
  ref: Ref<'firewall'> | undefined,
): Promise<Id<'firewall'> | null> {
  if (ref === undefined) return firewall_id
  if (!enable_public_ipv4) {
    refuse('not_applicable', 'A firewall applies to the public address, and this instance has none.', firewallField)
  }
  const firewall = await lockFirewallShared(ctx, { ref, workspace_id, field: firewallField })
  if (firewall.workspace_id !== workspace_id) {
    refuse('workspace_mismatch', 'The firewall belongs to another workspace than the instance.', firewallField)
  }
  return firewall.id
}

async function resolveEntries(ctx: Ctx, refs: readonly Ref<'instance'>[]): Promise<Id<'instance'>[]> {
  const ids = await resolveRefs(ctx, 'instance', refs)
  return ids.map((id, at) => id ?? refuseEntry(at))
}

/** The rows of the entries, in order. Refuses if an instance does not exist. */
async function loadEntries(
  ctx: Ctx,
  distinct: readonly Id<'instance'>[],
  ids: readonly Id<'instance'>[],
): Promise<InstanceRow[]> {
  const rows = new Map((await findInstances(ctx, distinct)).map((row) => [row.id, row]))
  return distinct.map((id) => {
    const row = rows.get(id)
    const isOwn = row && (!ctx.caller || row.account_id === ctx.caller.account_id)
    return isOwn ? row : refuseEntry(ids.indexOf(id))
  })
}

/** An instance that the caller cannot see is refused as missing. Rights are checked before the request itself. */
async function allowWriting(ctx: Ctx, rows: readonly InstanceRow[], ids: readonly Id<'instance'>[]): Promise<void> {
  const workspaces = [...new Set(rows.map(({ workspace_id }) => workspace_id))]
  for (const workspace_id of workspaces) {
    try {
      // Limits to resources were checked when the references were resolved.
      const any = rows.find((row) => row.workspace_id === workspace_id) as InstanceRow
      await allow(ctx, 'instance:write', any)
    } catch (error) {
      if (!isRefusal(error, 'not_found')) throw error
      const unseen = rows.find((row) => row.workspace_id === workspace_id) as InstanceRow
      refuseEntry(ids.indexOf(unseen.id))
    }
  }
  if (workspaces.length > 1) refuse('workspace_mismatch', 'All instances must belong to one workspace.', 'data')
}

function refuseEntry(at: number): never {
  refuse('reference_not_found', 'There is no such instance.', `data.${at}.id`)
}
