/** A call from which examples of the reference are recorded. */
import type { Answer, OperationName } from '../../../packages/sdk/src/client-types.ts'
import { bytesOf } from '../../../packages/server/test/support/fixtures/images.ts'

/** The world of the calls: the quickstart, and the responses so far. */
export type ExampleWorld = {
  readonly ids: Readonly<Record<string, string>>
  /** The time of the sandbox, a whole minute. */
  readonly now: number
  /** The body of the response to an earlier call. */
  readonly made: <N extends OperationName>(operation: N) => Answer<N>
}

/** One call. The token of the platform, or of one of two operators, is used where `as` says so. */
export type ExampleCall = {
  readonly operation: OperationName
  readonly as?: 'platform' | 'an operator' | 'another operator'
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: object
  /** Sent after the call, so that later ones find what they need. Not recorded. */
  readonly after?: 'a delivery is attempted' | 'a minute passes' | 'a part is uploaded' | 'the sandbox settles'
}

/** The calls of one subject. One that depends on earlier responses is a function. */
export type Calls = (world: ExampleWorld) => readonly (ExampleCall | ((world: ExampleWorld) => ExampleCall))[]

/** The part of an image that is uploaded. */
export const partOfImage = bytesOf(4096)

/** Seconds. */
export const hour = 3600
