// Random cases are the same in each run of a test: otherwise a mutant could be found in one run and not in the next.
import fc from 'fast-check'

fc.configureGlobal({ seed: 1, numRuns: Number(process.env.BOURSE_PROPERTY_RUNS) })
