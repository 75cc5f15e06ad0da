/** What the home of buyers says about what they have, what needs them, and how their money goes. Pure. */

import type { Event, Instance, InstanceExplanation, Pool, ScheduleEntry, Usage } from '@bourse/sdk'
import { daySeconds } from '@bourse/text/time/units.ts'
import { nextReduction } from '../fleet/capacity.rules.ts'
import { stepsOf, valueAt } from '../live/steps.rules.ts'
import { cut } from '../ui/table.rules.ts'
import type { Series } from '../ui/time-series.ts'
import { dayText, momentText } from '../ui/values.rules.ts'

/** A number of nodes from a moment on. */
export type NodeStep = { readonly at: number; readonly nodes: number }

/** How many nodes all pools own together, from now on: a step for each change within the time. */
export function allocationSteps(pools: readonly Pool[], now: number, until: number): readonly NodeStep[] {
  const entries = pools.flatMap(({ allocation_schedule }) => allocation_schedule.total)
  const moments = entries.flatMap(({ start_at, end_at }) => [start_at, end_at ?? until])
  const changes = [...new Set([now, ...moments.filter((at) => at > now && at < until)])].sort((a, b) => a - b)
  const steps = changes.map((at) => ({ at, nodes: nodesAt(entries, at) }))
  return steps.filter(({ nodes }, index) => index === 0 || nodes !== steps[index - 1]?.nodes)
}

function nodesAt(entries: readonly ScheduleEntry[], at: number): number {
  return entries
    .filter(({ start_at, end_at }) => start_at <= at && (end_at === null || at < end_at))
    .reduce((sum, { node_count }) => sum + node_count, 0)
}

/** The first second of the day and of the month of a moment, in UTC. */
export function beginnings(now: number): { readonly day: number; readonly month: number } {
  const date = new Date(now * 1000)
  return { day: now - (now % daySeconds), month: Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000 }
}

/** Dollars spent, less what sales brought, in the periods that begin at a moment or later. */
export function spentSince(rows: readonly Usage[], since: number): number {
  return rows
    .filter(({ period_start }) => period_start >= since)
    .reduce((sum, { bought_dollars, sold_dollars }) => sum + Number(bought_dollars) - Number(sold_dollars), 0)
}

/**
 * The days that the available money lasts at the pace of the last seven days; undefined where nothing was spent then.
 */
export function daysLeft(rows: readonly Usage[], availableDollars: string, now: number): number | undefined {
  const pace = spentSince(rows, now - (now % daySeconds) - 6 * daySeconds) / 7
  return pace <= 0 ? undefined : Math.max(0, Number(availableDollars)) / pace
}

/** An instance that ends soon. */
export type Ending = Pick<Instance, 'id' | 'name' | 'pool' | 'sku'> & { readonly deadline_at: number | null }
type Explained = Pick<Instance, 'id' | 'name' | 'pool' | 'sku'> & Pick<InstanceExplanation, 'termination'>

/**
 * Running instances that got notice: the first ones by their notices, which mostly is the order in which they end, and
 * how many others there are. `ids`: those of the notices, the newest first.
 */
export function noticedFirst(running: readonly Instance[], ids: readonly string[], most: number) {
  const places = new Map(ids.map((id, place) => [id, place]))
  const placeOf = ({ id }: Instance) => places.get(id) ?? 0
  return cut(
    running.toSorted((one, other) => placeOf(other) - placeOf(one)),
    most,
  )
}

/** Those that end, the first one at the top. A notice may have been withdrawn. */
export function inOrderOfEnd(explained: readonly Explained[]): readonly Ending[] {
  return explained
    .flatMap(({ id, name, pool, sku, termination }): Ending[] =>
      typeof termination?.notice_at === 'number'
        ? [{ id, name, pool, sku, deadline_at: termination.deadline_at ?? null }]
        : [],
    )
    .toSorted((one, other) => (one.deadline_at ?? 0) - (other.deadline_at ?? 0))
}

/** When a pool has fewer nodes of a SKU than it has now, and how many it loses. */
export type NextEnd = {
  readonly pool: Pick<Pool, 'id' | 'name' | 'kind'>
  readonly sku: string
  readonly at: number
  readonly lost: number
}

/** Seconds ahead in which an end or a beginning is told. */
const endsWithin = 7 * daySeconds

/** What ends first of what all pools own; of several that end together, the most nodes. */
export function nextEnd(pools: readonly Pool[], now: number): NextEnd | undefined {
  const ends = pools.flatMap(({ id, name, kind, allocation_schedule: { by_sku } }) =>
    Object.entries(by_sku).flatMap(([sku, schedule]): NextEnd[] => {
      const reduction = nextReduction(schedule, now)
      if (reduction === undefined || reduction.at > now + endsWithin) return []
      const lost = (valueAt(stepsOf(schedule), now) ?? 0) - reduction.nodes
      return [{ pool: { id, name, kind }, sku, at: reduction.at, lost }]
    }),
  )
  return ends.toSorted((one, other) => one.at - other.at || other.lost - one.lost)[0]
}

/** What a pool owns more of a SKU from a moment on. */
export type NextBegin = { readonly sku: string; readonly at: number; readonly nodes: number }

/** What begins first, within a week; of several that begin together, the most nodes. */
export function nextBegin(pools: readonly Pool[], now: number): NextBegin | undefined {
  const begins = pools.flatMap(({ allocation_schedule: { by_sku } }) =>
    Object.entries(by_sku).flatMap(([sku, schedule]): NextBegin[] => {
      const steps = stepsOf(schedule)
      const later = steps.filter(([at]) => at > now && at <= now + endsWithin)
      const gains = later.map(([at, nodes]) => ({ sku, at, nodes: nodes - (valueAt(steps, at - 1) ?? 0) }))
      return gains.filter(({ nodes }) => nodes > 0).slice(0, 1)
    }),
  )
  return begins.toSorted((one, other) => one.at - other.at || other.nodes - one.nodes)[0]
}

/** Days from which on no date is named: the pace will be another one long before. */
const daysNamed = 365
/** Days below which the time of the day counts too. */
const daysShort = 2

/** How long the money lasts, behind the amount; empty where nothing is spent. */
export function lastsText(days: number | undefined, now: number): string {
  if (days === undefined) return ''
  if (days > daysNamed) return 'at this pace for more than a year'
  const at = Math.floor(now + days * daySeconds)
  return `at this pace until ${days < daysShort ? momentText(at) : dayText(at)}`
}

/** `1 node`, `3 nodes`, `100+ nodes`: a count with its noun. */
export function counted(count: number, noun: string, hasMore = false): string {
  return `${count}${hasMore ? '+' : ''} ${noun}${count === 1 && !hasMore ? '' : 's'}`
}

/** The nodes that all pools own from now on, against the instances that run now. */
export function courseCharts(
  pools: readonly Pool[],
  running: number,
  { from, until }: { from: number; until: number },
): { readonly times: readonly number[]; readonly series: readonly Series[] } {
  const steps = allocationSteps(pools, from, until)
  const nodes = [...steps.map((step) => step.nodes), steps.at(-1)?.nodes ?? 0]
  return {
    times: [...steps.map(({ at }) => at), until],
    series: [
      { name: 'Nodes owned', kind: 'steps', values: nodes },
      { name: 'Instances that run now', kind: 'steps', color: 'warn', values: nodes.map(() => running) },
    ],
  }
}

/** Whether series have nothing to draw but the axis. */
export function isAllZero(series: readonly Series[]): boolean {
  return series.every(({ values }) => values.every((value) => value === null || value === 0))
}

/** What was spent on each day, less what sales brought: the days up to today, in UTC. */
export function spendCharts(
  rows: readonly Usage[],
  { today, days }: { today: number; days: number },
): { readonly times: readonly number[]; readonly series: readonly Series[] } {
  const times = Array.from({ length: days }, (_, index) => today - (days - 1 - index) * daySeconds)
  const values = times.map((at) => spentSince(rows, at) - spentSince(rows, at + daySeconds))
  return { times, series: [{ name: 'Spent', kind: 'bars', values: values.map((value) => Math.max(0, value)) }] }
}

/** The first steps of a person, with the action of the event that shows each of them as done. */
export const firstSteps = [
  { action: 'ssh_key.created', text: 'Add your SSH key', to: '/access', search: { tab: 'ssh-keys' } },
  { action: 'order.created', text: 'Buy node-hours', to: '/ticket', search: { side: 'buy' } },
  { action: 'instance.created', text: 'Start an instance on them', to: '/instances', search: { create: '1' } },
  { action: 'token.created', text: 'Create a token for a program', to: '/access', search: { tab: 'tokens' } },
] as const

/** The actions of first steps that a person has done, by the tokens of all sessions of the person. */
export function doneSteps(events: readonly Pick<Event, 'action' | 'actor'>[], own: ReadonlySet<string>): string[] {
  const isOwn = ({ actor }: Pick<Event, 'actor'>) => actor.type === 'token' && own.has(actor.id)
  return firstSteps
    .map(({ action }) => action)
    .filter((action) => events.some((one) => one.action === action && isOwn(one)))
}
