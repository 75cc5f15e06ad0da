import assert from 'node:assert/strict'
import { format, inspect } from 'node:util'
import { test } from 'vitest'
import { hide } from './secret.ts'

test('a secret is shown only by reveal', () => {
  const secret = hide(Buffer.from('marker'))
  assert.equal(secret.reveal().toString(), 'marker')
  const prints = [
    String(secret),
    `${secret}`,
    JSON.stringify({ deep: [secret] }),
    inspect(secret, { depth: 10, showHidden: true }),
    inspect({ deep: { secret } }, { depth: 10, showHidden: true }),
    format('%s %o %O %j', secret, secret, secret, secret),
    String(Object.entries(secret)),
  ]
  for (const print of prints) {
    assert.doesNotMatch(print, /marker|6d 61|109,\s*97/)
  }
  assert.equal(JSON.stringify(secret), '"[secret]"')
})
