import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getDesiredState } from '@bourse/api/fleet/agent.ts'
import { explainInstance } from '@bourse/api/fleet/explanations.ts'
import { createHostEnrolment, listHostEnrolments } from '@bourse/api/fleet/host-enrolments.ts'
import { listHosts } from '@bourse/api/fleet/hosts.ts'
import { getInstanceSsh, listInstanceLogs } from '@bourse/api/fleet/instance-access.ts'
import { createInstanceTemplate, getInstanceTemplate } from '@bourse/api/fleet/instance-templates.ts'
import { getInstance, listInstances } from '@bourse/api/fleet/instances.ts'
import { createImage, createImagePart } from '@bourse/api/images/image-uploads.ts'
import { listImages } from '@bourse/api/images/images.ts'
import { query } from '../../src/core/work/query.ts'
import { desiredState } from '../../src/fleet/agents/desired-state.service.ts'
import { assertContractOrder } from '../support/field-order.ts'
import { makeWorld } from './world.ts'

const world = await makeWorld()
const [host] = await world.addHosts(1, 2)
assert.ok(host)
const pool = await world.makePool([
  [60, 2],
  [7200, 1],
])
await world.goTo(60)
const [running, leaving, waiting] = await world.launchAll(pool, [
  { tags: { role: 'web' }, priority_level: 'preferred' },
  { priority_level: 'normal' },
  { priority_level: 'yield' },
])
await world.goTo(600)

test('fields of hosts and permits come in the order of the contract', async () => {
  const { server, sku } = world
  assertContractOrder(listHosts, await world.call('GET', '/preview/v2/hosts'))
  // Only partners may enrol hosts.
  const { token } = await server.account({ trust_level: 'partner' })
  const permit = await server.ok('POST', '/preview/v2/hosts/enrolments', { token, body: { sku } })
  assertContractOrder(createHostEnrolment, permit)
  assertContractOrder(listHostEnrolments, await server.ok('GET', '/preview/v2/hosts/enrolments', { token }))
  const origin = { actor: { type: 'system' as const }, request_id: 'test' }
  const state = await query(world.inside.runtime, origin, (ctx) => desiredState(ctx, host))
  assert.equal(state?.instances.length, 2)
  assertContractOrder(getDesiredState, state)
})

test('fields of instances and templates come in the order of the contract', async () => {
  const shown = await world.call('GET', `/v2/instances/${running}`)
  assertContractOrder(getInstance, shown)
  assertContractOrder(listInstances, await world.call('GET', '/v2/instances'))
  assertContractOrder(getInstanceSsh, await world.call('GET', `/v2/instances/${running}/ssh`))
  assertContractOrder(listInstanceLogs, await world.call('GET', `/v2/instances/${running}/logs`))
  for (const id of [running, leaving, waiting]) {
    assertContractOrder(explainInstance, await world.call('GET', `/preview/v2/explain/instances/${id}`))
  }
  const template = { image: shown.image.id, tags: { role: 'web' } }
  const made = await world.call('POST', '/preview/v2/instance_templates', template)
  assertContractOrder(createInstanceTemplate, made)
  assertContractOrder(getInstanceTemplate, await world.call('GET', `/preview/v2/instance_templates/${made.id}`))
})

test('fields of images and their parts come in the order of the contract', async () => {
  const image = await world.call('POST', '/v2/images', {})
  assertContractOrder(createImage, image)
  const part = await world.call('POST', `/v2/images/${image.id}/parts`, { part_id: 1 })
  assertContractOrder(createImagePart, part)
  assertContractOrder(listImages, await world.call('GET', '/v2/images'))
})
