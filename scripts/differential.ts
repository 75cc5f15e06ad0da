// Compares the order book with the naive book, at any size: node scripts/differential.ts --commands 5000000 --seed 7

import { parseArgs } from 'node:util'
import { missedBy, printFailure, runDifferential } from '../packages/server/test/market/differential.ts'

const { values } = parseArgs({
  options: { commands: { type: 'string', default: '500000' }, seed: { type: 'string', default: '1' } },
})
const options = { commands: Number(values.commands), seed: Number(values.seed) }
const began = performance.now()
const { tally, failure } = runDifferential(options)
const seconds = (performance.now() - began) / 1000
const missed = missedBy(tally)

for (const [what, times] of Object.entries(tally)) console.log(`${what.padEnd(20)} ${times}`)
console.log(`${seconds.toFixed(1)} s, ${Math.round((1e6 * seconds) / tally.commands)} µs per command`)
if (failure) console.log(printFailure(failure))
if (missed.length > 0) console.log(`never happened: ${missed.join(', ')}`)
if (failure || missed.length > 0) process.exitCode = 1
