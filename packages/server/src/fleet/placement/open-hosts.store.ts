import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, type Statement, statement } from '../../core/db/db.ts'

/** A host that accepts instances and has a free slot. */
export type OpenHostRow = {
  id: Id<'host'>
  slots: number
  taken: number[]
  network: 'full' | 'ssh_only'
  public_ipv4s: string[]
}

/** Reachable hosts, or hosts that would accept instances if they were reachable. */
export type Answering = 'healthy' | 'unreachable'

/** A search for the fullest `count` hosts of a SKU. */
type HostQuery = {
  readonly sku_id: Id<'sku'>
  readonly health: Answering
  readonly needs_full_network: boolean
  readonly count: number
}

/** With more living instances of an image than this, most hosts of a scan hold it. */
const popularInstances = 500

const order = 'order by h.slots - h.used_slots, h.id'
const shown = `h.id, h.slots, array(select m.slot from machines m where m.host_id = h.id) as taken,
  h.facts ->> 'network' as network, h.facts -> 'public_ipv4s' as public_ipv4s`

const isOpen = (health: Answering) => `h.state = 'active' and h.health = '${health}' and h.used_slots < h.slots`

const statements = { healthy: statementsFor('healthy'), unreachable: statementsFor('unreachable') }

const countLiving = statement<{ count: number }>(
  'fleet.count_living_of_image',
  `select count(*) as count
   from (
     select from instances
     where image_id = $1 and state <> 'terminated'
     limit ${popularInstances}
   ) i`,
)

const selectImagesOnHosts = statement<{ host_id: Id<'host'>; image_id: Id<'image'> }>(
  'fleet.list_images_on_hosts',
  `select distinct m.host_id, i.image_id
   from machines m
   join instances i on i.id = m.instance_id
   where m.host_id = any($1)
     and m.state = 'running'
     and i.image_id = any($2)`,
)
const selectTakenAddresses = statement<{ public_ip: string }>(
  'fleet.list_taken_public_ipv4s',
  `select public_ip
   from instances
   where public_ip = any($1)`,
)

/** All hosts of a SKU that accept instances. */
export function listOpenHosts(db: Db, skuId: string, health: Answering): Promise<OpenHostRow[]> {
  return db.rows(statements[health].all, [skuId])
}

/** Some hosts, without those that do not accept instances. */
export function listOpenAmong(db: Db, ids: readonly string[], health: Answering): Promise<OpenHostRow[]> {
  return db.rows(statements[health].among, [ids])
}

/** The fullest hosts. */
export async function listFullest(db: Db, query: HostQuery): Promise<Id<'host'>[]> {
  const { sku_id, health, needs_full_network, count } = query
  return (await db.rows(statements[health].fullest, [sku_id, needs_full_network, count])).map(({ id }) => id)
}

/** The fullest hosts that hold an image because they run it. */
export async function listFullestWithImage(db: Db, imageId: string, query: HostQuery): Promise<Id<'host'>[]> {
  const { sku_id, health, needs_full_network, count } = query
  const living = (await db.row(countLiving, [imageId]))?.count ?? 0
  // Scan the smaller side: the machines of a rare image, or the fullest hosts for a popular one.
  const { holdingRare: withRareImage, holdingPopular: withPopularImage } = statements[health]
  const withImage = living < popularInstances ? withRareImage : withPopularImage
  return (await db.rows(withImage, [sku_id, needs_full_network, count, imageId])).map(({ id }) => id)
}

/** Which of some hosts hold which of some images because they run them. */
export function listImagesOnHosts(
  db: Db,
  hostIds: readonly string[],
  imageIds: readonly string[],
): Promise<{ host_id: Id<'host'>; image_id: Id<'image'> }[]> {
  return db.rows(selectImagesOnHosts, [hostIds, imageIds])
}

/** The public addresses, out of some, that instances use. */
export async function listTakenPublicAddresses(db: Db, addresses: readonly string[]): Promise<Set<string>> {
  const rows = addresses.length === 0 ? [] : await db.rows(selectTakenAddresses, [addresses])
  return new Set(rows.map(({ public_ip }) => public_ip))
}

function statementsFor(health: Answering) {
  const open = `h.sku_id = $1 and ${isOpen(health)} and (not $2::boolean or h.facts ->> 'network' = 'full')`
  const named = <R>(name: string, text: string): Statement<R> => statement<R>(`fleet.${name}_${health}_hosts`, text)
  return {
    all: named<OpenHostRow>(
      'list',
      `select ${shown}
       from hosts h
       where h.sku_id = $1 and ${isOpen(health)}`,
    ),
    among: named<OpenHostRow>(
      'list_some',
      `select ${shown}
       from hosts h
       where h.id = any($1) and ${isOpen(health)}`,
    ),
    fullest: named<{ id: Id<'host'> }>(
      'list_fullest',
      `select h.id
       from hosts h
       where ${open}
       ${order}
       limit $3`,
    ),
    holdingRare: named<{ id: Id<'host'> }>(
      'list_rare_holding',
      `select h.id
       from hosts h
       where ${open}
         and h.id in (
           select m.host_id
           from instances i
           join machines m on m.instance_id = i.id and m.state = 'running'
           where i.image_id = $4 and i.state <> 'terminated'
         )
       ${order}
       limit $3`,
    ),
    holdingPopular: named<{ id: Id<'host'> }>(
      'list_popular_holding',
      `select h.id
       from hosts h
       where ${open}
         and (
           select true
           from machines m
           join instances i on i.id = m.instance_id
           where m.host_id = h.id and m.state = 'running' and i.image_id = $4
           limit 1
         )
       ${order}
       limit $3`,
    ),
  }
}
