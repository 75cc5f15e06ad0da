/** Waits of tests, which fail with a sentence. */
import assert from 'node:assert/strict'
import { waitFor } from '../../src/clock.ts'

/** How often to look, and for how long at most, in milliseconds. */
export type Patience = { readonly every: number; readonly at_most: number }

/** For what takes milliseconds by itself. A slow machine with much else to do needs a thousand times as long. */
const usually: Patience = { every: 10, at_most: 60_000 }

/** Polls until the result is neither undefined nor false. Fails with what was waited for. */
export async function waitUntil<T>(
  what: string,
  ask: () => T | undefined | Promise<T | undefined>,
  patience = usually,
): Promise<Exclude<T, false>> {
  const found = await waitFor(async () => ((await ask()) || undefined) as Exclude<T, false> | undefined, patience)
  return found ?? assert.fail(`Not within ${patience.at_most / 1000} s: ${what}.`)
}
