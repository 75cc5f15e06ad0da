import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Command } from 'commander'
import { test } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { createWholeProgram } from '../src/program.ts'
import { runnerFor } from './run-here.ts'
import { newDirectory } from './sandbox-process.ts'

const server = await startTestServer()
const home = newDirectory()
const data = { BOURSE_OUTPUT: 'json', HOME: home, XDG_CONFIG_HOME: home }
const refused = runnerFor({ ...data, BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: 'refused' })
// No server may listen on this port.
const away = runnerFor({ ...data, BOURSE_BASE_URL: 'http://127.0.0.1:1', BOURSE_API_TOKEN: 'away' })
const full = newDirectory()
writeFileSync(join(full, 'file'), '')

type Runner = typeof refused
/** A wrong call of a command, without the words of its name, and the exit code. */
type WrongCall = readonly [words: readonly string[], code: number]

/**
 * Commands that act on this machine, or without a token: each with its own wrong calls. All others are called with a
 * token that is refused and with a server that is away.
 */
const local: Readonly<Record<string, readonly WrongCall[]>> = {
  start: [
    [['--port', '?'], 2],
    [['--port', '65536'], 2],
  ],
  serve: [[[], 1]],
  migrate: [
    [[], 1],
    [['--plan'], 1],
  ],
  'backup create': [
    [[], 2],
    [[full], 1],
  ],
  'backup list': [
    [[], 2],
    [['s3://x'], 1],
  ],
  'backup verify': [
    [[], 2],
    [[full], 1],
    [[full, '?'], 1],
  ],
  'backup prune': [
    [[full], 2],
    [[full, '--keep', '0'], 2],
    [[full, '--keep', '3'], 1],
  ],
  'backup archive-wal': [
    [[full, 'x'], 2],
    [[full, 'pg_wal/x', '?'], 1],
    [[full, '/nowhere/pg_wal/000000010000000000000001', '000000010000000000000001'], 1],
  ],
  'backup fetch-wal': [[[full, '000000010000000000000001', '/nowhere/pg_wal/x'], 255]],
  restore: [
    [[full], 2],
    [[full, '--to', 'yesterday', '--data-directory', '/nowhere/x'], 2],
    [[full, '--to', '2026-02-30T03:00:00Z', '--data-directory', '/nowhere/x'], 2],
    [[full, '--to', '2026-11-29T03:00:00', '--data-directory', '/nowhere/x'], 2],
    [[full, '--to', 'latest', '--data-directory', '/nowhere/x', '--timeline', '0'], 2],
    [[full, '--to', 'latest', '--data-directory', full], 1],
  ],
  'agent enrol': [
    [['--server', '?', '--token-file', '/nonexistent'], 1],
    [['--server', '?'], 1],
  ],
  'agent run': [[['--tunnel-port', '?'], 2]],
  'agent change-key': [[['--directory', join(full, 'file')], 1]],
  'agent update': [[['--directory', '?'], 1]],
  'agent check': [
    [['--slots', '?'], 2],
    [['--slots', '65'], 2],
  ],
  doctor: [[['--columns', 'nmae'], 2]],
  // Without --yes it shows what it would install.
  'install production': [[[full], 1]],
  'install systemd': [[['--columns', 'nmae'], 2]],
  'keys create': [[[full], 2]],
  'keys rotate': [
    [[], 2],
    [['/nonexistent'], 1],
    [['/nonexistent', '--kind', 'other'], 2],
    [['/nonexistent', '--after', '14'], 2],
  ],
  'keys reencrypt': [[[], 1]],
  'audit verify': [
    [[], 1],
    [['--expect', '?'], 2],
    [['--against', '/nonexistent'], 2],
  ],
  'audit export': [[[], 1]],
  version: [[['--columns', 'nmae'], 2]],
  init: [
    [['--base-url', '?'], 2],
    [['--format', '?', '--base-url', server.url], 77],
  ],
  // It needs no token, and waits for a person.
  login: [
    [[], 7],
    [['--profile', '?'], 2],
  ],
  logout: [
    [[], 77],
    [['--profile', '?'], 4],
  ],
  'config show': [[['--profile', '?'], 4]],
  'profiles add': [
    [['?', '--base-url', server.url], 2],
    [['name', '--base-url', '?'], 2],
    [['name', '--base-url', server.url, '--format', '?'], 2],
    [['name', '--base-url', server.url], 77],
    [['name', '--from-sandbox'], 4],
  ],
  'profiles list': [[['--columns', 'nmae'], 2]],
  'profiles use': [[['?'], 4]],
  'profiles show': [
    [['?'], 4],
    [[], 2],
  ],
  'profiles remove': [[['?'], 4]],
  'completion install': [[['?'], 2]],
  'completion bash': [[['?'], 2]],
  'completion zsh': [[['?'], 2]],
  'completion fish': [[['?'], 2]],
  // Nothing that stands on a line that is being typed is an error.
  'completion suggest': [],
}

/** The commands below a command that do something, with their words. */
function* leavesOf(command: Command, words: readonly string[] = []): Iterable<[words: readonly string[], Command]> {
  if (command.commands.length === 0) yield [words, command]
  for (const inner of command.commands) yield* leavesOf(inner, [...words, inner.name()])
}

const program = await createWholeProgram({ terminal: { note: () => {} } as never, variables: {} })
const commands = [...leavesOf(program)]
const remote = commands.filter(([words]) => !Object.hasOwn(local, words.join(' ')))

/** Words for each argument of a command, and for each flag without which it is refused. */
function leastOf({ options, registeredArguments }: Command): string[] {
  const required = options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long as string, '?'])
  return [...registeredArguments.map(() => '?'), ...required]
}

/** Runs a wrong call. Returns the message of the one error that it prints, as data. */
async function messageOf(bourse: Runner, words: readonly string[], codes: readonly number[]): Promise<string> {
  const { code, err, out } = await bourse(...words)
  const told = `${words.join(' ')}: exit ${code}, ${out}${err}`
  assert.ok(codes.includes(code) && out === '', told)
  // Warnings may come before it.
  const last = err.trim().split('\n').at(-1) ?? ''
  assert.match(last, /^\{"error":\{/, told)
  return JSON.parse(last).error.message
}

test('the commands of this machine are commands, and refuse their wrong calls with one error', async () => {
  const names = commands.map(([words]) => words.join(' '))
  for (const [name, wrong] of Object.entries(local)) {
    assert.ok(names.includes(name), name)
    for (const [words, code] of wrong) {
      // What a server says when it does not start is a line of its log.
      if (name === 'serve') assert.equal((await away('serve', ...words)).code, code)
      else await messageOf(away, [...name.split(' '), ...words], [code])
    }
  }
})

test('every command refuses an unknown flag, as data where data is asked for', async () => {
  assert.ok(remote.length > 200)
  for (const [words] of commands) {
    const text = await messageOf(refused, [...words, '--no-such-flag'], [2])
    assert.match(text, /^Unknown option '--no-such-flag'\.|^Missing (--|<)/)
  }
})

test('a first token or person is not created in a format that does not show the secret', async () => {
  for (const person of [[], ['--person', 'root@market.example']]) {
    const words = ['tokens', 'create', '--platform', ...person, '-o', 'id']
    const { code, out, err } = await away(...words)
    assert.deepEqual([code, out], [2, ''])
    assert.equal(err, 'Error: -o id does not show what is shown only once.\n  Use -o json.\n')
  }
})

test('every command that needs an argument or a flag is refused without it', async () => {
  for (const [words, command] of commands) {
    const needed = command.registeredArguments.filter(({ required }) => required)
    const flags = command.options.filter(({ mandatory }) => mandatory)
    if (needed.length + flags.length === 0) continue
    assert.match(await messageOf(refused, words, [2]), /^Missing (--[\w-]+|<[\w-]+>)\.$/)
  }
})

test('every command with a wrong value of each flag, and a token that is refused, fails with one error', async () => {
  for (const [words, { options, registeredArguments }] of remote) {
    const flags = options.filter(({ required, optional }) => required || optional)
    const everything = flags.flatMap(({ long }) => [long as string, '?'])
    const places = registeredArguments.map(() => '?')
    await messageOf(refused, [...words, ...places, ...everything], [2, 3, 77])
    for (const flag of flags) await messageOf(refused, [...words, ...places, flag.long as string, '?'], [2, 3, 77])
  }
})

test('every command fails with one error where the server is away', async () => {
  let reached = 0
  const call = async ([words, command]: (typeof remote)[number]) => {
    const message = await messageOf(away, [...words, ...leastOf(command), '--yes'], [2, 7])
    if (message.startsWith('No response from')) reached += 1
  }
  // Most of the time they wait before they try again.
  for (let at = 0; at < remote.length; at += 64) await Promise.all(remote.slice(at, at + 64).map(call))
  assert.ok(reached > 150, `${reached} of ${remote.length} commands asked the server`)
})

test('every command refuses a column that its rows do not have before it looks at anything else', async () => {
  for (const [words, command] of commands) {
    if (words.join(' ') === 'completion suggest') continue
    const given = [...words, ...leastOf(command), '-o', 'table', '--columns', 'nmae']
    const { code, out, err } = await away(...given)
    const isTold = /There is no column "nmae"|This command prints no rows/.test(err)
    assert.deepEqual([code, out, isTold], [2, '', true], `${words.join(' ')}: ${err}`)
  }
})

test('a wait for an unknown state or length is refused before an instance is made', async () => {
  let sent = 0
  const peer = createServer((_, response) => {
    sent += 1
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: 'inst_1' }))
  }).listen(0, '127.0.0.1')
  await once(peer, 'listening')
  const { port } = peer.address() as AddressInfo
  const counted = runnerFor({ BOURSE_BASE_URL: `http://127.0.0.1:${port}`, BOURSE_API_TOKEN: 'counted' })
  atEnd(() => peer.close())
  const id = `inst_${'0'.repeat(21)}`
  const place = ['--pool', `pool_${'0'.repeat(21)}`, '--sku', `sku_${'0'.repeat(21)}`]
  const waiting = [
    ['instances', 'create', ...place, '--image', `image_${'0'.repeat(21)}`],
    ['instances', 'replace', id],
  ]
  const commands = [
    ...waiting.flatMap((words) => [
      [...words, '--wait=runing'],
      [...words, '--wait', '--timeout', 'abc'],
    ]),
    ['instances', 'wait', 'trainer', '--for', 'runing'],
    ['instances', 'wait', 'trainer', '--timeout', 'abc'],
  ]
  for (const words of commands) {
    const { code, out, err } = await counted(...words)
    assert.deepEqual([code, out, sent], [2, '', 0], `${words.join(' ')}: ${err}`)
    assert.match(err, words.at(-1) === 'abc' ? /"abc" is not a duration/ : /"runing" is not a known state/)
  }
})
