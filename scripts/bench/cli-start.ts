// Measures the time that the packed command line takes to print its version, against a Node that does nothing.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCli } from '../pack/cli.ts'
import { bench } from './bench.ts'
import { median, rowOf } from './row.ts'

const goal = 1.5

/** Milliseconds: medians of interleaved runs with a filled compile cache. */
export const cliStartBench = bench({
  rows: ['cli_start'],
  sizes: { usual: { rounds: 15 }, tiny: { rounds: 1 } },
  measure: async function* ({ rounds }) {
    const directory = await mkdtemp(join(tmpdir(), 'bourse-bench-cli-'))
    try {
      await buildCli(directory)
      const program = [join(directory, 'bin/bourse.mjs'), '--version']
      run(program, directory)
      const times = Array.from(
        { length: rounds },
        () => [run(program, directory), run(['-e', '0'], directory)] as const,
      )
      const ours = median(times.map(([one]) => one))
      const against = median(times.map(([, other]) => other))
      const ratios = times.map(([one, other]) => one / other)
      yield rowOf({ name: 'cli_start', ours, against, better: 'less', goal, rounds: ratios })
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
