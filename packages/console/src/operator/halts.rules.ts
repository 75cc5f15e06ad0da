/** What a halt of the market stops. Pure. */
import type { PlatformOrder, PlatformPool } from '@bourse/sdk'
import { counted } from '@bourse/text/formats/amounts.ts'

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

/** The counts as a sentence has them: `14 open orders of 6 accounts, 3 procurements and 2 deployments`. */
export function stoppedText({ orders, accounts, procurements, deployments }: StoppedCounts): string {
  const of = orders === 0 ? '' : ` of ${counted(accounts, 'account')}`
  const buying = `${counted(procurements, 'procurement')} and ${counted(deployments, 'deployment')}`
  return `${counted(orders, 'open order')}${of}, ${buying}`
}
