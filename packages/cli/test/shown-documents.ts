/** Follows what documents show: commands one after the other, and sessions with their output. */
import assert from 'node:assert/strict'
import { noCurl, printedCalls, type RunningSandbox } from './sandbox-process.ts'
import { shownBlocks, shownSession } from './shown-blocks.ts'
import { leaveOut, shapeOf, type } from './typed-shell.ts'

/** A sandbox in its data directory, and what the program is in the shell: a process each time, if it is undefined. */
export type Reader = {
  readonly sandbox: RunningSandbox
  readonly directory: string
  readonly definition?: string | undefined
}

/** Part of a document: all its commands below a heading, at least so many. */
export type ShownPart = { readonly path: string; readonly heading: string; readonly least: number }

/** Begins a new world, with the seeded accounts and their tokens. */
export async function resetSandbox({ sandbox }: Reader): Promise<void> {
  const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' }
  const { status } = await fetch(`${sandbox.url}/sandbox/reset`, { method: 'POST', headers, body: '{}' })
  assert.equal(status, 200)
}

/** Runs the commands of a part, and fails if one fails or shows that there is nothing. */
export async function followCommands(reader: Reader, { path, heading, least }: ShownPart): Promise<void> {
  const shown = commandsOf(path, heading)
  assert.ok(shown.length >= least, `${shown.length} commands`)
  // A reader has tried these calls first, so later commands must not need the resources that they use.
  const tried = noCurl ? [] : printedCalls(reader.sandbox).map((call) => call.replace('curl', 'curl --fail'))
  const commands = [...tried, ...shown]
  const { code, outputs, out } = await type(commands, reader.directory, reader.definition)
  assert.equal(code, 0, `${commands[outputs.length - 1]}\n${outputs.at(-1) ?? out}`)
  for (const [index, command] of commands.entries()) {
    const isQuiet = /^There are no |Nothing was traded/m.test(outputs[index] ?? '')
    assert.ok(!isQuiet, `${command}\n${outputs[index]}`)
  }
}

/** Runs the session of a document in a new world, and compares the output with the shown one. */
export async function followSession(reader: Omit<Reader, 'sandbox'>, path: string): Promise<void> {
  const shown = shownSession(path)
  assert.ok(shown.length >= 2, `${shown.length} commands`)
  const { code, outputs, out } = await type(
    shown.map(({ command }) => command),
    reader.directory,
    reader.definition,
  )
  assert.equal(code, 0, out)
  const expected = shown.map(({ output }) => shapeOf(output))
  const printed = outputs.map((output, index) => leaveOut(shapeOf(output), expected[index] ?? []))
  assert.deepEqual(printed, expected)
}

/** The commands of the shell blocks below a heading of a document. */
function commandsOf(path: string, heading: string): string[] {
  return shownBlocks(path, heading)
    .flat()
    .join('\n')
    .replaceAll(/ *\\\n */g, ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
}
