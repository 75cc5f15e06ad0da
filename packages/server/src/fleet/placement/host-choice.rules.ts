// Which free slot a starting instance gets: on a host that holds its image, then on the fullest host, then by id; there
// the lowest slot. placement.rules.ts decides which instances start.

import type { Id } from '@bourse/api/kit/ids.ts'
import { type PriorityQueue, peek, put, queueOf, take } from '../hosts/priority-queue.rules.ts'

/** A slot of a host, for one machine. */
export type Slot = { readonly host_id: Id<'host'>; readonly slot: number }

/** A host that accepts instances of the SKU now: active, healthy, with a free slot. */
export type OpenHost = {
  readonly host_id: Id<'host'>
  readonly free_slots: readonly number[]
  /** The images that it holds, of those that waiting instances need. */
  readonly image_ids: readonly Id<'image'>[]
  readonly fabric: string | null
  readonly network: 'full' | 'ssh_only'
  readonly free_public_ipv4s: number
}

/** What an instance requires of its host. `fabric`: that of its InfiniBand partition, or null. */
export type HostNeeds = {
  readonly fabric: string | null
  readonly needs_public_ipv4: boolean
  readonly needs_full_network: boolean
}

/** The free slots while a plan assigns them. Only the functions of this file access its fields. */
export type SlotStock = {
  readonly hosts: ReadonlyMap<string, Stocked>
  readonly by_image: ReadonlyMap<string, readonly Stocked[]>
  readonly shelves: Map<string, Shelf>
}

type Stocked = {
  readonly host: OpenHost
  /** Its index among all hosts by id. Comparing numbers instead of ids made 10,000 starts 1.5 times as fast. */
  readonly rank: number
  readonly free: number[]
  readonly on: Shelf[]
  public_ipv4s: number
}
/**
 * A host on a shelf, with its number of free slots when it was added. If the number differs now, the entry is stale.
 */
type Shelved = { readonly stocked: Stocked; readonly free: number }
type Shelf = { readonly needs: HostNeeds; readonly queue: PriorityQueue<Shelved> }

/** Creates the stock of slots of some hosts. */
export function stockOf(hosts: readonly OpenHost[]): SlotStock {
  const stocked = new Map<string, Stocked>()
  const by_image = new Map<string, Stocked[]>()
  const ranked = hosts.toSorted((a, b) => (a.host_id < b.host_id ? -1 : 1))
  for (const [rank, host] of ranked.entries()) {
    const free = host.free_slots.toSorted((a, b) => b - a)
    const entry: Stocked = { host, rank, free, on: [], public_ipv4s: host.free_public_ipv4s }
    stocked.set(host.host_id, entry)
    for (const image_id of host.image_ids) {
      const holders = by_image.get(image_id)
      if (holders) holders.push(entry)
      else by_image.set(image_id, [entry])
    }
  }
  return { hosts: stocked, by_image, shelves: new Map() }
}

/** Takes the best free slot for an image; `undefined` if no host with a free slot fits. */
export function takeBestSlot(stock: SlotStock, image_id: Id<'image'>, needs: HostNeeds): Slot | undefined {
  const best = firstOf(shelfOf(stock, image_id, needs)) ?? firstOf(shelfOf(stock, null, needs))
  if (!best) return undefined
  const slot = best.free.pop() as number
  if (needs.needs_public_ipv4) best.public_ipv4s--
  putBack(best)
  return { host_id: best.host.host_id, slot }
}

/** Takes a given slot: `taken`, `not_free` for now, or `unfit` if its host does not meet the needs. */
export function takeSlot(stock: SlotStock, slot: Slot, needs: HostNeeds): 'taken' | 'not_free' | 'unfit' {
  const stocked = stock.hosts.get(slot.host_id)
  const index = stocked?.free.indexOf(slot.slot) ?? -1
  if (!stocked || index < 0) return 'not_free'
  if (!fits(stocked, needs)) return 'unfit'
  stocked.free.splice(index, 1)
  if (needs.needs_public_ipv4) stocked.public_ipv4s--
  putBack(stocked)
  return 'taken'
}

function shelfOf(stock: SlotStock, image_id: Id<'image'> | null, needs: HostNeeds): Shelf {
  const { fabric, needs_public_ipv4, needs_full_network } = needs
  const key = `${image_id ?? ''} ${needs_public_ipv4} ${needs_full_network} ${fabric ?? ''}`
  const known = stock.shelves.get(key)
  if (known) return known
  const candidates = image_id === null ? [...stock.hosts.values()] : (stock.by_image.get(image_id) ?? [])
  const fitting = candidates.filter((stocked) => stocked.free.length > 0 && fits(stocked, needs))
  const shelved = fitting.map((stocked) => ({ stocked, free: stocked.free.length }))
  const shelf = { needs, queue: queueOf(shelved, byPreference) }
  for (const stocked of fitting) stocked.on.push(shelf)
  stock.shelves.set(key, shelf)
  return shelf
}

function firstOf({ queue, needs }: Shelf): Stocked | undefined {
  for (let first = peek(queue); first; first = peek(queue)) {
    if (first.free === first.stocked.free.length && fits(first.stocked, needs)) return first.stocked
    take(queue)
  }
  return undefined
}

// A host that got fuller moves up on its shelves. Its older entries there are stale and are skipped later.
function putBack(stocked: Stocked): void {
  if (stocked.free.length === 0) return
  for (const shelf of stocked.on) put(shelf.queue, { stocked, free: stocked.free.length })
}

function fits({ host, public_ipv4s }: Stocked, needs: HostNeeds): boolean {
  if ((needs.needs_full_network || needs.needs_public_ipv4) && host.network !== 'full') return false
  if (needs.needs_public_ipv4 && public_ipv4s < 1) return false
  return needs.fabric === null || needs.fabric === host.fabric
}

function byPreference(a: Shelved, b: Shelved): number {
  return a.free - b.free || a.stocked.rank - b.stocked.rank
}
