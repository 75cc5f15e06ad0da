#!/usr/bin/env node
// Plain JavaScript: an old Node would not even parse our sources, so it is told apart before they are loaded.
import * as module from 'node:module'
import { isFit, runWithOwnNode } from './own-node.mjs'

if (isFit) {
  module.enableCompileCache?.()
  await import('../src/main.ts')
} else {
  await runWithOwnNode(process.argv[1])
}
