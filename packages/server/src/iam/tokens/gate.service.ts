/**
 * Who is behind a token. A token is identity only: its row, its account and its rights are read again at most two
 * seconds after they were read last, so that a deletion or a grant acts everywhere within that time.
 */
import { after, type Later, monotonicMilliseconds, wallMilliseconds } from '../../core/base/clock.ts'
import { createLoader } from '../../core/base/loader.ts'
import { createRecentCache } from '../../core/base/recent-cache.ts'
import { isUnavailable, unavailable } from '../../core/db/db.ts'
import type { Gate } from '../../core/http/request-context.ts'
import { type ApiTokenClaims, createTokenVerifier } from '../../core/keys/jwt.ts'
import { systemCommand } from '../../core/work/command.ts'
import type { Caller } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { rightsOf } from '../access/permissions.rules.ts'
import { type CallerRights, recheckRights, rightsOfCaller } from '../access/permissions.service.ts'
import { assignedRoles, type PrincipalGrant } from '../access/roles.rules.ts'
import { type CallerRow, listCallers, markTokensUsed } from './gate.store.ts'

/** What is known of a genuine token: its caller, or that it is no longer taken. */
type Known = {
  readonly token: string
  readonly caller: Caller | undefined
  readonly row: CallerRow | undefined
  readonly read_at: number
  /** How often every caller had been forgotten when it was read. */
  readonly generation: number
  /** It was asked for since it was read. */
  is_in_use: boolean
}

const freshMilliseconds = 2_000
/** From this age on it is read again beside the requests, so that a token in use never waits. */
const agingMilliseconds = 1_000
/** How often is looked for such tokens: a hundred of them in one statement cost what five do in one each. */
const pollMilliseconds = 100
const flushMilliseconds = 1_000
const knownMax = 10_000
/**
 * Characters at the end of an Ed25519 signature: 70 bits, which tell genuine tokens apart. A longer part would be no
 * string of its own but a view of the whole, which takes several times as long to compare.
 */
const nameLength = 12

/** Counts how often every caller was forgotten. What a gate read under an earlier count is read again. */
export type CallerGeneration = { value: number }

declare module '../../core/work/services.ts' {
  interface Services {
    readonly caller_generation: CallerGeneration
  }
}

/** Makes the gates of a server read every caller again, after the accounts themselves have changed. */
export function forgetCallers({ services }: Runtime): void {
  services.caller_generation.value += 1
}

/** Makes a gate. `monotonic` is the process's own time in milliseconds, `later` its timers. */
export function createGate(runtime: Runtime, monotonic = monotonicMilliseconds, later: Later = after): Gate {
  const generation = runtime.services.caller_generation
  const lookUp = createReading(runtime)
  const known = createRecentCache<string, Known>(knownMax)
  const find = (token: string): Known | undefined => {
    const seen = known.get(nameOf(token))
    return seen?.token === token && seen.generation === generation.value ? seen : undefined
  }
  const reading = new Map<string, Promise<Caller | undefined>>()
  const recordUse = createUsageRecorder(runtime, later)

  const read = async (token: string): Promise<Caller | undefined> => {
    const read_at = monotonic()
    const begun = generation.value
    const found = await lookUp(token)
    if (!found) return undefined
    const { now, row } = found
    const caller = row && callerOf(row, find(token))
    // Read before everybody was forgotten, that nobody is there says nothing of now.
    if (!caller && begun !== generation.value) return read(token)
    if (begun === generation.value) {
      known.set(nameOf(token), { token, caller, row, read_at, generation: begun, is_in_use: false })
    }
    if (row) recordUse(row, now)
    return caller
  }

  const readOnce = (token: string): Promise<Caller | undefined> => {
    const inFlight = reading.get(token)
    if (inFlight !== undefined) return inFlight
    const started = read(token)
      .catch((error) => {
        throw isUnavailable(error) ? unavailable() : error
      })
      .finally(() => reading.delete(token))
    reading.set(token, started)
    return started
  }

  // Whoever comes after it grew stale meets the failure of this reading, if it fails, in a reading of their own.
  const keepFresh = createRenewal({ monotonic, later }, (token) => readOnce(token).catch(() => {}))

  return {
    authenticate: (token) => {
      const seen = find(token)
      if (!seen || monotonic() - seen.read_at >= freshMilliseconds) return readOnce(token)
      if (!seen.is_in_use) keepFresh(seen)
      return seen.caller
    },
    recheck: recheckRights,
  }
}

/** The moment at which a genuine token was read, and its row if it was taken then. */
type TokenLookup = { readonly now: number; readonly row: CallerRow | undefined }

/** Reads who is behind a token; undefined for what is not a genuine one. */
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
    // Who is not in a world that is being filled may be in it once it is whole.
    if (failure !== undefined) throw failure
    const row = await findCaller(claims.sub)
    const isTaken = row !== undefined && agrees(claims, row) && (row.expires_at === null || row.expires_at > now)
    return { now, row: isTaken ? row : undefined }
  }
}

/**
 * Reads who is behind a token, to act in its owner's name from within: that is no use of the token, and nothing of it
 * is remembered. Undefined where it is not taken.
 */
export async function readCaller(runtime: Runtime, token: string): Promise<Caller | undefined> {
  const found = await createReading(runtime)(token)
  return found?.row && callerOf(found.row, undefined)
}

/** The time, of the machine where the database does not tell: garbage is told from tokens even then. */
function readTime(runtime: Runtime): Promise<{ now: number; failure?: unknown }> {
  return runtime.services.readSnapshot().catch((failure) => ({ now: Math.floor(wallMilliseconds() / 1000), failure }))
}

/** What a token is kept under: the end of its signature is its own, and shorter to look up by than the whole of it. */
function nameOf(token: string): string {
  return token.slice(-nameLength)
}

/** Reads tokens in use again before they are stale, many at a time. One that is not asked for again is left alone. */
function createRenewal(
  { monotonic, later }: { monotonic: () => number; later: Later },
  read: (token: string) => Promise<unknown>,
): (one: Known) => void {
  let inUse: Known[] = []
  const isAging = ({ read_at }: Known) => monotonic() - read_at >= agingMilliseconds
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

/** The row decides; a claim is only a copy of it. */
function agrees(claims: ApiTokenClaims, row: CallerRow): boolean {
  const isItself = claims.acct === row.account_id && claims.wksp === row.workspace_id && claims.jti === row.jti
  return isItself && claims.iat === row.created_at && (claims.exp ?? null) === row.expires_at
}

function callerOf(row: CallerRow, before: Known | undefined): Caller {
  if (before?.caller && before.row && isSameCaller(before.row, row)) return before.caller
  const { id, account_id, workspace_id, is_frozen, is_platform, user_id } = row
  const grants = JSON.parse(row.grants ?? '[]') as PrincipalGrant[]
  const rights: CallerRights = {
    ...rightsOf(assignedRoles(grants), { is_platform }),
    own_workspaces: before?.caller ? rightsOfCaller(before.caller).own_workspaces : new Set(),
    user_id,
  }
  return { token_id: id, account_id, workspace_id, is_frozen, is_platform, rights }
}

/** Whether a caller is what it was. Account, workspace and user of a token never change. */
function isSameCaller(before: CallerRow, row: CallerRow): boolean {
  return before.grants === row.grants && before.is_frozen === row.is_frozen && before.is_platform === row.is_platform
}

/** Notes when tokens are used, by whole minutes: one write for all that come within a second. */
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
