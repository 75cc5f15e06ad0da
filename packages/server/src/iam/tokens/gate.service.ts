/**
 * Finds the caller of a token. A token only identifies the caller. The gate reads its row, account and rights again
 * within a second of the last read, and at its expiry, so a deletion or a grant takes effect on every replica within
 * that time. Writes read the token again in their own transaction (ended-tokens.service.ts).
 */
import { trustOf } from '@bourse/api/trust.ts'
import { after, type Later, monotonicMilliseconds, wallMilliseconds } from '../../core/base/clock.ts'
import { createLoader } from '../../core/base/loader.ts'
import { createRecentCache } from '../../core/base/recent-cache.ts'
import { isUnavailable, unavailable } from '../../core/db/db.ts'
import type { TokenGate } from '../../core/http/request-context.ts'
import { type ApiTokenClaims, createTokenVerifier } from '../../core/keys/jwt.ts'
import { systemCommand } from '../../core/work/command.ts'
import type { Caller, CallerLimits } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { rightsOf } from '../access/permissions.rules.ts'
import { type CallerRights, recheckRights, rightsOfCaller } from '../access/permissions.service.ts'
import { assignedRoles, type PrincipalGrant } from '../access/roles.rules.ts'
import { refuseLimited, refuseOldSignIn } from '../access/trust.rules.ts'
import { type CallerRow, listCallers, markTokensUsed } from './gate.store.ts'
import { claimedJti, networksOf } from './token-limits.rules.ts'
import { freshMilliseconds, hasEnded } from './tokens.rules.ts'

/** A cached read of a genuine token. Without a caller, the token was not accepted. */
type KnownToken = {
  readonly token: string
  readonly caller: Caller | undefined
  readonly row: CallerRow | undefined
  readonly read_at: number
  /** For how long after `read_at` it may be used. */
  readonly fresh_milliseconds: number
  /** The caller generation at the read. */
  readonly generation: number
  /** How many ends of tokens the server had carried out at the read. */
  readonly ends: number
  /** It was used since the read. */
  is_in_use: boolean
}

/** Less than the documented second, which includes the request itself. */
const usualMilliseconds = 900
/** From this age on, a token in use is read again in the background, so its requests do not wait. */
const agingMilliseconds = 450
/** The fastest sandbox clock, rounded up: a day in a second. */
const sandboxClockRate = 86_400
/** The interval of these reads. Reading a hundred tokens in one statement costs as much as five single reads. */
const pollMilliseconds = 100
const flushMilliseconds = 1_000
const knownMax = 10_000
/**
 * The length of a cache key: the last characters of an Ed25519 signature, 70 bits, which are unique for genuine tokens.
 * V8 makes a longer part a view of the whole token, which takes several times as long to compare.
 */
const keyLength = 12

/** Rises when all cached callers become invalid. A gate reads callers of an earlier generation again. */
type CallerGeneration = { value: number }

declare module '../../core/work/services.ts' {
  interface Services {
    readonly caller_generation: CallerGeneration
  }
}

/** Invalidates the cached callers of all gates of a server, after the accounts themselves have changed. */
export function forgetCallers({ services }: Runtime): void {
  services.caller_generation.value += 1
}

/** Creates a gate. `monotonic` is the monotonic clock in milliseconds, `later` the timers. */
export function createGate(runtime: Runtime, monotonic = monotonicMilliseconds, later: Later = after): TokenGate {
  const { database, services } = runtime
  const generation = services.caller_generation
  const lookUp = createReading(runtime)
  const known = database.history.remember(() => createRecentCache<string, KnownToken>(knownMax))
  const clock_rate = runtime.mode === 'sandbox' ? sandboxClockRate : 1
  const find = (token: string): KnownToken | undefined => {
    const seen = known.current.get(keyOf(token))
    if (seen?.token !== token || seen.generation !== generation.value) return undefined
    return hasEndedSince(runtime, seen) ? undefined : seen
  }
  const reading = new Map<string, Promise<Caller | undefined>>()
  const recordUse = createUsageRecorder(runtime, later)

  const read = async (token: string): Promise<Caller | undefined> => {
    const read_at = monotonic()
    const begun = generation.value
    const ends = services.recent_ends.current.count
    const cache = known.current
    const found = await lookUp(token)
    if (!found) return undefined
    const { now, row } = found
    const caller = row && callerOf(row, find(token))
    // The read began before the generation changed, so the absence of a row may be out of date.
    if (!caller && begun !== generation.value) return read(token)
    // It began before this server ended the token, so the row may be out of date, also for those who have asked since.
    if (hasEndedSince(runtime, { caller, ends })) return read(token)
    if (begun === generation.value) {
      const fresh_milliseconds = freshMilliseconds(row?.expires_at, { now, usual: usualMilliseconds, clock_rate })
      const seen = { token, caller, row, read_at, fresh_milliseconds, generation: begun, ends, is_in_use: false }
      cache.set(keyOf(token), seen)
    }
    if (row) recordUse(row, now)
    return caller
  }

  const readOnce = (token: string): Promise<Caller | undefined> => {
    const inFlight = reading.get(token)
    if (inFlight !== undefined) return inFlight
    const started = read(token)
      .catch((error) => {
        throw isUnavailable(error) ? unavailable(error) : error
      })
      .finally(() => reading.delete(token))
    reading.set(token, started)
    return started
  }

  // A failed background read is ignored: the next request reads again once the token is stale.
  const keepFresh = createRenewal({ monotonic, later }, (token) => readOnce(token).catch(() => {}))

  return {
    authenticate: (token) => {
      const seen = find(token)
      if (!seen || monotonic() - seen.read_at >= seen.fresh_milliseconds) return readOnce(token)
      if (!seen.is_in_use) keepFresh(seen)
      return seen.caller
    },
    refusalOf: (caller, operation) => {
      const asked = trustOf(operation)
      const limited = refuseLimited(caller, asked)
      const isAsked = asked?.recent_sign_in === 'always' && rightsOfCaller(caller).user_id !== null
      if (limited || !isAsked) return limited
      return services.readSnapshot().then(({ now }) => refuseOldSignIn(rightsOfCaller(caller), now))
    },
    recheck: recheckRights,
  }
}

/** Whether this server has ended a token since a read of it, or tried to. */
function hasEndedSince({ services }: Runtime, { caller, ends }: Pick<KnownToken, 'caller' | 'ends'>): boolean {
  const ended = caller && services.recent_ends.current.last.get(caller.token_id)
  return ended !== undefined && ended > ends
}

/** The time of the read, and the row of the token if it was accepted then. */
type TokenLookup = { readonly now: number; readonly row: CallerRow | undefined }

/** Reads the row of a token; undefined if the token is not genuine. */
function createReading(runtime: Runtime): (token: string) => Promise<TokenLookup | undefined> {
  const { signing, token_audience } = runtime.keys
  const verifier = createTokenVerifier({
    keys: signing,
    issuer: token_audience,
    audience: token_audience,
    is_early_allowed: runtime.mode === 'sandbox',
  })
  const findCaller = createLoader((ids: string[]) => listCallers(runtime.database.reader, ids))
  return async (token) => {
    const { now, failure } = await readTime(runtime)
    const claims = await verifier.verify(token, now)
    if (!claims) return undefined
    // Without a snapshot the row may be missing only for now, as while a sandbox world is loaded.
    if (failure !== undefined) throw failure
    const row = await findCaller(claims.sub)
    const isAccepted = row !== undefined && agrees(claims, row) && !hasEnded(row, now)
    return { now, row: isAccepted ? row : undefined }
  }
}

/**
 * Reads the caller of a token, for internal work on its behalf. Does not record a use of the token and caches nothing.
 * Undefined if the token is not accepted.
 */
export async function readCaller(runtime: Runtime, token: string): Promise<Caller | undefined> {
  const found = await createReading(runtime)(token)
  return found?.row && callerOf(found.row, undefined)
}

/** The business time. If the database fails, the system time, which still allows to refuse invalid tokens. */
function readTime(runtime: Runtime): Promise<{ now: number; failure?: unknown }> {
  return runtime.services.readSnapshot().catch((failure) => ({ now: Math.floor(wallMilliseconds() / 1000), failure }))
}

/** The cache key of a token: the end of its signature, which is cheaper to look up than the whole token. */
function keyOf(token: string): string {
  return token.slice(-keyLength)
}

/** Reads tokens in use again before they are stale, many at a time. Does not read unused tokens again. */
function createRenewal(
  { monotonic, later }: { monotonic: () => number; later: Later },
  read: (token: string) => Promise<unknown>,
): (one: KnownToken) => void {
  let inUse: KnownToken[] = []
  const isAging = ({ read_at }: KnownToken) => monotonic() - read_at >= agingMilliseconds
  const look = (): Promise<unknown> => {
    const aging = inUse.filter(isAging)
    inUse = inUse.filter((one) => !isAging(one))
    if (inUse.length > 0) later(pollMilliseconds, look)
    return Promise.all(aging.map(({ token }) => read(token)))
  }
  return (one) => {
    one.is_in_use = true
    if (inUse.length === 0) later(pollMilliseconds, look)
    inUse.push(one)
  }
}

/** Whether the claims equal the row, which is authoritative. */
function agrees(claims: ApiTokenClaims, row: CallerRow): boolean {
  const isItself = claims.acct === row.account_id && claims.wksp === row.workspace_id && claims.jti === claimedJti(row)
  return isItself && claims.iat === row.created_at && (claims.exp ?? null) === row.expires_at
}

function callerOf(row: CallerRow, before: KnownToken | undefined): Caller {
  if (before?.caller && before.row && isSameCaller(before.row, row)) return before.caller
  const { id, account_id, workspace_id, is_frozen, is_platform, user_id, authenticated_at } = row
  const grants = JSON.parse(row.grants ?? '[]') as PrincipalGrant[]
  const rights: CallerRights = {
    ...rightsOf(assignedRoles(grants), { is_platform }),
    own_workspaces: before?.caller ? rightsOfCaller(before.caller).own_workspaces : new Set(),
    user_id,
    authenticated_at,
  }
  const limits = limitsOf(row)
  const principal = principalOf(row)
  const limited = limits ? { limits } : {}
  return { token_id: id, account_id, workspace_id, is_frozen, is_platform, rights, principal, ...limited }
}

function principalOf({ id, user_id, name }: CallerRow): Caller['principal'] {
  return user_id === null ? { type: 'token', id, name } : { type: 'user', id: user_id, name }
}

/** The limits of a caller; undefined if it has none. */
function limitsOf({ allowed_cidrs, resources }: CallerRow): CallerLimits | undefined {
  if (!allowed_cidrs && !resources) return undefined
  return { networks: allowed_cidrs && networksOf(allowed_cidrs), resources }
}

/** Whether a caller is unchanged. Account, workspace, user and limits of a token never change. */
function isSameCaller(before: CallerRow, row: CallerRow): boolean {
  const isSame = before.grants === row.grants && before.name === row.name
  return isSame && before.is_frozen === row.is_frozen && before.is_platform === row.is_platform
}

/** Records when tokens are used, in whole minutes, with at most one write a second. */
function createUsageRecorder(runtime: Runtime, later: Later): (row: CallerRow, now: number) => void {
  let pending = new Map<string, number>()
  let writing = Promise.resolve()

  const write = async (): Promise<void> => {
    const used = pending
    pending = new Map()
    try {
      await systemCommand(runtime, (ctx) => markTokensUsed(ctx.db, used))
    } catch (error) {
      runtime.log.debug({ err: error }, 'The last use of tokens could not be recorded.')
    }
  }

  return ({ id, last_used_at }, now) => {
    const minute = now - (now % 60)
    if (last_used_at !== null && last_used_at >= minute) return
    if (pending.size === 0) {
      later(flushMilliseconds, () => {
        writing = writing.then(write)
        return writing
      })
    }
    pending.set(id, minute)
  }
}
