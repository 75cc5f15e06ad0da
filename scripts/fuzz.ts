// Runs the fuzzer at any size: node scripts/fuzz.ts --requests 200000 --seed 7. With BOURSE_TEST_URL and
// BOURSE_API_TOKEN (a platform token) it calls that sandbox, otherwise a new server.

import { parseArgs } from 'node:util'
import { createFuzzFixtures } from '../packages/server/test/contract/fuzzing/fixtures.ts'
import { impossible } from '../packages/server/test/contract/fuzzing/impossible.ts'
import {
  describeReport,
  fuzz,
  isHalted,
  isRoutine,
  silentOperations,
} from '../packages/server/test/contract/fuzzing/run.ts'
import { openTestServer } from '../packages/server/test/support/server.ts'

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
})

await using server = await openTestServer({ rate_multiplier: 1_000_000 })
const ground = await createFuzzFixtures(server)
const began = performance.now()
const report = await fuzz({
  ...ground,
  requests: Number(values.requests),
  seed: values.seed,
  isMeant: isRoutine,
  isExcused: isHalted,
  mustSucceed: (operation) => !impossible.has(operation),
})
const seconds = (performance.now() - began) / 1000

for (const failure of report.failures) console.log(`${failure}\n`)
const silent = silentOperations(report).filter((operation) => !impossible.has(operation))
if (silent.length > 0) console.log(`never succeeded: ${silent.join(', ')}`)
console.log(`${describeReport(report)}, ${Math.round(report.sent / seconds)} requests/s`)
if (report.failures.length > 0) process.exitCode = 1
