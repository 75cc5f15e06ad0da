/** Orders in figures and words. Pure. */

import type { Order, PriceBucket, ScheduleEntry } from '@bourse/sdk'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { windowText } from '../../ui/values.rules.ts'
import { skuName } from '../sku.rules.ts'

/** The states in which an order can still trade. */
export const openStates = ['pending', 'standing', 'partially_filled'] as const

/** Whether an order can still trade or be cancelled. */
export function isOpen({ state }: Pick<Order, 'state'>): boolean {
  return (openStates as readonly string[]).includes(state)
}

/** The node-minutes of a schedule; what has no end counts for nothing. */
export function nodeMinutes(schedule: readonly ScheduleEntry[]): number {
  return schedule.reduce((sum, { start_at, end_at, node_count }) => {
    return sum + (((end_at ?? start_at) - start_at) / 60) * node_count
  }, 0)
}

/** How much of an order is filled, in whole percent, rounded down: 100 is all of it. */
export function filledPercent({ allocation_schedule_delta: asked, filled_allocation_schedule_delta: filled }: Order) {
  const all = nodeMinutes(asked)
  return all === 0 ? 0 : Math.floor((nodeMinutes(filled) / all) * 100)
}

/** The window of an order, and its nodes. */
export function windowOf({ allocation_schedule_delta }: Order): { start: number; end: number; nodes: number } {
  const first = allocation_schedule_delta[0]
  const last = allocation_schedule_delta.at(-1)
  return {
    start: first?.start_at ?? 0,
    end: last?.end_at ?? last?.start_at ?? 0,
    nodes: Math.max(0, ...allocation_schedule_delta.map(({ node_count }) => node_count)),
  }
}

/** Who placed an order: the automation, or else a person or program. A session is called by its person. */
export function placedBy({ managed_by, created_by }: Pick<Order, 'managed_by' | 'created_by'>): ShownPrincipal {
  if (managed_by) return { type: managed_by.object, id: managed_by.id, name: managed_by.name }
  const { type, id, name, email } = created_by
  return { type, id, name: name?.startsWith('session-') ? undefined : (name ?? email) }
}

type ShownPrincipal = {
  readonly type: string
  readonly id?: string | undefined
  readonly name?: string | null | undefined
}

/** What an order is called: `Buy 2 × h100-west`. */
export function orderTitle({ side, total, sku }: Pick<Order, 'side' | 'total' | 'sku'>): string {
  return `${side === 'buy' ? 'Buy' : 'Sell'} ${total.node_count} × ${skuName(sku)}`
}

/** The window of a fill: `Fri 27, 09:00–15:00`. */
export function filledWindow(schedule: readonly ScheduleEntry[]): string {
  const [first] = schedule
  const end = schedule.at(-1)?.end_at
  return first && end ? windowText(first.start_at, end) : ''
}

/** What of an order was bought: the window and the nodes that are there in all of it. Undefined where nothing was. */
export function boughtOf({ side, filled_allocation_schedule_delta: filled }: BoughtOrder): OrderWindow | undefined {
  const [first] = filled
  const last = filled.at(-1)
  if (side !== 'buy' || !first || !last || last.end_at === null) return undefined
  // What is not there in all of the window can neither be extended nor sold as one.
  const hasGap = filled.some(({ start_at }, index) => index > 0 && filled[index - 1]?.end_at !== start_at)
  if (hasGap) return undefined
  return { start: first.start_at, end: last.end_at, nodes: Math.min(...filled.map(({ node_count }) => node_count)) }
}

type BoughtOrder = Pick<Order, 'side' | 'filled_allocation_schedule_delta'>

/** The window of an order, in Unix seconds, and its nodes. */
export type OrderWindow = { readonly start: number; readonly end: number; readonly nodes: number }

/** How much of the total of an order is filled, as a sentence: by nodes where that has its window. */
export function filledText(order: Pick<Order, 'total'> & FilledParts): string {
  const { total, filled_allocation_schedule_delta: own, filled_before_allocation_schedule_delta: before } = order
  const parts = [...before, ...own]
  if (parts.length === 0) return ''
  const isSameWindow = parts.every(({ start_at, end_at }) => start_at === total.start_at && end_at === total.end_at)
  if (isSameWindow) {
    const count = parts.reduce((sum, { node_count }) => sum + node_count, 0)
    return `${count} of ${total.node_count} ${count === 1 ? 'is filled and stays' : 'are filled and stay'}.`
  }
  const hours = (schedule: readonly ScheduleEntry[]) => Math.round((nodeMinutes(schedule) / 60) * 100) / 100
  return `${hours(parts)} of ${hours([total])} node-hours are filled and stay.`
}

type FilledParts = Pick<Order, 'filled_allocation_schedule_delta' | 'filled_before_allocation_schedule_delta'>

/** The most hours of a price history that one request returns. */
export const hoursMax = 200

/**
 * The hours in which an order was filled, and the beginning of the block of hours that is asked for: a block begins
 * every half of its length, so that any order that was filled within half a block lies in one.
 */
export function filledHours(times: readonly number[]): { first: number; until: number; since: number } {
  const first = Math.floor(Math.min(...times) / hourSeconds) * hourSeconds
  const half = (hoursMax / 2) * hourSeconds
  const since = Math.floor(first / half) * half
  const until = Math.min(Math.floor(Math.max(...times) / hourSeconds) * hourSeconds + hourSeconds, since + 2 * half)
  return { first, until, since }
}

/** The prices of trades in buckets, together: the average by volume. Undefined where nothing was traded. */
export function averagePrice(buckets: readonly PriceBucket[]): number | undefined {
  const minutes = buckets.reduce((sum, { node_minutes }) => sum + node_minutes, 0)
  const total = buckets.reduce((sum, { total_dollars }) => sum + Number(total_dollars), 0)
  return minutes === 0 ? undefined : (total / minutes) * 60
}

/**
 * How an order's average price compares with the market's, in percent: positive where it was better for the one who
 * placed it, who paid less or got more.
 */
export function advantagePercent(order: Pick<Order, 'side'>, own: number, market: number): number {
  if (market === 0) return 0
  const above = ((own - market) / market) * 100
  return Math.round((order.side === 'sell' ? above : -above) * 10) / 10
}

/** That comparison as a sentence. */
export function againstMarketText(percent: number): string {
  if (percent === 0) return 'as the market'
  return `${Math.abs(percent)} % ${percent > 0 ? 'better' : 'worse'} than the market`
}

/** What an order does with what does not trade at once. */
export function ruleText({ allow_standing, allow_partial }: Pick<Order, 'allow_standing' | 'allow_partial'>): string {
  if (allow_partial) return allow_standing ? 'A part can be filled; the rest rests' : 'A part can be filled, at once'
  return allow_standing ? 'All or nothing; rests until then' : 'All or nothing, at once'
}
