import assert from 'node:assert/strict'
import type { Command } from 'commander'
import { test } from 'vitest'
import { startTestServer } from '../../server/test/support/server.ts'
import { createWholeProgram } from '../src/program.ts'
import { runnerFor } from './run-here.ts'

const server = await startTestServer()
const refused = runnerFor({ BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: 'refused', BOURSE_OUTPUT: 'json' })

/** Commands that are no operations of a server: they have tests of their own, and some start something. */
const others = new Set([
  ...['start', 'serve', 'migrate', 'agent', 'doctor', 'keys', 'login', 'logout', 'whoami', 'version', 'init'],
  ...['profiles', 'config', 'completion', 'ssh'],
])

/** The commands below a command that do something, with their words. */
function* leavesOf(command: Command, words: readonly string[] = []): Iterable<[words: readonly string[], Command]> {
  if (command.commands.length === 0) yield [words, command]
  for (const inner of command.commands) yield* leavesOf(inner, [...words, inner.name()])
}

const program = await createWholeProgram({ terminal: { note: () => {} } as never, variables: {} })
const commands = [...leavesOf(program)].filter(([[noun = '']]) => !others.has(noun))

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
