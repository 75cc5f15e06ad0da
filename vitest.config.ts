import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { reportFlags, runMark } from './scripts/run/held.ts'
import { checkLevels, levels } from './scripts/run/levels.ts'

checkLevels()

// PostgreSQL works while a test waits for it, so that a process for each core is enough. One more takes a fifth more
// processor time for the same wall time. Many more would share one disk without gain.
const maxWorkers = Math.min(4, availableParallelism())

export default defineConfig({
  test: {
    globalSetup: './test/setup/database.ts',
    teardownTimeout: 60_000,
    slowTestThreshold: 10_000,
    projects: levels.map(({ name, files, shares_processes, turn, setup = [] }) => ({
      extends: true as const,
      test: {
        name,
        include: [...files],
        isolate: !shares_processes,
        maxWorkers: turn === 'alone' ? 1 : maxWorkers,
        pool: 'forks' as const,
        globalSetup: setup,
        setupFiles: './test/setup/each-file.ts',
        sequence: { groupOrder: turn === 'alone' ? 2 : turn === 'machines' ? 1 : 0 },
        // A test has no limit of its own: it would depend on the speed of the machine. npm test watches for progress.
        testTimeout: 0,
        hookTimeout: 0,
        disableConsoleIntercept: true,
        // Tests in one file run one after the other unless they say that they may run beside each other.
        maxConcurrency: 2,
        // Node.js runs the source as it is: what the tests run is what production runs.
        experimental: { viteModuleRunner: false, nodeLoader: false },
        execArgv: [...reportFlags],
        env: { ...runMark, NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/node-compile') },
      },
    })),
  },
})
