import type { Bench } from './bench.ts'
import { cliStartBench } from './cli-start.ts'
import { consoleBench, consoleSizesBench } from './console/console.ts'
import { doctorBench } from './doctor.ts'
import { agentsBench } from './fleet/fleet-agents.ts'
import { planBench } from './fleet/fleet-plan.ts'
import { returnBench } from './fleet/fleet-return.ts'
import { edgeBench, growthBench, pagesBench } from './http.ts'
import { imageBench } from './images.ts'
import { roundsBench } from './machines/agent-rounds.ts'
import { bootBench } from './machines/machine-boot.ts'
import { bookBench, firstQuoteBench } from './market/market-book.ts'
import { engineBench } from './market/market-engine.ts'
import { ordersBench } from './market/orders.ts'
import { moneyBench } from './money.ts'
import { neighboursBench } from './neighbours/neighbours.ts'
import { peopleBench } from './people.ts'
import { prismBench } from './prism.ts'
import { fanoutBench, idleBench, lagBench } from './push/push.ts'
import { firstTryBench, rateApartBench, rateBench } from './push/webhooks.ts'
import { replaceBench } from './replace.ts'
import { startBench } from './start.ts'
import { workersBench } from './workers.ts'

/** The groups of `npm run bench`, each with its benches in the order in which they run. */
export const groups = {
  http: [edgeBench, pagesBench, cliStartBench, startBench, replaceBench, prismBench, growthBench],
  market: [engineBench, bookBench, firstQuoteBench, ordersBench, doctorBench],
  fleet: [planBench, agentsBench, returnBench, imageBench],
  machine_boot: [roundsBench, bootBench],
  neighbours: [neighboursBench],
  push: [fanoutBench, lagBench, idleBench, rateBench, rateApartBench, firstTryBench],
  money: [moneyBench],
  people: [peopleBench],
  workers: [workersBench],
  console: [consoleSizesBench, consoleBench],
} as const satisfies Readonly<Record<string, readonly Bench[]>>

export type GroupName = keyof typeof groups
