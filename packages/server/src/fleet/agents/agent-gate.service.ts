/**
 * Authenticates tokens that agents sign. No token is stored: the key with which the host enrolled verifies it. The key
 * is cached for at most two seconds, so that a retired host is shut out within that time.
 */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { agentTokenSecondsMax, agentTokenType } from '@bourse/api/fleet/agent.ts'
import { type Id, idPattern } from '@bourse/api/kit/ids.ts'
import { monotonicMilliseconds, wallMilliseconds } from '../../core/base/clock.ts'
import { createLoader } from '../../core/base/loader.ts'
import { createRecentCache } from '../../core/base/recent-cache.ts'
import { isUnavailable, unavailable } from '../../core/db/db.ts'
import type { AgentGate } from '../../core/http/request-context.ts'
import { subjectOf, type TokenRules, verifyToken } from '../../core/keys/jwt.ts'
import { createConcurrency } from '../../core/work/concurrency.ts'
import type { AgentCaller } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { listHostKeys } from './agent-gate.store.ts'

/** Concurrent requests of one host (docs/concepts/rate-limits.md, "Buckets of requests"). */
const placesOfHost = 4
const freshMilliseconds = 2_000
const tokensKept = 20_000
const hostPattern = new RegExp(idPattern('host'))

type Genuine = { readonly caller: AgentCaller; readonly public_key: string; readonly expires_at: number }
type KnownHost = Genuine & { readonly read_at: number }

/** Creates the gate of one server. The real clock applies to agents, whatever the sandbox clock shows. */
export function createAgentGate(runtime: Runtime, monotonic = monotonicMilliseconds): AgentGate {
  const findKey = createLoader((ids: string[]) => listHostKeys(runtime.database.reader, ids))
  const known = runtime.database.history.remember(() => createRecentCache<string, KnownHost>(tokensKept))

  const check = async (token: string): Promise<AgentCaller | 'retired' | undefined> => {
    const read_at = monotonic()
    const cache = known.current
    const host_id = subjectOf(token)
    if (typeof host_id !== 'string' || !hostPattern.test(host_id)) return undefined
    const key = await findKey(host_id)
    if (key === undefined) return undefined
    const { public_key } = key
    const now = Math.floor(wallMilliseconds() / 1000)
    const before = cache.get(token)
    const isVerified = before !== undefined && before.public_key === public_key && before.expires_at > now
    const genuine = isVerified
      ? before
      : await verify(runtime, token, { host_id: host_id as Id<'host'>, public_key, now })
    if (key.is_retired) return genuine && 'retired'
    if (genuine) cache.set(token, { ...genuine, read_at })
    return genuine?.caller
  }

  return {
    authenticate: async (token) => {
      const seen = known.current.get(token)
      const isFresh = seen !== undefined && monotonic() - seen.read_at < freshMilliseconds
      if (isFresh && seen.expires_at > wallMilliseconds() / 1000) return seen.caller
      return check(token).catch((error) => {
        throw isUnavailable(error) ? unavailable(error) : error
      })
    },
    places: createConcurrency({ max: placesOfHost }),
  }
}

type Claimed = { readonly host_id: Id<'host'>; readonly public_key: string; readonly now: number }

async function verify(
  runtime: Runtime,
  token: string,
  { host_id, public_key, now }: Claimed,
): Promise<Genuine | undefined> {
  const rules: TokenRules = {
    typ: agentTokenType,
    audience: runtime.keys.token_audience,
    now,
    life_seconds_max: agentTokenSecondsMax,
    hasClaims: ({ iss, sub, jti }) => iss === host_id && sub === host_id && typeof jti === 'string' && jti.length > 0,
    findKey: () => keyOf(public_key),
  }
  const claims = await verifyToken(token, rules)
  return claims && { caller: { host_id }, public_key, expires_at: claims.exp as number }
}

function keyOf(x: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}
