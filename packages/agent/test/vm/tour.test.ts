import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { leftOut } from '../../../../test/left-out.ts'
import { newDirectory, startSandbox } from '../../../cli/test/sandbox-process.ts'
import { root, shownBlocks } from '../../../cli/test/shown-blocks.ts'
import { booting } from '../support/driver-contract.ts'
import { endProcess, isRunning } from '../support/machine-processes.ts'
import { machineImage } from '../support/tiny-image.ts'

const image = await machineImage()

if (image.missing !== undefined) test('the tour of a real machine', leftOut(image.missing), () => {})
else test('the commands of the hosts guide work on a real machine as shown', () => walk(image.path))

async function walk(tiny: string): Promise<void> {
  const directory = newDirectory()
  const sandbox = await startSandbox(directory)
  copyFileSync(tiny, join(directory, 'tiny.qcow2'))
  const blocks = shownBlocks('docs/guides/hosts.md', '## Try it on one computer')
  assert.equal(blocks.length, 3, 'operator, customer, end')
  const [operator, customer, end] = blocks.map((lines) => lines.join('\n')) as [string, string, string, string]
  const host = openShell(operator, directory)
  try {
    const hasBegun = () => {
      assert.match(host.said(), /Running machines/)
      return true
    }
    await eventually('the agent of the host runs', hasBegun, booting)
    assert.match(await type(customer, directory), /boot complete/)
    await followEnd(end, directory)
  } finally {
    await host.end()
    await sandbox.stop()
  }
}

/** The customer sells, the guest reads the notice, and the machine ends and leaves nothing. */
async function followEnd(lines: string, directory: string): Promise<void> {
  const id = (await type('bourse instances get real -o id', directory)).trim()
  try {
    const [sale, notice, more, state] = lines.split(/^(bourse ssh .*)\n(.*)\n(bourse instances get real.*)$/m)
    await type(sale as string, directory)
    // The notice takes a moment to reach the guest, as the end does to reach the host. A user is slower than that.
    await typeUntil(notice as string, /"deadline_at"/, directory)
    await type(more as string, directory)
    await typeUntil(state as string, /terminated/, directory)
    const machines = () => readdirSync(join(directory, 'agent', 'machines'))
    const hasLeftNothing = () => {
      assert.deepEqual([machines(), isRunning(id)], [[], false])
      return true
    }
    await eventually('the machine has left nothing', hasLeftNothing, booting)
  } finally {
    endProcess(id)
  }
}

/** Runs lines in a new shell again and again until the output matches. */
async function typeUntil(lines: string, wanted: RegExp, directory: string): Promise<void> {
  const says = async () => {
    const shell = openShell(lines, directory)
    await shell.ended
    assert.match(shell.said(), wanted)
    return true
  }
  await eventually(`these lines print ${wanted}: ${lines}`, says, booting)
}

/** Runs lines in a new shell. Throws with the output if one of them fails. */
async function type(lines: string, directory: string): Promise<string> {
  const shell = openShell(lines, directory)
  assert.equal(await shell.ended, 0, shell.said())
  return shell.said()
}

/** Starts a shell in the root of the repository. The files of the tour in `data` go to a directory of the test. */
function openShell(lines: string, directory: string) {
  // Faster than npm, and without nftables, so that the networks of the machine do not change.
  const alias = `alias bourse='${process.execPath} packages/cli/bin/bourse.mjs'`
  const typed = lines.replace(/^alias .*$/m, '').replaceAll(/(?<=[ (])data\//g, `${directory}/`)
  const folders = (process.env.PATH ?? '').split(':').filter((folder) => !folder.endsWith('/sbin'))
  const child = spawn('bash', ['-e', '-O', 'expand_aliases', '-c', `${alias}\n${typed}`], {
    cwd: root,
    detached: true,
    env: { PATH: folders.join(':'), HOME: directory, BOURSE_DATA_DIR: directory },
    // SSH ends at once, because its standard input is empty.
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      text += part
    })
  }
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const end = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGTERM')
    return ended
  }
  return { said: () => text, ended, end }
}
