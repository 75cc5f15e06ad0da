/** Time for tests about days and months. */
import type { TestServer } from '../../server/test/support/server.ts'

const day = 86_400

/**
 * Moves the clock of a server to noon, UTC, on a day that has others of its month before and after it, so that no day
 * and no month ends while a test runs. Returns the present.
 */
export async function goToQuietDay(server: TestServer): Promise<number> {
  const { now } = await server.call('get_clock')
  let noon = (Math.floor(now / day) + 1) * day + day / 2
  while (!isQuiet(noon)) noon += day
  await server.advance(noon - now)
  return noon
}

/** Every month has as many days. */
function isQuiet(noon: number): boolean {
  const date = new Date(noon * 1000).getUTCDate()
  return date > 3 && date < 25
}
