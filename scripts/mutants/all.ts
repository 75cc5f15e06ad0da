import { automationMutants } from './automation.ts'
import { clientMutants } from './clients.ts'
import { coreMutants } from './core.ts'
import { eventMutants } from './events.ts'
import { fleetMutants } from './fleet.ts'
import { imageMutants } from './images.ts'
import { marketMutants } from './market.ts'
import { moneyMutants } from './money.ts'
import type { Mutant } from './mutant.ts'
import { rightsMutants } from './rights.ts'

/** All mutants by hand, by area. */
export const mutants: readonly Mutant[] = [
  ...coreMutants,
  ...eventMutants,
  ...rightsMutants,
  ...fleetMutants,
  ...automationMutants,
  ...marketMutants,
  ...moneyMutants,
  ...imageMutants,
  ...clientMutants,
]
