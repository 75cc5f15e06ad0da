import { accessPlants } from './access.ts'
import { automationPlants } from './automation.ts'
import { billingPlants } from './billing.ts'
import { clientPlants } from './clients.ts'
import { corePlants } from './core.ts'
import { eventPlants } from './events.ts'
import { fleetPlants } from './fleet.ts'
import { hostPlants } from './hosts.ts'
import { imagePlants } from './images.ts'
import { marketPlants } from './market.ts'
import type { Plant } from './plant.ts'

/** Every planted bug, area by area. */
export const plants: readonly Plant[] = [
  ...eventPlants,
  ...corePlants,
  ...accessPlants,
  ...fleetPlants,
  ...hostPlants,
  ...automationPlants,
  ...marketPlants,
  ...billingPlants,
  ...imagePlants,
  ...clientPlants,
]
