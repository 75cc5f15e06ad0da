import assert from 'node:assert/strict'
import { test } from 'vitest'
import { startTestServer } from '../support/server.ts'

const server = await startTestServer()

test('while a world is loaded requests are 503 with Retry-After, and afterwards the token is valid', async () => {
  const seen = new Set<number>()
  let isLoading = true
  const call = async () => {
    while (isLoading) {
      const { status, headers } = await server.attempt('get_account')
      seen.add(status)
      if (status === 503) assert.ok(Number(headers.get('retry-after')) >= 1)
    }
  }
  const callers = Array.from({ length: 4 }, call)
  try {
    for (const name of ['empty', 'preemption', 'empty']) {
      await server.call('load_scenario', { params: { name }, body: {} })
      await server.call('get_account')
    }
    await Promise.all([1, 2].map(() => server.call('reset_sandbox', { body: { scenario: 'empty' } })))
  } finally {
    isLoading = false
    await Promise.all(callers)
  }
  assert.deepEqual([...seen].sort(), [200, 503])
})
