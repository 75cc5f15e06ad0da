// Runs tests for StrykerJS, in its copy of the tree.
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { chosenTests } from '../syntax/tests.ts'

export default defineConfig({
  test: {
    include: chosenTests(),
    isolate: false,
    setupFiles: join(import.meta.dirname, 'each-file.ts'),
    testTimeout: 0,
    hookTimeout: 0,
    disableConsoleIntercept: true,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' },
  },
})
