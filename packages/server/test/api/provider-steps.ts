/** The steps of a sign-in at a test provider: begin at a browser, and come back to it. */
import assert from 'node:assert/strict'
import type { Browser, BrowserResponse } from './browsers.ts'
import type { ProviderStatement, TestProvider } from './oidc.ts'

/** The address that a page goes on to by itself. */
export function nextOf({ text }: BrowserResponse): string | undefined {
  const [, url] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(text) ?? []
  return url?.replaceAll('&amp;', '&')
}

/** Begins a sign-in; returns the address at the provider. */
export async function begin(browser: Browser, name = 'dex', fields: Record<string, string> = {}): Promise<string> {
  const page = await browser.submit(`/sign_in/oidc/${name}`, { answer: 'sign_in', ...fields })
  const next = nextOf(page)
  assert.ok(page.status === 200 && next, page.text)
  return next
}

/** What a browser brings back besides the answer, and where. */
export type Coming = { readonly more?: Record<string, string>; readonly path?: string }

/** Comes back from a provider. */
export function comeBackFrom(
  at: TestProvider,
  browser: Browser,
  address: string,
  told: ProviderStatement,
  { more = {}, path = '' }: Coming = {},
): Promise<BrowserResponse> {
  const { code, state, redirect_uri } = at.authorize(address, told)
  const query = new URLSearchParams({ code, state, ...more })
  return browser.open(`${path || new URL(redirect_uri).pathname}?${query}`, 'cross-site')
}
