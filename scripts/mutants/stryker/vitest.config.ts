// Runs the tests of pure code for StrykerJS, in its copy of the tree.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { isInRun, levels } from '../../run/levels.ts'

const files = levels
  .filter(({ name }) => name === 'unit')
  .flatMap((level) => globSync([...level.files]).filter((path) => isInRun('check', level, path)))
  .filter((path) => path.startsWith('packages/'))

export default defineConfig({
  test: {
    include: files,
    isolate: false,
    setupFiles: join(import.meta.dirname, 'each-file.ts'),
    testTimeout: 0,
    hookTimeout: 0,
    disableConsoleIntercept: true,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' },
  },
})
