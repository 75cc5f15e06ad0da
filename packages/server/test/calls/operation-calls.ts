/** What calls of the operations of a noun look like: for tests of the contract, the simulation and the reference. */
import type { OperationName } from '@bourse/api/contract.ts'
import type { Calls } from '../../../../scripts/gen/examples/example-call.ts'
import type { ContractCase } from '../contract/case.ts'
import type { FilterRows } from '../contract/market-rows.ts'
import type { ContractWorld } from '../contract/world.ts'
import type { Item } from '../sim/coverage/item.ts'

/** One for each file of the contract that has more than plain reads. */
export type OperationCalls = {
  /** A call of each operation that succeeds, in the world of the tests of the contract. Plain reads need none. */
  readonly cases?: Partial<Readonly<Record<OperationName, ContractCase>>>
  /** For each list: two rows that each of its filters distinguishes. */
  readonly rows?: Partial<Readonly<Record<OperationName, (world: ContractWorld) => Promise<FilterRows>>>>
  /** Work of the simulation that reaches each operation, and each of its refusals. */
  readonly items?: readonly Item[]
  /** What the reference shows: calls in the order of a story, in the world of the quickstart. */
  readonly examples?: Calls
}
