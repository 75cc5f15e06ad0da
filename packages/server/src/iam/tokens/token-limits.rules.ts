/** The networks and resources to which a token is limited. They are set when it is made and never change. */
import { containsNetwork, type Network, parseNetwork } from '../../core/base/networks.rules.ts'
import type { RefusalData } from '../../core/base/refusal.ts'
import { findBeyond, readLimitedResource } from '../names/resource-limits.rules.ts'

/** The columns of a token that limit it. Null: not limited. */
export type LimitColumns = {
  readonly allowed_cidrs: readonly string[] | null
  readonly resources: readonly string[] | null
}

/** No limits. */
export const unlimited: LimitColumns = { allowed_cidrs: null, resources: null }

const limitedHead = 'limited:'

/** The stored `jti` of a token. A program that does not know limits compares it as it is, and refuses the token. */
export function storedJti(jti: string, limits: LimitColumns): string {
  return limits.allowed_cidrs || limits.resources ? limitedHead + jti : jti
}

/** The `jti` of the claims of a token. */
export function claimedJti({ jti }: { readonly jti: string }): string {
  return jti.startsWith(limitedHead) ? jti.slice(limitedHead.length) : jti
}

/**
 * The limits of a new token: those requested, and where none are, those of its maker. Returns a refusal for a text that
 * is no network or resource.
 */
export function readLimits(
  requested: { readonly allowed_cidrs?: readonly string[]; readonly resources?: readonly string[] },
  maker: LimitColumns,
): LimitColumns | { refusal: RefusalData } {
  const { allowed_cidrs, resources } = requested
  for (const [index, text] of (allowed_cidrs ?? []).entries()) {
    if (!parseNetwork(text)) return { refusal: wrongNetwork(`allowed_cidrs.${index}`) }
  }
  const read = resources?.map(readLimitedResource)
  const wrong = read?.indexOf(undefined) ?? -1
  if (wrong >= 0) return { refusal: wrongResource(`resources.${wrong}`) }
  return {
    allowed_cidrs: allowed_cidrs ? [...new Set(allowed_cidrs)] : maker.allowed_cidrs,
    resources: read ? [...new Set(read as string[])] : maker.resources,
  }
}

/** What a token allows beyond the limits of another one; undefined if it is at least as limited. */
export function findBeyondLimits(outer: LimitColumns, inner: LimitColumns): string | undefined {
  return findNetworkBeyond(outer.allowed_cidrs, inner.allowed_cidrs) ?? findResourceBeyond(outer, inner)
}

function findNetworkBeyond(outer: LimitColumns['allowed_cidrs'], inner: LimitColumns['allowed_cidrs']) {
  if (!outer) return undefined
  if (!inner) return 'every network'
  const wider = networksOf(outer)
  return inner.find((text) => !wider.some((network) => containsNetwork(network, parseNetwork(text) as Network)))
}

function findResourceBeyond({ resources: outer }: LimitColumns, { resources: inner }: LimitColumns) {
  if (!outer) return undefined
  return inner ? findBeyond(outer, inner) : 'every resource'
}

/** Stored networks. */
export function networksOf(texts: readonly string[]): Network[] {
  return texts.map(parseNetwork).filter((network) => network !== undefined)
}

function wrongNetwork(field: string): RefusalData {
  const message =
    'Send a network in its shortest form without host bits, such as 203.0.113.0/24, 198.51.100.7/32 or 2001:db8::/32.'
  return { code: 'invalid_cidr', field, message }
}

function wrongResource(field: string): RefusalData {
  const message =
    'Send an id, or a path as svc:instance:ACCOUNT:WORKSPACE:NAME. Only the name may contain a `*`, and only one.'
  return { code: 'invalid_format', field, message }
}
