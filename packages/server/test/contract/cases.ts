/** One call for every operation of the contract. It succeeds for a caller with the right. */
import type { OperationName } from '@bourse/api/contract.ts'
import type { Case } from './case.ts'
import { fleetCases } from './fleet-cases.ts'
import { iamCases } from './iam-cases.ts'
import { marketCases } from './market-cases.ts'
import { sandboxCases } from './sandbox-cases.ts'
import { supplyCases } from './supply-cases.ts'
import { webhookCases } from './webhook-cases.ts'

const processCases = {
  get_health: {},
  get_readiness: {},
  get_version: {},
  get_signing_keys: {},
  get_openapi: {},
  get_docs: {},
  get_metrics: {},
}

/** The type requires completeness: a new operation of the contract does not compile without its call. */
export const cases: Readonly<Record<OperationName, Case>> = {
  ...iamCases,
  ...webhookCases,
  ...supplyCases,
  ...marketCases,
  ...fleetCases,
  ...sandboxCases,
  ...processCases,
}
