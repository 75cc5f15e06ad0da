/** What a halt of the market stops. Pure. */
import type { PlatformOrder, PlatformPool } from '@bourse/sdk'
import { counted } from '@bourse/text/formats/amounts.ts'
import { stepsOf, valueAt } from '../live/steps.rules.ts'

/** What is halted. */
export type HaltScope = 'market' | 'sku'

/** What a halt stops, in numbers. */
export type StoppedCounts = {
  readonly orders: number
  readonly accounts: number
  readonly procurements: number
  readonly deployments: number
}

/** Counts open orders, and what buys for pools. */
export function stoppedBy(
  orders: readonly Pick<PlatformOrder, 'account'>[],
  pools: readonly Pick<PlatformPool, 'procurements' | 'deployments'>[],
): StoppedCounts {
  const buyers = (of: 'procurements' | 'deployments') => {
    return new Set(pools.flatMap((pool) => pool[of].map(({ id }) => String(id)))).size
  }
  return {
    orders: orders.length,
    accounts: new Set(orders.map(({ account }) => account)).size,
    procurements: buyers('procurements'),
    deployments: buyers('deployments'),
  }
}

/**
 * The counts as a sentence has them, without what there is none of: `14 open orders of 6 accounts, 3 procurements and 2
 * deployments`.
 */
export function stoppedText({ orders, accounts, procurements, deployments }: StoppedCounts): string {
  const of = orders === 0 ? '' : ` of ${counted(accounts, 'account')}`
  const buying = [
    procurements === 0 ? '' : counted(procurements, 'procurement'),
    deployments === 0 ? '' : counted(deployments, 'deployment'),
  ].filter((text) => text !== '')
  const last = buying.pop()
  const all = [`${counted(orders, 'open order')}${of}`, ...buying].join(', ')
  return last === undefined ? all : `${all} and ${last}`
}

/** What a halt of one SKU stops and leaves, in numbers. */
export type SkuHaltCounts = {
  readonly orders: number
  readonly accounts: number
  /** Procurements and deployments that have an order there. */
  readonly automations: number
  /** Nodes that are owned now, and by how many accounts. */
  readonly nodes: number
  readonly owners: number
}

type SkuOrder = Pick<PlatformOrder, 'account' | 'managed_by'>
type SkuPool = Pick<PlatformPool, 'account' | 'kind' | 'allocation_schedule'>

/** Counts the open orders of a SKU, and what customers own of it now. */
export function stoppedOfSku(
  sku: string,
  { orders, pools, now }: { orders: readonly SkuOrder[]; pools: readonly SkuPool[]; now: number },
): SkuHaltCounts {
  const owned = pools
    .filter(({ kind }) => kind !== 'originating')
    .map(({ account, allocation_schedule: { by_sku } }) => ({ account, nodes: nodesOf(by_sku, sku, now) }))
    .filter(({ nodes }) => nodes > 0)
  return {
    orders: orders.length,
    accounts: new Set(orders.map(({ account }) => account)).size,
    automations: new Set(orders.flatMap(({ managed_by }) => (managed_by === null ? [] : [String(managed_by.id)]))).size,
    nodes: owned.reduce((sum, { nodes }) => sum + nodes, 0),
    owners: new Set(owned.map(({ account }) => account)).size,
  }
}

function nodesOf(bySku: SkuPool['allocation_schedule']['by_sku'], sku: string, now: number): number {
  const ranges = Object.entries(bySku).find(([id]) => id === sku)?.[1] ?? []
  return valueAt(stepsOf(ranges), now) ?? 0
}

/** The same as two sentences. */
export function skuHaltText({ orders, accounts, automations, nodes, owners }: SkuHaltCounts): string {
  const of = orders === 0 ? '' : ` of ${counted(accounts, 'account')}`
  const some = automations === 0 ? '' : `, among them those of ${counted(automations, 'automation')}`
  const owned = `${counted(nodes, 'node')} of ${counted(owners, 'account')}`
  const kept =
    nodes === 0 ? 'Nobody owns any of it now.' : `${owned} ${nodes === 1 ? 'is' : 'are'} owned now, and not touched.`
  return `It stops ${counted(orders, 'open order')}${of}${some}. ${kept}`
}
