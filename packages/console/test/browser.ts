/**
 * A browser for tests of the console: a real server, a person who is signed in, and pages that fail their test on any
 * error of the console, any violation of the policy, and any request to another origin.
 */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pause } from '@bourse/text/time/pause.ts'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { afterEach, beforeEach } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { limitSeconds } from '../../../test/eventually.ts'
import { startTestServer, type TestAccount, type TestServer } from '../../server/test/support/server.ts'
import { launchBrowser, signInLink } from './chromium.ts'

/** A person at a browser, in an account with money and capacity to buy. */
export type Visitor = {
  readonly server: TestServer
  readonly account: TestAccount
  /** Opens a page of the console, by its path below /console, in a tab of the same browser. */
  open(path: string): Promise<Page>
  /** Opens it in a browser of its own kind: dark, narrow, … */
  openWith(options: BrowserContextOptions, path: string): Promise<Page>
}

/** How long a page may take to show something: every wait of Playwright for it has this limit. */
const waitMilliseconds = limitSeconds(5) * 1000

/** How long a page may take to say what it shows when a test has failed. */
const answerMilliseconds = limitSeconds(1) * 1000

/** Characters of a page that a failed test prints. */
const shownMax = 2_000

let browser: Promise<Browser> | undefined

/**
 * Starts a server and signs the admin of an account in. `account` gives the account; the default makes one. Call it
 * outside of tests: the pages are closed at the end of the file.
 */
export async function visit(account?: (server: TestServer) => Promise<TestAccount>): Promise<Visitor> {
  closePagesAfterwards()
  const server = await startTestServer()
  const own = account ? await account(server) : await server.account()
  return visitorOf(server, own)
}

/** The pages that the running test has opened. */
const fresh = new Set<Page>()

/**
 * Closes the pages of each test at its end, because an open page keeps reading, and all others at the end of the file.
 * Files that do not call {@link visit} call this. The browser stays for the next
 * file of this process, because its start costs as much as several pages; it ends with the process.
 */
export function closePagesAfterwards(): void {
  // What was opened outside of tests stays for all of them.
  beforeEach(() => fresh.clear())
  afterEach(async ({ task }) => {
    try {
      if (task.result?.state === 'fail') await sayWhatIsShown()
    } finally {
      await Promise.all([...fresh].map((page) => page.close()))
    }
  })
  atEnd(async () => {
    if (browser === undefined) return
    const contexts = (await browser).contexts()
    await Promise.all(contexts.map((context) => context.close()))
    if (!process.connected) await (await browser).close()
  })
}

/** The texts of dialogs and of the page, without the options of fields. */
const textsShown = `Array.from(document.querySelectorAll('dialog[open], main'), (one) => {
  const copy = one.cloneNode(true)
  for (const option of copy.querySelectorAll('option')) option.remove()
  return copy.textContent
})`

/** What a person would see where a test has failed: a timeout tells only what was not there. */
async function sayWhatIsShown(): Promise<void> {
  const pages = browser === undefined ? [] : (await browser).contexts().flatMap((context) => context.pages())
  const shown = await Promise.all(pages.map(shownBy))
  for (const [index, page] of pages.entries()) {
    console.error(`${page.url()} shows:\n${shown[index]}\nproblems: ${JSON.stringify(problemsOf(page))}`)
  }
}

/** The texts of a page, or why there are none: a page may be closed, leave, or be too busy to answer. */
async function shownBy(page: Page): Promise<string> {
  const answered = new AbortController()
  const texts = page.evaluate<string[]>(textsShown).then(
    (all) => all.join('\n').slice(0, shownMax),
    (error) => `It cannot be read: ${error}`,
  )
  const none = pause(answerMilliseconds, answered.signal).then(() => 'It does not answer.')
  const shown = await Promise.race([texts, none])
  answered.abort()
  return shown
}

function startBrowser(): Promise<Browser> {
  const started = launchBrowser()
  // The runner disconnects a process that has no file left to run, and waits for its end.
  process.once('disconnect', () => void started.then((one) => one.close()))
  return started
}

/** A person of an account of a running server. */
export function visitorOf(server: TestServer, account: TestAccount, user?: string): Visitor {
  const contexts = new Map<string, ReturnType<typeof signedIn>>()
  const contextOf = (options: BrowserContextOptions) => {
    const key = JSON.stringify(options)
    const made = contexts.get(key) ?? signedIn(server, account, options, user)
    contexts.set(key, made)
    return made
  }
  const openWith = async (options: BrowserContextOptions, path: string) => {
    const context = await contextOf(options)
    const page = await context.newPage()
    fresh.add(page)
    watch(page, server.url)
    await page.goto(`${server.url}/console${path}`)
    return page
  }
  return { server, account, open: (path) => openWith({}, path), openWith }
}

async function newContext(options: BrowserContextOptions = {}) {
  browser ??= startBrowser()
  const context = await (await browser).newContext({
    viewport: { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    // What moves has other colours for a moment, of which axe would tell.
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(waitMilliseconds)
  return context
}

/** Opens an address in a browser of its own, at which nobody is signed in. */
export async function openStranger(address: string): Promise<Page> {
  const page = await (await newContext()).newPage()
  fresh.add(page)
  watch(page, address)
  await page.goto(address)
  return page
}

async function signedIn(server: TestServer, account: TestAccount, options: BrowserContextOptions, user?: string) {
  const context = await newContext(options)
  const page = await context.newPage()
  await page.goto(await signInLink(server, account, user))
  await page.getByRole('button', { name: /^Sign in/ }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/sign_in'))
  await page.close()
  return context
}

const problems = new WeakMap<Page, string[]>()

function watch(page: Page, origin: string): void {
  const own: string[] = []
  problems.set(page, own)
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    own.push(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => own.push(String(error)))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.origin !== new URL(origin).origin) own.push(`a request to ${url}`)
  })
}

/** What went wrong in a page so far, without the texts that a pattern expects. */
export function problemsOf(page: Page, expected?: RegExp): string[] {
  return (problems.get(page) ?? []).filter((text) => !expected?.test(text))
}

/** The rules of axe that depend on colours: all that can differ between light and dark. */
const colourRules = ['color-contrast', 'link-in-text-block']

const axeRun = (options: object) => `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
  JSON.stringify(violations.map(
    ({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | '),
  )))`

/** Kept open: the end of one takes away the virtual authenticators of its page. */
const sessions = new WeakMap<Page, Promise<CDPSession>>()

/**
 * The violations that axe finds, one line each: of some rules, or of all. Its script comes by the browser's tools: no
 * other is allowed.
 */
export async function axeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  const opened = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, opened)
  const session = await opened
  const { result: there } = await session.send('Runtime.evaluate', { expression: 'typeof axe' })
  if (there.value !== 'object') await session.send('Runtime.evaluate', { expression: axe.source })
  const { result } = await session.send('Runtime.evaluate', {
    expression: axeRun(rules === undefined ? {} : { runOnly: rules }),
    awaitPromise: true,
    returnByValue: true,
  })
  return JSON.parse(String(result.value))
}

/**
 * Checks a page as every page has to be: without problems, and without violations of axe in light and dark. With
 * BOURSE_SCREENSHOTS set to a directory, it also takes pictures there, wide and narrow, light and dark. `expected` are
 * problems that the test has caused.
 */
export async function checkPage(page: Page, name: string, expected?: RegExp): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const rules = colorScheme === 'light' ? undefined : colourRules
    assert.deepEqual(await axeViolations(page, rules), [], `axe, ${name}, ${colorScheme}`)
    await picture(page, `${name}-${colorScheme}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  assert.deepEqual(problemsOf(page, expected), [], name)
}

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.BOURSE_SCREENSHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
  const before = page.viewportSize()
  await page.setViewportSize({ width: 420, height: 860 })
  await page.screenshot({ path: join(folder, `${name}-narrow.png`) })
  if (before) await page.setViewportSize(before)
}
