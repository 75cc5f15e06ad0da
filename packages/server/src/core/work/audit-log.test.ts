import assert from 'node:assert/strict'
import { test } from 'vitest'
import { entryOf, type StoredEntry } from './audit-log.ts'

const columns: Omit<StoredEntry, 'body'> = {
  account_id: 'acme',
  occurred_at: 1_700_000_000,
  id: 'audt_1',
  operation: 'create_token',
  actor_id: null,
  outcome: 'done',
  target_ids: ['tok_1', 'ws_1'],
}
const rest = ['system', null, null, 'acme', null, 'curl/8', 'req_1', ['token', 'workspace']] as const
const entry = {
  object: 'audit_entry',
  id: 'audt_1',
  occurred_at: 1_700_000_000,
  account: 'acme',
  actor: { type: 'system', id: null, name: null },
  operation: 'create_token',
  targets: [
    { type: 'token', id: 'tok_1' },
    { type: 'workspace', id: 'ws_1' },
  ],
  outcome: 'done',
  code: null,
  changes: [
    { field: 'name', old_value: null, new_value: '"ci"', is_secret: false },
    { field: 'tags', old_value: '["a"]', new_value: null, is_secret: false },
    { field: 'token', old_value: null, new_value: null, is_secret: true },
  ],
  on_behalf_of: 'acme',
  address: null,
  user_agent: 'curl/8',
  request_id: 'req_1',
}

test('an entry is read from its columns and its text', () => {
  const changes = [['name', null, '"ci"'], ['tags', '["a"]', null], ['token']]
  assert.deepEqual(entryOf({ ...columns, body: JSON.stringify([...rest, changes]) }), entry)
})

test('an entry of the first versions, whose text holds all of it, is read as it was', () => {
  assert.deepEqual(entryOf({ ...columns, body: JSON.stringify(entry) }), entry)
})
