#!/usr/bin/env node
// Plain JavaScript: an old Node would not even parse our sources, so it is told apart before they are loaded.
import * as module from 'node:module'
import '../../../scripts/node-version.mjs'

module.enableCompileCache?.()
await import('../src/main.ts')
