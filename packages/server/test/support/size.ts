/** What part of the random cases runs, by BOURSE_TEST_SIZE and BOURSE_PROPERTY_RUNS. */
const shares: Readonly<Record<string, number>> = { small: 1 / 20, gate: 1 / 10 }

/**
 * The number of random cases of a test. `npm run check` sets BOURSE_TEST_SIZE=small to run few of them, so that it
 * stays quick, and `npm test` sets it to `gate`. Every other run draws all, including `npm run deep` and a test file
 * that is run by hand. BOURSE_PROPERTY_RUNS is the most that one test may draw: a run of mutants repeats each test
 * hundreds of times. `least`: how many a test needs for what it claims.
 */
export function sized(cases: number, least = 1): number {
  const part = Math.ceil(cases * (shares[process.env.BOURSE_TEST_SIZE ?? ''] ?? 1))
  return Math.max(least, Math.min(part, Number(process.env.BOURSE_PROPERTY_RUNS ?? part)))
}
