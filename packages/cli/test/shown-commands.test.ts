import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newDirectory, noCurl, printedCalls, startSandbox } from './sandbox-process.ts'
import { root, shownBlocks, shownSession } from './shown-blocks.ts'

/** What the alias of the README comes to, without npm, which takes longer than most commands. */
const program = `alias bourse='${process.execPath} packages/cli/bin/bourse.mjs'`

/** The commands of a text, as people would type them from its shell blocks, below a heading. */
function commandsOf(path: string, heading: string): string[] {
  return shownBlocks(path, heading)
    .flat()
    .join('\n')
    .replaceAll(/ *\\\n */g, ' ')
    .split('\n')
    .filter((line) => line.startsWith('bourse '))
}

/** Types all of them into one shell, in the folder of the program, and stops at the first that fails. */
async function type(commands: readonly string[], data_directory: string) {
  // People look a moment later, when what they asked for has been seen to.
  const moment = 'bourse sandbox settle > /dev/null || exit 1'
  const lines = commands.map((command, index) => {
    const isLook = / list /.test(command)
    return `printf '\\n@${index}\\n'\n${isLook ? moment : ''}\n${command} || exit 1`
  })
  const shell = spawn('bash', ['-O', 'expand_aliases', '-s'], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: data_directory, BOURSE_DATA_DIR: data_directory },
  })
  let out = ''
  shell.stdout.on('data', (part) => {
    out += part
  })
  // Both streams go through one pipe, so that what is printed keeps its order.
  shell.stdin.end(`exec 2>&1\n${program}\n${lines.join('\n')}\n`)
  const [code] = await once(shell, 'close')
  return { code, outputs: out.split(/^@\d+\n/m).slice(1), out }
}

test('the alias that is printed runs the program that these tests run', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.equal(scripts.bourse, 'node packages/cli/bin/bourse.mjs')
  for (const path of ['README.md', 'docs/guides/trading.md']) {
    assert.ok(readFileSync(join(root, path), 'utf8').includes("alias bourse='npm run -s bourse --'"), path)
  }
})

/** The lines of an output without what differs from run to run: ids, numbers, widths, and how often a line repeats. */
function shapeOf(output: string): string[] {
  const lines = output
    .replaceAll(/\b[a-z]+_[\w-]{21}(?![\w-])/g, 'id')
    .replaceAll(/\d+(\.\d+)?/g, '0')
    .replaceAll(/[█▉▊▋▌▍▎▏]+/g, '█')
    .replaceAll(/ +/g, ' ')
    .trim()
    .split('\n')
  return lines.filter((line, index) => line !== lines[index - 1])
}

/** Types the session at the top of README.md into a new world and compares what is printed with what is shown. */
async function followSession(directory: string): Promise<void> {
  const shown = shownSession('README.md')
  assert.ok(shown.length >= 5, `${shown.length} commands`)
  const { code, outputs, out } = await type(
    shown.map(({ command }) => command),
    directory,
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
] as const) {
  test(`what ${path} tells people to type works as it stands, one after the other`, async () => {
    const directory = newDirectory()
    const sandbox = await startSandbox(directory)
    const shown = commandsOf(path, heading)
    assert.ok(shown.length >= least, `${shown.length} commands`)
    // Who reads from the top has tried them: what comes later may not need what they used up.
    const tried = noCurl ? [] : printedCalls(sandbox).map((call) => call.replace('curl', 'curl --fail'))
    const commands = [...tried, ...shown]
    const { code, outputs, out } = await type(commands, directory)
    assert.equal(code, 0, `${commands[outputs.length - 1]}\n${outputs.at(-1) ?? out}`)
    for (const [index, command] of commands.entries()) {
      const isQuiet = /Nothing there|Nothing was traded/.test(outputs[index] ?? '')
      assert.ok(!isQuiet, `${command}\n${outputs[index]}`)
    }
    // The tour of the README ends with a reset.
    if (path === 'README.md') await followSession(directory)
    await sandbox.stop()
  })
}
