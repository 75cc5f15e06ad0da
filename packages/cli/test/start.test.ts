import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { leftOut } from '../../../test/left-out.ts'
import { createClient } from '../../sdk/src/client.ts'
import { NetworkError } from '../../sdk/src/errors.ts'
import { processIdentity } from '../../server/src/core/postgres/process-identity.ts'
import { bourse, newDirectory, noCurl, printedCalls, type RunningSandbox, startSandbox } from './sandbox-process.ts'

const directory = newDirectory()
const second = newDirectory()
let sandbox: RunningSandbox = await startSandbox(directory)

/** The printed sign-in links, at the address of the sandbox. */
function linksOf({ url, out }: Pick<RunningSandbox, 'url' | 'out'>): string[] {
  return [...out().matchAll(/\/sign-in\/\S+/g)].map(([path]) => `${url}${path}`)
}

async function pageOf(link: string): Promise<string> {
  return (await fetch(link)).text()
}

function clientOf({ url, token }: RunningSandbox) {
  return createClient({ baseUrl: url, token, maxRetries: 0 })
}

/** Waits until the sandbox has written a text to standard error. */
async function hasSaid(text: string): Promise<void> {
  const look = () => {
    assert.ok(sandbox.err().includes(text), sandbox.err())
    return true
  }
  await eventually(`the sandbox says: ${text}`, look)
}

test('a sandbox prints few lines and no token, and writes tokens and example calls to a private file', async () => {
  const said = sandbox.out()
  // Browsers have passkeys for a name, and for no address.
  assert.equal(new URL(sandbox.url).hostname, 'localhost')
  for (const part of [sandbox.url, `${sandbox.url}/docs`, join(directory, 'sandbox.env')])
    assert.ok(said.includes(part), part)
  const lines = `${sandbox.err()}${said}`.split('\n').filter(Boolean)
  assert.ok(lines.length <= 13, lines.join('\n'))
  assert.doesNotMatch(lines.join('\n').replaceAll(/\/sign-in\/\S+/g, ''), /eyJ|delete|terminate|\brm\b/)
  const file = join(directory, 'sandbox.env')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal((await clientOf(sandbox).account.get()).server.mode, 'sandbox')
})

test('a sandbox prints a link for the admin of the seeded account, and one for the operator', async () => {
  const links = linksOf(sandbox)
  assert.equal(links.length, 2)
  const [admin = '', operator = ''] = links
  assert.match(await pageOf(admin), /signed in as ada .*account Acme Research \(acme\)/)
  assert.match(await pageOf(operator), /signed in as operator .*account Platform \(bourse\)/)
})

test('the printed commands work as printed', async () => {
  const commands = sandbox
    .out()
    .split('\n')
    .flatMap((line) => / bourse (.*)$/.exec(line)?.[1] ?? [])
  assert.equal(commands.length, 3)
  for (const command of commands) {
    const { code, out } = await bourse(command.split(' '), { BOURSE_DATA_DIR: directory })
    assert.ok(code === 0 && out.length > 0, command)
  }
})

test('the five example calls work as written', leftOut(noCurl), () => {
  const statuses = printedCalls(sandbox).map((line) => {
    const answer = execFileSync('/bin/sh', ['-c', line]).toString()
    return Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1])
  })
  assert.deepEqual(statuses, [200, 200, 204, 201, 204])
})

test('the CLI finds the sandbox by its file', async () => {
  const { code, out } = await bourse(['account', 'get', '--json'], { BOURSE_DATA_DIR: directory })
  assert.equal(code, 0)
  assert.equal(JSON.parse(out).id, (await clientOf(sandbox).account.get()).id)
})

test('the CLI sends its token to no other server', async () => {
  const elsewhere = { BOURSE_DATA_DIR: directory, BOURSE_BASE_URL: 'http://127.0.0.1:1' }
  const { code, err } = await bourse(['account', 'get'], elsewhere)
  assert.equal(code, 77)
  assert.match(err, /no token for http:\/\/127\.0\.0\.1:1/)
})

test('a second sandbox on the same data directory is refused with the process id of the first', async () => {
  const { code, out, err } = await bourse(['start'], { BOURSE_DATA_DIR: directory, BOURSE_PORT: '0' })
  assert.deepEqual([code, out], [1, ''])
  assert.ok(err.includes(`pid ${sandbox.process.pid}`), err)
})

test('a port in use is refused with a remedy', async () => {
  const { port } = new URL(sandbox.url)
  const { code, err } = await bourse(['start', '--port', port], { BOURSE_DATA_DIR: second })
  assert.equal(code, 1)
  assert.match(err, /BOURSE_PORT/)
})

test('two sandboxes run at the same time, and neither accepts the token of the other', async () => {
  const other = await startSandbox(second)
  assert.notEqual(other.url, sandbox.url)
  await clientOf(other).account.get()
  await clientOf(sandbox).account.get()
  const mixed = createClient({ baseUrl: other.url, token: sandbox.token })
  await assert.rejects(mixed.account.get(), { name: 'AuthenticationError' })
  assert.equal(await other.stop('SIGINT'), 0)
})

test('a signal to npm start ends the sandbox and its PostgreSQL', async () => {
  const own = newDirectory()
  const started = await startSandbox(own, { by: 'npm' })
  const [postmaster = ''] = readFileSync(join(own, 'postgres/postmaster.pid'), 'utf8').split('\n')
  await started.stop()
  await eventually('its PostgreSQL has ended', () => processIdentity(Number(postmaster)) === undefined)
  await assert.rejects(clientOf(started).account.get(), NetworkError)
})

test('a stop under load loses no acknowledged change, and the next start has all of them', async () => {
  const client = clientOf(sandbox)
  const answered: string[] = []
  const write = async (writer: number) => {
    for (let number = 0; ; number++) {
      const { name } = await client.firewalls.create({ name: `w${writer}-${number}` })
      answered.push(name)
      if (answered.length === 100) sandbox.process.kill('SIGTERM')
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: 8 }, (_, writer) => write(writer)))
  for (const end of ends) assert.ok(end.status === 'rejected' && end.reason instanceof NetworkError, String(end))
  assert.equal(await sandbox.ended, 0)
  const { token, out } = sandbox
  const programs = newDirectory()
  const opened = join(programs, 'opened')
  for (const name of ['open', 'xdg-open']) {
    writeFileSync(join(programs, name), `#!/bin/sh\nprintf %s "$1" > '${opened}'\nexit 3\n`, { mode: 0o755 })
  }
  const variables = { PATH: `${programs}:${process.env.PATH}` }
  sandbox = await startSandbox(directory, { words: ['--open'], variables })
  assert.equal(sandbox.token, token)
  const [link = ''] = linksOf(sandbox)
  await hasSaid('exited with 3. Open the link yourself.')
  assert.equal(readFileSync(opened, 'utf8'), link)
  assert.match(await pageOf(link), /signed in as ada/)
  for (const former of linksOf({ url: sandbox.url, out })) assert.match(await pageOf(former), /no longer valid/)
  assert.equal(printedCalls(sandbox).length, noCurl ? 5 : 2)
  const kept = new Set((await clientOf(sandbox).firewalls.list({ limit: 200 }).all()).map(({ name }) => name))
  assert.ok(answered.length >= 100)
  assert.deepEqual(
    answered.filter((name) => !kept.has(name)),
    [],
  )
})

test('a second signal ends the sandbox at once, even while it waits', async () => {
  const { hostname, port } = new URL(sandbox.url)
  const socket = connect(Number(port), hostname)
  const cut = once(socket, 'close')
  const head = [`Host: ${hostname}`, `Authorization: Bearer ${sandbox.token}`, 'Content-Type: application/json']
  socket.write(['POST /v2/workspaces HTTP/1.1', ...head, 'Content-Length: 100', '', '{'].join('\r\n'))
  await clientOf(sandbox).account.get()
  sandbox.process.kill('SIGINT')
  await hasSaid('stopping')
  const ended = () => {
    sandbox.process.kill('SIGINT')
    return sandbox.process.exitCode !== null
  }
  await eventually('a further signal ends the sandbox', ended, { every_milliseconds: 100 })
  assert.equal(sandbox.process.exitCode, 130)
  await cut
})
