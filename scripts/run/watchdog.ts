import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { describeTestProcesses, endTestProcesses } from './held.ts'
import { levels } from './levels.ts'

const withRuns = new Set(levels.filter(({ has_runs }) => has_runs).map(({ name }) => name))

export type Watchdog = Reporter & {
  /** Whether it has ended the run. */
  hasEndedRun(): boolean
}

/**
 * Ends a run in which no test has ended for so many seconds, after it has said which files ran and what their processes
 * hold. Even on a slow machine the longest test takes less than half of the usual time.
 */
export function createWatchdog(seconds = 600): Watchdog {
  // By id: Vitest may report the end of a file by another object than its begin.
  const running = new Map<string, TestModule>()
  let timer: NodeJS.Timeout | undefined
  let hasEndedRun = false

  async function endRun(vitest: Vitest): Promise<void> {
    const modules = [...running.values()]
    if (modules.length > 0 && modules.every(({ project }) => withRuns.has(project.name))) return void timer?.refresh()
    hasEndedRun = true
    vitest.logger.log(`No test has ended for ${seconds} s. These files ran, or waited for a process:`)
    for (const { moduleId } of modules) vitest.logger.log(`  ${moduleId}`)
    for (const line of await describeTestProcesses()) vitest.logger.log(`  ${line}`)
    void vitest.cancelCurrentRun('test-failure')
    endTestProcesses()
  }

  return {
    hasEndedRun: () => hasEndedRun,
    onTestRunStart: ([first]) => {
      if (first) timer = setTimeout(() => void endRun(first.project.vitest), seconds * 1000)
    },
    onTestModuleQueued: (module) => void running.set(module.id, module),
    onTestCaseResult: () => void timer?.refresh(),
    onTestModuleEnd: (module) => {
      running.delete(module.id)
      timer?.refresh()
    },
    onTestRunEnd: () => clearTimeout(timer),
  }
}
