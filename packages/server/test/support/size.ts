/**
 * The number of random cases of a test. `npm run check` sets BOURSE_TEST_SIZE=small to run few of them, so that it
 * stays quick. Every other run draws all, including a test file that is run by hand.
 */
export function sized(cases: number): number {
  return process.env.BOURSE_TEST_SIZE === 'small' ? Math.ceil(cases / 20) : cases
}
