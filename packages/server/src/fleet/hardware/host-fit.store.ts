import type { SlotHardware } from '@bourse/api/fleet/fit-slots.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { HostRow } from '../hosts/hosts.rules.ts'
import type { InstanceHardwareRow } from './host-fit.rules.ts'

/** What a report of the hardware changes of a host. */
type HostFit = HostSlots & Pick<HostRow, 'facts' | 'facts_at' | 'fitting_slots' | 'unfit_at' | 'unfit_message'>

/** What each slot of a host has. */
type HostSlots = { readonly id: Id<'host'>; readonly slot_hardware: readonly (SlotHardware | null)[] }

/** A slot with a machine, and what it has. */
type TakenSlot = { readonly host_id: Id<'host'>; readonly slot: number; readonly hardware: SlotHardware }

// A host that lacks hardware is faulted at once. Its next report ends that, if it fits again and has no other fault.
// Until then its slots keep what they have: machines run with it.
const updateFit = statement<never>(
  'fleet.update_host_fit',
  `update hosts
   set facts = $2, facts_at = $3, fitting_slots = $4, unfit_at = $5, unfit_message = $6,
     slot_hardware = case when $5::bigint is null or slot_hardware is null then $7 else slot_hardware end,
     health = case when $5::bigint is null then health else 'faulted' end,
     health_message = coalesce($6, health_message)
   where id = $1`,
)
const selectTaken = statement<TakenSlot>(
  'fleet.list_taken_slot_hardware',
  `select m.host_id, m.slot, h.slot_hardware -> m.slot as hardware
   from machines m
   join hosts h on h.id = m.host_id
   where m.host_id = any($1)
     and jsonb_typeof(h.slot_hardware -> m.slot) = 'object'`,
)
const updateSlots = statement<never>(
  'fleet.update_slot_hardware',
  `update hosts h
   set slot_hardware = s.slot_hardware
   from jsonb_to_recordset($1::jsonb) as s(id text, slot_hardware jsonb)
   where h.id = s.id`,
)
const selectSlots = statement<{ host_id: Id<'host'>; hardware: SlotHardware }>(
  'fleet.list_slot_hardware',
  `select m.host_id, h.slot_hardware -> m.slot as hardware
   from machines m
   join hosts h on h.id = m.host_id
   where m.instance_id = any($1)
     and jsonb_typeof(h.slot_hardware -> m.slot) = 'object'`,
)
const selectHardware = statement<InstanceHardwareRow>(
  'fleet.list_instance_hardware',
  `select m.instance_id, m.host_id, h.facts_at, h.slot_hardware -> m.slot as slot_hardware
   from machines m
   join hosts h on h.id = m.host_id
   where m.instance_id = any($1) and h.facts_at is not null`,
)

// Simulated hosts have what their SKU promised when they were added.
const selectCompared = statement<{ id: Id<'host'> }>(
  'fleet.list_compared_hosts',
  `select id
   from hosts
   where sku_id = $1
     and state <> 'retired'
     and not is_simulated
     and id > $2
   order by id
   limit $3`,
)

/** Writes the hardware of a locked host, and whether it fits. */
export async function updateHostFit(db: Db, host: HostFit): Promise<void> {
  const { id, facts, facts_at, fitting_slots, unfit_at, unfit_message, slot_hardware } = host
  const values = [fitting_slots, unfit_at, unfit_message, JSON.stringify(slot_hardware)]
  await db.run(updateFit, [id, JSON.stringify(facts), facts_at, ...values])
}

/** The devices of the slots that have a machine: by slot, for each of some hosts. */
export async function listTakenSlots(
  db: Db,
  hostIds: readonly Id<'host'>[],
): Promise<Map<Id<'host'>, Map<number, SlotHardware>>> {
  const taken = new Map(hostIds.map((id) => [id, new Map<number, SlotHardware>()]))
  for (const { host_id, slot, hardware } of await db.rows(selectTaken, [hostIds])) {
    taken.get(host_id)?.set(slot, hardware)
  }
  return taken
}

/** What the slots of some machines have, with their hosts. */
export function listSlotHardware(db: Db, instanceIds: readonly string[]) {
  return db.rows(selectSlots, [instanceIds])
}

/** Writes what each slot of some locked hosts has. */
export async function updateSlotHardware(db: Db, hosts: readonly HostSlots[]): Promise<void> {
  await db.run(updateSlots, [JSON.stringify(hosts)])
}

/** The hosts of a SKU that are compared with it, by id, beginning after one of them. */
export async function listComparedHosts(
  db: Db,
  { sku_id, after }: { sku_id: Id<'sku'>; after: string },
  limit: number,
): Promise<Id<'host'>[]> {
  return (await db.rows(selectCompared, [sku_id, after, limit])).map(({ id }) => id)
}

/** What some instances run on. Instances without a machine, and on hosts that report no hardware, are left out. */
export function listInstanceHardware(db: Db, instanceIds: readonly string[]): Promise<InstanceHardwareRow[]> {
  return db.rows(selectHardware, [instanceIds])
}
