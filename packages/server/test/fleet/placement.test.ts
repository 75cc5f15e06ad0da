import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { makeWorld } from './world.ts'

const halfHour = 1800
const hour = 3600
const year = 31_536_000

const world = await makeWorld()
const { launch, launchAll, states, history, actions, pass, goTo, settle, takeNodes, call } = world
await world.addHosts(8, 8)
await pass(60)

/** Creates a pool for a test from the next minute on, and advances the clock to its start. */
async function poolOf(...counts: [minutes: number, nodes: number][]) {
  const now = await world.now()
  const from = now - (now % 60) + 60
  const pool = await world.makePool(counts.map(([minutes, nodes]) => [from + minutes * 60, nodes]))
  await goTo(from)
  return { pool, from }
}

/** The events of an instance after a time, with times relative to it. */
async function since(from: number, id: string) {
  return (await history(id)).flatMap(([action, at]) => (at >= from ? [[action, at - from]] : []))
}

describe('starts', () => {
  test('an instance runs from the first report of its host on, and emits its event once', async () => {
    const { pool, from } = await poolOf([0, 1], [60, 0])
    const id = await launch(pool)
    assert.deepEqual(await states(id), ['awaiting_allocation'])
    await settle()
    assert.deepEqual(await states(id), ['running'])
    await pass(300)
    assert.deepEqual(await since(from, id), [
      ['created', 0],
      ['running', 0],
    ])
  })

  test('waiting instances start in the second in which their allocation begins', async () => {
    const { pool, from } = await poolOf([90, 1], [180, 0])
    const id = await launch(pool)
    await goTo(from + 90 * 60 - 1)
    assert.deepEqual(await states(id), ['awaiting_allocation'])
    await goTo(from + 90 * 60)
    assert.deepEqual(await since(from + 1, id), [['running', 90 * 60 - 1]])
  })

  test('the highest priority starts first, then the oldest', async () => {
    const { pool } = await poolOf([1, 1], [2, 2], [3, 3], [4, 4], [90, 0])
    const [first, yielding, second, critical] = await launchAll(pool, [
      {},
      { priority_level: 'yield' },
      {},
      { priority_level: 'critical' },
    ])
    const all = [critical, first, second, yielding] as string[]
    for (let running = 1; running <= 4; running++) {
      await pass(60)
      const expected = all.map((_, place) => (place < running ? 'running' : 'awaiting_allocation'))
      assert.deepEqual(await states(...all), expected)
    }
  })

  test('an instance with a public address has one of its host, and no other instance has it', async () => {
    const { pool } = await poolOf([0, 3], [60, 0])
    const ids = await launchAll(pool, Array(3).fill({ _preview_enable_public_ipv4: true }))
    const shown = await Promise.all(ids.map((id) => call('GET', `/v2/instances/${id}`)))
    const addresses = shown.map(({ _preview_public_ip }) => _preview_public_ip)
    assert.equal(new Set(addresses).size, 3)
    const { data } = await world.server.call('list_hosts')
    for (const [index, id] of ids.entries()) {
      const host = data.find(({ instances }) => instances.includes(id))
      assert.ok(host.facts.public_ipv4s.includes(addresses[index]))
    }
    await call('POST', `/v2/instances/${ids[0]}/terminate`)
    assert.equal((await call('GET', `/v2/instances/${ids[0]}`))._preview_public_ip, addresses[0])
    await pass(5)
    assert.equal((await call('GET', `/v2/instances/${ids[0]}`))._preview_public_ip, undefined)
  })
})

describe('ends', () => {
  test('the end of a window is notified 600 s before, and is exact to the second', async () => {
    const { pool, from } = await poolOf([0, 1], [30, 0])
    const id = await launch(pool)
    await goTo(from + 2 * hour)
    assert.deepEqual(await since(from + 1, id), [
      ['termination_imminent', 1199],
      ['terminated', 1799],
    ])
    assert.equal(
      (await world.rows<{ termination_reason: string }>(reasonOf, [id]))[0]?.termination_reason,
      'allocation_ended',
    )
  })

  test('a sale for the current minute leaves 60 s to the surplus instances: lowest priority, newest', async () => {
    const { pool, from } = await poolOf([0, 5], [60, 0])
    const [old, critical, young, yielding, youngest] = (await launchAll(pool, [
      {},
      { priority_level: 'critical' },
      {},
      { priority_level: 'yield' },
      {},
    ])) as [string, string, string, string, string]
    await pass(7)
    const soldAt = await world.now()
    await takeNodes(pool, 3, { until: from + hour })
    await settle()
    const last = async () =>
      Promise.all([old, critical, young, yielding, youngest].map(async (id) => (await actions(id)).at(-1)))
    const notified = 'termination_imminent'
    assert.deepEqual(await last(), ['running', 'running', notified, notified, notified])
    await pass(59)
    assert.deepEqual(await last(), ['running', 'running', notified, notified, notified])
    await pass(1)
    assert.deepEqual(await last(), ['running', 'running', 'terminated', 'terminated', 'terminated'])
    assert.deepEqual(await since(soldAt, young), [
      [notified, 0],
      ['terminated', 60],
    ])
  })

  test('every instance gets at least 60 s, however late its machine started', async () => {
    const { pool, from } = await poolOf([0, 1], [5, 0])
    await goTo(from + 280)
    const id = await launch(pool)
    await goTo(from + hour)
    assert.deepEqual(await since(from, id), [
      ['created', 280],
      ['running', 280],
      ['termination_imminent', 280],
      ['terminated', 340],
    ])
  })

  test('a notice is withdrawn when the allocation returns, and another notice may follow', async () => {
    const { pool, from } = await poolOf([0, 1], [30, 0])
    const id = await launch(pool)
    await goTo(from + 25 * 60)
    await takeNodes(pool, -1, { from: from + halfHour })
    await settle()
    await goTo(from + hour)
    await takeNodes(pool, 1)
    await goTo(from + 2 * hour)
    assert.deepEqual(await since(from + 1, id), [
      ['termination_imminent', 1199],
      ['termination_withdrawn', 1499],
      ['termination_imminent', 3599],
      ['terminated', 3659],
    ])
  })

  test('a reduction that moves also moves the deadline, without another event', async () => {
    const { pool, from } = await poolOf([0, 1], [30, 0])
    const id = await launch(pool)
    await goTo(from + 21 * 60)
    await takeNodes(pool, 1, { until: from + halfHour })
    await settle()
    await goTo(from + hour)
    assert.deepEqual(await since(from + 1, id), [
      ['termination_imminent', 1199],
      ['terminated', 21 * 60 - 1],
    ])
  })

  test('a change years ahead does not happen early, and the years before it need few steps', async () => {
    const { pool, from } = await poolOf([0, 2], [year / 60, 1], [(9 * year) / 60, 0])
    const [kept, young] = (await launchAll(pool, [{}, {}])) as [string, string]
    await pass(60)
    const before = stepsOfFleets()
    for (const at of [1, 30, 300, 364].map((days) => days * 86_400)) await goTo(from + at)
    const steps = stepsOfFleets() - before
    assert.ok(steps < 30, `${steps} steps`)
    assert.deepEqual(await states(kept, young), ['running', 'running'])
    await goTo(from + year - 601)
    assert.deepEqual(await actions(young), [])
    await goTo(from + year)
    assert.deepEqual(await since(from, young), [
      ['termination_imminent', year - 600],
      ['terminated', year],
    ])
    await goTo(from + 9 * year - 1)
    assert.deepEqual(await states(kept), ['running'])
    await goTo(from + 9 * year)
    assert.deepEqual(await since(from, kept), [
      ['termination_imminent', 9 * year - 600],
      ['terminated', 9 * year],
    ])
  })
})

test('instances that start on one host at the same time use one slot each', async () => {
  const { pool, from } = await poolOf([1, 3], [30, 0])
  const ids = await launchAll(pool, [{}, {}, {}])
  await goTo(from + 60)
  assert.deepEqual(await states(...ids), ['running', 'running', 'running'])
  assert.deepEqual(await world.findings(), [])
})

test('a changed priority changes the victims at once', async () => {
  const { pool, from } = await poolOf([0, 2], [30, 1], [60, 0])
  const [old, young] = (await launchAll(pool, [{}, {}])) as [string, string]
  await goTo(from + 25 * 60)
  const last = async () => Promise.all([old, young].map(async (id) => (await actions(id)).at(-1)))
  assert.deepEqual(await last(), ['running', 'termination_imminent'])
  await call('PATCH', `/v2/instances/${young}`, { priority_level: 'critical' })
  await settle()
  assert.deepEqual(await last(), ['termination_imminent', 'termination_withdrawn'])
  const data = [
    { id: young, priority_level: 'normal' },
    { id: old, priority_level: 'critical' },
  ]
  await call('PATCH', '/v2/instances', { data })
  await settle()
  assert.deepEqual(await last(), ['termination_withdrawn', 'termination_imminent'])
  await goTo(from + halfHour)
  assert.deepEqual(await states(old, young), ['running', 'terminated'])
})

/** The number of fleet steps so far, without the daily folding of past allocation. */
function stepsOfFleets(): number {
  const ran = [...world.inside.loop.status()].filter(([kind]) => !kind.startsWith('market.'))
  return ran.reduce((sum, [, { runs }]) => sum + runs, 0)
}

const reasonOf = 'select termination_reason from instances where id = $1'

test('no audit finds anything after these tests', async () => {
  await pass(hour)
  assert.deepEqual(await world.findings(), [])
})
