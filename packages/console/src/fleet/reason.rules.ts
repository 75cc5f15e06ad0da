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

/** Why an instance ends, as a sentence. */
const causes: Readonly<Record<string, string>> = {
  guest_shutdown: 'It shut itself down.',
  deployment_deleted: 'Its deployment was deleted.',
  scaled_down: 'Its deployment keeps fewer instances.',
  allocation_ended: 'Its pool had no node for it any more.',
  sold: 'Its node was sold.',
  transferred: 'Its node was moved to another pool.',
  host_retired: 'Its host was retired.',
  host_unfit: 'Its host does not keep what it promises.',
  host_lost: 'Its host was lost.',
}

/** Why it ends or has ended, where that is more than that somebody ended it. */
export function causeText(reason: string): string {
  if (reason === 'user' || reason === 'replaced') return ''
  return causes[reason] ?? `Because of: ${reason.replaceAll('_', ' ')}.`
}

/** How it ended: by whom, where a person or a program did it. */
export function endedText(reason: string, who: string | undefined): string {
  const by = who === undefined ? '' : ` by ${who}`
  if (reason === 'replaced') return `Replaced${by}`
  return reason === 'user' ? `Ended${by}` : 'Ended'
}

/** The shares of a line from the beginning of an instance to the end that it could have. */
export type LifeShares = { readonly past: number; readonly rest: number; readonly more: number }

type InstanceLife = { readonly begin: number; readonly now: number; readonly end: number; readonly extended: number }

/** What has passed, what is left, and what an extension adds, in percent of all of it. */
export function lifeShares({ begin, now, end, extended }: InstanceLife): LifeShares {
  const whole = Math.max(1, Math.max(end, extended) - begin)
  const percent = (seconds: number) => (100 * Math.max(0, seconds)) / whole
  return {
    past: percent(Math.min(now, end) - begin),
    rest: percent(end - Math.max(now, begin)),
    more: percent(extended - end),
  }
}
