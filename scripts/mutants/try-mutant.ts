/** Tries one mutant: whether it still applies, and whether the test that is named for it finds it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import type { Mutant } from './mutant.ts'

const root = join(import.meta.dirname, '../..')
const loader = pathToFileURL(join(import.meta.dirname, 'mutant-process.ts')).href
const secondsMax = 300
/** How a failed test stands in the output of the test runner. */
const failure = /^ *not ok \d+ - (.*)$/

/** Why a mutant cannot be applied any more, in words; undefined where it can. Runs nothing. */
export function judgeMutant({ file, text, test }: Mutant): string | undefined {
  const [source, tests] = [file, test].map((path) => join(root, path)) as [string, string]
  if (!existsSync(source)) return `there is no ${file}`
  if (!existsSync(tests)) return `there is no ${test}`
  const times = readFileSync(source, 'utf8').split(text).length - 1
  return times === 1 ? undefined : `its text occurs ${times} times in ${file}`
}

/** What is wrong with a mutant, in words; undefined when it was found by the test that is named for it. */
export async function tryMutant(mutant: Mutant): Promise<string | undefined> {
  const problem = judgeMutant(mutant)
  if (problem !== undefined) return problem
  const { isFound, isLate, failed } = await runTest(mutant)
  if (isFound) return undefined
  if (isLate) return `${mutant.test} took longer than ${secondsMax} s with it`
  if (failed.length === 0) return `${mutant.test} passes with it`
  return `it was found by ${failed.map((title) => `"${title}"`).join(', ')}, not by "${mutant.caught_by}"`
}

/** Runs the test of a mutant until it is found, or to its end. Gives the titles of what failed. */
async function runTest(mutant: Mutant): Promise<{ isFound: boolean; isLate: boolean; failed: string[] }> {
  // What a test that is ended leaves behind lies here, and goes with it.
  const directory = await mkdtemp(join(tmpdir(), 'bourse-mutant-'))
  const child = spawn(process.execPath, ['--test-reporter=tap', join(root, mutant.test)], {
    detached: true,
    env: {
      ...process.env,
      BOURSE_MUTANT: JSON.stringify(mutant),
      // Programs that the test starts have the bug too.
      NODE_OPTIONS: `--import=${loader}`,
      NODE_TEST_CONTEXT: undefined,
      TMPDIR: directory,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const end = () => void signalGroup(child.pid as number)
  let isLate = false
  const tooLong = setTimeout(() => {
    isLate = true
    end()
  }, secondsMax * 1000)
  const gone = once(child, 'close')
  const failed: string[] = []
  let isFound = false
  for await (const line of createInterface({ input: child.stdout })) {
    const [, title] = failure.exec(line) ?? []
    if (title === undefined) continue
    failed.push(title)
    isFound ||= mutant.caught_by !== '' && title.startsWith(mutant.caught_by)
    if (isFound) end()
  }
  await gone
  end()
  clearTimeout(tooLong)
  await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  return { isFound, isLate, failed }
}

/** Ends a process and all that it started. */
function signalGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // Nothing of it is left.
  }
}
