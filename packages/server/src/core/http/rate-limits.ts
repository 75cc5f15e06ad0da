/**
 * Rate limits: token buckets in GCRA form, in memory of one process. A bucket is the moment at which it is full again;
 * a request moves that moment one interval on and is refused where it would then lie beyond the burst.
 * A second moment spreads refused requests over the time that it takes to serve them, so that a client that obeys
 * Retry-After is not refused again. Times are whole microseconds of a monotonic clock: sums stay exact.
 */
import { type Endpoint, hasRateLimit, type RateClass } from '@bourse/api/kit/endpoint.ts'
import type { RefusalData } from '../base/refusal.ts'
import type { LimitCode } from '../work/fair-queue.ts'

/** The result of a draw, for the tighter of the two buckets. */
export type RateVerdict = {
  readonly allowed: boolean
  /** Burst of the bucket. */
  readonly limit: number
  /** Requests that would pass at once. */
  readonly remaining: number
  /** Until the bucket is full, rounded up. */
  readonly reset_seconds: number
  /** Value of the header RateLimit-Policy. */
  readonly policy: string
  /** 0 if allowed, otherwise at least 1, rounded up. */
  readonly retry_after_seconds: number
}

/** The caller of a request, and the class of its operation. */
export type RateRequest = {
  readonly rate: Exclude<RateClass, 'reports' | 'none'>
  readonly token_id: string
  readonly account_id: string
}

/** The buckets of one process. */
export type RateLimits = RefusingLimits & DelayingLimits

type RefusingLimits = {
  /** Draws from the token's and the account's bucket: from both or, if either is empty, from neither. */
  take(request: RateRequest): RateVerdict
  /** The same result without drawing; always allowed. */
  peek(request: RateRequest): RateVerdict
  /** Refunds half of the cost of an event list whose page was empty. */
  refundHalf(caller: Omit<RateRequest, 'rate'>): RateVerdict
  /** Draws for a report of a host. */
  takeReport(hostId: string): RateVerdict
  /** Draws for a request without a valid token, by the address that it came from. */
  takeFailedAuthentication(address: string): RateVerdict
}

type DelayingLimits = {
  /**
   * Draws for a request that no other bucket limits: of an operation without a token (`open`, by the address), or one
   * that is refused because its bucket is empty (`refused`, by the account or address). Returns the milliseconds for
   * which it is to be held, 0 for most.
   */
  delayOf(kind: DelayKind, sender: string): number
  /** The state of the bucket `open` of a sender, without drawing; always allowed. */
  peekOpen(sender: string): RateVerdict
  /** Draws for the body of a request of an account or a host. Returns the milliseconds before it is to be read. */
  delayOfBody(sender: string, bytes: number): number
  /** Draws more for a large response to a request without a token. */
  chargeResponse(address: string, bytes: number): void
}

/** Why a request may have to be held. */
export type DelayKind = 'open' | 'refused'

/** How the limits of docs/concepts/access.md, "Rate limits", are scaled. */
type RateLimitOptions = {
  /** Burst and refill are multiplied by it. */
  readonly multiplier: number
  /** Burst and refill are divided by it, because each process has buckets of its own. */
  readonly replicas: number
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
}

/** The refusal of a request that found its bucket empty. */
export function rateLimited({ retry_after_seconds }: RateVerdict): RefusalData {
  const message = `Too many requests. Try again in ${retry_after_seconds} s.`
  return { code: 'rate_limited', message, retry_after_seconds }
}

/** The code with which an operation refuses an account that is beyond any limit. Transfers have no endpoint. */
export function limitCodeOf(endpoint: Pick<Endpoint, 'access' | 'rate'> | undefined): LimitCode {
  return endpoint && hasRateLimit(endpoint) ? 'rate_limited' : 'unavailable'
}

type Bucket = { full_at: number; promised_at: number }
type RateRule = { readonly burst: number; readonly interval: number; readonly window: number; readonly policy: string }
type Buckets = { readonly rule: RateRule; find(key: string, now: number): Bucket }

const second = 1_000_000
const accountFactor = 4
/** A /48 of IPv6 may hold many customers, each with a /64, or be that of one. */
const wideFactor = 16
// Addresses cost nothing to invent. Beyond this many in one window the oldest are dropped early.
const bucketsMax = 200_000

// Burst, and requests a second: docs/concepts/access.md, "Rate limits".
const limits = {
  read: [200, 50],
  write: [50, 10],
  events: [60, 10],
  reports: [60, 2],
  auth: [10, 1 / 5],
  open: [100, 100],
  refused: [100, 50],
  body: [256, 512],
} as const
/** No request is held for longer. */
const longestDelay = 5 * second
/** A body counts as one for each of these, so that short ones are free. */
const bodyUnitBytes = 4 * 1024
/** A response without a token counts as one request more for each of these. */
const responseUnitBytes = 16 * 1024

/** Creates the buckets of a process, all full. */
export function createRateLimits({ multiplier, replicas, now }: RateLimitOptions): RateLimits {
  const scale = multiplier / replicas
  const pair = (name: keyof typeof limits) => ({
    token: createBuckets(ruleOf(name, scale)),
    account: createBuckets(ruleOf(name, scale * accountFactor)),
  })
  const classes = { read: pair('read'), write: pair('write'), events: pair('events') }
  const addresses = createBuckets(ruleOf('auth', scale))
  const wideNetworks = createBuckets(ruleOf('auth', scale * wideFactor))
  const hosts = createBuckets(ruleOf('reports', scale))
  const microseconds = () => Math.floor(now() * 1000)

  function take({ rate, token_id, account_id }: RateRequest): RateVerdict {
    const at = microseconds()
    const { token, account } = classes[rate]
    const tokenBucket = token.find(token_id, at)
    const accountBucket = account.find(account_id, at)
    const tokenWait = waitFor(token.rule, tokenBucket, at)
    const accountWait = waitFor(account.rule, accountBucket, at)
    if (tokenWait <= 0 && accountWait <= 0) {
      draw(token.rule, tokenBucket, at)
      draw(account.rule, accountBucket, at)
      return tighter(token.rule, tokenBucket, account.rule, accountBucket, at)
    }
    const tokenPromise = tokenWait > 0 ? promise(token.rule, tokenBucket, tokenWait, at) : 0
    const accountPromise = accountWait > 0 ? promise(account.rule, accountBucket, accountWait, at) : 0
    return tokenPromise >= accountPromise
      ? refused(token.rule, tokenBucket, tokenPromise, at)
      : refused(account.rule, accountBucket, accountPromise, at)
  }

  function peek({ rate, token_id, account_id }: RateRequest): RateVerdict {
    const at = microseconds()
    const { token, account } = classes[rate]
    return tighter(token.rule, token.find(token_id, at), account.rule, account.find(account_id, at), at)
  }

  function refundHalf({ token_id, account_id }: Omit<RateRequest, 'rate'>): RateVerdict {
    const at = microseconds()
    const { token, account } = classes.events
    const tokenBucket = token.find(token_id, at)
    const accountBucket = account.find(account_id, at)
    giveBackHalf(token.rule, tokenBucket)
    giveBackHalf(account.rule, accountBucket)
    return tighter(token.rule, tokenBucket, account.rule, accountBucket, at)
  }

  return {
    take,
    peek,
    refundHalf,
    takeReport: (hostId) => takeOne(hosts, hostId, microseconds()),
    takeFailedAuthentication: (address) => {
      const [network = '', wider] = networksOf(address)
      const verdict = takeOne(addresses, network, microseconds())
      if (!verdict.allowed || wider === undefined) return verdict
      const wide = takeOne(wideNetworks, wider, microseconds())
      return wide.allowed ? verdict : wide
    },
    ...createDelayBuckets(scale, microseconds),
  }
}

function takeOne({ rule, find }: Buckets, key: string, at: number): RateVerdict {
  const bucket = find(key, at)
  const wait = waitFor(rule, bucket, at)
  if (wait > 0) return refused(rule, bucket, promise(rule, bucket, wait, at), at)
  draw(rule, bucket, at)
  return allowed(rule, bucket, remainingIn(rule, bucket, at), at)
}

/** The buckets that refuse nothing. */
function createDelayBuckets(scale: number, now: () => number): DelayingLimits {
  const delayed = { open: createBuckets(ruleOf('open', scale)), refused: createBuckets(ruleOf('refused', scale)) }
  const bodies = createBuckets(ruleOf('body', scale))
  return {
    delayOf: (kind, sender) => drawUnits(delayed[kind], sender, 1, now()),
    peekOpen: (sender) => {
      const { rule, find } = delayed.open
      const at = now()
      const bucket = find(sender, at)
      return allowed(rule, bucket, Math.max(0, remainingIn(rule, bucket, at)), at)
    },
    delayOfBody: (sender, bytes) => {
      const units = Math.floor(bytes / bodyUnitBytes)
      return units === 0 ? 0 : drawUnits(bodies, sender, units, now())
    },
    chargeResponse: (address, bytes) => {
      const units = Math.floor(bytes / responseUnitBytes)
      if (units > 0) drawUnits(delayed.open, networkOf(address), units, now())
    },
  }
}

/**
 * The bucket of an address: its own for an IPv4 address, that of its /64 for an IPv6 address, since one customer
 * owns the whole /64.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1)
  const [head = '', tail] = (address.split('%', 1)[0] as string).split('::')
  const groups = head === '' ? [] : head.split(':')
  const behind = tail ? tail.split(':') : []
  if (tail !== undefined) while (groups.length + behind.length < 8) groups.push('0')
  return [...groups, ...behind].slice(0, 4).join(':')
}

/**
 * The networks whose buckets count for an address, the smallest first: {@link networkOf}, and for an IPv6 address also
 * its /48, since a customer with a larger network has 65,536 networks of the first kind.
 */
export function networksOf(address: string): string[] {
  const network = networkOf(address)
  return network.includes(':') ? [network, network.split(':', 3).join(':')] : [network]
}

// Rounded so that no bucket ever exceeds its share of the limit.
function ruleOf(name: keyof typeof limits, scale: number): RateRule {
  const [burstOfOne, perSecond] = limits[name]
  const burst = Math.max(1, Math.floor(burstOfOne * scale))
  const interval = Math.max(1, Math.ceil(second / (perSecond * scale)))
  const window = burst * interval
  return { burst, interval, window, policy: `"${name}";q=${burst};w=${Math.ceil(window / second)}` }
}

/**
 * A bucket that was unused for a whole window is full, like a new one. So buckets are kept in two maps. Once in
 * a window the young map becomes the old one, and the former old one is dropped without loss.
 */
function createBuckets(rule: RateRule): Buckets {
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
      bucket = old.get(key) ?? { full_at: 0, promised_at: 0 }
      young.set(key, bucket)
    }
    return bucket
  }

  return { rule, find }
}

// The time until one more request fits; 0 or less if it fits now.
function waitFor(rule: RateRule, bucket: Bucket, now: number): number {
  return Math.max(bucket.full_at, now) + rule.interval - rule.window - now
}

function draw(rule: RateRule, bucket: Bucket, now: number): void {
  bucket.full_at = Math.max(bucket.full_at, now) + rule.interval
}

/**
 * Draws units even from an empty bucket. Returns the milliseconds until the bucket had room for the first of them.
 * Beyond the longest delay nothing is owed: a sender that stops is served again soon.
 */
function drawUnits({ rule, find }: Buckets, sender: string, units: number, now: number): number {
  const bucket = find(sender, now)
  const wait = waitFor(rule, bucket, now)
  const full_at = Math.max(bucket.full_at, now) + units * rule.interval
  bucket.full_at = Math.min(full_at, now + rule.window + longestDelay)
  return Math.max(0, Math.min(wait, longestDelay)) / 1000
}

function giveBackHalf(rule: RateRule, bucket: Bucket): void {
  bucket.full_at -= Math.floor(rule.interval / 2)
}

// One interval after the previous refusal, but at most one window ahead: a client that does not obey must not delay
// the others of its account without limit.
function promise(rule: RateRule, bucket: Bucket, wait: number, now: number): number {
  const at = Math.min(Math.max(now + wait, bucket.promised_at), now + rule.window)
  bucket.promised_at = at + rule.interval
  return at - now
}

function remainingIn(rule: RateRule, bucket: Bucket, now: number): number {
  return Math.floor((rule.window - Math.max(0, bucket.full_at - now)) / rule.interval)
}

function tighter(tokenRule: RateRule, token: Bucket, accountRule: RateRule, account: Bucket, now: number): RateVerdict {
  const ofToken = remainingIn(tokenRule, token, now)
  const ofAccount = remainingIn(accountRule, account, now)
  return ofToken <= ofAccount ? allowed(tokenRule, token, ofToken, now) : allowed(accountRule, account, ofAccount, now)
}

function allowed(rule: RateRule, bucket: Bucket, remaining: number, now: number): RateVerdict {
  const { burst: limit, policy } = rule
  return { allowed: true, limit, remaining, reset_seconds: resetOf(bucket, now), policy, retry_after_seconds: 0 }
}

function refused(rule: RateRule, bucket: Bucket, wait: number, now: number): RateVerdict {
  const { burst: limit, policy } = rule
  const retry_after_seconds = Math.max(1, Math.ceil(wait / second))
  return { allowed: false, limit, remaining: 0, reset_seconds: resetOf(bucket, now), policy, retry_after_seconds }
}

function resetOf(bucket: Bucket, now: number): number {
  return Math.max(0, Math.ceil((bucket.full_at - now) / second))
}
