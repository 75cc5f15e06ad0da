import assert from 'node:assert/strict'
import { test } from 'vitest'
import { type AskedServer, chooseServer, mustLeave, type SeenServer, type ServerState } from './server-choice.rules.ts'

const first: ServerState = { in_recovery: false, system_identifier: '7', timeline: 1, number: 1, fenced_by: 0 }
const promoted = { ...first, timeline: 2 }
const standby = { ...first, in_recovery: true }
const gone = 'ECONNREFUSED'
const seen: SeenServer = { system_identifier: '7', timeline: 2 }

function choose(answers: readonly (ServerState | string)[], known?: SeenServer) {
  const asked = answers.map((answer, at): AskedServer => ({ name: `db${at + 1}`, answer }))
  return chooseServer(asked, known)
}

test('the server with the newest history is used, whatever the order of names', () => {
  const cases: [string, (ServerState | string)[], number | undefined][] = [
    ['a primary and its standby', [first, standby], 0],
    ['a standby and its primary', [standby, first], 1],
    ['a replaced primary beside its successor', [first, promoted], 1],
    ['a replaced primary with more recorded histories', [{ ...first, number: 9 }, promoted], 1],
    ['a successor whose history is recorded', [first, { ...promoted, number: 2 }], 1],
    ['two of one timeline', [first, { ...first, number: 2 }], 1],
    ['two that do not differ', [first, first], 0],
    ['a promoted server whose old primary is gone', [gone, promoted], 1],
    ['nothing answers', [gone, gone], undefined],
    ['standbys only', [standby, { ...standby, timeline: 2 }], undefined],
    ['a standby that follows a successor that is gone', [first, gone, { ...standby, timeline: 2 }], undefined],
    ['another cluster with a newer history', [first, { ...first, system_identifier: '8', number: 2 }], 1],
    ['a timeline of another cluster', [first, { ...standby, system_identifier: '8', timeline: 5 }], 0],
  ]
  for (const [what, answers, expected] of cases) assert.equal(choose(answers).use, expected, what)
})

test('a replaced server is not used while its successor does not respond, if anything names the successor', () => {
  assert.equal(choose([first, gone]).use, 0, 'nothing is known of a successor')
  assert.equal(choose([first, gone], seen).use, undefined)
  assert.equal(choose([{ ...first, fenced_by: 2 }, gone]).use, undefined)
  assert.equal(choose([{ ...promoted, fenced_by: 2 }, gone], seen).use, 0, 'it was promoted again')
  assert.equal(choose([first, gone], { system_identifier: '8', timeline: 2 }).use, 0, 'the seen one is another cluster')
  const other = { ...first, system_identifier: '8' }
  assert.equal(choose([first, other], { system_identifier: '8', timeline: 1 }).use, 1)
  assert.equal(choose([other, first], { system_identifier: '8', timeline: 1 }).use, 0)
})

test('each server that is not used is named with the reason', () => {
  assert.deepEqual(choose([first, promoted, standby, gone]), {
    use: 1,
    used: promoted,
    replaced: [{ at: 0, by_timeline: 2 }],
    reasons: [
      'db1 was replaced: it is on timeline 1, and db2 is on timeline 2',
      'db3 is a standby',
      'db4 does not respond (ECONNREFUSED)',
    ],
  })
  assert.deepEqual(choose([first, gone], seen), {
    use: undefined,
    used: undefined,
    replaced: [{ at: 0, by_timeline: 2 }],
    reasons: [
      'db1 was replaced: it is on timeline 1, and this program has used timeline 2',
      'db2 does not respond (ECONNREFUSED)',
    ],
  })
  assert.deepEqual(choose([{ ...first, fenced_by: 3 }]).reasons, [
    'db1 was replaced: it is on timeline 1, and a record in it names timeline 3',
  ])
  assert.deepEqual(choose([first, { ...first, number: 2 }]).reasons, ['db1 has an older history than db2'])
})

test('connections are closed where their server is not the one to use, and never while it is', () => {
  const prepared = { at: 0, system_identifier: '7', timeline: 1 }
  const cases: [string, (ServerState | string)[], boolean][] = [
    ['it is the one to use', [first, standby], false],
    ['it does not respond, and nothing is known of a successor', [gone, standby], false],
    ['it is a standby now, and no other server is usable', [standby, gone], false],
    ['another one is to be used', [gone, promoted], true],
    ['it was replaced', [first, promoted], true],
    ['it was replaced, and the successor does not respond', [first, { ...standby, timeline: 2 }], true],
    ['another timeline answers at its address', [promoted, standby], true],
    ['another cluster answers at its address', [{ ...first, system_identifier: '8' }, gone], true],
  ]
  for (const [what, answers, expected] of cases) assert.equal(mustLeave(prepared, choose(answers)), expected, what)
  assert.equal(mustLeave(undefined, choose([first, promoted])), false)
})
