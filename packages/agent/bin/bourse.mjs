#!/usr/bin/env node
// Plain JavaScript: an old Node would not even parse our sources, so it is told apart before they are loaded.
const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(`The agent needs Node 24 or newer; this is ${process.versions.node}. See https://nodejs.org/download`)
  process.exit(78)
}
await import('../src/main.ts')
