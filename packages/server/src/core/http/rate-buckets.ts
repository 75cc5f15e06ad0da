/**
 * Token buckets in GCRA form. A bucket is the moment at which it is full again; a request moves that moment one
 * interval on and is refused where it would then lie beyond the burst. A second moment spreads refused requests over
 * the time that it takes to serve them, so that a client that obeys Retry-After is not refused again. Times are whole
 * microseconds of a monotonic clock: sums stay exact.
 */
import type { RateExchange, Untold } from './rate-exchange.ts'

/** A bucket. */
export type Bucket = Untold & { full_at: number; promised_at: number }

/** What all buckets of one kind have in common. */
export type RateRule = {
  /** Value of the header RateLimit-Policy. */
  readonly policy: string
  readonly burst: number
  readonly interval: number
  readonly window: number
  /** The most that is owed where workers have let through more than the burst before they heard of each other. */
  readonly owed_max: number
}

/** The buckets of one kind. */
export type Buckets = {
  readonly rule: RateRule
  find(key: string, now: number): Bucket
  /** Notes a change of a bucket for the other workers: how far it moved the first and the second moment. */
  note(bucket: Bucket, now: number, drawn: number, promised: number): void
}

type RuleOptions = {
  /** The name in the header. */
  readonly name: string
  readonly burst: number
  readonly per_second: number
  /** Microseconds. */
  readonly owed_max: number
}

export const second = 1_000_000
// Addresses cost nothing to invent. Beyond this many in one window the oldest are dropped early.
const bucketsMax = 200_000

/** A rule for a limit. Rounded so that no bucket ever exceeds its share of it. */
export function ruleOf({ name, per_second, owed_max, ...limit }: RuleOptions): RateRule {
  const burst = Math.max(1, Math.floor(limit.burst))
  const interval = Math.max(1, Math.ceil(second / per_second))
  const window = burst * interval
  return {
    burst,
    interval,
    window,
    owed_max,
    policy: `"${name}";q=${burst};w=${Math.ceil(window / second)}`,
  }
}

/**
 * A bucket that was unused for a whole window is full, like a new one. So buckets are kept in two maps. Once in
 * a window the young map becomes the old one, and the former old one is dropped without loss.
 */
export function createBuckets(buckets: string, rule: RateRule, exchange?: RateExchange): Buckets {
  let young = new Map<string, Bucket>()
  let old = new Map<string, Bucket>()
  let turnAt = Number.NEGATIVE_INFINITY

  function find(key: string, now: number): Bucket {
    if (now >= turnAt || young.size >= bucketsMax) {
      old = young
      young = new Map()
      turnAt = now + rule.window
    }
    let bucket = young.get(key)
    if (bucket === undefined) {
      bucket = old.get(key) ?? { buckets, key, full_at: 0, promised_at: 0, drawn: 0, promised: 0, is_waiting: false }
      young.set(key, bucket)
    }
    return bucket
  }

  return {
    rule,
    find,
    note: (bucket, now, drawn, promised) => exchange?.note(bucket, now + rule.window - bucket.full_at, drawn, promised),
  }
}

/** The time until one more request fits; 0 or less if it fits now. */
export function waitFor(rule: RateRule, bucket: Bucket, now: number): number {
  return Math.max(bucket.full_at, now) + rule.interval - rule.window - now
}

/** Draws one request. */
export function draw({ rule, note }: Buckets, bucket: Bucket, now: number): void {
  bucket.full_at = Math.max(bucket.full_at, now) + rule.interval
  note(bucket, now, rule.interval, 0)
}

/**
 * Draws units even from an empty bucket. Returns the time until the bucket had room for the first of them. Nothing is
 * owed beyond the rule's most: a sender that stops is served again soon.
 */
export function drawUnits({ rule, find, note }: Buckets, sender: string, units: number, now: number): number {
  const bucket = find(sender, now)
  const wait = waitFor(rule, bucket, now)
  const before = Math.max(bucket.full_at, now)
  bucket.full_at = Math.min(before + units * rule.interval, now + rule.window + rule.owed_max)
  note(bucket, now, bucket.full_at - before, 0)
  return Math.max(0, wait)
}

/** Gives back half of a request. */
export function giveBackHalf({ rule, note }: Buckets, bucket: Bucket, now: number): void {
  const half = Math.floor(rule.interval / 2)
  bucket.full_at -= half
  note(bucket, now, -half, 0)
}

/**
 * The time after which a refused request is to come back: one interval after the previous refusal, but only as soon as
 * it can fit, and otherwise at most one window ahead. A client that does not obey must not delay the others of its
 * account without limit.
 */
export function promise({ rule, note }: Buckets, bucket: Bucket, wait: number, now: number): number {
  const before = Math.max(now + wait, bucket.promised_at)
  const at = Math.max(now + wait, Math.min(bucket.promised_at, now + rule.window))
  bucket.promised_at = at + rule.interval
  note(bucket, now, 0, bucket.promised_at - before)
  return at - now
}

/**
 * Moves a bucket by what another worker drew and promised. A bucket that is drawn from later than it was is fuller by
 * what has flowed in meanwhile, so a worker takes a bucket to be at most one exchange emptier than it is.
 */
export function moveBucket({ rule, find }: Buckets, key: string, now: number, drawn: number, promised: number): void {
  const bucket = find(key, now)
  const from = drawn > 0 ? Math.max(bucket.full_at, now) : bucket.full_at
  bucket.full_at = Math.min(from + drawn, now + rule.window + rule.owed_max)
  if (promised <= 0) return
  const fits = now + Math.max(0, waitFor(rule, bucket, now))
  const latest = Math.max(fits, now + rule.window) + rule.interval
  bucket.promised_at = Math.min(Math.max(bucket.promised_at, fits) + promised, latest)
}

/** The requests that fit now. */
export function remainingIn(rule: RateRule, bucket: Bucket, now: number): number {
  return Math.max(0, Math.floor((rule.window - Math.max(0, bucket.full_at - now)) / rule.interval))
}
