/** The coverage list, and the items of each seed. */
import { allCalls } from '../../calls/all.ts'
import type { Item } from './item.ts'
import { accessItems } from './items/access.ts'
import { accountItems } from './items/accounts.ts'
import { automationItems } from './items/automations.ts'
import { catalogueItems } from './items/catalogue.ts'
import { faultItems } from './items/faults.ts'
import { hostItems } from './items/hosts.ts'
import { imageItems } from './items/images.ts'
import { instanceItems } from './items/instances.ts'
import { lifecycleItems } from './items/lifecycles.ts'
import { limitItems } from './items/limits.ts'
import { listItems } from './items/lists.ts'
import { misfitItems } from './items/misfits.ts'
import { networkItems } from './items/network.ts'
import { orderItems } from './items/orders.ts'
import { poolItems } from './items/pools.ts'
import { purchaseItems } from './items/purchases.ts'
import { readItems } from './items/reads.ts'
import { referenceItems } from './items/references.ts'
import { transitionItems } from './items/transitions.ts'
import { withPlainReads } from './plain-reads.ts'

/** The number of consecutive seeds that cover the whole list. */
export const coverageSeeds = 16

const written: readonly Item[] = [
  ...lifecycleItems,
  ...accessItems,
  ...accountItems,
  ...limitItems,
  ...referenceItems,
  ...networkItems,
  ...imageItems,
  ...instanceItems,
  ...purchaseItems,
  ...misfitItems,
  ...automationItems,
  ...catalogueItems,
  ...hostItems,
  ...poolItems,
  ...orderItems,
  ...transitionItems,
  ...listItems,
  ...readItems,
  ...faultItems,
  ...allCalls.flatMap(({ items = [] }) => items),
]

export const coverageList: readonly Item[] = withPlainReads(written)

/** The items of a seed: every sixteenth one, from the seed's number on. */
export function shareOf(seed: number): readonly Item[] {
  return coverageList.filter((_, index) => index % coverageSeeds === seed % coverageSeeds)
}
