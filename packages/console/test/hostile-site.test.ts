/**
 * Pages of other origins in the browser of somebody who is signed in: another port, which gets the cookies because it
 * is the same site, and another name, which does not. Neither changes or reads anything, or shows a page of the server
 * within its own.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { leftOut } from '../../../test/left-out.ts'
import { visit } from './browser.ts'
import { skip } from './chromium.ts'

const visitor = skip ? (undefined as never) : await visit()
const sites = skip ? [] : await serveSites()

/** A server whose pages are empty, by an address and by a name. */
async function serveSites() {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><body>'),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  atEnd(() => server.close())
  const { port } = server.address() as AddressInfo
  return [
    ['another port', `http://127.0.0.1:${port}`],
    ['another name', `http://localhost:${port}`],
  ] as const
}

const { url } = visitor?.server ?? { url: '' }

/** What an attacker wants to change: tokens and sessions, people, and whether the person is signed in. */
async function stateOf(page: Page) {
  const { token } = visitor.account
  const idsOf = async (name: 'list_tokens' | 'list_users') =>
    (await visitor.server.call(name, { query: { limit: 200 }, token })).data.map(({ id }: { id: string }) => id)
  const cookies = (await page.context().cookies(url)).map(({ name, value }) => `${name}=${value}`)
  return { tokens: await idsOf('list_tokens'), users: await idsOf('list_users'), cookies }
}

/** Lets a page do something in a tab of the person, with the cookie of the session. */
async function assertNothingChanges(attack: (page: Page) => Promise<void>): Promise<void> {
  const page = await visitor.open('/orders')
  await page.getByRole('heading', { name: 'No open order' }).waitFor()
  const before = await stateOf(page)
  assert.ok(before.cookies.some((cookie) => cookie.startsWith('bourse_session_')))
  await attack(page)
  assert.deepEqual(await stateOf(page), before)
  await page.goto(`${url}/console/orders`)
  await page.getByRole('heading', { name: 'No open order' }).waitFor()
}

const body = JSON.stringify({ name: 'stolen', roles: ['role_admin'] })

/** A form that the page sends by itself, into the tab. Its field makes the body JSON, as far as a form can. */
async function sendForm(page: Page, path: string, encoding: string): Promise<number> {
  const response = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.evaluate(`{
    const form = document.body.appendChild(document.createElement('form'))
    Object.assign(form, { method: 'post', action: ${JSON.stringify(url + path)}, enctype: ${JSON.stringify(encoding)} })
    const field = form.appendChild(document.createElement('input'))
    Object.assign(field, { name: ${JSON.stringify(body.slice(0, -1))} + ',"description":"', value: '"}' })
    form.submit()
  }`)
  const status = (await response).status()
  await page.waitForURL(url + path)
  return status
}

/** What a script of the page gets from a request: a status, or a refusal of the browser. */
function send(page: Page, path: string, options: object): Promise<string> {
  return page.evaluate(`fetch(${JSON.stringify(url + path)}, ${JSON.stringify({ credentials: 'include', ...options })})
    .then(({ status, type }) => type + ' ' + status, ({ name }) => name)`)
}

for (const [which, site] of sites) {
  test(`forms of ${which} neither sign out nor make tokens`, leftOut(skip), async () => {
    await assertNothingChanges(async (page) => {
      for (const [path, encoding, status] of [
        ['/sign_out', 'application/x-www-form-urlencoded', 403],
        ['/preview/v2/tokens', 'text/plain', 401],
        ['/preview/v2/tokens', 'application/x-www-form-urlencoded', 401],
        ['/sign_in/recovery', 'application/x-www-form-urlencoded', 403],
      ] as const) {
        await page.goto(site)
        assert.equal(await sendForm(page, path, encoding), status, `${path} ${encoding}`)
      }
    })
  })

  test(`scripts of ${which} neither write nor read`, leftOut(skip), async () => {
    await assertNothingChanges(async (page) => {
      await page.goto(site)
      const post = { method: 'POST', body }
      // The browser sends it, and hides the answer.
      assert.equal(await send(page, '/preview/v2/tokens', { ...post, mode: 'no-cors' }), 'opaque 0')
      assert.equal(await send(page, '/preview/v2/tokens', post), 'TypeError')
      const headers = { 'content-type': 'application/json', 'x-bourse-request': '1' }
      assert.equal(await send(page, '/preview/v2/tokens', { ...post, headers }), 'TypeError')
      assert.equal(await send(page, '/preview/v2/account', {}), 'TypeError')
      assert.equal(await send(page, '/preview/v2/events', { headers: { accept: 'text/event-stream' } }), 'TypeError')
    })
  })

  test(`images and links of ${which} change nothing`, leftOut(skip), async () => {
    await assertNothingChanges(async (page) => {
      for (const path of ['/sign_out', '/preview/v2/account']) {
        await page.goto(site)
        const outcome = await page.evaluate(`new Promise((resolve) => {
          const image = document.body.appendChild(new Image())
          image.onload = () => resolve('shown')
          image.onerror = () => resolve('refused')
          image.src = ${JSON.stringify(url + path)}
        })`)
        assert.equal(outcome, 'refused')
        await page.evaluate(`{
          const link = document.body.appendChild(document.createElement('a'))
          link.href = ${JSON.stringify(url + path)}
          link.click()
        }`)
        await page.waitForURL(url + path)
      }
    })
  })

  test(`${which} cannot show a page within its own, to have it clicked`, leftOut(skip), async () => {
    await assertNothingChanges(async (page) => {
      await page.goto(site)
      for (const path of ['/console/ticket', '/sign_in', '/sign_out', '/docs/guides']) {
        const navigated = page.waitForEvent('framenavigated', (frame) => {
          return frame !== page.mainFrame() && frame.url() !== 'about:blank'
        })
        await page.evaluate(`{
          const frame = document.body.appendChild(document.createElement('iframe'))
          frame.src = ${JSON.stringify(url + path)}
        }`)
        // The browser shows an error of its own instead.
        assert.match((await navigated).url(), /^chrome-error:/, path)
      }
    })
  })
}
