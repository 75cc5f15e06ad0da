// Measures the time that the packed command line takes to print its help, against a Node that does nothing.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCli } from '../pack/cli.ts'
import { bench } from './bench.ts'
import { median } from './turns.ts'

const goal = 3

/** Milliseconds: medians of interleaved runs with a filled compile cache. */
export const cliStartBench = bench({
  rows: ['cli_start'],
  sizes: { usual: { rounds: 15 }, tiny: { rounds: 1 } },
  measure: async function* ({ rounds }) {
    const directory = await mkdtemp(join(tmpdir(), 'bourse-bench-cli-'))
    try {
      await buildCli(directory)
      const program = [join(directory, 'bin/bourse.mjs'), '--help']
      run(program, directory)
      const times = Array.from(
        { length: rounds },
        () => [run(program, directory), run(['-e', '0'], directory)] as const,
      )
      const ours = median(times.map(([one]) => one))
      const against = median(times.map(([, other]) => other))
      const ratio = ours / against
      yield { name: 'cli_start', ours, against, ratio, goal, met: ratio <= goal }
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  },
})

/** Milliseconds of one run of Node. */
function run(words: readonly string[], directory: string): number {
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: join(directory, 'compiled') }
  const began = performance.now()
  execFileSync(process.execPath, words, { env })
  return performance.now() - began
}
