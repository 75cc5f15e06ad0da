import assert from 'node:assert/strict'
import { test } from 'vitest'
import { query } from '../../src/core/work/query.ts'
import { readHosts } from '../../src/fleet/placement/open-hosts.service.ts'
import { planPlacement } from '../../src/fleet/placement/placement.rules.ts'
import { readDemand, searchFor } from '../../src/fleet/placement/placement.service.ts'
import { makeImage } from '../support/fixtures/fleet.ts'
import { makeWorld } from './world.ts'

const world = await makeWorld()
const { server, account, sku, launch, pass, call } = world
for (const slots of [1, 2, 2, 3, 3, 4, 4, 6]) await world.addHosts(1, slots)
await pass(60)

test('only the open hosts that starts can use are read, and the plan is the same', async () => {
  const images = await Promise.all(Array.from({ length: 3 }, () => makeImage(server, account)))
  const [often, once, never] = images.map(({ id }) => id) as [string, string, string]
  const from = (await world.now()) + 60 - ((await world.now()) % 60)
  const full = await world.makePool([[from, 20]])
  const waiting = await world.makePool([[from + 86_400, 1]])
  const { id: subnet } = await call('POST', '/preview/v2/subnets', { region: 'north' })
  for (let i = 0; i < 16; i++) await launch(full, { image: i === 9 ? once : often })
  await world.goTo(from)
  const gone = await launch(full)
  await pass(1)
  for (const image of [often, once, never, often]) await launch(waiting, { image })
  await launch(waiting, { image: once, subnet })
  await call('POST', `/v2/instances/${gone}/terminate`)
  await pass(5)
  const { runtime } = world.inside
  const at = { pool_id: waiting, sku_id: sku }
  await query(runtime, { actor: { type: 'system' }, request_id: 'test' }, async (ctx) => {
    const { rows, instances } = await readDemand(ctx, at)
    assert.equal(instances.length, 5)
    for (const node_count of [1, 2, 3, 4, 5]) {
      const allocation = [{ start_at: ctx.now, end_at: null, node_count }]
      const input = { now: ctx.now, known_until: null, allocation, instances }
      const search = searchFor(rows, allocation, ctx.now)
      const few = await readHosts(ctx, at, search)
      const all = await readHosts(ctx, at, { ...search, starts: 1000 })
      const plan = planPlacement({ ...input, hosts: all })
      assert.equal(plan.starts.length, node_count)
      assert.deepEqual(planPlacement({ ...input, hosts: few }), plan)
      if (node_count === 1) assert.ok(few.length < all.length, `${few.length} of ${all.length}`)
    }
  })
})
