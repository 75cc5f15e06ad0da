import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { leftOut } from '../../../test/left-out.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { runnerFor } from './run-here.ts'
import { newDirectory } from './sandbox-process.ts'
import { bourseWith, noTerminal, onTerminal } from './setup-process.ts'

const server = await startTestServer()
const { id: account, token } = await server.account()

/** A configuration of its own, with a runner and the path of its file. */
function newConfiguration(variables: Readonly<Record<string, string>> = {}) {
  const home = newDirectory()
  const all = { XDG_CONFIG_HOME: home, ...variables }
  const path = join(home, 'bourse', 'config.toml')
  const write = (text: string, mode = 0o600) => {
    mkdirSync(join(home, 'bourse'), { recursive: true })
    writeFileSync(path, text)
    chmodSync(path, mode)
  }
  return { all, path, write, bourse: runnerFor(all) }
}

/** A server that records the tokens that it gets. */
async function startListener(): Promise<{ url: string; tokens: (string | undefined)[] }> {
  const tokens: (string | undefined)[] = []
  const listener = createServer((request, response) => {
    tokens.push(request.headers.authorization)
    response
      .writeHead(401, { 'content-type': 'application/json' })
      .end('{"error":{"type":"authentication_error","message":"No."}}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => listener.once('listening', resolve))
  atEnd(() => listener.close())
  return { url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`, tokens }
}

test('a profile is added with a token from the standard input, never shown with it, used and removed', async () => {
  const { all, path, bourse } = newConfiguration()
  const added = await bourseWith(
    `${token}\n`,
    ['profiles', 'add', 'acme', '--base-url', server.url, '--format', 'json'],
    all,
  )
  assert.equal(added.code, 0, added.err)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const read = await bourse('account', 'get')
  assert.deepEqual([read.code, JSON.parse(read.out).id], [0, account], read.err)
  for (const words of [['list', '-o', 'json'], ['list'], ['show'], ['show', 'acme', '--json']]) {
    const shown = await bourse('profiles', ...words)
    assert.equal(shown.code, 0, shown.err)
    assert.ok(shown.out.includes('acme') && !shown.out.includes(token), words.join(' '))
  }
  assert.equal((await bourse('profiles', 'remove', 'acme', '--yes')).code, 0)
  assert.ok(!readFileSync(path, 'utf8').includes(token))
  assert.equal((await bourse('account', 'get')).code, 77)
})

test('a profile needs a name, an address, a token, and may not replace another', async () => {
  const { all, bourse } = newConfiguration()
  const add = (input: string, ...words: string[]) => bourseWith(input, ['profiles', 'add', ...words], all)
  assert.equal((await add(token, '../x', '--base-url', server.url)).code, 2)
  assert.match((await add(token, 'a')).err, /Missing --base-url/)
  assert.equal((await add(token, 'a', '--base-url', 'ftp://x')).code, 2)
  const open = await add(token, 'a', '--base-url', 'http://192.0.2.1')
  assert.match(open.err, /not encrypted/)
  assert.equal((await add('', 'a', '--base-url', server.url)).code, 77)
  const torn = await add('to ken', 'a', '--base-url', server.url)
  assert.deepEqual([torn.code, torn.err.includes('to ken')], [77, false])
  assert.equal((await add(token, 'a', '--base-url', server.url, '--format', 'xml')).code, 2)
  assert.equal((await add(token, 'a', '--base-url', server.url)).code, 0)
  assert.match((await add(token, 'a', '--base-url', server.url)).err, /already a profile/)
  assert.equal((await add(token, 'a', '--base-url', server.url, '--replace')).code, 0)
  assert.equal((await bourse('profiles', 'use', 'b')).code, 4)
  assert.equal((await bourse('profiles', 'show', 'b')).code, 4)
  assert.equal((await bourse('profiles', 'remove', 'b', '--yes')).code, 4)
  assert.equal((await bourse('account', 'get', '--profile', 'b')).code, 4)
})

test('an error has the format that the environment or the profile sets, unless a flag sets another', async () => {
  const { all } = newConfiguration()
  const words = ['account', 'get', '--base-url', 'http://127.0.0.1:1']
  const failed = async (variables: Record<string, string>, ...more: string[]) => {
    const { code, err } = await runnerFor({ ...all, ...variables })(...words, ...more)
    assert.equal(code, 77)
    return err.startsWith('{"error":')
  }
  assert.equal(await failed({}), false)
  assert.equal(await failed({ BOURSE_OUTPUT: 'json' }), true)
  assert.equal(await failed({ BOURSE_OUTPUT: 'json' }, '-o', 'table'), false)
  const add = ['profiles', 'add', 'a', '--base-url', server.url, '--format', 'jsonl']
  assert.equal((await bourseWith(token, add, all)).code, 0)
  assert.equal(await failed({}), true)
  // Where the settings themselves are wrong, the error is for people.
  const wrong = await runnerFor({ ...all, BOURSE_OUTPUT: 'xml' })(...words)
  assert.match(wrong.err, /^Error: "xml" is not an output format/)
})

test('a setting comes from a flag, then the environment, then the profile, then the sandbox', async () => {
  const sandbox = newDirectory()
  writeFileSync(join(sandbox, 'sandbox.env'), 'BOURSE_BASE_URL=http://127.0.0.1:4\nBOURSE_API_TOKEN=d\n')
  const { all, write } = newConfiguration({ BOURSE_DATA_DIR: sandbox })
  const origins = async (variables: Record<string, string>, ...words: string[]) => {
    const { out, err, code } = await runnerFor({ ...all, ...variables })('config', 'show', '--json', ...words)
    assert.equal(code, 0, err)
    type Row = { setting: string; value: string | null; origin: string | null }
    const rows: Row[] = JSON.parse(out).data
    const row = (name: string) => rows.find(({ setting }) => setting === name)
    return [row('base_url')?.value, row('base_url')?.origin, row('token')?.origin]
  }
  const file = join(sandbox, 'sandbox.env')
  assert.deepEqual(await origins({}), ['http://127.0.0.1:4', file, file])
  const elsewhere = { BOURSE_BASE_URL: 'http://127.0.0.1:9' }
  assert.deepEqual(await origins(elsewhere), ['http://127.0.0.1:9', 'BOURSE_BASE_URL', null])
  write(
    'current = "c"\n[profiles.c]\nbase_url = "http://127.0.0.1:3"\ntoken = "c"\n' +
      '[profiles.e]\nbase_url = "http://127.0.0.1:5"\ntoken = "e"\n',
  )
  assert.deepEqual(await origins({}), ['http://127.0.0.1:3', 'profile c', 'profile c'])
  const both = { BOURSE_BASE_URL: 'http://127.0.0.1:2', BOURSE_API_TOKEN: 'b' }
  assert.deepEqual(await origins(both), ['http://127.0.0.1:2', 'BOURSE_BASE_URL', 'BOURSE_API_TOKEN'])
  assert.deepEqual(await origins(both, '--base-url', 'http://127.0.0.1:1'), [
    'http://127.0.0.1:1',
    '--base-url',
    'BOURSE_API_TOKEN',
  ])
  assert.deepEqual(await origins({ BOURSE_PROFILE: 'e' }), ['http://127.0.0.1:5', 'profile e', 'profile e'])
  assert.deepEqual(await origins({ ...both, BOURSE_PROFILE: 'c' }, '--profile', 'e'), [
    'http://127.0.0.1:5',
    'profile e',
    'profile e',
  ])
})

test('the token of a profile is sent to the address of this profile only', async () => {
  const listener = await startListener()
  const { write, bourse, all } = newConfiguration()
  write(`current = "own"\n[profiles.own]\nbase_url = "${server.url}"\ntoken = "${token}"\n`)
  assert.equal((await bourse('account', 'get')).code, 0)
  const flag = await bourse('account', 'get', '--base-url', listener.url)
  assert.deepEqual([flag.code, /no token for/.test(flag.err)], [77, true])
  assert.equal((await bourse('account', 'get', '--profile', 'own', '--base-url', listener.url)).code, 77)
  assert.equal((await runnerFor({ ...all, BOURSE_BASE_URL: listener.url })('account', 'get')).code, 77)
  assert.deepEqual(listener.tokens, [])
  // A token of the environment has no address of its own.
  await runnerFor({ ...all, BOURSE_BASE_URL: listener.url, BOURSE_API_TOKEN: 'mine' })('account', 'get')
  assert.deepEqual(new Set(listener.tokens), new Set(['Bearer mine']))
  assert.equal((await bourse('account', 'get', '--base-url', `${server.url}/`)).code, 0)
})

test('a file that others can read is repaired with a message', async () => {
  const { write, bourse, path } = newConfiguration()
  write(`current = "a"\n[profiles.a]\nbase_url = "${server.url}"\ntoken = "${token}"\n`, 0o644)
  const repaired = await bourse('account', 'get', '--json')
  assert.deepEqual([repaired.code, statSync(path).mode & 0o777], [0, 0o600])
  assert.match(repaired.err, /Others could read .*config\.toml.*Its mode is 600 now/)
  assert.equal((await bourse('account', 'get', '--json')).err, '')
})

test('an invalid file is refused without its text', async () => {
  const { write, bourse } = newConfiguration()
  const cases: [text: string, message: RegExp][] = [
    ['[profiles.a]\ntoken = "sec"ret\n', /line 2 is not valid TOML/],
    ['profiles = 3', /must be tables/],
    ['current = 3', /"current" must be/],
    ['[profiles.a]\ntoken = "secret"\n', /no "base_url"/],
    ['[profiles.a]\nbase_url = 3\n', /"base_url" of the profile a must be/],
    ['[profiles."a b"]\nbase_url = "x"\n', /not a name of a profile/],
    ['[profiles.a]\nbase_url = "http://x"\noutput = "xml"\n', /not an output format/],
    [`# ${'x'.repeat(1_048_576)}\n`, /larger than 1 MiB/],
  ]
  for (const [text, message] of cases) {
    write(text)
    const { code, err } = await bourse('account', 'get')
    assert.deepEqual([code, err.includes('secret'), err.includes('sec"ret')], [2, false, false], err)
    assert.match(err, message)
  }
})

test('init takes flags and the standard input, checks the connection and prints what to try', async () => {
  const { all, bourse, path } = newConfiguration()
  const made = await bourseWith(token, ['init', '--yes', '--base-url', server.url, '--name', 'mine'], all)
  assert.equal(made.code, 0, made.err)
  assert.match(made.out, /^Try:\n( {2}bourse .*\n){3}$/)
  assert.ok(made.err.includes(`the account ${account}`) && !(made.out + made.err).includes(token))
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal((await bourse('workspaces', 'list')).code, 0)
  const wrong = await bourseWith('not.a.token', ['init', '--yes', '--base-url', server.url, '--name', 'other'], all)
  assert.deepEqual([wrong.code, /does not accept this token/.test(wrong.err)], [77, true])
  assert.equal((await bourse('profiles', 'show', 'other')).code, 4)
  const asked = await bourseWith('', ['init'], all)
  assert.deepEqual([asked.code, /--base-url.*standard input/.test(asked.err)], [2, true])
  const none = await bourseWith('', ['init', '--yes', '--base-url', server.url], all)
  assert.deepEqual([none.code, /There is no token/.test(none.err)], [77, true], none.err)
  const gone = await bourseWith(token, ['init', '--yes', '--base-url', 'http://127.0.0.1:1', '--name', 'gone'], all)
  assert.equal(gone.code, 7)
})

test('a standard input that nobody writes to and nobody closes holds up nothing', async () => {
  const { all, bourse } = newConfiguration()
  const open = { staysOpen: true }
  const none = await bourseWith('', ['init', '--yes', '--base-url', server.url], all, open)
  assert.deepEqual([none.code, /There is no token[\s\S]*--token-stdin/.test(none.err)], [77, true], none.err)
  const line = await bourseWith(`${token}\n`, ['profiles', 'add', 'line', '--base-url', server.url], all, open)
  assert.equal(line.code, 0, line.err)
  const words = ['init', '--yes', '--base-url', server.url, '--name', 'asked', '--token-stdin']
  assert.equal((await bourseWith(`${token}\n`, words, all, open)).code, 0)
  const empty = await bourseWith('', words, all)
  assert.deepEqual([empty.code, /There is no token/.test(empty.err)], [77, true], empty.err)
  assert.equal((await bourse('account', 'get', '--profile', 'asked')).code, 0)
  const sandbox = newDirectory()
  writeFileSync(join(sandbox, 'sandbox.env'), `BOURSE_BASE_URL=${server.url}\nBOURSE_API_TOKEN=${token}\n`)
  const found = await bourseWith('', ['init', '--yes'], { ...all, BOURSE_DATA_DIR: sandbox }, open)
  assert.equal(found.code, 0, found.err)
})

test('a profile of a server that is no sandbox is not named like one', async () => {
  const peer = createServer((_, response) => {
    const account = { id: 'acme', server: { now: 1_767_312_000, mode: 'production' } }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(account))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => peer.once('listening', resolve))
  atEnd(() => peer.close())
  const url = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`
  // The settings of a sandbox that was there before.
  const sandbox = newDirectory()
  writeFileSync(join(sandbox, 'sandbox.env'), `BOURSE_BASE_URL=${url}\nBOURSE_API_TOKEN=old\n`)
  const { all, bourse } = newConfiguration({ BOURSE_DATA_DIR: sandbox })
  const made = await bourseWith('mine\n', ['init', '--yes'], all)
  assert.equal(made.code, 0, made.err)
  assert.equal((await bourse('profiles', 'show', '127.0.0.1')).code, 0)
  assert.equal((await bourse('profiles', 'show', 'sandbox')).code, 4)
})

test('the format of the settings is that of every command, and of its errors', async () => {
  const { all } = newConfiguration({ BOURSE_OUTPUT: 'json' })
  for (const words of [['version'], ['profiles', 'list'], ['config', 'show']]) {
    const { code, out, err } = await runnerFor(all)(...words)
    assert.deepEqual([code, err], [0, ''])
    assert.equal(typeof JSON.parse(out).object, 'string')
  }
  const wrong = await runnerFor(all)('config', 'show', '--profile', 'none')
  assert.deepEqual([wrong.code, JSON.parse(wrong.err).error.message], [4, 'There is no profile none.'])
})

test('init finds the sandbox of the working directory', async () => {
  const sandbox = newDirectory()
  writeFileSync(join(sandbox, 'sandbox.env'), `BOURSE_BASE_URL=${server.url}\nBOURSE_API_TOKEN=${token}\n`)
  const { all, bourse } = newConfiguration()
  const made = await bourseWith('', ['init', '--yes'], { ...all, BOURSE_DATA_DIR: sandbox })
  assert.equal(made.code, 0, made.err)
  assert.equal((await bourse('account', 'get', '--profile', 'sandbox')).code, 0)
  // A token that is given comes before that of the sandbox, which is of its admin.
  const other = await server.account()
  const words = ['init', '--yes', '--base-url', server.url, '--name', 'given']
  const given = await bourseWith(`${other.token}\n`, words, { ...all, BOURSE_DATA_DIR: sandbox })
  assert.deepEqual([given.code, given.err.includes('The token comes from')], [0, false], given.err)
  assert.equal(JSON.parse((await bourse('account', 'get', '--profile', 'given', '--json')).out).id, other.id)
  const added = await bourseWith('', ['profiles', 'add', 'again', '--from-sandbox'], {
    ...all,
    BOURSE_DATA_DIR: sandbox,
  })
  assert.equal(added.code, 0, added.err)
  assert.equal((await bourseWith('', ['profiles', 'add', 'none', '--from-sandbox'], all)).code, 4)
})

test('on a terminal init asks three questions and does not show the token', leftOut(noTerminal), async () => {
  const { all, bourse } = newConfiguration({ BOURSE_DATA_DIR: '/nonexistent' })
  const { code, shown } = await onTerminal(
    ['init'],
    [
      ['URL of the server: ', server.url],
      ['Token (not shown): ', token],
      ['Name of this profile [127.0.0.1]: ', 'typed'],
    ],
    all,
  )
  assert.equal(code, 0, shown)
  assert.ok(!shown.includes(token.slice(0, 40)), 'the token was shown')
  assert.match(shown, /Try:/)
  assert.equal((await bourse('account', 'get', '--profile', 'typed')).code, 0)
})
