// Applies the mutants, one at a time per core, and checks that the tests find them: npm run mutants. Arguments select
// mutants by a part of the file, the test or the description.

import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { clusterVariable, startTestCluster } from '../packages/server/test/support/cluster.ts'
import { mutants } from './mutants/all.ts'
import { tryMutant } from './mutants/trial/try-mutant.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const isMeant = (text: string) => positionals.length === 0 || positionals.some((word) => text.includes(word))
const chosen = mutants.filter(({ file, test, wrong }) => isMeant(`${file} ${test} ${wrong}`))
await using cluster = await startTestCluster()
process.env[clusterVariable] = cluster.socket_directory
const began = performance.now()
let survivors = 0
const waiting = chosen.values()
const worker = async () => {
  for (const mutant of waiting) {
    const started = performance.now()
    const problem = await tryMutant(mutant)
    if (problem !== undefined) survivors += 1
    const seconds = `${((performance.now() - started) / 1000).toFixed(1)} s`.padStart(7)
    console.log(
      `${problem === undefined ? 'killed  ' : 'SURVIVED'} ${seconds} ${mutant.wrong}${problem ? ` ${problem}` : ''}`,
    )
  }
}
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker))
const seconds = ((performance.now() - began) / 1000).toFixed(0)
console.log(`${chosen.length} mutants in ${seconds} s, ${survivors} survived`)
process.exitCode = survivors > 0 || chosen.length === 0 ? 1 : 0
