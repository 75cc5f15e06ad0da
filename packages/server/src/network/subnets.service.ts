import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import type {
  createSubnet as createContract,
  listSubnets as listContract,
  Subnet,
} from '@bourse/api/network/subnets.ts'
import { refuse, throwIfRefused } from '../core/base/refusal.ts'
import { refuseInUse } from '../core/http/in-use.ts'
import { type Ctx, callerOf } from '../core/work/ctx.ts'
import { listOwned, loadAndAllow } from '../iam/access/owned.service.ts'
import { allow, chooseWorkspace, mayName, refuseNotFound } from '../iam/access/permissions.service.ts'
import { returnLimit, takeLimit } from '../iam/names/limit-usage.service.ts'
import { claimName, idToLoad, pickSummary, releaseName, renameName, summaries } from '../iam/names/names.service.ts'
import { lockWorkspaceShared } from '../iam/names/owners.service.ts'
import {
  availableAddresses,
  type Cidr,
  firstFreeSubnet,
  formatAddress,
  formatCidr,
  lowestFreeAddresses,
  parseCidr,
  refuseOverlap,
  refuseSubnetCidr,
} from './addresses.rules.ts'
import {
  findSubnet,
  insertSubnet,
  insertSubnetAddresses,
  listCarriedSubnets,
  listRanges,
  listSubnets as listRows,
  listTakenAddresses,
  moveSubnetAddress,
  removeSubnet,
  removeSubnetAddresses,
  type SubnetRow,
  subnetLock,
  subnetShareLock,
  takeVni,
  updateSubnet as updateRow,
} from './subnets.store.ts'

const referrersShown = 20

/** A subnet that an instance joins. */
export type JoinedSubnet = Pick<SubnetRow, 'id' | 'workspace_id' | 'region' | 'cidr' | 'vni'> & {
  readonly available_addresses: number
}

/** Creates a subnet in the requested range or in the first free one. */
export async function createSubnet(ctx: Ctx, body: Input<typeof createContract>['body']): Promise<Subnet> {
  const { account_id } = callerOf(ctx)
  const workspace_id = await chooseWorkspace(ctx, body.workspace)
  await allow(ctx, 'subnet:create', workspace_id)
  if (body.cidr !== undefined) throwIfRefused(refuseSubnetCidr(body.cidr))
  // The account's limit row is locked first, so two creates of one account cannot take ranges that overlap.
  await takeLimit(ctx, account_id, 'subnets')
  await lockWorkspaceShared(ctx, workspace_id)
  const cidr = chooseRange(body.cidr, (await listRanges(ctx.db, workspace_id)).map(knownCidr))
  const id = ctx.newId('subnet')
  await claimName(ctx, { id, kind: 'subnet', account_id, workspace_id, name: body.name })
  const times = { created_at: ctx.now, updated_at: ctx.now }
  const row = {
    id,
    account_id,
    workspace_id,
    region: body.region,
    cidr,
    vni: await takeVni(ctx.db),
    tags: body.tags ?? null,
    ...times,
  }
  await insertSubnet(ctx.db, row)
  return presentOne(ctx, { ...row, taken: 0 })
}

/** Lists the subnets that the caller may list. */
export async function listSubnets(ctx: Ctx, query: Input<typeof listContract>['query']) {
  const filters = { region: query.region }
  return listOwned(ctx, 'subnet', { query, alias: 's', filters, list: listRows, present })
}

/** Reads one subnet. */
export async function getSubnet(ctx: Ctx, ref: Ref<'subnet'>): Promise<Subnet> {
  const row = await loadAndAllow(ctx, 'subnet', { ref, verb: 'read', find: findSubnet })
  return presentOne(ctx, row)
}

/** Renames a subnet or replaces its tags. */
export async function updateSubnet(
  ctx: Ctx,
  ref: Ref<'subnet'>,
  changes: { name?: string; tags?: Subnet['tags'] },
): Promise<Subnet> {
  const known = await loadAndAllow(ctx, 'subnet', { ref, verb: 'write', find: findSubnet })
  const row = await lockSubnet(ctx, known.id)
  if (changes.name !== undefined) await renameName(ctx, { id: row.id, kind: 'subnet', name: changes.name })
  const changed = { ...row, tags: changes.tags === undefined ? row.tags : changes.tags, updated_at: ctx.now }
  await updateRow(ctx.db, changed)
  return presentOne(ctx, changed)
}

/** Deletes a subnet that nothing refers to. */
export async function deleteSubnet(ctx: Ctx, ref: Ref<'subnet'>): Promise<void> {
  const known = await loadAndAllow(ctx, 'subnet', { ref, verb: 'delete', find: findSubnet })
  const row = await lockSubnet(ctx, known.id)
  throwIfRefused(refuseInUse('subnet', await ctx.referrers('subnet', row.id, referrersShown)))
  await removeSubnet(ctx, row.id)
  await releaseName(ctx, row.id)
  await returnLimit(ctx, row.account_id, 'subnets')
}

/**
 * Locks a subnet that another resource refers to against its deletion. With `joins`, also locks it against other
 * commands that take an address in it. Refuses `reference_not_found` if it is not visible to the caller.
 */
export async function lockSubnetShared(
  ctx: Ctx,
  ref: Ref<'subnet'>,
  { joins }: { joins: boolean },
): Promise<JoinedSubnet> {
  const id = await idToLoad(ctx, 'subnet', ref)
  const locked = await ctx.lock(joins ? subnetLock : subnetShareLock, [id])
  const row = locked[0] === undefined ? undefined : await findSubnet(ctx.db, locked[0])
  if (!row || !mayName(ctx, row)) refuse('reference_not_found', 'There is no such subnet.', 'subnet')
  return { ...row, available_addresses: availableAddresses(knownCidr(row.cidr), row.taken) }
}

/** The ranges and network identifiers (VNI) of subnets, by id, for the desired state of hosts. */
export async function subnetsForHosts(
  ctx: Ctx,
  ids: readonly string[],
): Promise<Map<string, { cidr: string; vni: number }>> {
  const rows = ids.length === 0 ? [] : await listCarriedSubnets(ctx.db, ids)
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Takes the lowest free addresses of a subnet for instances; returns them in the order of the instances. Requires the
 * lock of {@link lockSubnetShared} with `joins`, and enough free addresses.
 */
export async function takeAddresses(
  ctx: Ctx,
  subnet: JoinedSubnet,
  instanceIds: readonly Id<'instance'>[],
): Promise<string[]> {
  const taken = await listTakenAddresses(ctx.db, subnet.id)
  const addresses = lowestFreeAddresses(knownCidr(subnet.cidr), taken, instanceIds.length)
  await insertSubnetAddresses(ctx.db, subnet.id, addresses, instanceIds)
  return addresses.map(formatAddress)
}

/** Moves the private address of an instance to its successor. Returns undefined if it has none. */
export async function moveAddress(ctx: Ctx, from: Id<'instance'>, to: Id<'instance'>): Promise<string | undefined> {
  const address = await moveSubnetAddress(ctx.db, { from, to })
  return address === undefined ? undefined : formatAddress(address)
}

/** Frees the private addresses of instances that still have one. */
export function freeAddresses(ctx: Ctx, instanceIds: readonly Id<'instance'>[]): Promise<void> {
  return removeSubnetAddresses(ctx.db, instanceIds)
}

function chooseRange(wanted: string | undefined, others: readonly Cidr[]): string {
  if (wanted !== undefined) {
    throwIfRefused(refuseOverlap(knownCidr(wanted), others))
    return wanted
  }
  const free = firstFreeSubnet(others)
  return free
    ? formatCidr(free)
    : refuse('subnet_overlap', 'Every /20 in 10.64.0.0/10 is in use. Specify a range.', 'cidr')
}

/** Parses a range that is known to be valid. */
function knownCidr(text: string): Cidr {
  const cidr = parseCidr(text)
  if (!cidr) throw new Error(`${text} is not an IPv4 network.`)
  return cidr
}

async function lockSubnet(ctx: Ctx, id: Id<'subnet'>): Promise<SubnetRow> {
  const [, row] = await Promise.all([ctx.lock(subnetLock, [id]), findSubnet(ctx.db, id)])
  return row ?? refuseNotFound()
}

async function presentOne(ctx: Ctx, row: SubnetRow): Promise<Subnet> {
  const [shown] = await present(ctx, [row])
  return shown as Subnet
}

async function present(ctx: Ctx, rows: readonly SubnetRow[]): Promise<Subnet[]> {
  const names = await summaries(
    ctx,
    rows.flatMap(({ id, workspace_id }) => [id, workspace_id]),
  )
  return rows.map((row) => {
    const { name, resource_path } = pickSummary(names, 'subnet', row.id)
    const { id, region, cidr, taken, tags, created_at, updated_at } = row
    const workspace = pickSummary(names, 'workspace', row.workspace_id)
    const available_addresses = availableAddresses(knownCidr(cidr), taken)
    return {
      object: 'subnet',
      id,
      resource_path,
      workspace,
      name,
      region,
      cidr,
      available_addresses,
      tags,
      created_at,
      updated_at,
    }
  })
}
