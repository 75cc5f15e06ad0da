/** The fleet as racks of slots: of each host what runs, is sold, is free, and cannot be delivered. Pure. */
import { fitOf, misfitsOf, needsOf } from '@bourse/api/fleet/fit.ts'
import type { FitFacts } from '@bourse/api/fleet/fit-slots.ts'
import type { AdministeredSku, Host, PlatformPool } from '@bourse/sdk'
import { durationText } from '@bourse/text/formats/short.ts'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { type Steps, stepsOf, summed, valueAt } from '../../live/steps.rules.ts'
import { momentText } from '../../ui/values.rules.ts'

/** What a slot is: in use, sold and not started, free, promised but not there, or not for use. */
export type SlotState = 'running' | 'sold' | 'free' | 'broken' | 'closed'

/** How a host is, in words. */
export type HostWord = { readonly text: string; readonly tone: 'none' | 'warn' | 'bad' }

/** One host with its slots, in their order. */
export type RackHost = {
  readonly id: string
  readonly name: string
  readonly hardware: string
  readonly slots: readonly SlotState[]
  readonly word: HostWord
}

/** The hosts of one SKU. */
export type Rack = {
  readonly sku: string
  readonly name: string
  readonly slots: number
  readonly running: number
  readonly sold: number
  readonly hosts: readonly RackHost[]
}

type DeskHost = Pick<
  Host,
  'id' | 'name' | 'sku' | 'state' | 'health' | 'health_message' | 'slots' | 'used_slots' | 'facts'
> &
  Pick<Host, 'last_seen_at' | 'drain_deadline_at'>

type FleetPresent = {
  readonly skus: readonly AdministeredSku[]
  /** Nodes of each SKU that customers own now. */
  readonly sold: ReadonlyMap<string, number>
  readonly now: number
}

/** Racks in the order of the names of SKUs, and hosts in the order of theirs. Retired hosts are left out. */
export function racksOf(hosts: readonly DeskHost[], present: FleetPresent): readonly Rack[] {
  const bySku = Map.groupBy(
    hosts.filter(({ state }) => state !== 'retired'),
    ({ sku }) => sku.id as string,
  )
  return [...bySku]
    .map(([sku, own]) => rackOf(sku, own, present))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

function rackOf(id: string, hosts: readonly DeskHost[], { skus, sold: nodes, now }: FleetPresent): Rack {
  const sku = skus.find((one) => one.id === id)
  const running = hosts.reduce((sum, host) => sum + host.used_slots, 0)
  const sold = nodes.get(id) ?? 0
  let waiting = Math.max(0, sold - running)
  const named = hosts.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
  const drawn = named.map((host): RackHost => {
    const fit = sku ? fitOf(host.facts as FitFacts, needsOf(sku), host.slots) : undefined
    // Which slot a sold node gets is decided when its instance starts: the first free ones stand for them.
    const slots = slotsOf(host, fit?.fitting_slots ?? host.slots).map((state): SlotState => {
      if (state !== 'free' || waiting === 0) return state
      waiting -= 1
      return 'sold'
    })
    return {
      id: host.id,
      name: host.name,
      hardware: hardwareOf(sku, host.slots),
      slots,
      word: wordOf(host, fit ? misfitsOf(fit).map(({ subject }) => subject) : [], now),
    }
  })
  const name = sku?.alias || hosts[0]?.sku.alias || id
  return { sku: id, name, slots: hosts.reduce((sum, host) => sum + host.slots, 0), running, sold, hosts: drawn }
}

function slotsOf({ slots, used_slots, state, health }: DeskHost, fitting: number): SlotState[] {
  const rest = health === 'faulted' ? 'broken' : state === 'active' && health === 'healthy' ? 'free' : 'closed'
  return Array.from({ length: slots }, (_, index) => {
    if (index >= fitting) return 'broken'
    return index < used_slots ? 'running' : rest
  })
}

function hardwareOf(sku: AdministeredSku | undefined, slots: number): string {
  const count = sku?.num_accelerators?.value ?? 1
  const kind = sku?.accelerator?.display_value
  const each = kind ? `${count} × ${kind}` : `${sku?.num_vcpus?.value ?? '–'} vCPUs`
  return `${each} · ${slots} ${slots === 1 ? 'slot' : 'slots'}`
}

function wordOf(host: DeskHost, lacking: readonly string[], now: number): HostWord {
  const { health, health_message, state, last_seen_at, drain_deadline_at } = host
  if (lacking.length > 0) return { text: `lacks ${lacking.join(', ')}`, tone: 'bad' }
  if (health === 'faulted') return { text: health_message ?? 'cannot run machines', tone: 'bad' }
  if (health !== 'healthy') {
    return {
      text: last_seen_at === null ? 'never seen' : `silent for ${durationText(now - last_seen_at)}`,
      tone: 'warn',
    }
  }
  if (state === 'draining' && drain_deadline_at !== null) {
    return { text: `drains until ${momentText(drain_deadline_at)}`, tone: 'warn' }
  }
  if (state === 'cordoned') return { text: 'takes no instances', tone: 'warn' }
  return state === 'active' ? { text: 'as promised', tone: 'none' } : { text: state, tone: 'warn' }
}

/** Whether a host keeps what its SKU promises, and is reached. */
export function isKept({ word }: RackHost): boolean {
  return word.tone === 'none'
}

/** Nodes of each SKU that customers own now: all but those that are still with the pools of hosts. */
export function soldNow(pools: readonly PlatformPool[], now: number): ReadonlyMap<string, number> {
  const sold = new Map<string, number>()
  for (const { kind, allocation_schedule } of pools) {
    if (kind === 'originating') continue
    for (const [sku, ranges] of Object.entries(allocation_schedule.by_sku)) {
      const nodes = valueAt(stepsOf(ranges), now) ?? 0
      if (nodes > 0) sold.set(sku, (sold.get(sku) ?? 0) + nodes)
    }
  }
  return sold
}

/** The node-hours of a time to come, and how many of them customers own. */
export type SoldShare = { readonly sold: number; readonly all: number }

/** What is sold of all that pools own within some hours. */
export function soldWithin(pools: readonly PlatformPool[], now: number, hours: number): SoldShare {
  const end = now + hours * hourSeconds
  const hoursOf = (own: readonly PlatformPool[]) => {
    const steps = summed(own.map(({ allocation_schedule }) => stepsOf(allocation_schedule.total)))
    return areaBetween(steps, now, end) / hourSeconds
  }
  return { sold: hoursOf(pools.filter(({ kind }) => kind !== 'originating')), all: hoursOf(pools) }
}

function areaBetween(steps: Steps, from: number, to: number): number {
  const inside = steps.filter(([at]) => at > from && at < to)
  const all: Steps = [[from, valueAt(steps, from) ?? 0], ...inside, [to, 0]]
  return all.slice(0, -1).reduce((sum, [at, value], index) => sum + value * ((all[index + 1]?.[0] ?? to) - at), 0)
}
