import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type Evidence, type Goals, type Intent, judge } from './verdict.ts'

const account = 'a'

function intent(more: Partial<Intent>): Intent {
  return {
    account,
    list: 'firewalls',
    removes: undefined,
    began: 10,
    attempts: 1,
    tried: 10,
    outcome: 'acknowledged',
    has_failed: false,
    was_rate_limited: false,
    was_given_up: false,
    was_replayed: false,
    resource: 'f1',
    answered: 20,
    ...more,
  }
}

const firewall = (id: string) => ({ account, list: 'firewalls' as const, id })

/** A round in which everything held, with what a test changes. */
function roundWith({ goals = {}, ...more }: Partial<Omit<Evidence, 'goals'>> & { goals?: Goals } = {}): Evidence {
  return {
    goals,
    intents: [intent({}), intent({ resource: 'f2', began: 150, tried: 150, answered: 160 })],
    baseline: [firewall('f0')],
    present: ['f0', 'f1', 'f2'].map(firewall),
    readers: [{ account, ever: ['e1', 'e2'], received: ['e1', 'e2'], log: ['e1', 'e2'], gone: 0 }],
    unpaired: [],
    wrong: [],
    stale: [],
    violations: [],
    samples: [
      { at: 10, milliseconds: 10 },
      { at: 150, milliseconds: 10 },
    ],
    fault_began: 50,
    fault_ended: 100,
    repair_began: Infinity,
    noise: { statuses: new Map(), without_retry_after: 0 },
    ...more,
  }
}

const failuresOf = (evidence: Evidence) => judge(evidence).failures.join('\n')

test('a round in which everything held has figures and no failure', () => {
  const { figures, failures, late, lost } = judge(roundWith())
  assert.deepEqual({ failures, late, lost }, { failures: [], late: [], lost: [] })
  assert.equal(figures.acknowledged, 2)
  assert.equal(figures.writes_again, 60)
  assert.equal(figures.longest_pause, 110)
  assert.deepEqual([figures.p99_before, figures.p99_after], [10, 10])
})

test('an acknowledged write that is missing is lost, and a removal that had no effect too', () => {
  assert.match(
    failuresOf(roundWith({ present: ['f0', 'f1'].map(firewall) })),
    /lost: POST a \/preview\/v2\/firewalls\/f2/,
  )
  const removal = intent({ removes: 'f0', resource: undefined, began: 150, tried: 150, answered: 160 })
  const { intents } = roundWith()
  assert.match(failuresOf(roundWith({ intents: [...intents, removal] })), /lost: DELETE a \/preview\/v2\/firewalls\/f0/)
  const gone = roundWith({ intents: [...intents, removal], present: ['f1', 'f2'].map(firewall) })
  assert.equal(failuresOf(gone), '')
})

test('what nobody was told of, and one resource for two calls, are doubled', () => {
  assert.match(failuresOf(roundWith({ present: ['f0', 'f1', 'f2', 'f3'].map(firewall) })), /nobody was told of a .*f3/)
  const { intents } = roundWith()
  assert.match(failuresOf(roundWith({ intents: [...intents, intent({})] })), /f1 answered two calls/)
})

test('a reader that missed an event, has one twice or out of order is a failure', () => {
  const reader = { account, ever: ['e1', 'e2'], received: ['e1', 'e2'], log: ['e1', 'e2'], gone: 0 }
  for (const received of [['e1'], ['e2', 'e1'], ['e1', 'e1', 'e2']])
    assert.match(failuresOf(roundWith({ readers: [{ ...reader, received }] })), /they differ at/)
  const behind = { ...reader, received: ['e1'], log: ['e1'] }
  assert.match(failuresOf(roundWith({ readers: [behind] })), /a cursor after lost events was accepted/)
  assert.match(failuresOf(roundWith({ readers: [{ ...reader, gone: 1 }] })), /a cursor ended although nothing/)
})

test('where commits are lost on purpose, some must be lost and cursors after them must end', () => {
  const goals = { loses_commits: true } as const
  assert.match(failuresOf(roundWith({ goals })), /nothing was tried/)
  const reader = { account, ever: ['e1', 'e2'], received: ['e1'], log: ['e1'], gone: 1 }
  const present = ['f0', 'f1'].map(firewall)
  const { failures, lost } = judge(roundWith({ goals, present, readers: [reader] }))
  assert.deepEqual({ failures, lost }, { failures: [], lost: ['POST a /preview/v2/firewalls/f2'] })
})

test('each other finding of a round is a failure', () => {
  const text = failuresOf(
    roundWith({ unpaired: ['o1'], wrong: ['GET /: 500'], stale: ['one: /v2/orders'], violations: ['doctor: money'] }),
  )
  for (const part of [/o1 and its event do not pair/, /GET \/: 500/, /one: \/v2\/orders/, /doctor: money/])
    assert.match(text, part)
  const [first] = roundWith().intents as [Intent]
  const open = intent({ outcome: 'open', resource: undefined, answered: undefined })
  assert.match(failuresOf(roundWith({ intents: [...roundWith().intents, open] })), /1 calls never had an answer/)
  assert.match(
    failuresOf(roundWith({ intents: [first], present: ['f0', 'f1'].map(firewall) })),
    /no write succeeded after the fault/,
  )
})

test('a noisy account must be refused, and told each time when to try again', () => {
  const goals = { limits_noise: true } as const
  const noiseOf = (statuses: Record<string, number>, without_retry_after = 0) =>
    failuresOf(roundWith({ goals, noise: { statuses: new Map(Object.entries(statuses)), without_retry_after } }))
  assert.equal(noiseOf({ 200: 290, '429 (too many at once)': 3 }), '')
  assert.match(noiseOf({ 200: 290, 503: 3 }), /^the noisy account was never refused \(429\), so nothing/)
  assert.equal(noiseOf({ 200: 290, 429: 1 }), '')
  assert.equal(noiseOf({ 200: 290, 429: 9 }, 2), '2 answers with status 429 had no Retry-After')
  assert.equal(noiseOf({ 429: 9, 500: 4 }), 'the noisy account got status 500 4 times')
})

test('goals of a kind: no failed first attempt, nobody limited, retries that suffice, and times', () => {
  const { intents } = roundWith()
  const [first, second] = intents as [Intent, Intent]
  const failed = { ...second, has_failed: true, was_given_up: true, was_rate_limited: true, attempts: 4 }
  const evidence = (goals: Goals) => judge(roundWith({ goals, intents: [first, failed] }))
  assert.deepEqual(evidence({}).failures, [])
  assert.match(evidence({ fails_nothing: true }).failures.join(), /1 calls failed at their first attempt/)
  assert.match(evidence({ limits_nobody: true }).failures.join(), /1 calls of quiet accounts were refused/)
  assert.match(evidence({ retries_suffice: true }).late.join(), /1 calls took more attempts than the SDK makes/)
  assert.match(evidence({ writes_again_milliseconds: 59 }).late.join(), /writes succeeded again after 60 ms, not 59/)
  const samples = [
    { at: 10, milliseconds: 10 },
    { at: 150, milliseconds: 21 },
  ]
  const goals = { slower_max: 2 }
  assert.match(judge(roundWith({ goals, samples })).late.join(), /rose from 10 to 21 ms/)
  assert.deepEqual(judge(roundWith({ goals, samples, repair_began: 150 })).late, [])
})
