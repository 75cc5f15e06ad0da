import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import type {
  createFirewall as createContract,
  Firewall,
  FirewallRule,
  listFirewalls as listContract,
} from '@bourse/api/network/firewalls.ts'
import { Refusal, refuse, throwIfRefused } from '../core/base/refusal.ts'
import { type Ctx, callerOf } from '../core/work/ctx.ts'
import { listOwned, loadAndAllow } from '../iam/access/owned.service.ts'
import { allow, chooseWorkspace, mayName, refuseNotFound } from '../iam/access/permissions.service.ts'
import { returnLimit, takeLimit } from '../iam/names/limit-usage.service.ts'
import { claimName, idToLoad, pickSummary, releaseName, renameName, summaries } from '../iam/names/names.service.ts'
import { lockWorkspaceShared } from '../iam/names/owners.service.ts'
import { defaultFirewallRules, readFirewallRules, refuseFirewallDelete } from './firewalls.rules.ts'
import {
  type FirewallRow,
  findDefaultFirewall,
  findFirewall,
  firewallLock,
  firewallShareLock,
  insertFirewall,
  listFirewalls as listRows,
  removeFirewall,
  updateFirewall as updateRow,
} from './firewalls.store.ts'

/** Topic of `ctx.publish`: the rules of a firewall have changed. The key is its id. */
export const firewallRulesChanged = 'firewall.rules_changed'

const referrersShown = 20

/** Creates a firewall. */
export async function createFirewall(ctx: Ctx, body: Input<typeof createContract>['body']): Promise<Firewall> {
  const { account_id } = callerOf(ctx)
  const workspace_id = await chooseWorkspace(ctx, body.workspace)
  await allow(ctx, 'firewall:create', workspace_id)
  const rules = rulesOf(body.rules ?? [])
  await takeLimit(ctx, account_id, 'firewalls')
  await lockWorkspaceShared(ctx, workspace_id)
  const id = ctx.newId('firewall')
  await claimName(ctx, { id, kind: 'firewall', account_id, workspace_id, name: body.name })
  const row = newRow(ctx, { id, account_id, workspace_id, rules, tags: body.tags ?? null })
  await insertFirewall(ctx.db, row)
  return presentOne(ctx, row)
}

/** Creates the default firewall of a workspace, in the transaction that creates the workspace. */
export async function makeDefaultFirewall(
  ctx: Ctx,
  { account_id, workspace_id }: { account_id: string; workspace_id: Id<'workspace'> },
): Promise<void> {
  const id = ctx.newId('firewall')
  await claimName(ctx, { id, kind: 'firewall', account_id, workspace_id, name: 'default' })
  await insertFirewall(ctx.db, {
    ...newRow(ctx, { id, account_id, workspace_id, rules: [...defaultFirewallRules], tags: null }),
    is_default: true,
  })
}

/** Deletes the default firewall of a workspace, in the transaction that deletes the workspace. */
export async function removeDefaultFirewall(ctx: Ctx, workspace_id: Id<'workspace'>): Promise<void> {
  const id = await findDefaultFirewall(ctx.db, workspace_id)
  if (id === undefined) return
  await releaseName(ctx, id)
  await removeFirewall(ctx, id)
}

/** Lists the firewalls that the caller may list. */
export async function listFirewalls(ctx: Ctx, query: Input<typeof listContract>['query']) {
  return listOwned(ctx, 'firewall', { query, alias: 'f', list: listRows, present })
}

/** Reads one firewall. */
export async function getFirewall(ctx: Ctx, ref: Ref<'firewall'>): Promise<Firewall> {
  const row = await loadAndAllow(ctx, 'firewall', { ref, verb: 'read', find: findFirewall })
  return presentOne(ctx, row)
}

/** Renames a firewall or replaces its tags. Refuses to rename the default firewall. */
export async function updateFirewall(
  ctx: Ctx,
  ref: Ref<'firewall'>,
  changes: { name?: string; tags?: Firewall['tags'] },
): Promise<Firewall> {
  const row = await changeFirewall(ctx, ref)
  if (changes.name !== undefined) {
    if (row.is_default && changes.name !== 'default') {
      refuse('default_firewall', 'The default firewall of a workspace cannot be renamed.', 'name')
    }
    await renameName(ctx, { id: row.id, kind: 'firewall', name: changes.name })
  }
  return save(ctx, changes.tags === undefined ? row : { ...row, tags: changes.tags })
}

/** Replaces all rules. The hosts of attached instances apply them. */
export async function replaceFirewallRules(ctx: Ctx, ref: Ref<'firewall'>, rules: FirewallRule[]): Promise<Firewall> {
  const checked = rulesOf(rules)
  const row = await changeFirewall(ctx, ref)
  ctx.publish(firewallRulesChanged, row.id)
  return save(ctx, { ...row, rules: checked })
}

/** Deletes a firewall that nothing refers to. */
export async function deleteFirewall(ctx: Ctx, ref: Ref<'firewall'>): Promise<void> {
  const known = await loadAndAllow(ctx, 'firewall', { ref, verb: 'delete', find: findFirewall })
  const row = await lockFirewall(ctx, known.id)
  throwIfRefused(refuseFirewallDelete(row, await ctx.referrers('firewall', row.id, referrersShown)))
  await removeFirewall(ctx, row.id)
  await releaseName(ctx, row.id)
  await returnLimit(ctx, row.account_id, 'firewalls')
}

/**
 * Locks a firewall that another resource refers to against its deletion. Refuses `reference_not_found` if it is not
 * visible to the caller. Without a reference, locks the default firewall of the workspace.
 */
export async function lockFirewallShared(
  ctx: Ctx,
  { ref, workspace_id, field }: { ref: Ref<'firewall'> | undefined; workspace_id: Id<'workspace'>; field: string },
): Promise<{ id: Id<'firewall'>; workspace_id: Id<'workspace'> }> {
  const id = ref === undefined ? await findDefaultFirewall(ctx.db, workspace_id) : await idToLoad(ctx, 'firewall', ref)
  const locked = id === undefined ? [] : await ctx.lock(firewallShareLock, [id])
  const row = locked[0] === undefined ? undefined : await findFirewall(ctx.db, locked[0])
  if (!row || !mayName(ctx, row)) refuse('reference_not_found', 'There is no such firewall.', field)
  return { id: row.id, workspace_id: row.workspace_id }
}

/** The rules of a firewall, for the desired state of hosts; undefined if it does not exist. */
export async function rulesOfFirewall(ctx: Ctx, id: string): Promise<FirewallRule[] | undefined> {
  return (await findFirewall(ctx.db, id))?.rules
}

function rulesOf(rules: readonly FirewallRule[]): FirewallRule[] {
  const read = readFirewallRules(rules)
  if ('refusal' in read) throw new Refusal(read.refusal)
  return read.rules
}

function newRow(
  ctx: Ctx,
  fields: Pick<FirewallRow, 'id' | 'account_id' | 'workspace_id' | 'rules' | 'tags'>,
): FirewallRow {
  return { ...fields, is_default: false, created_at: ctx.now, updated_at: ctx.now }
}

async function changeFirewall(ctx: Ctx, ref: Ref<'firewall'>): Promise<FirewallRow> {
  const known = await loadAndAllow(ctx, 'firewall', { ref, verb: 'write', find: findFirewall })
  return lockFirewall(ctx, known.id)
}

/** Locks a firewall and reads it again, because it may have changed since the last read. */
async function lockFirewall(ctx: Ctx, id: Id<'firewall'>): Promise<FirewallRow> {
  const [, row] = await Promise.all([ctx.lock(firewallLock, [id]), findFirewall(ctx.db, id)])
  return row ?? refuseNotFound()
}

async function save(ctx: Ctx, row: FirewallRow): Promise<Firewall> {
  const changed = { ...row, updated_at: ctx.now }
  await updateRow(ctx.db, changed)
  return presentOne(ctx, changed)
}

async function presentOne(ctx: Ctx, row: FirewallRow): Promise<Firewall> {
  const [shown] = await present(ctx, [row])
  return shown as Firewall
}

async function present(ctx: Ctx, rows: readonly FirewallRow[]): Promise<Firewall[]> {
  const names = await summaries(
    ctx,
    rows.flatMap(({ id, workspace_id }) => [id, workspace_id]),
  )
  return rows.map((row) => {
    const { name, resource_path } = pickSummary(names, 'firewall', row.id)
    const { id, is_default, tags, created_at, updated_at } = row
    const rules = row.rules.map(presentRule)
    const workspace = pickSummary(names, 'workspace', row.workspace_id)
    return { object: 'firewall', id, resource_path, workspace, name, is_default, rules, tags, created_at, updated_at }
  })
}

/** The column is jsonb, which does not keep the order of fields. */
function presentRule({ protocol, port_from, port_to, source_cidr, description }: FirewallRule): FirewallRule {
  return {
    protocol,
    ...(port_from === undefined ? {} : { port_from }),
    ...(port_to === undefined ? {} : { port_to }),
    source_cidr,
    ...(description === undefined ? {} : { description }),
  }
}
