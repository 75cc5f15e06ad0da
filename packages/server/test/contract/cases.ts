/** One call for every operation of the contract. It succeeds for a caller with the right. */
import { endpoints, type Operation, type OperationName } from '@bourse/api/contract.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { ContractCase } from './case.ts'
import { fleetCases } from './fleet-cases.ts'
import { iamCases } from './iam-cases.ts'
import { marketCases } from './market-cases.ts'
import { sandboxCases } from './sandbox-cases.ts'
import { supplyCases } from './supply-cases.ts'
import { webhookCases } from './webhook-cases.ts'

type CaseInput<N extends OperationName> = Input<Operation<N>>

/** An operation that takes a path parameter, a body, or a query that must be given. Others are called without input. */
type OperationWithInput = {
  [N in OperationName]: object extends CaseInput<N>['params'] & CaseInput<N>['query']
    ? CaseInput<N>['body'] extends undefined
      ? never
      : N
    : N
}[OperationName]

/** The type requires completeness: a new operation that takes input does not compile without its call. */
const withInput: Readonly<Record<OperationWithInput, ContractCase> & Partial<Record<OperationName, ContractCase>>> = {
  ...iamCases,
  ...webhookCases,
  ...supplyCases,
  ...marketCases,
  ...fleetCases,
  ...sandboxCases,
}

const withoutInput = Object.fromEntries(endpoints.map(({ name }): [OperationName, ContractCase] => [name, {}]))

export const cases = { ...withoutInput, ...withInput } as Readonly<Record<OperationName, ContractCase>>
