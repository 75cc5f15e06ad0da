/** Races of two requests: which of them wins is left to the machine, and each must win some. */
import assert from 'node:assert/strict'
import type { TestServer } from '../support/server.ts'

const widestLead = 16

/**
 * Delays one side of a race by a number of small requests, because one side takes longer than the other until it locks
 * anything. The side and the number of requests depend on the number of the pair: over 32 pairs each side wins some on
 * any machine.
 */
export async function stagger(server: TestServer, n: number, side: 'first' | 'second'): Promise<void> {
  const lead = (n % (2 * widestLead)) - widestLead
  const calls = side === 'first' ? lead : -lead
  for (let i = 0; i < calls; i++) await server.ok('GET', '/version')
}

/** The most rounds of a race, as a multiple of the wanted ones. */
const roundsFactor = 20

/**
 * Runs a race in numbered rounds, some at a time: as many as wanted, and on until each outcome has occurred. A round
 * counts its outcome. Fails if an outcome does not occur.
 */
export async function raceUntilEach(
  outcomes: Readonly<Record<string, number>>,
  { rounds, at_once = 1 }: { rounds: number; at_once?: number },
  run: (n: number) => Promise<void>,
): Promise<void> {
  const isOver = (n: number) => n >= rounds && Object.values(outcomes).every((count) => count > 0)
  for (let n = 0; !isOver(n) && n < roundsFactor * rounds; n += at_once)
    await Promise.all(Array.from({ length: at_once }, (_, at) => run(n + at)))
  for (const [outcome, count] of Object.entries(outcomes)) assert.ok(count > 0, `no round was ${outcome}`)
}
