/** Signing in at a real browser: by a link, by a passkey of a virtual authenticator, and by a recovery code. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { leftOut } from '../../../test/left-out.ts'
import { makeLink, makeUser } from '../../server/test/support/fixtures/people.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { checkPage, closePagesAfterwards, openStranger, problemsOf } from './browser.ts'
import { skip } from './chromium.ts'

closePagesAfterwards()

const { server, account, user, origin } = skip ? noPerson() : await makePerson()

async function makePerson() {
  const server = await startTestServer()
  const account = await server.account()
  const { id: user } = await makeUser(server, account, 'role_admin')
  // Browsers have passkeys for a name, and for no address.
  return { server, account, user, origin: `http://localhost:${new URL(server.url).port}` }
}

function noPerson() {
  return {} as Awaited<ReturnType<typeof makePerson>>
}

const refused = /status of 40[13]/
const h1 = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const atPath = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path)
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const linkOf = async (of: string) => origin + (await makeLink(server, account, of))

/** An authenticator that verifies its user, as those of laptops do. */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...({ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true } as const),
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  })
  return {
    verify: (isUserVerified: boolean) => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

/** The user at a page, as the server sees it. */
async function whoIs(page: Page): Promise<string | undefined> {
  const cookies = await page.context().cookies(origin)
  const token = cookies.find(({ name }) => name.startsWith('bourse_session_'))?.value
  if (token === undefined) return undefined
  return (await server.call('get_account', { token })).user.id
}

async function signOut(page: Page): Promise<void> {
  await page.goto(`${origin}/sign_out`)
  await checkPage(page, 'sign-out')
  await press(page, 'Sign out')
  await h1(page, 'You are signed out')
  assert.equal(await whoIs(page), undefined)
}

/** A browser with an authenticator at the page of passkeys, signed in by a link. */
async function enterByLink() {
  const page = await openStranger(`${await linkOf(user)}?return_to=/sign_in/passkeys`)
  const authenticator = await addAuthenticator(page)
  await press(page, 'Sign in')
  await atPath(page, '/sign_in/passkeys')
  return { page, authenticator }
}

/** Adds a passkey; returns the recovery codes that are shown with the first one. */
async function addPasskey(page: Page, name: string): Promise<string[]> {
  await page.getByLabel('Name of a new passkey').fill(name)
  await press(page, 'Add a passkey')
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
  return page.locator('.codes code').allInnerTexts()
}

test('a console page leads who is not signed in to the ways in, and a link leads back', leftOut(skip), async () => {
  const page = await openStranger(`${origin}/console/instances?state=running`)
  await atPath(page, '/sign_in')
  await h1(page, 'Sign in to Bourse')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
  await checkPage(page, 'sign-in', refused)
  await page.goto(await linkOf(user))
  await h1(page, 'Sign in to Bourse')
  await checkPage(page, 'sign-in-link', refused)
  await press(page, 'Sign in')
  await page.waitForURL(`${origin}/console/instances?state=running`)
  await page.getByRole('heading', { name: 'Instances' }).waitFor()
  assert.deepEqual(problemsOf(page, refused), [])
  await page.goto(`${origin}/sign_in`)
  await h1(page, 'You are signed in')
  await checkPage(page, 'sign-in-present', refused)
})

test('a draft is kept for its person, until that one signs out', leftOut(skip), async () => {
  const form = `${origin}/console/access?tab=tokens&create=1`
  const enter = async (page: Page, of: string) => {
    await page.goto(`${await linkOf(of)}?return_to=/console/`)
    await press(page, 'Sign in')
    await atPath(page, '/console/')
  }
  const draft = async (page: Page) => {
    await page.goto(form)
    return page.getByRole('dialog').getByLabel('Name')
  }
  const endSession = async (page: Page) => {
    // A page of the console that asks something without a session goes to the sign-in: it would end the next visit.
    await page.goto('about:blank')
    await page.context().clearCookies()
  }
  const page = await openStranger(`${await linkOf(user)}?return_to=/console/`)
  await press(page, 'Sign in')
  await atPath(page, '/console/')
  await (await draft(page)).fill('of the night shift')
  await page.reload()
  assert.equal(await (await draft(page)).inputValue(), 'of the night shift')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Account of|@/ }).click()
  await press(page, 'Sign out')
  await h1(page, 'You are signed out')
  await enter(page, user)
  assert.equal(await (await draft(page)).inputValue(), '')
  await (await draft(page)).fill('of the day shift')
  const { id: other } = await makeUser(server, account, 'role_admin')
  await endSession(page)
  await enter(page, other)
  assert.equal(await (await draft(page)).inputValue(), '')
  await endSession(page)
  await enter(page, user)
  assert.equal(await (await draft(page)).inputValue(), '')
})

test('a passkey is added, and signs in again without a name', leftOut(skip), async () => {
  const { page, authenticator } = await enterByLink()
  await checkPage(page, 'passkeys-none')
  const codes = await addPasskey(page, 'Laptop')
  assert.equal(new Set(codes).size, 10)
  await checkPage(page, 'passkeys-codes')
  await page.getByRole('link', { name: 'Done' }).click()
  await page.getByText('Laptop, not used yet').waitFor()
  const later = await page.innerText('main')
  assert.ok(!codes.some((code) => later.includes(code)), 'the codes are shown once')
  await checkPage(page, 'passkeys-one')
  await page.getByLabel('Name of a new passkey').fill('Laptop again')
  await press(page, 'Add a passkey')
  await page.getByRole('alert').getByText('has a passkey of yours already').waitFor()
  await checkPage(page, 'passkeys-problem')
  await signOut(page)
  await page.goto(`${origin}/console/instances?state=running`)
  await atPath(page, '/sign_in')
  await authenticator.verify(false)
  await press(page, 'Sign in with a passkey')
  await page.getByRole('alert').getByText('did not answer').waitFor()
  await checkPage(page, 'sign-in-problem', refused)
  await authenticator.verify(true)
  await press(page, 'Sign in with a passkey')
  await page.waitForURL(`${origin}/console/instances?state=running`)
  assert.equal(await whoIs(page), user)
  await page.goto(`${origin}/sign_in/passkeys`)
  await page.getByText(/^Laptop, last used \d/).waitFor()
  await press(page, 'Remove')
  await page.getByText('You have none yet').waitFor()
  assert.deepEqual(problemsOf(page, refused), [])
})

test('a recovery code signs in once, at a browser without the passkey', leftOut(skip), async () => {
  const { page } = await enterByLink()
  const [code = ''] = await addPasskey(page, 'Lost')
  const other = await openStranger(`${origin}/sign_in?return_to=/console/instances`)
  await other.getByLabel('Recovery code').fill(code.toLowerCase())
  await other.keyboard.press('Enter')
  await atPath(other, '/console/instances')
  assert.equal(await whoIs(other), user)
  await signOut(other)
  await other.getByRole('link', { name: 'Sign in' }).click()
  await other.getByLabel('Recovery code').fill(code)
  await press(other, 'Use the code')
  await h1(other, 'This code is wrong, or was used')
  await checkPage(other, 'recovery-wrong', refused)
  await page.goto(`${origin}/sign_in/passkeys`)
  await page.getByText('9 of 10 are left').waitFor()
  await press(page, 'Make new codes')
  await h1(page, 'Your recovery codes')
  await checkPage(page, 'passkeys-new-codes')
  await page.getByRole('link', { name: 'Back to the passkeys' }).click()
  await press(page, 'Remove')
  await page.getByText('You have none yet').waitFor()
})

test('what needs a recent sign-in asks for one of the same user, and goes on', leftOut(skip), async () => {
  const { page } = await enterByLink()
  await addPasskey(page, 'Desk')
  await page.getByRole('link', { name: 'Done' }).click()
  await server.advance(901)
  await page.getByLabel('Name of a new passkey').fill('Phone')
  await press(page, 'Add a passkey')
  await h1(page, 'Sign in again')
  await checkPage(page, 'step-up', refused)
  const { id: stranger } = await makeUser(server, account)
  const back = page.url()
  await page.goto(await linkOf(stranger))
  await press(page, 'Sign in')
  await h1(page, 'This link is for somebody else')
  await checkPage(page, 'step-up-other', refused)
  await page.goto(back)
  await press(page, 'Sign in with a passkey')
  await atPath(page, '/sign_in/passkeys')
  assert.equal(await whoIs(page), user)
  await press(page, 'Remove')
  await page.getByText('You have none yet').waitFor()
  assert.deepEqual(problemsOf(page, refused), [])
})

test('the page says where passkeys work, and a program that signs in is approved', leftOut(skip), async () => {
  const page = await openStranger(`${server.url}/sign_in`)
  await page.getByText(`Open ${origin}/sign_in to use one`).waitFor()
  await checkPage(page, 'sign-in-by-number')
  const { page: own } = await enterByLink()
  const login = await server.call('start_device_login', { token: null, body: { client_name: 'A laptop' } })
  await own.goto(`${origin}/device?user_code=${login.user_code}`)
  await checkPage(own, 'device')
  await press(own, 'Approve')
  await checkPage(own, 'device-approved')
  const body = { device_code: login.device_code }
  const { access_token } = await server.call('finish_device_login', { token: null, body })
  assert.equal((await server.call('get_account', { token: access_token })).user.id, user)
})
