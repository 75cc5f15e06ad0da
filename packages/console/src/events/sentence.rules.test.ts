import assert from 'node:assert/strict'
import type { Event } from '@bourse/sdk'
import { test } from 'vitest'
import { phraseOf } from './sentence.rules.ts'

const token = { type: 'token', id: 'tokn_1' } as const
const system = { type: 'system' } as const
const event = (action: string, actor: Event['actor']) => phraseOf({ action: action as Event['action'], actor })

test('who did something comes first, and what happens by itself begins with the thing', () => {
  assert.deepEqual(event('instance.created', token), { is_of_actor: true, text: 'created' })
  assert.deepEqual(event('instance.created', system), { is_of_actor: false, text: 'was created' })
  assert.deepEqual(event('order.filled', token), { is_of_actor: false, text: 'was filled' })
})

test('an action that the console does not know is told by its own words', () => {
  assert.deepEqual(event('pool.was_shared', token), { is_of_actor: true, text: 'pool was shared' })
  assert.deepEqual(event('constructor', system), { is_of_actor: false, text: 'constructor' })
})
