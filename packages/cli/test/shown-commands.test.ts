import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { newDirectory, startSandbox } from './sandbox-process.ts'
import { replaceCode, root } from './shown-blocks.ts'
import { followCommands, followSession, resetSandbox } from './shown-documents.ts'
import { leaveOut, serveProgram } from './typed-shell.ts'

// One sandbox for all documents: each one begins after a reset. start.test.ts starts new ones.
const directory = newDirectory()
const reader = { directory, sandbox: await startSandbox(directory), definition: await serveProgram() }

for (const [path, heading, least] of [
  ['docs/guides/trading.md', '# Trading', 15],
  ['docs/guides/procurements.md', '# Procurements', 6],
  ['docs/guides/spot-fleets.md', '# Spot fleets', 5],
  ['docs/guides/events.md', '# Reacting to events', 3],
  ['docs/guides/money.md', '# Money', 11],
  ['docs/guides/command-line.md', '## Times, windows and durations', 2],
  ['docs/guides/command-line.md', '## Lists and objects', 5],
  ['docs/guides/output.md', '# Output of the command line', 12],
  ['docs/guides/choosing.md', '## An example of each', 6],
  ['docs/guides/sandbox.md', '## Worlds', 4],
  ['docs/guides/sandbox.md', '## The clock', 4],
  ['docs/guides/sandbox.md', '## Faults', 4],
  ['docs/guides/sandbox.md', '## Tokens', 2],
  ['docs/guides/sign-in.md', '### Let a person in', 2],
] as const) {
  test(`the commands of ${path}, ${heading.replace(/^#+ /, '')}, work as shown, one after the other`, async () => {
    await resetSandbox(reader)
    await followCommands(reader, { path, heading, least })
  })
}

test('a shown … stands for lines up to the next shown one, and for nothing else', () => {
  const shown = ['first', '…', 'last']
  assert.deepEqual(leaveOut(['first', 'a', 'b', 'last'], shown), shown)
  assert.deepEqual(leaveOut(['first', 'a', 'b'], ['first', '…']), ['first', '…'])
  for (const printed of [
    ['first', 'last'],
    ['first', 'a'],
    ['a', 'b', 'last'],
    ['first', 'a', 'last', 'b'],
    ['first'],
  ]) {
    assert.notDeepEqual(leaveOut(printed, shown), shown, printed.join())
  }
})

test('the programs that docs/guides/first-hour.md shows are those that it runs', () => {
  const text = readFileSync(join(root, 'docs/guides/first-hour.md'), 'utf8')
  assert.equal(text.match(/^```ts$/gm)?.length, 2)
  assert.equal(replaceCode('docs/guides/first-hour.md', text), text, 'run `npm run guides`')
})

test('the session of docs/guides/first-hour.md runs as shown', async () => {
  await resetSandbox(reader)
  await followSession(reader, 'docs/guides/first-hour.md')
})

test('the session of docs/guides/first-job.md runs as shown', async () => {
  await resetSandbox(reader)
  await followSession(reader, 'docs/guides/first-job.md')
})
