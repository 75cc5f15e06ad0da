/** What a round of chaos has to show, computed from what its clients, readers and checks recorded. Pure. */

/** The lists in which clients create resources. */
export const lists = {
  firewalls: '/preview/v2/firewalls',
  orders: '/v2/orders',
  deployments: '/preview/v2/deployments',
}
export type ListName = keyof typeof lists

/** A call that creates or removes a resource, from its intent to its answer. Times are monotonic milliseconds. */
export type Intent = {
  readonly account: string
  readonly list: ListName
  /** The id of the resource that it removes; undefined for a call that creates one. */
  readonly removes: string | undefined
  readonly began: number
  attempts: number
  /** When its newest attempt began. */
  tried: number
  /** `refused`: by an answer that a retry does not change. `open`: unknown, until a retry has an answer. */
  outcome: 'open' | 'acknowledged' | 'refused'
  /** Whether its first attempt failed, so that a client without retries saw a failure. */
  has_failed: boolean
  /** Whether an attempt was refused for the rate of its account (429). */
  was_rate_limited: boolean
  /** Whether it took more attempts than the SDK makes, so that a client with its retries saw a failure. */
  was_given_up: boolean
  /** Whether the answer was a stored one: an attempt without an answer had taken effect. */
  was_replayed: boolean
  resource: string | undefined
  answered: number | undefined
}

/** A resource of an account. */
export type LoadedResource = { readonly account: string; readonly list: ListName; readonly id: string }

/** What a follower of the log of an account received, and what the log has. */
export type ReaderRecord = {
  readonly account: string
  /** All ids that it ever received, also those that it had to forget. */
  readonly ever: readonly string[]
  /** The ids since it last began. */
  readonly received: readonly string[]
  readonly log: readonly string[]
  /** How often its cursor had ended (410). */
  readonly gone: number
}

/** An attempt that got an answer. */
export type AnswerTime = { readonly at: number; readonly milliseconds: number }

/** What an account got that asks for more than its share. */
export type NoisyAnswers = {
  /** How often it got each status, or no answer. */
  readonly statuses: Map<string, number>
  /** Of those with status 429, how many did not say when to try again. */
  without_retry_after: number
}

/** What a kind of fault may do, beside what none may. */
export type Goals = {
  /** Whether acknowledged writes are lost on purpose. Then some must be, and the report says which. */
  readonly loses_commits?: true
  /** No attempt fails, so that clients without retries see nothing. */
  readonly fails_nothing?: true
  /** An account asks for more than its share. It must be refused, and told when to try again. */
  readonly limits_noise?: true
  /** No account of the load is refused for its rate. */
  readonly limits_nobody?: true
  /** No call takes more attempts than the SDK makes. Not asserted by tests, since attempts have a time limit. */
  readonly retries_suffice?: true
  /** The longest time from the end of the fault to the first write that succeeds. Not asserted by tests. */
  readonly writes_again_milliseconds?: number
  /** How much longer the p99 of the answers may take than before the fault, as a factor. Not asserted by tests. */
  readonly slower_max?: number
}

/** When a fault began and ended, and when something was started again; Infinity if nothing was. */
export type FaultMoments = {
  readonly fault_began: number
  readonly fault_ended: number
  readonly repair_began: number
}

/** What was recorded in a round. */
export type Evidence = FaultMoments & {
  readonly goals: Goals
  readonly intents: readonly Intent[]
  /** Resources before the load, and those after it. */
  readonly baseline: readonly LoadedResource[]
  readonly present: readonly LoadedResource[]
  readonly readers: readonly ReaderRecord[]
  /** The ids of orders that have not exactly one event of their creation, or an event without an order. */
  readonly unpaired: readonly string[]
  /** Answers that must never be, such as a status 500. */
  readonly wrong: readonly string[]
  /** What a replica shows otherwise than the database. */
  readonly stale: readonly string[]
  /** Violations that `bourse doctor` found. */
  readonly violations: readonly string[]
  readonly samples: readonly AnswerTime[]
  readonly noise: NoisyAnswers
}

/** The figures of a round; those of failures and retries are of calls that had no answer when the fault began. */
export type RoundFigures = {
  readonly acknowledged: number
  readonly refused: number
  /** Attempts without an answer, or with one that says to retry. */
  readonly failed_attempts: number
  /** Calls of which an attempt without an answer had taken effect. Their retry got the stored answer. */
  readonly replayed: number
  readonly failed_without_retry: number
  readonly failed_with_retry: number
  readonly lost: number
  readonly doubled: number
  readonly events_read: number
  readonly cursors_ended: number
  /** From the end of the fault to the first acknowledged write that was sent after it; null if there was none. */
  readonly writes_again: number | null
  /** The longest time without an acknowledged write since the fault began. */
  readonly longest_pause: number
  /** Of attempts before the fault, and since it began until something is started again; null without one. */
  readonly p99_before: number | null
  readonly p99_after: number | null
}

export type RoundVerdict = {
  readonly figures: RoundFigures
  /** Acknowledged writes that are lost, as a method and a path. */
  readonly lost: readonly string[]
  /** What is wrong, whatever the machine. */
  readonly failures: readonly string[]
  /** Missed goals that depend on the speed of the machine. */
  readonly late: readonly string[]
}

/** Which acknowledged writes have no effect, and which effects nobody was told of. */
export function compareEffects({ intents, baseline, present }: Pick<Evidence, 'intents' | 'baseline' | 'present'>): {
  readonly lost: string[]
  readonly doubled: string[]
} {
  const there = new Set(present.map(keyOf))
  const acknowledged = intents.filter(({ outcome }) => outcome === 'acknowledged')
  const removed = new Set(intents.flatMap(({ removes, ...one }) => (removes ? [keyOf({ ...one, id: removes })] : [])))
  const told = new Set(baseline.map(keyOf))
  const lost: string[] = []
  const doubled: string[] = []
  for (const { account, list, removes, resource } of acknowledged) {
    const key = keyOf({ account, list, id: removes ?? resource ?? '' })
    if (removes !== undefined) {
      if (there.has(key)) lost.push(`DELETE ${key}`)
      continue
    }
    if (told.has(key)) doubled.push(`POST ${key} answered two calls`)
    told.add(key)
    if (!there.has(key) && !removed.has(key)) lost.push(`POST ${key}`)
  }
  for (const key of there) if (!told.has(key)) doubled.push(`nobody was told of ${key}`)
  return { lost, doubled }
}

function keyOf({ account, list, id }: LoadedResource): string {
  return `${account} ${lists[list]}/${id}`
}

/** What is wrong with what a reader received. */
export function judgeReader({ account, ever, received, log, gone }: ReaderRecord): string[] {
  const known = new Set(log)
  const isAhead = ever.some((id) => !known.has(id))
  const wrong: string[] = []
  const at = received.findIndex((id, index) => log[index] !== id)
  if (at >= 0 || received.length !== log.length)
    wrong.push(`${account}: a reader has ${received.length} events, the log has ${log.length}; they differ at ${at}`)
  if (isAhead && gone === 0) wrong.push(`${account}: a cursor after lost events was accepted`)
  if (!isAhead && gone > 0) wrong.push(`${account}: a cursor ended although nothing that it had passed was lost`)
  return wrong
}

/** Judges a round. */
export function judge(evidence: Evidence): RoundVerdict {
  const { goals, intents, readers, unpaired, wrong, stale, violations } = evidence
  const { lost, doubled } = compareEffects(evidence)
  const figures = figuresOf(evidence, { lost: lost.length, doubled: doubled.length })
  const failures = [
    ...(goals.loses_commits ? [] : lost.map((one) => `lost: ${one}`)),
    ...doubled.map((one) => `doubled: ${one}`),
    ...readers.flatMap(judgeReader),
    ...unpaired.map((id) => `the creation of ${id} and its event do not pair`),
    ...wrong,
    ...stale,
    ...violations,
    ...judgeNoise(evidence),
    ...(goals.loses_commits ? [] : readers.filter(({ gone }) => gone > 0).map(({ account }) => endedOf(account))),
  ]
  const open = intents.filter(({ outcome }) => outcome === 'open').length
  if (open > 0) failures.push(`${open} calls never had an answer`)
  if (goals.loses_commits && lost.length === 0) failures.push('no acknowledged write was lost, so nothing was tried')
  const { failed_without_retry } = figures
  if (goals.fails_nothing && failed_without_retry > 0)
    failures.push(`${failed_without_retry} calls failed at their first attempt`)
  const limited = intents.filter(({ was_rate_limited }) => was_rate_limited).length
  if (goals.limits_nobody && limited > 0)
    failures.push(`${limited} calls of quiet accounts were refused for their rate`)
  if (figures.writes_again === null) failures.push('no write succeeded after the fault')
  return { figures, lost, failures, late: lateOf(goals, figures) }
}

/** How often an account was refused: for its rate, or on a slow machine for too many requests at once. */
export function countRefused({ statuses }: NoisyAnswers): number {
  return [...statuses].reduce((sum, [status, count]) => (status.startsWith('429') ? sum + count : sum), 0)
}

/** What is wrong with the answers to an account that asked for more than its share. */
function judgeNoise({ goals, noise }: Pick<Evidence, 'goals' | 'noise'>): string[] {
  const { statuses, without_retry_after } = noise
  const wrong: string[] = []
  if (goals.limits_noise && countRefused(noise) === 0)
    wrong.push('the noisy account was never refused (429), so nothing was tried')
  if (without_retry_after > 0) wrong.push(`${without_retry_after} answers with status 429 had no Retry-After`)
  const broken = statuses.get('500') ?? 0
  if (broken > 0) wrong.push(`the noisy account got status 500 ${broken} times`)
  return wrong
}

function endedOf(account: string): string {
  return `${account}: a cursor ended although nothing was lost`
}

function lateOf(goals: Goals, { writes_again, p99_before, p99_after, failed_with_retry }: RoundFigures): string[] {
  const { writes_again_milliseconds: againMax = Infinity, slower_max = Infinity } = goals
  const late: string[] = []
  if (goals.retries_suffice && failed_with_retry > 0)
    late.push(`${failed_with_retry} calls took more attempts than the SDK makes`)
  if ((writes_again ?? 0) > againMax) late.push(`writes succeeded again after ${writes_again} ms, not ${againMax}`)
  if (p99_before !== null && p99_after !== null && p99_after > p99_before * slower_max)
    late.push(`the p99 of answers rose from ${p99_before} to ${p99_after} ms, by more than ${slower_max} times`)
  return late
}

function figuresOf(evidence: Evidence, { lost, doubled }: { lost: number; doubled: number }): RoundFigures {
  const { intents, readers, samples, fault_began, fault_ended, repair_began } = evidence
  const answered = intents.filter(({ outcome }) => outcome === 'acknowledged')
  const count = (is: (intent: Intent) => boolean) => intents.filter(is).length
  // What was over before the fault is none of its effects.
  const isMet = ({ answered: at = Infinity }: Intent) => at >= fault_began
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)
  const again = answered.flatMap(({ tried, answered: at = 0 }) => (tried >= fault_ended ? [at - fault_ended] : []))
  return {
    acknowledged: answered.length,
    refused: count(({ outcome }) => outcome === 'refused'),
    failed_attempts: sum(intents.filter(isMet).map(({ attempts, outcome }) => attempts - (outcome === 'open' ? 0 : 1))),
    replayed: count((one) => one.was_replayed && isMet(one)),
    failed_without_retry: count((one) => one.has_failed && isMet(one)),
    failed_with_retry: count((one) => one.was_given_up && isMet(one)),
    lost,
    doubled,
    events_read: sum(readers.map(({ ever }) => ever.length)),
    cursors_ended: sum(readers.map(({ gone }) => gone)),
    writes_again: again.length === 0 ? null : Math.round(Math.min(...again)),
    longest_pause: longestPause(answered, fault_began),
    p99_before: percentile99(samples.filter(({ at }) => at < fault_began)),
    p99_after: percentile99(samples.filter(({ at }) => at >= fault_began && at < repair_began)),
  }
}

function longestPause(answered: readonly Intent[], since: number): number {
  const times = answered.flatMap(({ answered: at = 0 }) => (at > since ? [at] : [])).toSorted((a, b) => a - b)
  return Math.round(Math.max(0, ...times.map((at, index) => at - (times[index - 1] ?? since))))
}

function percentile99(samples: readonly AnswerTime[]): number | null {
  const sorted = samples.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b)
  const value = sorted[Math.ceil(sorted.length * 0.99) - 1]
  return value === undefined ? null : Math.round(value)
}
