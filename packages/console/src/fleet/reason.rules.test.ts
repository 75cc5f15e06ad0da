import assert from 'node:assert/strict'
import { terminationReasons } from '@bourse/api/fleet/explanations.ts'
import { test } from 'vitest'
import { causeText, endedText, lifeShares, linesOf, needsPurchase } from './reason.rules.ts'

const base = { state: 'running', summary: 'It runs, and no end is scheduled.', waiting: null, boot: null } as const
const booting = { reasons: [{ code: 'starting', message: 'Its host is starting the machine.' }] } as const
const ending = { deadline_at: 1_000, ended_at: null }
const waitingFor = (...codes: string[]) => {
  const reasons = codes.map((code) => ({ code, message: `${code}.` }))
  return { reasons, next_allocation_at: null }
}

test('each fact is said once: what is shown as a time or a list is no sentence too', () => {
  assert.deepEqual(linesOf({ ...base, termination: null }), ['It runs, and no end is scheduled.'])
  const withEnd = 'It runs. The allocation of its pool ends: it ends at 1970-01-01T00:16:40Z, as far as is known.'
  assert.deepEqual(linesOf({ ...base, summary: withEnd, termination: ending }), [])
  assert.deepEqual(linesOf({ ...base, summary: 'x', boot: booting, termination: ending }), [
    'Its host is starting the machine.',
  ])
  const failed = { ...base, state: 'failed', summary: 'The machine failed: no disk.', termination: null } as const
  assert.deepEqual(linesOf(failed), ['The machine failed: no disk.'])
  const over = { ...base, state: 'terminated', summary: 'x', termination: { ...ending, ended_at: 1_000 } } as const
  assert.deepEqual(linesOf(over), [])
  const waiting = { ...base, state: 'awaiting_allocation', termination: null } as const
  assert.deepEqual(linesOf({ ...waiting, waiting: waitingFor('a', 'b') }), ['a.', 'b.'])
  assert.deepEqual(linesOf({ ...waiting, summary: 'It is about to be placed.', waiting: waitingFor() }), [
    'It is about to be placed.',
  ])
})

test('only what lacks allocation that is not bought yet needs a purchase', () => {
  assert.ok(needsPurchase(waitingFor('no_allocation')))
  assert.ok(needsPurchase(waitingFor('outranked', 'no_free_host')))
  assert.ok(!needsPurchase({ ...waitingFor('no_allocation'), next_allocation_at: 5 }))
  assert.ok(!needsPurchase(waitingFor('predecessor_stopping')))
  assert.ok(!needsPurchase(waitingFor('no_free_host')))
  assert.ok(!needsPurchase(waitingFor()))
})

test('an end says who brought it about, and each other reason is a sentence', () => {
  assert.deepEqual([endedText('user', 'ada'), causeText('user')], ['Ended by ada', ''])
  assert.deepEqual([endedText('replaced', 'ada'), causeText('replaced')], ['Replaced by ada', ''])
  assert.deepEqual([endedText('user', undefined), endedText('sold', 'ada')], ['Ended', 'Ended'])
  const others = terminationReasons.filter((reason) => reason !== 'user' && reason !== 'replaced')
  const texts = others.map(causeText)
  assert.deepEqual(
    texts.filter((text) => !/^(It|Its) .+\.$/.test(text)),
    [],
  )
  assert.equal(causeText('something_new'), 'Because of: something new.')
})

test('the line of a life has what passed, what is left and what an extension adds', () => {
  assert.deepEqual(lifeShares({ begin: 0, now: 25, end: 75, extended: 100 }), { past: 25, rest: 50, more: 25 })
  assert.deepEqual(lifeShares({ begin: 0, now: 80, end: 50, extended: 50 }), { past: 100, rest: 0, more: 0 })
  // A clock that lags behind that of the server.
  assert.deepEqual(lifeShares({ begin: 100, now: 90, end: 200, extended: 200 }), { past: 0, rest: 100, more: 0 })
})
