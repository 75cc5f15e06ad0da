/** An item of the coverage list, and what it can do. */
import type { OperationName } from '@bourse/api/contract.ts'
import type { ErrorCode } from '@bourse/api/kit/errors.ts'
import type { CallPlan, SimActor, SimContext } from '../context.ts'
import type { ReplicaResponse } from '../replicas/client.ts'
import type { ReplicaFault } from '../replicas/replicas.ts'
import type { WorldFixtures } from '../world.ts'

export type Item = {
  /** Unique, in kebab-case: `--leave-out` and `--item` take it. */
  readonly name: string
  /** Counts of the run that the item increases. */
  readonly covers: readonly string[]
  readonly work: (pass: Pass) => Promise<void>
}

/** A call of an item, by the coverage account unless it says otherwise. */
export type ItemCall = Pick<
  Partial<CallPlan>,
  'params' | 'query' | 'body' | 'key' | 'accept' | 'token' | 'transfer'
> & {
  readonly by?: SimActor
  /** The path parameter `id`. */
  readonly id?: string
  /** The account of the created resource, if it is not the caller's. */
  readonly owner?: SimActor
  /** Injected when the command reaches its failpoint. */
  readonly fault?: ReplicaFault
}

/** The functions of an item. Every precondition is a fixture of the world or created by the item. */
export type Pass = {
  readonly context: SimContext
  readonly account: SimActor
  readonly partner: SimActor
  readonly platform: SimActor
  readonly fixtures: WorldFixtures
  send(op: OperationName, call?: ItemCall): Promise<ReplicaResponse>
  /** Sends a call that must succeed. Returns the body. */
  ok(op: OperationName, call?: ItemCall): Promise<any>
  /** Sends a call that must be refused with this code. Returns the body. */
  refuse(op: OperationName, code: ErrorCode, call?: ItemCall): Promise<any>
  /** Sends a call again with its key. The first response must be returned. */
  replay(op: OperationName, call: ItemCall, first: unknown): Promise<void>
  /** Pauses a command, sends the same call again, and resumes the first one. */
  duplicate(op: OperationName, call: ItemCall): Promise<void>
  /** Pauses a command, and waits until the same call, sent again, is refused because its key is in use. */
  duplicateUntilTimeout(op: OperationName, call: ItemCall): Promise<void>
  /** Advances the clock and runs due work. */
  advance(seconds: number): Promise<void>
  /** A unique name, alias or key. */
  unique(): string
  /** The start of the current minute. */
  minute(): number
}

export const done = (op: OperationName): string => `done ${op}`
export const refusal = (op: OperationName, code: ErrorCode): string => `code ${op} ${code}`
export const injected = ({ kind, at }: ReplicaFault): string => `injected ${kind} ${at}`
