import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { reportFlags, runMark } from './scripts/run/held.ts'
import { checkLevels, levels, projectOf } from './scripts/run/levels.ts'

checkLevels()

// PostgreSQL works while a test waits for it, so that a process for each core is enough. One more takes a fifth more
// processor time for the same wall time. Many more would share one disk without gain.
const maxWorkers = Math.min(4, availableParallelism())

/** When the files of a level run, in this order. */
const turns = [undefined, 'machines', 'alone'] as const

export default defineConfig({
  test: {
    globalSetup: './test/setup/database.ts',
    teardownTimeout: 60_000,
    slowTestThreshold: 10_000,
    projects: [...Map.groupBy(levels, projectOf)].map(([name, own]) => ({
      extends: true as const,
      test: {
        name,
        include: own.flatMap(({ files }) => files),
        isolate: own.every(({ processes }) => processes === 'file'),
        maxWorkers: own.some(({ turn }) => turn === 'alone') ? 1 : maxWorkers,
        pool: 'forks' as const,
        globalSetup: own.flatMap(({ setup = [] }) => setup),
        setupFiles: './test/setup/each-file.ts',
        sequence: { groupOrder: Math.max(...own.map(({ turn }) => turns.indexOf(turn))) },
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
