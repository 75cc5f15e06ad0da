import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Command } from 'commander'
import { test } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { commandPlace, operations } from '../src/commands/operation-commands.ts'
import { createWholeProgram } from '../src/program.ts'
import { runnerFor } from './run-here.ts'

const server = await startTestServer()
const refused = runnerFor({ BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: 'refused', BOURSE_OUTPUT: 'json' })

/** Commands that are no operations of a server: they have tests of their own, and some start something. */
const others = new Set([
  ...['start', 'serve', 'migrate', 'agent', 'doctor', 'keys', 'login', 'logout', 'whoami', 'version', 'init'],
  ...['profiles', 'config', 'completion', 'ssh', 'audit verify', 'audit export'],
])

/** The commands below a command that do something, with their words. */
function* leavesOf(command: Command, words: readonly string[] = []): Iterable<[words: readonly string[], Command]> {
  if (command.commands.length === 0) yield [words, command]
  for (const inner of command.commands) yield* leavesOf(inner, [...words, inner.name()])
}

const program = await createWholeProgram({ terminal: { note: () => {} } as never, variables: {} })
const commands = [...leavesOf(program)].filter(([words]) => !others.has(words[0] ?? '') && !others.has(words.join(' ')))

async function messageOf(words: readonly string[], codes: readonly number[]): Promise<string> {
  const { code, err, out } = await refused(...words)
  const told = `${words.join(' ')}: exit ${code}, ${out}${err}`
  assert.ok(codes.includes(code) && out === '', told)
  // Warnings may come before it.
  return JSON.parse(err.trim().split('\n').at(-1) ?? '').error.message
}

test('every command refuses an unknown flag, as data where data is asked for', async () => {
  assert.ok(commands.length > 200)
  for (const [words] of commands) {
    const text = await messageOf([...words, '--no-such-flag'], [2])
    assert.match(text, /unknown option '--no-such-flag'|required option|missing required argument/)
  }
})

test('every command with a wrong value of each flag, and a token that is refused, fails with one error', async () => {
  for (const [words, { options, registeredArguments }] of commands) {
    const flags = options.filter(({ required, optional }) => required || optional)
    const everything = flags.flatMap(({ long }) => [long as string, '?'])
    const places = registeredArguments.map(() => '?')
    await messageOf([...words, ...places, ...everything], [2, 3, 77])
    for (const flag of flags) await messageOf([...words, ...places, flag.long as string, '?'], [2, 3, 77])
  }
})

test('every command refuses a column that its rows do not have before it looks at anything else', async () => {
  const away = runnerFor({ BOURSE_BASE_URL: 'http://127.0.0.1:1', BOURSE_API_TOKEN: 'away' })
  // They draw, stream or download; or read the time of the server first, and change nothing.
  const without = new Set([
    ...['book show', 'webhooks listen', 'instances logs', 'images download'],
    ...['billing export', 'platform ledger', 'billing usage', 'platform usage', 'platform revenue', 'book prices'],
  ])
  const silent = new Set(
    operations.flatMap((endpoint) => {
      const { noun, verb } = commandPlace(endpoint)
      return endpoint.response === undefined ? [`${noun} ${verb}`] : []
    }),
  )
  for (const [words, { options, registeredArguments }] of commands) {
    const name = words.join(' ')
    if (without.has(name) || silent.has(name)) continue
    const required = options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long as string, '?'])
    const given = [...words, ...registeredArguments.map(() => '?'), ...required]
    const { code, out, err } = await away(...given, '--columns', 'nmae')
    assert.deepEqual([code, out, /There is no column "nmae"/.test(err)], [2, '', true], `${name}: ${err}`)
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
