import { relative } from 'node:path'
import type { TestSpecification, Vitest } from 'vitest/node'
import { killLeftProcesses } from './held.ts'
import { levelOf, runsWhenNamed } from './levels.ts'
import { type FileResult, type RunResult, resultOf } from './report.ts'
import type { Watchdog } from './watchdog.ts'

/**
 * Runs test files. Those that fail run once more, each alone, unless something failed beside tests. Those that take an
 * hour run once.
 */
export async function runFiles(
  vitest: Vitest,
  watchdog: Watchdog,
  specifications: readonly TestSpecification[],
): Promise<RunResult> {
  const others: string[] = []
  const runOnce = async (wanted: readonly TestSpecification[]): Promise<FileResult[]> => {
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications([...wanted], true)
    const files = testModules.filter((module) => wanted.some(({ taskId }) => taskId === module.id)).map(resultOf)
    for (const { message } of unhandledErrors as Error[]) {
      // The end of a process is the failure of its file.
      if (!message.startsWith('[vitest-pool]') || files.every(({ failures }) => failures.length === 0))
        others.push(message)
    }
    if (files.length < wanted.length) others.push(`${wanted.length - files.length} files did not run`)
    return files
  }

  const files = await runOnce(specifications)
  if (watchdog.hasEndedRun()) others.push('no test ended for too long')
  const failing = new Set(
    files.filter(({ path, failures }) => failures.length > 0 && mayRepeat(path)).map(({ path }) => path),
  )
  const failed = specifications.filter(({ moduleId }) => failing.has(relative(process.cwd(), moduleId)))
  const again: FileResult[] = []
  if (others.length === 0) for (const specification of failed) again.push(...(await runOnce([specification])))
  return { files, again, others, left_behind: await killLeftProcesses() }
}

function mayRepeat(path: string): boolean {
  const level = levelOf(path)
  return level === undefined || !runsWhenNamed(level, path)
}
