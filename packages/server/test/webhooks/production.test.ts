/** What production refuses of webhooks, over HTTP: the sandbox takes these URLs. */
import assert from 'node:assert/strict'
import { afterAll, test } from 'vitest'
import { silentLog } from '../../src/core/base/log.ts'
import { createCryptoRandom } from '../../src/core/base/random.ts'
import { makeKeys } from '../../src/core/keys/key-files.ts'
import { loadKeys } from '../../src/core/keys/keys.ts'
import { systemCommand } from '../../src/core/work/command.ts'
import { createAdminToken, makeAccount } from '../../src/iam/accounts/accounts.service.ts'
import { startServer } from '../../src/server.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()
const server = await startServer({
  mode: 'production',
  target: database.target,
  keys: loadKeys(makeKeys('operator', createCryptoRandom())),
  log: silentLog(),
  host: '127.0.0.1',
  port: 0,
  public_url: 'https://market.example',
  schema_version: 0,
  requires_safe_database: false,
  check_responses: true,
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})
const account_id = 'acme'
const { token } = await systemCommand(server.runtime, async (ctx) => {
  const { workspace_id } = await makeAccount(ctx, { id: account_id, trust_level: 'trusted' })
  return createAdminToken(ctx, { account_id, workspace_id, name: 'test' })
})

async function send(method: string, path: string, body: object): Promise<{ status: number; body: any }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) })
  return { status: response.status, body: await response.json() }
}

const forbidden = [
  'http://receiver.example/hook',
  'https://127.0.0.1/hook',
  'https://2130706433/hook',
  'https://0x7f.1/hook',
  'https://10.0.0.1/hook',
  'https://169.254.169.254/latest',
  'https://[::1]/hook',
  'https://[::ffff:10.0.0.1]/hook',
  'https://[64:ff9b::a00:1]/hook',
  'https://localhost/hook',
  'https://printer.local/hook',
  'https://metadata.google.internal/hook',
]

test('URLs without TLS and of addresses that are not public are refused, at creation and at a change', async () => {
  const made = await send('POST', '/preview/v2/webhooks', { url: 'https://receiver.example/hook', enabled: false })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  for (const url of forbidden) {
    for (const [method, path] of [
      ['POST', '/preview/v2/webhooks'],
      ['PATCH', `/preview/v2/webhooks/${made.body.id}`],
    ] as const) {
      const { status, body } = await send(method, path, { url })
      const [detail] = body.error?.details ?? []
      assert.deepEqual([status, detail?.code, detail?.field], [422, 'address_not_allowed', 'url'], `${method} ${url}`)
    }
  }
})
