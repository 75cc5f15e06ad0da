/**
 * A provider of OpenID Connect as companies run one, as a process: `oidc-provider`, in which anybody signs in by a
 * subject. It sends its port, takes the address to come back to, and then answers. After the message stop it ends at
 * the next request for a token.
 */
import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { tools } from '../../../../scripts/pack/tools.ts'

type ProviderClass = new (issuer: string, settings: object) => { callback(): RequestListener }

const program = createRequire(join(tools, 'package.json')).resolve('oidc-provider')
const { default: ProviderClass }: { default: ProviderClass } = await import(pathToFileURL(program).href)

const server = createServer()
server.listen(0, () => process.send?.((server.address() as AddressInfo).port))
process.once('message', ({ issuer, redirect_uri, client_secret }: Record<string, string>) => {
  const provider = new ProviderClass(issuer as string, {
    clients: [{ client_id: 'bourse', client_secret, redirect_uris: [redirect_uri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['of this test'] },
    pkce: { required: () => true },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, email: `${sub}@people.example`, email_verified: true }),
    }),
  })
  server.on('request', provider.callback())
  process.once('message', () => server.prependListener('request', ({ url }) => url === '/token' && process.exit()))
  process.send?.('ready')
})
