/** Tries one mutant: checks that it applies to the source and that its named test finds it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import type { Mutant } from '../mutant.ts'

const root = join(import.meta.dirname, '../../..')
const loader = pathToFileURL(join(import.meta.dirname, 'mutant-process.ts')).href
const secondsMax = 300
const program = join(import.meta.dirname, 'mutated-process.ts')

/** Why a mutant does not apply to the source, as a sentence; undefined if it applies. Runs no test. */
export function judgeMutant({ file, text, test }: Mutant): string | undefined {
  const [source, tests] = [file, test].map((path) => join(root, path)) as [string, string]
  if (!existsSync(source)) return `there is no ${file}`
  if (!existsSync(tests)) return `there is no ${test}`
  const times = readFileSync(source, 'utf8').split(text).length - 1
  return times === 1 ? undefined : `its text occurs ${times} times in ${file}`
}

/** Why a mutant survives, as a sentence; undefined if its named test found it. */
export async function tryMutant(mutant: Mutant): Promise<string | undefined> {
  const problem = judgeMutant(mutant)
  if (problem !== undefined) return problem
  const { isFound, isLate, failed } = await runTest(mutant)
  if (isFound) return undefined
  if (isLate) return `${mutant.test} took longer than ${secondsMax} s with it`
  if (failed.length === 0) return `${mutant.test} passes with it`
  return `it was found by ${failed.map((title) => `"${title}"`).join(', ')}, not by "${mutant.caught_by}"`
}

/** Runs the test file of a mutant until the mutant is found or the file ends. Returns the titles of failed tests. */
async function runTest(mutant: Mutant): Promise<{ isFound: boolean; isLate: boolean; failed: string[] }> {
  // A killed test leaves its files here. The folder is removed afterwards.
  const directory = await mkdtemp(join(tmpdir(), 'bourse-mutant-'))
  const child = spawn(process.execPath, [program, mutant.test], {
    cwd: root,
    detached: true,
    env: {
      ...process.env,
      BOURSE_MUTANT: JSON.stringify(mutant),
      // Programs that the test starts also run with the mutant.
      NODE_OPTIONS: `--import=${loader}`,
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
  const closed = once(child, 'close')
  const failed: string[] = []
  let isFound = false
  for await (const line of createInterface({ input: child.stdout })) {
    const titles: string[] = JSON.parse(line)
    failed.push(titles.join(' > '))
    isFound ||= mutant.caught_by !== '' && titles.some((title) => title.startsWith(mutant.caught_by))
    if (isFound) end()
  }
  await closed
  end()
  clearTimeout(tooLong)
  await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  return { isFound, isLate, failed }
}

/** Kills a process and all processes that it started. */
function signalGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // The group has no process left.
  }
}
