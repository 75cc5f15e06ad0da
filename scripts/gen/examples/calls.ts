/** The calls from which the examples of the reference are recorded, in the order in which they are sent. */
import { allCalls } from '../../../packages/server/test/calls/all.ts'
import { accessCalls, eventCalls } from './account-calls.ts'
import type { Calls } from './example-call.ts'
import { deploymentCalls, imageCalls, instanceCalls, networkCalls } from './fleet-calls.ts'
import { bookCalls, marketCalls, moneyCalls, procurementCalls } from './market-calls.ts'
import { accountCalls, hostCalls, marketAdministrationCalls, sandboxCalls } from './operator-calls.ts'

/** All calls. Those of money come before the clock first moves, so that every run has the same trades. */
export const exampleCalls: readonly Calls[] = [
  accessCalls,
  eventCalls,
  marketCalls,
  bookCalls,
  moneyCalls,
  accountCalls,
  ...allCalls.flatMap(({ examples }) => (examples ? [examples] : [])),
  imageCalls,
  networkCalls,
  instanceCalls,
  deploymentCalls,
  procurementCalls,
  hostCalls,
  marketAdministrationCalls,
  sandboxCalls,
]
