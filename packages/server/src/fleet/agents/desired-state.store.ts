import type { SlotHardware } from '@bourse/api/fleet/fit-slots.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, type Statement, statement } from '../../core/db/db.ts'

/** A machine that a host must run or stop, with its instance. */
export type DesiredRow = {
  id: Id<'instance'>
  account_id: string
  generation: number
  action: 'run' | 'stop'
  slot: number
  image_id: Id<'image'>
  user_data_used: boolean
  mac: string
  private_ip: string | null
  public_ip: string | null
  subnet_id: Id<'subnet'> | null
  firewall_id: Id<'firewall'> | null
  infiniband_partition_id: Id<'infiniband_partition'> | null
  ssh_key_ids: string[]
  deadline_at: number | null
  notice_reason: string | null
  /** Null: the host reports no hardware. */
  slot_hardware: SlotHardware | null
}

/** A machine of a subnet on another host, and the tunnel of that host. Its fields are null if it has none. */
export type PeerRow = {
  subnet_id: Id<'subnet'>
  private_ip: string
  host_address: string
  encrypts_traffic: boolean | null
  tunnel_address: string | null
  public_key: string
  next_public_key: string | null
  port: number
}

/** The columns of an instance by which a change of the network finds the hosts that it affects. */
export type NetworkColumn = 'id' | 'firewall_id' | 'subnet_id'

const selectDesired = statement<DesiredRow>(
  'fleet.list_desired',
  `select i.id, i.account_id, m.generation,
     case when i.state = 'terminated' then 'stop' else m.action end as action, m.slot,
     i.image_id, i.user_data_used, i.mac, i.private_ip, i.public_ip, i.subnet_id, i.firewall_id,
     i.infiniband_partition_id, i.deadline_at, i.notice_reason,
     array(
       select k.ssh_key_id
       from instance_ssh_keys k
       where k.instance_id = i.id
       order by k.ssh_key_id
     ) as ssh_key_ids,
     h.slot_hardware -> m.slot as slot_hardware
   from machines m
   join instances i on i.id = m.instance_id
   join hosts h on h.id = m.host_id
   where m.host_id = $1
   order by m.slot`,
)
const selectPeers = statement<PeerRow>(
  'fleet.list_peers',
  `select i.subnet_id, i.private_ip, h.facts ->> 'host_address' as host_address,
     (h.facts ->> 'encrypts_traffic')::boolean as encrypts_traffic, t.address as tunnel_address, t.public_key,
     t.next_public_key, t.port
   from instances i
   join machines m on m.instance_id = i.id
   join hosts h on h.id = m.host_id
   left join host_tunnels t on t.host_id = h.id
   where i.subnet_id = any($1)
     and i.state <> 'terminated'
     and m.action = 'run'
     and m.host_id <> $2
     and i.private_ip is not null
   order by i.subnet_id, i.id`,
)

const selectPeerHosts = statement<{ host_id: Id<'host'> }>(
  'fleet.list_peer_hosts',
  `select distinct p.host_id
   from machines m
   join instances i on i.id = m.instance_id
   join instances o on o.subnet_id = i.subnet_id and o.state <> 'terminated'
   join machines p on p.instance_id = o.id
   where m.host_id = $1
   union
   select h.id
   from hosts h
   where h.id = $1
   order by host_id`,
)

const selectHostsOfSshKey = statement<{ host_id: Id<'host'> }>(
  'fleet.list_hosts_of_ssh_key',
  `select distinct m.host_id
   from instance_ssh_keys k
   join machines m on m.instance_id = k.instance_id
   where k.ssh_key_id = $1
   order by m.host_id`,
)

const selectConcerned = {
  id: concernedBy('id'),
  firewall_id: concernedBy('firewall_id'),
  subnet_id: concernedBy('subnet_id'),
} as const satisfies Record<NetworkColumn, unknown>

/** The hosts of living instances with this value in a column. */
export async function listConcernedHosts(db: Db, column: NetworkColumn, id: string): Promise<Id<'host'>[]> {
  return (await db.rows(selectConcerned[column], [id])).map(({ host_id }) => host_id)
}

/** The hosts of machines of living instances that get an SSH key. */
export async function listHostsOfSshKey(db: Db, id: string): Promise<Id<'host'>[]> {
  return (await db.rows(selectHostsOfSshKey, [id])).map(({ host_id }) => host_id)
}

/** A host, and the hosts with instances in the subnets of its instances. */
export async function listPeerHosts(db: Db, hostId: string): Promise<Id<'host'>[]> {
  return (await db.rows(selectPeerHosts, [hostId])).map((row) => row.host_id)
}

/** The machines that a host must run or stop, by slot. */
export function listDesired(db: Db, hostId: string): Promise<DesiredRow[]> {
  return db.rows(selectDesired, [hostId])
}

/** The machines of subnets on all hosts except one. */
export function listPeers(db: Db, subnetIds: readonly string[], hostId: string): Promise<PeerRow[]> {
  return db.rows(selectPeers, [subnetIds, hostId])
}

function concernedBy(column: NetworkColumn): Statement<{ host_id: Id<'host'> }> {
  return statement(
    `fleet.list_hosts_by_${column}`,
    `select distinct m.host_id
     from instances i
     join machines m on m.instance_id = i.id
     where i.${column} = $1 and i.state <> 'terminated'
     order by m.host_id`,
  )
}

const selectGenerations = statement<{ id: Id<'host'>; generation: number }>(
  'fleet.list_generations',
  `select id, generation
   from hosts
   where id = any($1)`,
)

const selectNotified = statement<{ id: Id<'host'>; generation: number }>(
  'fleet.list_notified_hosts',
  `select id, generation
   from hosts
   where told_at >= floor(bourse_real_now())::bigint - $1::bigint`,
)

/** The generations of some hosts. */
export async function listGenerations(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  return new Map((await db.rows(selectGenerations, [ids])).map(({ id, generation }) => [id, generation]))
}

/** The generations of hosts with an agent that were raised within the last seconds. */
export async function listNotified(db: Db, seconds: number): Promise<Map<string, number>> {
  return new Map((await db.rows(selectNotified, [seconds])).map(({ id, generation }) => [id, generation]))
}
