import assert from 'node:assert/strict'
import { test } from 'vitest'
import { createCryptoRandom, createSeededRandom, pick } from '../../src/core/base/random.ts'
import { type AgentFault, enrolLossy, type FaultTally, type LossyAgent } from './lossy-agent.ts'
import { makeWorld } from './world.ts'

const seed = process.env.BOURSE_TEST_SEED ?? createCryptoRandom().bytes(4).toString('hex')
console.log(`seed ${seed}`)
const random = createSeededRandom(seed)
const world = await makeWorld()
const { server, sku, launch, call, pass, settle, takeNodes } = world
const turns = 40
const faults: readonly AgentFault[] = ['lost', 'repeated', 'reordered', 'crashes']
const stepsOfTurn = 4
const livingMax = 14
let owned = 10

/** Runs an action of the owner of the instances. */
async function order(pool: `pool_${string}`): Promise<void> {
  const { data } = await call('GET', '/v2/instances?limit=200')
  const living = data.filter(({ state }: { state: string }) => state !== 'terminated')
  const chance = random.integer(8)
  if (chance === 0) {
    const change = owned >= 13 ? -1 : owned <= 7 ? 1 : random.integer(2) * 2 - 1
    owned += change
    await takeNodes(pool, -change)
  } else if (living.length < 6 || (chance < 5 && living.length < livingMax)) {
    await launch(pool, { priority_level: pick(random, ['yield', 'normal', 'critical'] as const) })
  } else {
    const { id, image } = pick(random, living) as { id: string; image: { id: string } }
    if (chance < 7) await call('POST', `/v2/instances/${id}/terminate`)
    else await call('POST', `/v2/instances/${id}/replace`, { image: image.id })
  }
}

test('lost, late, repeated and unordered reports violate no invariant, and the fleet converges', async () => {
  await world.addHosts(1, 2)
  const request = { sku, slots: 4, uses: 4 }
  const { token: permit } = await server.call('create_host_enrolment', { body: request })
  const agents: LossyAgent[] = []
  for (const version of ['older', 'newer', 'older', 'newer'] as const) {
    agents.push(await enrolLossy(server, { permit, version, random }))
  }
  const from = (await world.now()) + 60
  const pool = await world.makePool([[from - (from % 60), owned]])
  await pass(120)
  for (let turn = 0; turn < turns; turn++) {
    await order(pool)
    await (random.integer(4) === 0 ? pass(20) : settle())
    for (let step = 0; step < stepsOfTurn; step++) await pick(random, agents).step()
    // Each agent in turn suffers each fault in turn, besides those of its steps.
    const suffering = agents[turn % agents.length] as LossyAgent
    await suffering.suffer(faults[Math.floor(turn / agents.length) % faults.length] as AgentFault)
    await settle()
    assert.deepEqual(await world.findings(), [], `seed ${seed}, turn ${turn}`)
  }
  for (let i = 0; i < 3; i++) {
    for (const agent of agents) await agent.settle()
    await pass(120)
  }
  const standing = await world.rows<{ instance_id: string }>(
    `select m.instance_id from machines m join hosts h on h.id = m.host_id where not h.is_simulated`,
  )
  const kept = agents.flatMap((agent) => agent.machines())
  assert.deepEqual(kept.toSorted(), standing.map(({ instance_id }) => instance_id).toSorted(), `seed ${seed}`)
  assert.deepEqual(await world.findings(), [], `seed ${seed}, at the end`)
  const sum = (name: keyof FaultTally) => agents.reduce((total, { tally }) => total + tally[name], 0)
  const seen = Object.fromEntries(
    (Object.keys(agents[0]?.tally ?? {}) as (keyof FaultTally)[]).map((name) => [name, sum(name)]),
  )
  console.log(`seed ${seed}: ${JSON.stringify(seen)}`)
  for (const name of faults) assert.ok(sum(name) >= agents.length, `${sum(name)} ${name}`)
})
