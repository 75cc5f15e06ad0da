import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { startTestProvider } from '../../../test/api/oidc.ts'
import { createProviderClients } from './provider-clients.service.ts'

const [dated, undated, silent, down] = await Promise.all(Array.from({ length: 4 }, startTestProvider))
const all = [dated, undated, silent, down].filter((one) => one !== undefined)
afterAll(async () => {
  for (const one of all) await one[Symbol.asyncDispose]()
})

test('providers that list their claims without the time of a sign-in are found, and no others', async () => {
  dated?.describe({ claims_supported: ['sub', 'auth_time'] })
  undated?.describe({ claims_supported: ['sub'] })
  down?.setDown(true)
  const clients = createProviderClients(all.map((one, at) => one.setting('acme', { name: `provider-${at}` })))
  const found = await clients.listUndated()
  assert.deepEqual(
    found.map(({ name }) => name),
    ['provider-1'],
  )
})
