/**
 * Rate limits: token buckets in memory of one process. The workers of a replica tell each other what they drew
 * (rate-exchange.ts), so that the limit of the replica holds for one connection and for many.
 */
import { type Endpoint, hasRateLimit, type RateClass } from '@bourse/api/kit/endpoint.ts'
import type { Later } from '../base/clock.ts'
import type { RefusalData } from '../base/refusal.ts'
import type { LimitCode } from '../work/fair-queue.ts'
import {
  type Bucket,
  type Buckets,
  createBuckets,
  draw,
  drawUnits,
  giveBackHalf,
  moveBucket,
  promise,
  type RateRule,
  remainingIn,
  ruleOf,
  second,
  waitFor,
} from './rate-buckets.ts'
import { createRateExchange, type RateSiblings } from './rate-exchange.ts'

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

/** How the limits of docs/concepts/rate-limits.md, "Buckets of requests", are scaled. */
type RateLimitOptions = {
  /** Burst and refill are multiplied by it. */
  readonly multiplier: number
  /** Burst and refill are divided by it, because each replica has buckets of its own. */
  readonly replicas: number
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
  /** The other workers of the replica, if it has several. They draw from the same buckets. */
  readonly siblings?: RateSiblings | undefined
  /** Timers of the exchange with them. The default is those of the process. */
  readonly later?: Later | undefined
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

/** The buckets of an account are so many times as large as those of a token. */
export const accountFactor = 4
/** A /48 of IPv6 may hold many customers, each with a /64, or be that of one. */
const wideFactor = 16

/** Burst, and requests a second, of each bucket: docs/concepts/rate-limits.md, "Buckets of requests". */
export const rateRules = {
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
/** The time over which a rate holds on average. What was let through too much before cannot exceed it any more. */
const longestDebt = 10 * second
/** A body counts as one for each of these, so that short ones are free. */
const bodyUnitBytes = 4 * 1024
/** A response without a token counts as one request more for each of these. */
const responseUnitBytes = 16 * 1024

/** Creates the buckets of a process, all full. */
export function createRateLimits({ now, ...options }: RateLimitOptions): RateLimits {
  const microseconds = () => Math.floor(now() * 1000)
  const open = createOpener({ now, ...options }, microseconds)
  const pair = (name: keyof typeof rateRules) => ({
    token: open(name),
    account: open(name, { suffix: '_account', factor: accountFactor }),
  })
  const classes = { read: pair('read'), write: pair('write'), events: pair('events') }
  const addresses = open('auth')
  const wideNetworks = open('auth', { suffix: '_wide', factor: wideFactor })
  const hosts = open('reports')

  function take({ rate, token_id, account_id }: RateRequest): RateVerdict {
    const at = microseconds()
    const { token, account } = classes[rate]
    const tokenBucket = token.find(token_id, at)
    const accountBucket = account.find(account_id, at)
    const tokenWait = waitFor(token.rule, tokenBucket, at)
    const accountWait = waitFor(account.rule, accountBucket, at)
    if (tokenWait <= 0 && accountWait <= 0) {
      draw(token, tokenBucket, at)
      draw(account, accountBucket, at)
      return tighter(token.rule, tokenBucket, account.rule, accountBucket, at)
    }
    const tokenPromise = tokenWait > 0 ? promise(token, tokenBucket, tokenWait, at) : 0
    const accountPromise = accountWait > 0 ? promise(account, accountBucket, accountWait, at) : 0
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
    giveBackHalf(token, tokenBucket, at)
    giveBackHalf(account, accountBucket, at)
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
    ...createDelayBuckets(open, microseconds),
  }
}

type Opener = (
  name: keyof typeof rateRules,
  of?: { readonly suffix?: string; readonly factor?: number; readonly owed_max?: number },
) => Buckets

/** Opens kinds of buckets, which draws of other workers move too. */
function createOpener({ multiplier, replicas, now, siblings, later }: RateLimitOptions, at: () => number): Opener {
  const all = new Map<string, Buckets>()
  const exchange = siblings && createRateExchange({ siblings, now, later })
  siblings?.hear((draws) => {
    for (const [kind, key, drawn, promised] of draws) {
      // A worker that was started after an upgrade may know others.
      const buckets = all.get(kind)
      if (buckets) moveBucket(buckets, key, at(), drawn, promised)
    }
  })
  return (name, { suffix = '', factor = 1, owed_max = longestDebt } = {}) => {
    const scale = (multiplier / replicas) * factor
    const [burst, per_second] = rateRules[name]
    const rule = ruleOf({ name, burst: burst * scale, per_second: per_second * scale, owed_max })
    const buckets = createBuckets(`${name}${suffix}`, rule, exchange)
    all.set(`${name}${suffix}`, buckets)
    return buckets
  }
}

function takeOne(buckets: Buckets, key: string, at: number): RateVerdict {
  const { rule, find } = buckets
  const bucket = find(key, at)
  const wait = waitFor(rule, bucket, at)
  if (wait > 0) return refused(rule, bucket, promise(buckets, bucket, wait, at), at)
  draw(buckets, bucket, at)
  return allowed(rule, bucket, remainingIn(rule, bucket, at), at)
}

/** The buckets that refuse nothing. */
function createDelayBuckets(open: Opener, now: () => number): DelayingLimits {
  const owed_max = longestDelay
  const delayed = { open: open('open', { owed_max }), refused: open('refused', { owed_max }) }
  const bodies = open('body', { owed_max })
  const delay = (buckets: Buckets, sender: string, units: number) =>
    Math.min(drawUnits(buckets, sender, units, now()), longestDelay) / 1000
  return {
    delayOf: (kind, sender) => delay(delayed[kind], sender, 1),
    peekOpen: (sender) => {
      const { rule, find } = delayed.open
      const at = now()
      const bucket = find(sender, at)
      return allowed(rule, bucket, remainingIn(rule, bucket, at), at)
    },
    delayOfBody: (sender, bytes) => {
      const units = Math.floor(bytes / bodyUnitBytes)
      return units === 0 ? 0 : delay(bodies, sender, units)
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
