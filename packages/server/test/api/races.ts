/** Races of two requests: which of them wins is left to the machine, and each must win some. */
import assert from 'node:assert/strict'
import type { TestServer } from '../support/server.ts'

const widestLead = 16

/** Delays one side of a race by its lead in small requests, and the other not at all. */
export async function stagger(server: TestServer, lead: number, side: 'first' | 'second'): Promise<void> {
  const calls = side === 'first' ? lead : -lead
  for (let i = 0; i < calls; i++) await server.call('get_version')
}

/** How many times the leads of further rounds double. With the last ones the late side certainly loses. */
const doublings = 6

/**
 * Runs a race in numbered rounds, some at a time: as many as wanted, and on until each outcome has occurred. A round
 * counts its outcome, and delays one side by its lead, because one side takes longer than the other until it locks
 * anything. The leads of further rounds grow, so each side wins one on any machine.
 */
export async function raceUntilEach(
  outcomes: Readonly<Record<string, number>>,
  { rounds, at_once = 1 }: { rounds: number; at_once?: number },
  run: (n: number, lead: number) => Promise<void>,
): Promise<void> {
  const isOver = (n: number) => n >= rounds && Object.values(outcomes).every((count) => count > 0)
  const roundsMax = rounds + doublings * 2 * widestLead
  for (let n = 0; !isOver(n) && n < roundsMax; n += at_once)
    await Promise.all(Array.from({ length: at_once }, (_, at) => run(n + at, leadOf(n + at, rounds))))
  for (const [outcome, count] of Object.entries(outcomes)) assert.ok(count > 0, `no round was ${outcome}`)
}

/** The number of requests by which the first side is late; by which the second side is, if negative. */
function leadOf(n: number, rounds: number): number {
  const leads = 2 * widestLead
  const doubled = n < rounds ? 0 : 1 + Math.floor((n - rounds) / leads)
  return ((n % leads) - widestLead) * 2 ** doubled
}
