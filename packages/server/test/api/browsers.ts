/** Browsers of a test: they keep cookies as real ones do, and send what pages and scripts of the server send. */

import { makeLink, ownPage } from '../support/fixtures/people.ts'
import type { TestServer } from '../support/server.ts'

/** The response to a browser. */
export type BrowserResponse = { status: number; headers: Headers; text: string; body: any; location: string | null }

export type Browser = {
  /** The cookies, by name. */
  readonly cookies: Map<string, string>
  readonly origin: string
  /** Opens an address. `site` is where the click came from. */
  open(path: string, site?: string): Promise<BrowserResponse>
  /** Sends a form of the server's own page, unless the headers say otherwise. */
  submit(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<BrowserResponse>
  /** Sends JSON as a script of the server's own page. */
  ask(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<BrowserResponse>
}

/** Opens a browser without cookies. `localhost` is a name for which browsers have passkeys. */
export function openBrowser({ url }: TestServer, { host = 'localhost' } = {}): Browser {
  const { port, hostname } = new URL(url)
  const origin = `http://${host === 'localhost' ? 'localhost' : hostname}:${port}`
  const cookies = new Map<string, string>()
  const lax = new Set<string>()
  async function send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<BrowserResponse> {
    // What other sites lead to brings only cookies that allow it.
    const brought = [...cookies].filter(([name]) => headers['sec-fetch-site'] !== 'cross-site' || lax.has(name))
    const kept = brought.map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(path, origin), {
      method,
      redirect: 'manual',
      headers: { ...(kept ? { cookie: kept } : {}), ...headers },
      ...(body === undefined ? {} : { body }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = '', ...rest] = cookie.split('; ')
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      if (rest.includes('Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
      if (rest.includes('SameSite=Lax')) lax.add(name)
    }
    const text = await response.text()
    const isJson = /^application\/json/.test(response.headers.get('content-type') ?? '')
    const { status, headers: shown } = response
    return {
      status,
      headers: shown,
      text,
      body: isJson && text ? JSON.parse(text) : undefined,
      location: shown.get('location'),
    }
  }
  return {
    cookies,
    origin,
    open: (path, site = 'same-origin') => send('GET', path, { 'sec-fetch-site': site }),
    submit: (path, fields, headers = {}) => {
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      return send('POST', path, { ...ownPage, ...form, ...headers }, String(new URLSearchParams(fields)))
    },
    ask: (method, path, body, headers = {}) => {
      const own = { ...ownPage, 'x-bourse-request': '1', 'content-type': 'application/json' }
      return send(method, path, { ...own, ...headers }, body && JSON.stringify(body))
    },
  }
}

/** A browser at which a user is signed in by a link. */
export async function browserOf(server: TestServer, account: { token: string }, user: string): Promise<Browser> {
  const browser = openBrowser(server)
  const entered = await browser.submit(await makeLink(server, account, user), { answer: 'sign_in' })
  if (entered.status !== 303) throw new Error(`The link answered ${entered.status}: ${entered.text}`)
  return browser
}

/** The user at a browser; undefined if nobody is signed in. */
export async function whoIs(browser: Browser): Promise<string | undefined> {
  const me = await browser.ask('GET', '/preview/v2/account')
  return me.status === 200 ? me.body.user.id : undefined
}
