/**
 * How many random cases a test draws. `npm run check` asks for few of them by BOURSE_TEST_SIZE=small, so that it stays
 * quick; every other run draws all, and so does a test file that is run by hand.
 */
export function sized(cases: number): number {
  return process.env.BOURSE_TEST_SIZE === 'small' ? Math.ceil(cases / 20) : cases
}
