import assert from 'node:assert/strict'
import { test } from 'vitest'
import { configOf, readSeals, verifyInstallation } from './checked-database.ts'
import { reencryptSecrets } from './master-key-rows.ts'

test('commands beside several servers need no store of images, which the servers may be given alone', async () => {
  const variables = {
    BOURSE_DATABASE_URL: 'postgres://b@127.0.0.1:1/b',
    BOURSE_PUBLIC_URL: 'https://market.example',
    BOURSE_REPLICAS: '2',
  }
  const { mode, replicas } = configOf(variables)
  assert.deepEqual([mode, replicas], ['production', 2])
  // What they need is missing here, and nothing before it.
  const print = () => {}
  await assert.rejects(verifyInstallation(variables, print, []), /BOURSE_SIGNING_KEYS_FILE/)
  await assert.rejects(reencryptSecrets(variables), /BOURSE_SIGNING_KEYS_FILE/)
  await assert.rejects(
    readSeals(variables, print, () => {}),
    /ECONNREFUSED/,
  )
})
