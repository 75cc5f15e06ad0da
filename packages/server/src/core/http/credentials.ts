/**
 * The credentials of a request: an API token in its header, or the session of a browser in a cookie. A browser sends
 * cookies with requests that other sites make it send, so a cookie counts only on requests of this server's own pages.
 */
import type { IncomingMessage } from 'node:http'
import { isInNetworks } from '../base/networks.rules.ts'
import type { RefusalData } from '../base/refusal.ts'
import { clientAddress } from '../proxies/client-address.rules.ts'
import { namedClient } from '../proxies/proxied-connections.ts'
import type { Runtime } from '../work/runtime.ts'
import type { Edge, RequestContext } from './request-context.ts'

type CredentialRequest = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'method'>
type CredentialSite = Pick<Runtime, 'mode' | 'public_url'> & { readonly keys: Pick<Runtime['keys'], 'token_audience'> }

/** The header that a write with a cookie needs. A form cannot send it, and a script of another site may not. */
const writeHeader = 'x-bourse-request'

/** The token of a request. Where there is a header `Authorization`, even a malformed one, no cookie counts. */
export function credentialOf(request: CredentialRequest, site: CredentialSite): string | undefined {
  if (request.headers.authorization !== undefined) return bearerToken(request)
  const session = pageSession(request, site)
  return session !== undefined && (isRead(request) || request.headers[writeHeader] === '1') ? session : undefined
}

/** The session of the person who sends a request from a page of this server; undefined for any other request. */
export function pageSession(request: CredentialRequest, site: CredentialSite): string | undefined {
  const session = cookieIn(request.headers.cookie, cookieName(site))
  return session !== undefined && isSameOrigin(request, site) ? session : undefined
}

/**
 * Whether a request comes from a page of this server. A read may also come from an address that a person typed: no
 * other page has a part in that.
 */
export function isSameOrigin(request: CredentialRequest, site: CredentialSite): boolean {
  const { headers } = request
  const from = headers['sec-fetch-site']
  if (from !== undefined) return from === 'same-origin' || (from === 'none' && isRead(request))
  return headers.origin !== undefined && ownOrigins(request, site).includes(headers.origin)
}

/** The header `Set-Cookie` that signs a browser in. */
export function setSession(token: string, seconds: number, site: CredentialSite): string {
  const secure = isSecure(site) ? ' Secure;' : ''
  return `${cookieName(site)}=${token}; Path=/; Max-Age=${seconds}; HttpOnly;${secure} SameSite=Strict`
}

/** The header `Set-Cookie` that makes a browser forget its session. */
export function unsetSession(site: CredentialSite): string {
  return setSession('', 0, site)
}

/**
 * What a browser keeps while somebody signs in: the challenge of a passkey, the state of a sign-in at a provider, and
 * where to go afterwards.
 */
type SignInStep = 'passkey' | 'provider' | 'return'

/**
 * The header `Set-Cookie` of a step. The way back from a provider is a request of another site, which brings only
 * cookies that are `Lax`.
 */
export function setStep(step: SignInStep, value: string, seconds: number, site: CredentialSite): string {
  const secure = isSecure(site) ? ' Secure;' : ''
  const sameSite = step === 'provider' ? 'Lax' : 'Strict'
  return `${stepName(step, site)}=${value}; Path=/; Max-Age=${seconds};${secure} SameSite=${sameSite}; HttpOnly`
}

/** What a browser kept for a step; undefined if it has nothing, or too much. */
export function stepOf(
  step: SignInStep,
  { headers }: Pick<CredentialRequest, 'headers'>,
  site: CredentialSite,
): string | undefined {
  return cookieIn(headers.cookie, stepName(step, site))
}

/** The token of `Authorization: Bearer …`; undefined where the header is missing or repeated. */
export function bearerToken({ headers, rawHeaders }: CredentialRequest): string | undefined {
  const header = headers.authorization
  if (header === undefined) return undefined
  let found = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    if (name.length === 13 && name.toLowerCase() === 'authorization') found++
  }
  if (found !== 1 || !/^bearer /i.test(header)) return undefined
  return header.slice(7)
}

/**
 * The refusal of a request without valid credentials. It draws from the bucket of the address. Beyond the bucket, the
 * refusal carries a `Retry-After`, and is not logged singly.
 */
export function unauthenticated(context: RequestContext, message: string): RefusalData {
  return refuseToken(context, { code: 'authentication_error', message })
}

/** The address of the client: that of the connection, or the one that a trusted proxy names. */
export function addressOf(
  { trusted_proxies: proxies = [], proxy_header: header = 'x-forwarded-for', noteProxy }: Edge,
  { headers, socket }: IncomingMessage,
): string {
  const peer = socket.remoteAddress ?? ''
  if (header === 'proxy-protocol') return namedClient(socket) ?? peer
  // Node joins repeated headers of these names.
  const sent = headers[header] as string | undefined
  if (sent === undefined) return peer
  const address = clientAddress(peer, sent, { proxies, header })
  if (address === peer && !isInNetworks(peer, proxies)) noteProxy(peer)
  return address
}

/** The refusal of an agent. That its host is retired is told to the holder of its key only. */
export function agentRefusal(context: RequestContext, found: 'retired' | undefined): RefusalData {
  if (found === 'retired') return refuseToken(context, { code: 'host_retired', message: 'This host is retired.' })
  return unauthenticated(context, 'Send the token of a host’s agent as Authorization: Bearer <token>.')
}

/** Why a token is refused from a network that it does not allow. */
export const foreignNetwork: RefusalData = {
  code: 'network_not_allowed',
  message: 'This token may not be used from your network address.',
}

/** The refusal of a token from a network that it does not allow. It draws from the same bucket. */
export function addressRefusal(context: RequestContext, token_id: string): RefusalData {
  return refuseToken(context, foreignNetwork, token_id)
}

function refuseToken(
  { edge, address, request_id }: RequestContext,
  refusal: RefusalData,
  token_id?: string,
): RefusalData {
  const verdict = edge.rate_limits.takeFailedAuthentication(address)
  if (!verdict.allowed) return { ...refusal, retry_after_seconds: verdict.retry_after_seconds }
  edge.runtime.log.info({ request_id, address, token_id }, 'A token was refused.')
  return refusal
}

function isRead({ method }: CredentialRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** A browser stores a `Secure` cookie of an http server at most on loopback, so only a sandbox goes without. */
function isSecure({ mode, public_url }: CredentialSite): boolean {
  return mode === 'production' || public_url().startsWith('https:')
}

function cookieName(site: CredentialSite): string {
  return nameOn(site, 'bourse_session')
}

function stepName(step: SignInStep, site: CredentialSite): string {
  return nameOn(site, `bourse_${step}`)
}

/**
 * The prefix makes browsers accept the cookie from this host only, and not from its subdomains. Browsers send it to all
 * ports of the host, where other sandboxes may run: each has the id of its installation in the name.
 */
function nameOn(site: CredentialSite, name: string): string {
  return isSecure(site) ? `__Host-${name}` : `${name}_${site.keys.token_audience.replace(/^bourse:/, '')}`
}

/** The value of a cookie. A repeated one is refused: one of the two is not ours. */
function cookieIn(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined
}

/** A sandbox is reached by several names of the machine. */
function ownOrigins({ headers }: CredentialRequest, { mode, public_url }: CredentialSite): string[] {
  const origin = new URL(public_url()).origin
  return mode === 'sandbox' && headers.host !== undefined ? [origin, `http://${headers.host}`] : [origin]
}
