/** What the page of an instance says about its state, from the explanation of the server. Pure. */
import type { InstanceExplanation } from '@bourse/sdk'

type Reasons = { readonly reasons: readonly { readonly code: string; readonly message: string }[] }
type WaitingFacts = Reasons & { readonly next_allocation_at: number | null }
type ExplainedState = Pick<InstanceExplanation, 'state' | 'summary'> & {
  readonly boot: Reasons | null
  readonly waiting: WaitingFacts | null
  readonly termination: Pick<NonNullable<InstanceExplanation['termination']>, 'deadline_at' | 'ended_at'> | null
}

/** Its sentences, without what is shown as a time. */
export function linesOf({ state, summary, waiting, boot, termination }: ExplainedState): readonly string[] {
  const reasons = [...(waiting?.reasons ?? []), ...(boot?.reasons ?? [])]
  if (reasons.length > 0) return reasons.map(({ message }) => message)
  // These are shown with the time of the end.
  const hasEnd = termination !== null && (termination.ended_at !== null || termination.deadline_at !== null)
  return hasEnd && state !== 'failed' ? [] : [summary]
}

/** Whether an instance waits for nodes that its pool does not have, and that nobody has bought for later. */
export function needsPurchase({ reasons, next_allocation_at }: WaitingFacts): boolean {
  return next_allocation_at === null && reasons.some(({ code }) => code === 'no_allocation' || code === 'outranked')
}
