/** Signing in at a real provider of OpenID Connect, which is a process and a site of its own, in a real browser. */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { leftOut } from '../../../../test/left-out.ts'
import { checkPage, closePagesAfterwards, openStranger, problemsOf } from '../../../console/test/browser.ts'
import { skip } from '../../../console/test/chromium.ts'
import { makeLink, makeUser } from '../support/fixtures/people.ts'
import { startTestServer } from '../support/server.ts'

closePagesAfterwards()

const name = 'company'
const client_secret = 'a secret of thirty-two bytes or so'

const { server, account, issuer, child } = skip ? noProvider() : await openProvider()

async function openProvider() {
  const child = fork(join(import.meta.dirname, 'provider-process.ts'), { silent: true })
  atEnd(() => child.kill())
  const [port] = await once(child, 'message')
  // Another site than that of the server, which is at 127.0.0.1: cookies and policies treat it as foreign.
  const issuer = `http://localhost:${port}`
  const id = `company-${process.pid}`
  const server = await startTestServer({
    sign_in_providers: [
      {
        name,
        issuer,
        client_id: 'bourse',
        client_secret,
        client_secret_file: undefined,
        account: id,
        scopes: ['openid', 'email'],
        auto_provision: false,
        listed: true,
        default_role: undefined,
        group_claim: undefined,
        group_roles: new Map(),
      },
    ],
  })
  child.send({ issuer, client_secret, redirect_uri: `${server.url}/sign_in/oidc/${name}/callback` })
  await once(child, 'message')
  return { server, account: await server.account({ id }), issuer, child }
}

function noProvider() {
  return {} as Awaited<ReturnType<typeof openProvider>>
}

const h1 = (page: Page, title: string) => page.getByRole('heading', { level: 1, name: title }).waitFor()
const press = (page: Page, button: string) => page.getByRole('button', { name: button, exact: true }).click()
/** The pages of the provider are on another site, and load what they like. */
const expected = /a request to|status of (40[13]|502)|fonts|localhost/

async function open(path: string): Promise<Page> {
  const page = await openStranger(server.url + path)
  const own = [new URL(server.url).host, new URL(issuer).host]
  await page.route(
    (url) => !own.includes(url.host),
    (route) => route.fulfill({ body: '' }),
  )
  return page
}

/** Signs in at the page of the provider, and lets it tell this server so. */
async function signInThere(page: Page, subject: string): Promise<void> {
  await page.waitForURL((url) => url.origin === issuer)
  await page.locator('[name=login]').fill(subject)
  await page.locator('[name=password]').fill('any')
  await press(page, 'Sign-in')
  await press(page, 'Continue')
}

test(
  'a link connects a user with the provider, by which it comes in until that is stopped',
  leftOut(skip),
  async () => {
    const unknown = await open('/sign_in')
    await checkPage(unknown, 'provider-sign-in')
    await press(unknown, `Continue with ${name}`)
    await signInThere(unknown, 'ada')
    await h1(unknown, 'Nobody here is known by this identity')
    await checkPage(unknown, 'provider-unknown', expected)

    const user = await makeUser(server, account, 'role_admin')
    const identities = () =>
      server.call('list_user_identities', { params: { id: user.id }, token: account.token }).then(({ data }) => data)
    assert.deepEqual(await identities(), [])
    const first = await open(`${await makeLink(server, account, user.id)}?return_to=/sign_in/passkeys`)
    await checkPage(first, 'provider-link')
    await press(first, `Connect ${name} and sign in`)
    await signInThere(first, 'ada')
    await first.waitForURL(`${server.url}/sign_in/passkeys`)
    await first.getByText(user.email).waitFor()
    const [{ subject, issuer: at, email }] = await identities()
    assert.deepEqual([subject, at, email], ['ada', issuer, 'ada@people.example'])

    const again = await open('/console/instances?state=running')
    await h1(again, 'Sign in to Bourse')
    await press(again, `Continue with ${name}`)
    await signInThere(again, 'ada')
    await again.waitForURL(`${server.url}/console/instances?state=running`)
    await again.getByRole('heading', { name: 'Instances' }).waitFor()

    // The provider remembers the person, and is asked to forget that.
    await again.goto(`${server.url}/sign_in?step_up=1&return_to=/sign_in/passkeys`)
    await press(again, `Continue with ${name}`)
    await signInThere(again, 'grace')
    await h1(again, 'This is somebody else')

    const late = await open('/sign_in')
    await press(late, `Continue with ${name}`)
    // The person has signed in there, and the server cannot ask any more who it was.
    child.send('stop')
    await signInThere(late, 'ada')
    await h1(late, 'The provider does not answer')
    await checkPage(late, 'provider-stopped', expected)
    await first.reload()
    await first.getByText(user.email).waitFor()
    assert.deepEqual(problemsOf(first, expected), [])
  },
)
