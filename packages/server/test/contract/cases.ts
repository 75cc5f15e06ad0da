/** One call for every operation of the contract. It succeeds for a caller with the right. */
import { endpoints, type OperationName } from '@bourse/api/contract.ts'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import { allCalls } from '../calls/all.ts'
import { isOfPlatform, needsQuery, type PlainRead, plainReads } from '../calls/plain-reads.ts'
import type { ContractCase } from './case.ts'
import { fleetCases } from './fleet-cases.ts'
import { iamCases } from './iam-cases.ts'
import { marketCases } from './market-cases.ts'
import { sandboxCases } from './sandbox-cases.ts'
import { supplyCases } from './supply-cases.ts'

const written: Partial<Readonly<Record<OperationName, ContractCase>>> = {
  ...iamCases,
  ...supplyCases,
  ...marketCases,
  ...fleetCases,
  ...sandboxCases,
  ...Object.assign({}, ...allCalls.map((calls) => calls.cases)),
}

export const cases = Object.fromEntries(
  (endpoints as readonly Endpoint[]).map((endpoint) => [endpoint.name, caseOf(endpoint)]),
) as Readonly<Record<OperationName, ContractCase>>

function caseOf(endpoint: Endpoint): ContractCase {
  const name = endpoint.name as OperationName
  const plain = plainReads.get(name)
  if (written[name]) return written[name]
  if (plain) return caseOfPlain(plain)
  if (takesInput(endpoint)) throw new Error(`${name} takes input: write a case for it in packages/server/test/calls.`)
  return {}
}

/** Whether a call needs a path parameter, a body, or a query. */
function takesInput(endpoint: Endpoint): boolean {
  return Object.keys(endpoint.params.properties).length > 0 || needsQuery(endpoint) || endpoint.body !== undefined
}

/** A read of what the case of another operation creates. */
function caseOfPlain({ of }: PlainRead): ContractCase {
  if (of === undefined) return {}
  const { create, parameter } = of
  return {
    call: async (world) => {
      const { body = {} } = (await cases[create.name].call?.(world)) ?? {}
      const made = isOfPlatform(create)
        ? await world.operate(create.method, create.path, body)
        : await world.make(create.path, body)
      const paths = made.resource_path ? { paths: { [parameter]: made.resource_path } } : {}
      return { params: { [parameter]: made.id }, ...paths }
    },
  }
}
