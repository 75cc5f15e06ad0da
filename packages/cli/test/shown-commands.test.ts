import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newDirectory, noCurl, printedCalls, startSandbox } from './sandbox-process.ts'
import { replaceCode, root, shownBlocks, shownSession } from './shown-blocks.ts'
import { serveProgram, shapeOf, type } from './typed-shell.ts'

// One sandbox for all documents: each one begins after a reset. start.test.ts starts new ones.
const directory = newDirectory()
const sandbox = await startSandbox(directory)
const served = await serveProgram()

/** The commands of the shell blocks below a heading of a document. */
function commandsOf(path: string, heading: string): string[] {
  return shownBlocks(path, heading)
    .flat()
    .join('\n')
    .replaceAll(/ *\\\n */g, ' ')
    .split('\n')
    .filter((line) => line.startsWith('bourse '))
}

test('the printed alias runs the program that these tests run', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.equal(scripts.bourse, 'node packages/cli/bin/bourse.mjs')
  for (const path of ['README.md', 'docs/guides/trading.md']) {
    assert.ok(readFileSync(join(root, path), 'utf8').includes("alias bourse='npm run -s bourse --'"), path)
  }
})

async function resetSandbox(): Promise<void> {
  const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' }
  const { status } = await fetch(`${sandbox.url}/sandbox/reset`, { method: 'POST', headers, body: '{}' })
  assert.equal(status, 200)
}

/** Runs the session of a document in a new world, and compares the output with the shown one. */
async function followSession(path: string, definition?: string): Promise<void> {
  const shown = shownSession(path)
  assert.ok(shown.length >= 5, `${shown.length} commands`)
  const { code, outputs, out } = await type(
    shown.map(({ command }) => command),
    directory,
    definition,
  )
  assert.equal(code, 0, out)
  const expected = shown.map(({ output }) => shapeOf(output))
  assert.deepEqual(outputs.map(shapeOf), expected)
}

for (const [path, heading, least] of [
  ['README.md', '## Tour', 15],
  ['docs/guides/trading.md', '# Trading', 15],
  ['docs/guides/procurements.md', '# Procurements', 6],
  ['docs/guides/spot-fleets.md', '# Spot fleets', 5],
  ['docs/guides/events.md', '# Reacting to events', 3],
  ['docs/guides/money.md', '# Money', 11],
  ['docs/guides/command-line.md', '## Lists and objects', 5],
  ['docs/guides/output.md', '# Output of the command line', 12],
] as const) {
  test(`the commands of ${path} work as shown, one after the other`, async () => {
    // The tour of the README runs as a reader types it, each command a process.
    const definition = path === 'README.md' ? undefined : served
    if (definition) await resetSandbox()
    const shown = commandsOf(path, heading)
    assert.ok(shown.length >= least, `${shown.length} commands`)
    // A reader has tried these calls first, so later commands must not need the resources that they use.
    const tried = noCurl ? [] : printedCalls(sandbox).map((call) => call.replace('curl', 'curl --fail'))
    const commands = [...tried, ...shown]
    const { code, outputs, out } = await type(commands, directory, definition)
    assert.equal(code, 0, `${commands[outputs.length - 1]}\n${outputs.at(-1) ?? out}`)
    for (const [index, command] of commands.entries()) {
      const isQuiet = /^There are no |Nothing was traded/m.test(outputs[index] ?? '')
      assert.ok(!isQuiet, `${command}\n${outputs[index]}`)
    }
    // The tour of the README ends with a reset.
    if (path === 'README.md') await followSession(path)
  })
}

test('the programs that docs/guides/first-hour.md shows are those that it runs', () => {
  const text = readFileSync(join(root, 'docs/guides/first-hour.md'), 'utf8')
  assert.equal(text.match(/^```ts$/gm)?.length, 2)
  assert.equal(replaceCode('docs/guides/first-hour.md', text), text, 'run `npm run guides`')
})

test('the session of docs/guides/first-hour.md runs as shown', async () => {
  await resetSandbox()
  await followSession('docs/guides/first-hour.md', served)
})
