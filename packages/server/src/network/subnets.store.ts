import type { Subnet } from '@bourse/api/network/subnets.ts'
import { type Db, statement } from '../core/db/db.ts'
import type { Tables } from '../core/generated/tables.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { defineLock } from '../core/work/locks.ts'
import { type Conditions, newestFirst, type Page, type PageQuery, readPage } from '../core/work/page.ts'
import { addTagFilters, type TagFilters } from '../core/work/tags.ts'

export type SubnetRow = Omit<Tables['subnets'], 'deleted_at'> & { tags: Subnet['tags']; taken: number }

const columns = `s.id, s.account_id, s.workspace_id, s.region, s.cidr, s.vni, s.tags, s.created_at, s.updated_at,
  (
    select count(*)
    from subnet_addresses a
    where a.subnet_id = s.id
  ) as taken`

const selectSubnet = statement<SubnetRow>(
  'network.find_subnet',
  `select ${columns}
   from subnets s
   where s.id = $1 and s.deleted_at is null`,
)
const selectCarried = statement<Pick<SubnetRow, 'id' | 'cidr' | 'vni'>>(
  'network.list_carried_subnets',
  `select id, cidr, vni
   from subnets
   where id = any($1)`,
)
const selectRanges = statement<{ cidr: string }>(
  'network.list_subnet_ranges',
  `select cidr
   from subnets
   where workspace_id = $1 and deleted_at is null`,
)
const insertRow = statement<never>(
  'network.insert_subnet',
  `insert into subnets (id, account_id, workspace_id, region, cidr, vni, tags, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
)
const updateRow = statement<never>(
  'network.update_subnet',
  `update subnets
   set tags = $2, updated_at = $3
   where id = $1`,
)
const removeRow = statement<never>(
  'network.remove_subnet',
  `update subnets
   set deleted_at = $2
   where id = $1`,
)
const takeNumber = statement<{ last: number }>(
  'network.take_number',
  `update network_numbers
   set last = last + 1
   where name = $1
   returning last`,
)
const selectTaken = statement<{ address: number }>(
  'network.list_taken_addresses',
  `select address
   from subnet_addresses
   where subnet_id = $1`,
)
const insertAddresses = statement<never>(
  'network.insert_addresses',
  `insert into subnet_addresses (subnet_id, address, instance_id)
   select $1, *
   from unnest($2::bigint[], $3::text[])`,
)
const moveAddressRow = statement<{ address: number }>(
  'network.move_address',
  `update subnet_addresses
   set instance_id = $2
   where instance_id = $1
   returning address`,
)
const removeAddresses = statement<never>(
  'network.remove_addresses',
  `delete from subnet_addresses
   where instance_id = any($1)`,
)

/** Taken to change or delete a subnet, and to take an address in it. */
export const subnetLock = defineLock(
  'subnet',
  'parents',
  `select id
   from subnets
   where id = any($1) and deleted_at is null
   order by id
   for update`,
)

/** Taken to refer to a subnet; conflicts only with {@link subnetLock}. */
export const subnetShareLock = defineLock(
  'subnet.share',
  'parents',
  `select id
   from subnets
   where id = any($1) and deleted_at is null
   order by id
   for key share`,
)

/** A subnet of any account that is not deleted. */
export function findSubnet(db: Db, id: string): Promise<SubnetRow | undefined> {
  return db.row(selectSubnet, [id])
}

/** The ranges and network identifiers (VNI) of some subnets. */
export function listCarriedSubnets(db: Db, ids: readonly string[]): Promise<Pick<SubnetRow, 'id' | 'cidr' | 'vni'>[]> {
  return db.rows(selectCarried, [ids])
}

/** The ranges of a workspace's subnets. */
export async function listRanges(db: Db, workspaceId: string): Promise<string[]> {
  return (await db.rows(selectRanges, [workspaceId])).map(({ cidr }) => cidr)
}

/** Takes the next network identifier (VNI). An identifier is never reused. */
export async function takeVni(db: Db): Promise<number> {
  return ((await db.row(takeNumber, ['vni'])) as { last: number }).last
}

export async function insertSubnet(db: Db, row: Omit<SubnetRow, 'taken'>): Promise<void> {
  const { id, account_id, workspace_id, region, cidr, vni, tags, created_at } = row
  await db.run(insertRow, [id, account_id, workspace_id, region, cidr, vni, tags && JSON.stringify(tags), created_at])
}

export async function updateSubnet(db: Db, row: SubnetRow): Promise<void> {
  await db.run(updateRow, [row.id, row.tags && JSON.stringify(row.tags), row.updated_at])
}

export async function removeSubnet(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(removeRow, [id, ctx.now])
}

/** A page of the subnets that match `where`. */
export function listSubnets(ctx: Ctx, query: PageQuery & TagFilters, where: Conditions): Promise<Page<SubnetRow>> {
  where.add('s.deleted_at is null')
  addTagFilters(where, 's.tags', query)
  const select = `select ${columns}
     from subnets s`
  return readPage<SubnetRow>(ctx, { prefix: 'snetc', query, select, where, sort: newestFirst('s') })
}

/** The taken addresses of a subnet, as numbers. */
export async function listTakenAddresses(db: Db, subnetId: string): Promise<number[]> {
  return (await db.rows(selectTaken, [subnetId])).map(({ address }) => address)
}

/** Assigns each address of a subnet to the instance at the same index. */
export async function insertSubnetAddresses(
  db: Db,
  subnetId: string,
  addresses: readonly number[],
  instanceIds: readonly string[],
): Promise<void> {
  await db.run(insertAddresses, [subnetId, addresses, instanceIds])
}

/** Moves the address of one instance to another. Returns undefined if it has none. */
export async function moveSubnetAddress(
  db: Db,
  { from, to }: { from: string; to: string },
): Promise<number | undefined> {
  return (await db.row(moveAddressRow, [from, to]))?.address
}

export async function removeSubnetAddresses(db: Db, instanceIds: readonly string[]): Promise<void> {
  await db.run(removeAddresses, [instanceIds])
}
