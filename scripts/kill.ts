// Runs the kill loop at any size: npm run kill -- --rounds 1000 --seed 7. It starts a server and a PostgreSQL with the
// production settings and kills them. Exit code 1 if something is lost, duplicated or late.

import { parseArgs } from 'node:util'
import { describeKills, runKills } from '../packages/server/test/restart/kills/run.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
})

const report = await runKills({ rounds: Number(values.rounds), seed: values.seed })
const wrong = [...report.failures, ...report.late]
for (const failure of wrong) console.log(failure)
console.log(describeKills(report))
process.exit(wrong.length > 0 ? 1 : 0)
