/** Tries the mutants that are written by hand, one at a time per core. */
import { availableParallelism } from 'node:os'
import { clusterVariable, startTestCluster } from '../../../packages/server/test/support/cluster.ts'
import { mutants } from '../all.ts'
import { tryMutant } from './try-mutant.ts'

/** Those whose file, test or description has one of the words, or all. Returns what survived. */
export async function tryWritten(words: readonly string[]): Promise<string[]> {
  const isMeant = (text: string) => words.length === 0 || words.some((word) => text.includes(word))
  const chosen = mutants.filter(({ file, test, wrong }) => isMeant(`${file} ${test} ${wrong}`))
  if (chosen.length === 0) return [`no mutant has ${words.join(' or ')}`]
  await using cluster = await startTestCluster()
  process.env[clusterVariable] = cluster.socket_directory
  const began = performance.now()
  const survivors: string[] = []
  const waiting = chosen.values()
  const worker = async () => {
    for (const mutant of waiting) {
      const started = performance.now()
      const problem = await tryMutant(mutant)
      if (problem !== undefined) survivors.push(`${mutant.wrong} ${problem}`)
      const seconds = `${((performance.now() - started) / 1000).toFixed(1)} s`.padStart(7)
      console.log(`${problem === undefined ? 'found   ' : 'SURVIVED'} ${seconds} ${mutant.wrong}`)
    }
  }
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker))
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(`${chosen.length} mutants in ${seconds} s, ${survivors.length} survived`)
  return survivors
}
