import assert from 'node:assert/strict'
import { test } from 'vitest'
import { eventually } from '../../../../test/eventually.ts'
import { createSeededRandom } from '../../src/core/base/random.ts'
import { openDatabase } from '../../src/core/db/db.ts'
import { makeKeys } from '../../src/core/keys/key-files.ts'
import { rotateCursorRoots } from '../../src/core/keys/key-rotation.rules.ts'
import { loadKeys } from '../../src/core/keys/keys.ts'
import { currentCursorKeys, cursorKeysAt, openCursorKeys } from '../../src/events/log/cursor-keys.service.ts'
import { createTestDatabase } from '../support/database.ts'

const random = createSeededRandom('cursor-roots')
const files = makeKeys('operator', random)
const rootsOf = (cursor: typeof files.cursor) => loadKeys({ ...files, cursor }).cursor_roots

test('a server that gets a root long after the others use it makes their cursors from then on', async () => {
  await using made = await createTestDatabase()
  await using database = openDatabase(made.target, { connections_max: 2 })
  let roots = rootsOf(files.cursor)
  const late = await openCursorKeys(database, () => roots)
  const rotated = rootsOf(rotateCursorRoots(files.cursor, { from: 1, random, newest_key_id: 0 }))
  const others = await openCursorKeys(database, () => rotated)
  const used = others.loaded.keys.current
  // Without the root it derives another key of the same number.
  const before = await cursorKeysAt(late, others.loaded.version)
  assert.equal(before.keys.current.key_id, used.key_id)
  assert.notDeepEqual(before.keys.current.secret.reveal(), used.secret.reveal())
  roots = rotated
  await eventually('the late server has the key of the others', () =>
    currentCursorKeys(late).current.secret.reveal().equals(used.secret.reveal()),
  )
  // What was made with the other key is kept by its version, by the caches of this server.
  assert.ok(late.loaded.version > before.version)
})
