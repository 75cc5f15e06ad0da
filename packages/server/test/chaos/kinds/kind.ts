import type { DatabaseKind, Stage } from '../stage.ts'
import type { Goals } from '../verdict.ts'

/** A kind of fault. */
export type ChaosKind = {
  /** What is done, as a sentence of the report. */
  readonly what: string
  /** What the clients may see of it, as a sentence of the report. */
  readonly promise: string
  readonly database: DatabaseKind
  /** Whether it leaves another database behind, so that no other kind can follow on it. */
  readonly uses_up?: true
  readonly goals: Goals
  /** Why it cannot be injected on this machine; undefined or false if it can. */
  readonly missing?: string | false
  /** Injects it. It resolves once the fault has ended and all replicas are ready. */
  inject(stage: Stage, fault: Fault): Promise<void>
}

/** The moments of a fault, and for how long it should last. */
export type Fault = {
  readonly milliseconds: number
  begin(): void
  end(): void
  /** Something is started again: how long answers take from now on says nothing of the fault. */
  repair(): void
}
