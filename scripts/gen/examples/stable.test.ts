import assert from 'node:assert/strict'
import { test } from 'vitest'
import { stabiliser } from './stable.ts'

/** What a sandbox returned; `drawn` stands for what it drew. */
function recorded(drawn: string) {
  const id = `inst_${drawn.repeat(21)}`
  return {
    id,
    again: `svc:x ${id} and pool_${drawn.repeat(21)}`,
    name: `brave-otter-${drawn.repeat(5)}1`,
    cursor: `evtc_Z${drawn.repeat(30)}`,
    token: `eyJ${drawn}.eyJ${drawn}.${drawn}`,
    url: `http://127.0.0.1:8123/a?expires_at=1795424400&signature=${(drawn === 'a' ? '1' : '2').repeat(64)}`,
    link: `http://127.0.0.1:8123/sign-in/${drawn.repeat(22)}.${drawn.repeat(43)}`,
    user_code: `${drawn.toUpperCase().repeat(4)}-BCDF`,
    request_id: `req_${drawn.repeat(21)}`,
    suffix: drawn.repeat(6),
    created_at: 1_795_424_400,
    data: ['one', 'two', 'three'],
    public_prices_exclude_related: false,
  }
}

test('recordings of different ids and secrets become equal', () => {
  const stable = stabiliser()(recorded('a'), 'get_x') as Record<string, unknown>
  assert.deepEqual(stable, stabiliser()(recorded('b'), 'get_x'))
  assert.equal(stable.created_at, 1_795_424_400)
  assert.deepEqual(stable.data, ['one', 'two'])
  assert.equal(stable.public_prices_exclude_related, false)
  assert.match(String(stable.again), new RegExp(`^svc:x ${stable.id} and pool_[\\w-]{21}$`))
  assert.match(String(stable.user_code), /^[A-Z]{4}-[A-Z]{4}$/)
  assert.doesNotMatch(JSON.stringify(stable), /127\.0\.0\.1|aaaa|AAAA/)
})

test('a call between two others changes neither, and an id has one name in all', () => {
  const alone = stabiliser()
  const [first, second] = [alone(recorded('a'), 'get_x'), alone(recorded('b'), 'get_z')]
  const between = stabiliser()
  assert.deepEqual(between(recorded('a'), 'get_x'), first)
  const { id } = between({ id: recorded('a').id, other: recorded('c').id }, 'get_y') as { id: string }
  assert.equal(id, (first as { id: string }).id)
  assert.deepEqual(between(recorded('b'), 'get_z'), second)
})
