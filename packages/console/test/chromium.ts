/** The browser of tests and benchmarks. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { limitSeconds } from '../../../test/eventually.ts'
import type { TestAccount, TestServer } from '../../server/test/support/server.ts'

/** The same browser without windows comes first: it takes half the processor time. */
const places = [
  process.env.BOURSE_BROWSER ?? '',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
]

/** The path of a browser; undefined where there is none. */
export const browserPath = places.find((path) => path !== '' && existsSync(path))

const remedy = 'install one, on Debian by `apt-get install chromium-headless-shell`, or set BOURSE_BROWSER to one'

/** The option `skip` of tests: they run wherever a browser is, and fail where one is required and missing. */
export const skip = browserPath || process.env.BOURSE_REQUIRE_BROWSER === '1' ? false : `no browser: ${remedy}`

/** Starts the browser. */
export function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  if (browserPath === undefined) throw new Error(`There is no browser: ${remedy}.`)
  // The browser refuses to isolate its processes as root.
  const needed = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const timeout = limitSeconds(3) * 1000
  return chromium.launch({ executablePath: browserPath, args: [...needed, ...args], timeout })
}

/** A sign-in link of a new admin of an account, or of a user that is there. */
export async function signInLink(
  server: TestServer,
  account: Pick<TestAccount, 'token'>,
  user?: string,
): Promise<string> {
  const { token } = account
  const id = user ?? (await makeAdmin(server, account))
  const { url } = await server.call('create_user_sign_in_link', { params: { id }, token })
  return server.url + new URL(url).pathname
}

/** Creates an admin of an account and returns the id of the user. */
export async function makeAdmin(server: TestServer, { token }: Pick<TestAccount, 'token'>): Promise<string> {
  const email = `person-${crypto.randomUUID().slice(0, 8)}@example.com`
  const { id } = await server.call('create_user', { token, body: { email } })
  const body = { principal_type: 'user', principal_id: id, role: 'role_admin' } as const
  await server.call('create_grant', { token, body })
  return id
}
