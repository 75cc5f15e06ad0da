import assert from 'node:assert/strict'
import { test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { makeWorld } from './world.ts'

const server = await startTestServer()
const world = await makeWorld(server)
const { token } = world.account
const { id: image } = await world.shared('image')

const kinds: Record<string, { path: string; body: object }> = {
  firewalls: { path: '/preview/v2/firewalls', body: {} },
  subnets: { path: '/preview/v2/subnets', body: { region: 'north' } },
  instance_templates: { path: '/preview/v2/instance_templates', body: { image } },
}

for (const [kind, { path, body }] of Object.entries(kinds)) {
  test(`a read of ${kind} during their deletion returns them completely or not at all`, async () => {
    await world.shared('sku')
    const seen = new Set<number>()
    for (let round = 0; round < 12; round++) {
      const { id, resource_path } = await world.make(path, body)
      const asked = Array.from({ length: 16 }, (_, index) => {
        const ref = index % 2 ? id : resource_path
        return server.request('GET', index % 4 ? `${path}/${ref}` : `${path}?id=${ref}`, { token })
      })
      asked.splice(8, 0, server.request('DELETE', `${path}/${id}`, { token }))
      for (const { status } of await Promise.all(asked)) seen.add(status)
    }
    assert.deepEqual(
      [...seen].filter((status) => ![200, 204, 404].includes(status)),
      [],
    )
  })
}
