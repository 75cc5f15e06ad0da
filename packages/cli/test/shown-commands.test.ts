import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newDirectory, noCurl, printedCalls, startSandbox } from './sandbox-process.ts'
import { root, shownBlocks, shownSession } from './shown-blocks.ts'

/** The alias of the README without npm, which takes longer than most commands. */
const program = `alias bourse='${process.execPath} packages/cli/bin/bourse.mjs'`

/** The commands of the shell blocks below a heading of a document. */
function commandsOf(path: string, heading: string): string[] {
  return shownBlocks(path, heading)
    .flat()
    .join('\n')
    .replaceAll(/ *\\\n */g, ' ')
    .split('\n')
    .filter((line) => line.startsWith('bourse '))
}

/** Runs all commands in one shell, in the root of the repository, and stops at the first failure. */
async function type(commands: readonly string[], data_directory: string) {
  // A user types the next command later, when the effects of the last one are visible.
  const moment = 'bourse sandbox settle > /dev/null || exit 1'
  const lines = commands.map((command, index) => {
    const isLook = / list /.test(command)
    return `printf '\\n@${index}\\n'\n${isLook ? moment : ''}\n${command} || exit 1`
  })
  const shell = spawn('bash', ['-O', 'expand_aliases', '-s'], {
    cwd: root,
    // A plan shows the local time in addition where that is not UTC.
    env: { PATH: process.env.PATH ?? '', HOME: data_directory, BOURSE_DATA_DIR: data_directory, TZ: 'UTC' },
  })
  let out = ''
  shell.stdout.on('data', (part) => {
    out += part
  })
  // Both streams go through one pipe, so that the output keeps its order.
  shell.stdin.end(`exec 2>&1\n${program}\n${lines.join('\n')}\n`)
  const [code] = await once(shell, 'close')
  return { code, outputs: out.split(/^@\d+\n/m).slice(1), out }
}

test('the printed alias runs the program that these tests run', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.equal(scripts.bourse, 'node packages/cli/bin/bourse.mjs')
  for (const path of ['README.md', 'docs/guides/trading.md']) {
    assert.ok(readFileSync(join(root, path), 'utf8').includes("alias bourse='npm run -s bourse --'"), path)
  }
})

/**
 * The lines of an output without the parts that differ between runs: ids, numbers, widths, repetitions of a line, the
 * date of the end of a window, which is shown if it is not that of the start, and waits for answers on a busy machine.
 */
function shapeOf(output: string): string[] {
  const lines = output
    .replaceAll(/\b[a-z]+_[\w-]{21}(?![\w-])/g, 'id')
    .replaceAll(/\d+(\.\d+)?/g, '0')
    .replaceAll('– 0-0-0 0:0', '– 0:0')
    .replaceAll(/[█▉▊▋▌▍▎▏]+/g, '█')
    .replaceAll(/ +/g, ' ')
    .trim()
    .split('\n')
  return lines.filter((line, index) => line !== lines[index - 1] && !line.startsWith('Waiting for the answer of '))
}

/** Runs the session at the top of README.md in a new world, and compares the output with the shown one. */
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
  ['docs/guides/events.md', '# Reacting to events', 3],
  ['docs/guides/money.md', '# Money', 11],
  ['docs/guides/command-line.md', '## Lists and objects', 5],
  ['docs/guides/output.md', '# Output of the command line', 12],
] as const) {
  test(`the commands of ${path} work as shown, one after the other`, async () => {
    const directory = newDirectory()
    const sandbox = await startSandbox(directory)
    const shown = commandsOf(path, heading)
    assert.ok(shown.length >= least, `${shown.length} commands`)
    // A reader has tried these calls first, so later commands must not need the resources that they use.
    const tried = noCurl ? [] : printedCalls(sandbox).map((call) => call.replace('curl', 'curl --fail'))
    const commands = [...tried, ...shown]
    const { code, outputs, out } = await type(commands, directory)
    assert.equal(code, 0, `${commands[outputs.length - 1]}\n${outputs.at(-1) ?? out}`)
    for (const [index, command] of commands.entries()) {
      const isQuiet = /^There are no |Nothing was traded/m.test(outputs[index] ?? '')
      assert.ok(!isQuiet, `${command}\n${outputs[index]}`)
    }
    // The tour of the README ends with a reset.
    if (path === 'README.md') await followSession(directory)
    await sandbox.stop()
  })
}
