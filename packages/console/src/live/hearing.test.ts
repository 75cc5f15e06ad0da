import assert from 'node:assert/strict'
import { test } from 'vitest'
import { hearing } from './hearing.ts'
import type { StreamMessage } from './stream.ts'

function doneAfter(...messages: readonly StreamMessage[]): readonly string[] {
  const done: string[] = []
  const listen = hearing({
    goToSignIn: () => done.push('sign in'),
    hearEvent: ({ id }) => done.push(id),
    hearGap: () => done.push('gap'),
    refreshAll: () => done.push('read all'),
    readAtOwnPace: () => done.push('own pace'),
    setState: (state) => done.push(state),
  })
  for (const message of messages) listen(message)
  return done
}

test('without events a tab reads at its own pace, and it reads all again where events may be missing', () => {
  assert.deepEqual(doneAfter({ type: 'unavailable' }), ['own pace', 'unavailable'])
  assert.deepEqual(doneAfter({ type: 'connected' }), ['connected'])
  assert.deepEqual(doneAfter({ type: 'gap', since: 1 }), ['gap', 'read all'])
  const back = doneAfter({ type: 'away' }, { type: 'away' }, { type: 'connected' }, { type: 'connected' })
  assert.deepEqual(back, ['away', 'away', 'read all', 'connected', 'connected'])
  assert.deepEqual(doneAfter({ type: 'event', event: { id: 'evnt_1' } as never, since: 1 }), ['evnt_1'])
  assert.deepEqual(doneAfter({ type: 'signed_out' }), ['sign in'])
})
