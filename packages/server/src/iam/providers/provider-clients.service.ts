/**
 * The conversations with providers of OpenID Connect: discovery, the address of a sign-in, and what a provider says of
 * a person. Nothing here reads or writes the database. Each provider has an address of its own to come back to, so the
 * answer of one cannot pass for that of another.
 */
import { daySeconds } from '@bourse/text/time/units.ts'
import type { Configuration, IDToken } from 'openid-client'
import { monotonicMilliseconds, wallMilliseconds } from '../../core/base/clock.ts'
import { once } from '../../core/base/once.ts'
import { type BoundedFetch, createBoundedFetch } from '../../core/egress/bounded-fetch.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { type ReadGroups, readGroups } from './provider-groups.rules.ts'
import type { SignInProvider } from './provider-settings.rules.ts'

declare module '../../core/work/services.ts' {
  interface Services {
    /** The providers of sign-ins, and what they publish about themselves. */
    readonly providers: ProviderClients
  }
}

const load = once(() => import('openid-client'))

/** How long what a provider publishes about itself is used, once a sign-in has begun. */
const discoveryMilliseconds = 3_600_000
/** A provider is not asked what it publishes more often than once in so long, whether it answers or not. */
const pauseMilliseconds = 2_000
/** Whoever begins a sign-in waits for it. */
const discoveryBounds = { milliseconds: 5_000, bytes_max: 256 * 1024 }
const bounds = { milliseconds: 10_000, bytes_max: 256 * 1024 }
/** After so long, a provider asks a person to sign in there again. */
const silentSecondsMax = 365 * daySeconds

/** Why a conversation has no result. */
export type ProviderFailure = 'unreachable' | 'declined' | 'invalid' | 'undated'

/** The error of a conversation. `cause` is for the log: it may name what a provider sent. */
type ProviderError = Error & { readonly failure: ProviderFailure }

function providerError(failure: ProviderFailure, cause: unknown): ProviderError {
  const message = cause instanceof Error ? cause.message : String(cause)
  return Object.assign(new Error(message, { cause }), { name: 'ProviderError', failure })
}

/** Whether an error is that of a conversation with a provider. */
export function isProviderError(thrown: unknown): thrown is ProviderError {
  return thrown instanceof Error && thrown.name === 'ProviderError'
}

/** What a browser brings back, and what was agreed on with it. */
type Agreed = { readonly state: string; readonly nonce: string; readonly verifier: string }

/** What a provider says of a person. */
export type PersonClaims = {
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  readonly is_email_verified: boolean
  readonly given_name: string | null
  readonly family_name: string | null
  readonly groups: ReadGroups
  /** How long ago the person signed in there, in seconds; null if the provider does not say. */
  readonly age_seconds: number | null
}

/** The conversations of one server. */
type ProviderClients = {
  readonly all: readonly SignInProvider[]
  find(name: string): SignInProvider | undefined
  /** The address at the provider at which a person signs in. */
  addressOf(
    provider: SignInProvider,
    agreed: Agreed,
    options: { redirect_uri: string; is_step_up: boolean },
  ): Promise<string>
  /** The providers that publish that they do not tell when a person signed in. Leaves out those that are down. */
  listUndated(): Promise<SignInProvider[]>
  /** What the provider says of the person who came back to `url`. */
  read(provider: SignInProvider, agreed: Agreed, url: URL): Promise<PersonClaims>
}

/** Creates the clients of the providers. None is asked before somebody signs in, so one that is down does no harm. */
export function createProviderClients(providers: readonly SignInProvider[]): ProviderClients {
  const fetches = { discovering: createBoundedFetch(discoveryBounds), later: createBoundedFetch(bounds) }
  const clients = new Map(providers.map((provider) => [provider.name, rememberClient(provider, fetches)]))
  const clientOf = ({ name }: SignInProvider, use: ClientUse) => (clients.get(name) as RememberedConfiguration)(use)
  return {
    all: providers,
    find: (name) => providers.find((provider) => provider.name === name),
    addressOf: async (provider, { state, nonce, verifier }, { redirect_uri, is_step_up }) => {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await load()
      const client = await clientOf(provider, 'begin')
      if (is_step_up && isUndated(client)) throw providerError('undated', undatedText)
      const url = buildAuthorizationUrl(client, {
        redirect_uri,
        state,
        nonce,
        scope: provider.scopes.join(' '),
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        // With any `max_age`, a provider has to say when the person signed in.
        max_age: String(is_step_up ? 0 : silentSecondsMax),
        ...(is_step_up ? { prompt: 'login' } : {}),
      })
      return url.href
    },
    listUndated: async () => {
      const asked = providers.map(async (provider) => isUndated(await clientOf(provider, 'end')))
      const responses = await Promise.allSettled(asked)
      return providers.filter((_, at) => responses[at]?.status === 'fulfilled' && responses[at].value)
    },
    read: async (provider, agreed, url) => {
      const client = await clientOf(provider, 'end')
      const { authorizationCodeGrant } = await load()
      const checks = { expectedState: agreed.state, expectedNonce: agreed.nonce, pkceCodeVerifier: agreed.verifier }
      const tokens = await authorizationCodeGrant(client, url, { ...checks, idTokenExpected: true }).catch((error) => {
        throw providerError(failureOf(error), error)
      })
      const claims = tokens.claims()
      if (!claims) throw providerError('invalid', 'The provider sent no ID token.')
      return readClaims(provider, claims)
    },
  }
}

const undatedText = 'Its discovery document lists the claims of its ID tokens, and auth_time is not one of them.'

function isUndated(client: Configuration): boolean {
  const claims = client.serverMetadata().claims_supported
  return Array.isArray(claims) && !claims.includes('auth_time')
}

/** Warns of providers by which nobody can sign in again for what needs a recent sign-in. */
export async function warnOfUndated({ services, log }: Pick<Runtime, 'services' | 'log'>): Promise<void> {
  for (const { name, issuer } of await services.providers.listUndated()) {
    const facts = { provider: name, issuer, reason: undatedText }
    log.warn(facts, 'A provider does not say when people sign in, so nobody can sign in again by it.')
  }
}

/** The issuers of the providers of an account. */
export function issuersOf(providers: readonly SignInProvider[], accountId: string): string[] {
  return providers.filter(({ account }) => account === accountId).map(({ issuer }) => issuer)
}

/** Whether a sign-in begins or comes back. */
type ClientUse = 'begin' | 'end'
type RememberedConfiguration = (use: ClientUse) => Promise<Configuration>
type Fetches = { readonly discovering: BoundedFetch; readonly later: BoundedFetch }

/**
 * Discovers a provider when a sign-in begins: a browser that is sent to a provider that is down finds no way back. What
 * the provider said before is used while sign-ins come back.
 */
function rememberClient(provider: SignInProvider, fetches: Fetches): RememberedConfiguration {
  let known: { readonly client: Configuration; readonly at: number } | undefined
  let failed: { readonly error: ProviderError; readonly at: number } | undefined
  let running: Promise<Configuration> | undefined

  async function refresh(): Promise<Configuration> {
    try {
      const client = await discover(provider, fetches)
      known = { client, at: monotonicMilliseconds() }
      failed = undefined
      return client
    } catch (error) {
      failed = { error: providerError('unreachable', error), at: monotonicMilliseconds() }
      throw failed.error
    }
  }

  return async (use) => {
    const now = monotonicMilliseconds()
    if (known && now - known.at < (use === 'begin' ? pauseMilliseconds : discoveryMilliseconds)) return known.client
    const old = use === 'begin' ? undefined : known?.client
    if (failed && now - failed.at < pauseMilliseconds) return old ?? Promise.reject(failed.error)
    running ??= refresh().finally(() => {
      running = undefined
    })
    return running.catch((error) => old ?? Promise.reject(error))
  }
}

async function discover(provider: SignInProvider, { discovering, later }: Fetches): Promise<Configuration> {
  const library = await load()
  const { issuer, client_id, client_secret } = provider
  const url = new URL(issuer)
  const isPlain = url.protocol === 'http:'
  const execute = isPlain ? [library.allowInsecureRequests] : []
  const timeout = discoveryBounds.milliseconds / 1000
  const options = { execute, [library.customFetch]: discovering, timeout }
  const found = await library.discovery(url, client_id, undefined, library.None(), options)
  const server = found.serverMetadata()
  if (server.issuer !== issuer && server.issuer !== `${issuer}/`) {
    throw new Error(`The provider at ${issuer} calls itself ${server.issuer}.`)
  }
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    if (!server[name] || !URL.canParse(server[name])) throw new Error(`The provider at ${issuer} names no ${name}.`)
  }
  const offered = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authenticate = (secret: string) =>
    offered.includes('client_secret_basic') ? library.ClientSecretBasic(secret) : library.ClientSecretPost(secret)
  const how = client_secret === undefined ? library.None() : authenticate(client_secret)
  const client = new library.Configuration(server, client_id, undefined, how)
  client[library.customFetch] = later
  client.timeout = bounds.milliseconds / 1000
  if (isPlain) library.allowInsecureRequests(client)
  // Without it, the library trusts the connection and does not verify the signature of an ID token.
  library.enableNonRepudiationChecks(client)
  return client
}

function failureOf(error: unknown): ProviderFailure {
  const { name, cause, code } = error as { name?: string; cause?: { name?: string }; code?: string }
  if (name === 'AuthorizationResponseError') return 'declined'
  const isLost = name === 'TypeError' || name === 'TimeoutError' || cause?.name === 'TimeoutError'
  return isLost || code === 'OAUTH_TIMEOUT' ? 'unreachable' : 'invalid'
}

/** How far the clock of a provider may be ahead. */
const skewSecondsMax = 300

function readClaims({ issuer, group_claim }: SignInProvider, claims: IDToken): PersonClaims {
  const textOf = (name: string, length: number) => {
    const value = claims[name]
    return typeof value === 'string' && value.trim() !== '' && value.length <= length ? value : null
  }
  if (claims.sub === '' || claims.sub.length > 255) throw providerError('invalid', 'The subject is too long.')
  const { auth_time } = claims
  return {
    // As it is configured: the library has compared it, but for a slash at its end.
    issuer,
    subject: claims.sub,
    email: textOf('email', 254),
    is_email_verified: claims.email_verified === true,
    given_name: textOf('given_name', 100),
    family_name: textOf('family_name', 100),
    groups: readGroups(group_claim === undefined ? undefined : claims[group_claim]),
    age_seconds: ageOf(auth_time, Math.floor(wallMilliseconds() / 1000)),
  }
}

/** A time from a provider counts unless it is one that cannot be. */
function ageOf(authTime: number | undefined, now: number): number | null {
  return authTime === undefined || authTime > now + skewSecondsMax ? null : Math.max(0, now - authTime)
}
