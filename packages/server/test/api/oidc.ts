/**
 * A provider of OpenID Connect for tests, over HTTP, with keys of its own. It answers as it is told, also wrongly, so
 * that tests can try what a server has to refuse. A real provider is in test/packages/sign-in.test.ts.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import type { startTestServer } from '../support/server.ts'

type TestServerOptions = NonNullable<Parameters<typeof startTestServer>[0]>
type ProviderOptions = NonNullable<TestServerOptions['sign_in_providers']>[number]

/** What a provider says of a person, and how it errs. */
export type ProviderStatement = {
  readonly sub?: string
  readonly claims?: Record<string, unknown>
  /** Members of the ID token in place of the right ones. */
  readonly forged?: Record<string, unknown>
  readonly signs?: 'itself' | 'none' | 'a stranger' | 'the client secret'
  /** What the server of the token endpoint does. */
  readonly status?: number
}

export type TestProvider = AsyncDisposable & {
  readonly issuer: string
  /** Requests to its endpoints, by path. */
  readonly asked: string[]
  /** The authorization request of a sign-in. */
  authorize(address: string, told: ProviderStatement): { code: string; state: string; redirect_uri: string }
  /** Whether it is down: every request fails. */
  setDown(isDown: boolean): void
  /** What it says of itself, in place of the truth. */
  describe(changes: Record<string, unknown>): void
  /** A setting with it. */
  setting(account: string, more?: Partial<ProviderOptions>): ProviderOptions
}

const client_id = 'bourse'
const client_secret = 'a secret of thirty-two bytes or so'

type AuthorizationCode = {
  told: ProviderStatement
  nonce: string
  isAged: boolean
  challenge: string
  redirect_uri: string
}
type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey']
type ProviderKeys = { own: Key; stranger: Key }

/** Starts a provider on a port of its own. */
export async function startTestProvider(): Promise<TestProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const keys: ProviderKeys = { own: privateKey, stranger: (await generateKeyPair('RS256')).privateKey }
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, AuthorizationCode>()
  const asked: string[] = []
  let [isDown, changes] = [false, {} as Record<string, unknown>]
  let issuer = ''

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', issuer)
    asked.push(pathname)
    const send = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (isDown) return void request.socket.destroy()
    if (pathname === '/.well-known/openid-configuration') {
      const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }
      return send(200, { issuer, ...endpoints, jwks_uri: `${issuer}/jwks`, ...described, ...changes })
    }
    if (pathname === '/jwks') return send(200, { keys: [jwk] })
    const form = await readBody(request)
    if (!isClient(request)) return send(401, { error: 'invalid_client' })
    // A code counts again and again: the server must not depend on the provider for that.
    const found = codes.get(form.get('code') ?? '')
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight = form.get('redirect_uri') === found?.redirect_uri && proof === found?.challenge
    if (!found || !isRight) return send(400, { error: 'invalid_grant' })
    if (found.told.status !== undefined) return send(found.told.status, { error: 'server_error' })
    const id_token = await idToken(found, issuer, keys)
    send(200, { access_token: 'unused', token_type: 'Bearer', expires_in: 60, id_token })
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    asked,
    authorize: (address, told) => authorize(codes, address, told),
    setDown: (value) => {
      isDown = value
    },
    describe: (value) => {
      changes = value
    },
    setting: (account, more = {}) => ({
      name: 'dex',
      issuer,
      client_id,
      client_secret,
      client_secret_file: undefined,
      account,
      scopes: ['openid', 'email'],
      auto_provision: false,
      listed: true,
      default_role: undefined,
      group_claim: undefined,
      group_roles: new Map(),
      ...more,
    }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((done) => void server.close(done))
    },
  }
}

function authorize(codes: Map<string, AuthorizationCode>, address: string, told: ProviderStatement) {
  const query = new URL(address).searchParams
  const read = (name: string) => query.get(name) ?? ''
  const [code, redirect_uri] = [`code-${codes.size + 1}`, read('redirect_uri')]
  codes.set(code, {
    told,
    isAged: query.has('max_age'),
    nonce: read('nonce'),
    challenge: read('code_challenge'),
    redirect_uri,
  })
  return { code, state: read('state'), redirect_uri }
}

async function readBody(request: IncomingMessage): Promise<URLSearchParams> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return new URLSearchParams(Buffer.concat(pieces).toString())
}

function isClient({ headers }: IncomingMessage): boolean {
  const [, basic = ''] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
  const [id, secret = ''] = Buffer.from(basic, 'base64').toString().split(':')
  return id === client_id && decodeURIComponent(secret.replaceAll('+', '%20')) === client_secret
}

async function idToken(
  { told, nonce, isAged }: AuthorizationCode,
  issuer: string,
  { own, stranger }: ProviderKeys,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const usual = { iss: issuer, sub: told.sub ?? 'ada', aud: client_id, iat: now, exp: now + 300, nonce }
  const times = isAged ? { auth_time: now } : {}
  const claims = { ...usual, ...times, ...told.claims, ...told.forged }
  const { signs = 'itself' } = told
  if (signs === 'none') return new UnsecuredJWT(claims).encode()
  if (signs === 'the client secret') {
    return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(client_secret))
  }
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(signs === 'itself' ? own : stranger)
}

const described = {
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
}
