/** People of a test: users, their sign-in links, and browsers that hold cookies as real ones do. */
import type { TestAccount, TestAnswer, TestRequest, TestServer } from '../support/server.ts'

let made = 0

/** Creates a user, with a role for the whole account if one is given. */
export async function makeUser(server: TestServer, { token }: TestAccount, role?: string): Promise<any> {
  made += 1
  const body = { email: `person-${process.pid}-${made}@example.com` }
  const user = await server.ok('POST', '/preview/v2/users', { token, body })
  if (role === undefined) return user
  const grant = { principal_type: 'user', principal_id: user.id, role }
  await server.ok('POST', '/preview/v2/grants', { token, body: grant })
  return user
}

/** The path of a new link for a user. */
export async function makeLink(server: TestServer, { token }: { token: string }, user: string): Promise<string> {
  const { url } = await server.ok('POST', `/preview/v2/users/${user}/sign_in_links`, { token })
  return new URL(url).pathname
}

/** The headers of a browser for a request of the server's own page. */
export const ownPage = { 'sec-fetch-site': 'same-origin' }

/** Presses the button of a link's page. */
export function press(
  server: TestServer,
  path: string,
  headers: Record<string, string> = ownPage,
): Promise<TestAnswer> {
  return submit(server, path, 'answer=sign_in', headers)
}

/** Sends a form and stays at its response. */
export async function submit(
  { url }: TestServer,
  path: string,
  body: string,
  headers: Record<string, string>,
): Promise<TestAnswer> {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await fetch(url + path, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { ...form, ...headers },
  })
  return { status: response.status, headers: response.headers, body: undefined, text: await response.text() }
}

/** The name and value of the cookie that a response sets; undefined if it sets none. */
export function cookieOf({ headers }: TestAnswer): string | undefined {
  return headers.get('set-cookie')?.split(';', 1)[0]
}

/** A person who is signed in at a browser. */
export type Person = {
  readonly user: string
  readonly cookie: string
  /** The token of the session. */
  readonly token: string
  request(method: string, path: string, options?: TestRequest): Promise<TestAnswer>
}

/** Signs a user in by a link that the admin of the account makes. */
export async function signIn(server: TestServer, account: TestAccount, user: string): Promise<Person> {
  const answer = await press(server, await makeLink(server, account, user))
  const cookie = cookieOf(answer)
  if (cookie === undefined) throw new Error(`The sign-in answered ${answer.status}: ${answer.text}`)
  const own = { ...ownPage, cookie, 'x-bourse-request': '1' }
  return {
    user,
    cookie,
    token: cookie.slice(cookie.indexOf('=') + 1),
    request: (method, path, { headers = {}, ...rest } = {}) =>
      server.request(method, path, { token: null, ...rest, headers: { ...own, ...headers } }),
  }
}

/** Creates a user with a role and signs it in. */
export async function makePerson(server: TestServer, account: TestAccount, role?: string): Promise<Person> {
  return signIn(server, account, (await makeUser(server, account, role)).id)
}
