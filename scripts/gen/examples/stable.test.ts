import assert from 'node:assert/strict'
import { test } from 'vitest'
import { exampleTime, stabiliser } from './stable.ts'

const day = 86_400

/** What a sandbox returned, at a time. */
function recorded(now: number, salt: string) {
  const id = `inst_${salt.repeat(21)}`
  return {
    id,
    again: `svc:x ${id} and pool_${salt.repeat(21)}`,
    name: `brave-otter-${salt.repeat(5)}1`,
    cursor: `evtc_Z${salt.repeat(30)}`,
    token: `eyJ${salt}.eyJ${salt}.${salt}`,
    url: `http://127.0.0.1:8123/a?expires_at=${now + 900}&signature=${(salt === 'a' ? '1' : '2').repeat(64)}`,
    suffix: salt.repeat(6),
    created_at: now - 3600,
    midnight: now - (now % day),
    memory_bytes: 2_199_023_255_552,
    data: ['one', 'two', 'three'],
    public_prices_exclude_related: false,
  }
}

test('recordings of different times, ids and secrets become equal', () => {
  const [first, second] = [1_795_415_760, 1_795_415_760 + 40 * day + 7200]
  const stable = stabiliser(first)(recorded(first, 'a')) as Record<string, unknown>
  assert.deepEqual(stable, stabiliser(second)(recorded(second, 'b')))
  assert.equal(stable.created_at, exampleTime - 3600)
  assert.equal(stable.midnight, Date.UTC(2026, 10, 23) / 1000)
  assert.equal(stable.memory_bytes, 2_199_023_255_552)
  assert.deepEqual(stable.data, ['one', 'two'])
  assert.equal(stable.public_prices_exclude_related, false)
  assert.match(String(stable.again), new RegExp(`^svc:x ${stable.id} and pool_[\\w-]{21}$`))
  assert.doesNotMatch(JSON.stringify(stable), /127\.0\.0\.1|aaaa/)
})

test('the start of a month stays one, and a month is named by it', () => {
  const now = Date.UTC(2027, 2, 5, 11) / 1000
  const stable = stabiliser(now)({ month: '2027-03', period_start: Date.UTC(2027, 2) / 1000, before: '2027-02' })
  assert.deepEqual(stable, { month: '2026-11', period_start: Date.UTC(2026, 10) / 1000, before: '2026-10' })
})
