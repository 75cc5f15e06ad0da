/**
 * `npm run guides`: types the sessions of README.md, the first hour and the first job into a shell, each in a new
 * sandbox, and writes what the commands print now below them. Programs that a guide shows are copied from their files.
 * An output stays as it is if only ids, numbers or times differ, so a second run changes nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '../packages/cli/test/sandbox-process.ts'
import { replaceCode, replaceOutputs, shownSession } from '../packages/cli/test/shown-blocks.ts'
import { leaveOut, shapeOf, type } from '../packages/cli/test/typed-shell.ts'

const paths =
  process.argv.length > 2
    ? process.argv.slice(2)
    : ['README.md', 'docs/guides/first-hour.md', 'docs/guides/first-job.md']
for (const path of paths) await record(path)

async function record(path: string): Promise<void> {
  const shown = shownSession(path)
  const directory = await mkdtemp(join(tmpdir(), 'bourse-guides-'))
  const sandbox = await startSandbox(directory)
  const commands = shown.map(({ command }) => command)
  const { code, outputs, out } = await type(commands, directory)
  await sandbox.stop()
  await rm(directory, { recursive: true, force: true })
  if (code !== 0) throw new Error(`${path}: ${commands[outputs.length - 1]} failed.\n${outputs.at(-1) ?? out}`)
  const kept = shown.map(({ output }, index) => {
    const printed = cleanOf(outputs[index] ?? '', directory)
    const shape = shapeOf(output)
    return leaveOut(shapeOf(printed), shape).join('\n') === shape.join('\n') ? cleanOf(output, directory) : printed
  })
  const text = readFileSync(path, 'utf8')
  const replaced = replaceCode(path, replaceOutputs(text, kept))
  if (replaced !== text) writeFileSync(path, replaced)
  console.log(`${path}: ${commands.length} commands, ${replaced === text ? 'nothing changed' : 'changed'}`)
}

/** The output without waits for answers, and without the spaces at the ends of lines. */
function cleanOf(output: string, directory: string): string {
  return output
    .replaceAll(/^Waiting for the answer of .*\n/gm, '')
    .replaceAll(directory, 'data')
    .replaceAll(/ +$/gm, '')
    .trim()
}
