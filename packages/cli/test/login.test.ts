import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { loadWorld } from '../../server/test/support/worlds.ts'
import { runnerFor } from './run-here.ts'
import { newDirectory } from './sandbox-process.ts'

const server = await startTestServer()
const { acme } = (await loadWorld(server, 'empty')).tokens as Record<'acme', string>
const home = newDirectory()
const variables = { XDG_CONFIG_HOME: home, BOURSE_BASE_URL: server.url }
const program = join(import.meta.dirname, '../bin/bourse.mjs')
const file = join(home, 'bourse', 'config.toml')
const name = new URL(server.url).host.replace(':', '-')
const tokenStored = () => /^token = "(.+)"$/m.exec(readFileSync(file, 'utf8'))?.[1]
const ownPage = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }

/** Sends a form of the pages of the server. */
function submit(path: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.url + path, { method: 'POST', redirect: 'manual', body, headers: { ...ownPage, ...headers } })
}

/** The cookie of the browser that opened a link which signs in the admin of the account. */
async function openLink(): Promise<string> {
  const request = { params: { id: 'svc:user:acme:admin' }, token: acme }
  const { url } = await server.call('create_user_sign_in_link', request)
  const answer = await submit(new URL(url).pathname, 'answer=sign_in')
  return String(answer.headers.get('set-cookie')).split(';', 1)[0] as string
}

const cookie = await openLink()

/** Runs `login` as a process, and decides about its code as soon as it shows one. */
async function login(answer: 'approve' | 'deny', ...words: string[]): Promise<{ code: number; err: string }> {
  const env = { PATH: process.env.PATH ?? '', ...variables }
  const child = spawn(process.execPath, [program, 'login', ...words], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let err = ''
  child.stderr.on('data', (part) => {
    err += part
  })
  const ended = once(child, 'close')
  const shown = () => {
    assert.match(err, /approve the code ([A-Z-]+)\./)
    return /approve the code ([A-Z-]+)\./.exec(err)?.[1]
  }
  const userCode = await eventually('login shows a code', shown)
  await submit('/device', `user_code=${userCode}&answer=${answer}`, { cookie })
  const [code] = await ended
  return { code, err }
}

/** Waits until the server refuses a token. It reads the session of a token again at most two seconds later. */
async function isRefused(token: string | undefined): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const look = async () => {
    assert.equal((await fetch(`${server.url}/preview/v2/account`, { headers })).status, 401)
    return true
  }
  await eventually('the server refuses the token of the ended session', look)
}

test('login stores the session of the person who approves, for its owner only', async () => {
  const { code, err } = await login('approve')
  assert.equal(code, 0, err)
  assert.match(err, new RegExp(`Open ${server.url}/device\\?user_code=`))
  assert.match(err, new RegExp(`Signed in to .* as admin of acme. The profile ${name} is in use`))
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const who = await runnerFor(variables)('whoami', '--json')
  const { account, user, mode } = JSON.parse(who.out)
  assert.deepEqual([account, user, mode], ['acme', 'admin@acme.example', 'sandbox'])
})

test('the stored session is used for its own server only', async () => {
  const elsewhere = await runnerFor({ ...variables, BOURSE_BASE_URL: 'http://127.0.0.1:1' })('whoami')
  assert.equal(elsewhere.code, 77)
  assert.match(elsewhere.err, /no token for http:\/\/127\.0\.0\.1:1/)
  const chosen = await runnerFor({ XDG_CONFIG_HOME: home })('whoami')
  assert.equal(chosen.code, 0, chosen.err)
  const own = await runnerFor({ ...variables, BOURSE_API_TOKEN: acme })('whoami', '--json')
  assert.equal(JSON.parse(own.out).user, null)
})

test('a further login replaces the session and ends the one before', async () => {
  const before = tokenStored()
  assert.equal((await login('approve', '--json')).code, 0)
  const after = tokenStored()
  assert.notEqual(after, before)
  await isRefused(before)
})

test('a refused login stores nothing new', async () => {
  const before = readFileSync(file, 'utf8')
  const { code, err } = await login('deny')
  assert.notEqual(code, 0)
  assert.match(err, /refused/)
  assert.equal(readFileSync(file, 'utf8'), before)
})

test('logout ends the session at the server and removes it from its profile', async () => {
  const token = tokenStored()
  const ended = await runnerFor(variables)('logout')
  assert.equal(ended.code, 0, ended.err)
  assert.equal(tokenStored(), undefined)
  await isRefused(token)
  const again = await runnerFor(variables)('logout')
  assert.equal(again.code, 77)
  assert.equal((await runnerFor(variables)('whoami')).code, 77)
})

test('a profile of another server is not overwritten', async () => {
  const { code, err } = await runnerFor(variables)('login', '--profile', name, '--base-url', 'http://127.0.0.1:1')
  assert.equal(code, 2)
  assert.match(err, new RegExp(`The profile ${name} is of ${server.url}`))
})

test('logout leaves a service token alone', async () => {
  const sandboxFile = readFileSync(file, 'utf8')
  writeFileSync(file, sandboxFile.replace(/^base_url/m, `token = "${acme}"\nbase_url`), { mode: 0o600 })
  const { code, err } = await runnerFor(variables)('logout')
  assert.equal(code, 2)
  assert.match(err, /has a service token/)
  assert.equal((await runnerFor(variables)('whoami')).code, 0)
})
