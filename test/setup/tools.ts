import { installTools } from '../../scripts/pack/tools.ts'

/** Installs the programs of tools/ before the tests that use them. None of those is in `npm test`. */
export async function setup(): Promise<void> {
  if (process.env.BOURSE_TEST_SIZE) return
  // Only the tests that need them fail then, and say which.
  await installTools().catch(console.error)
}
