import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished, test, vi } from 'vitest'
import { type Client, createClient } from '../src/client.ts'
import { NotFoundError, UnreachableStateError, WaitTimeoutError } from '../src/errors.ts'
import { nextStates } from '../src/generated/states.ts'
import { answerError, answerJson, startPeer } from './peer.ts'

/** A client of a peer that returns an instance in one state after the other, and then always in the last one. */
async function clientOf(...states: string[]) {
  const peer = await startPeer((response, _, number) => {
    const state = states[Math.min(number, states.length - 1)]
    if (state === 'trouble') answerError(response, 503, 'api_error')
    else if (state === 'absent') answerError(response, 404, 'not_found')
    else answerJson(response, 200, { object: 'instance', id: 'inst_1', state })
  })
  return { client: createClient({ token: 'a', baseUrl: peer.url, maxRetries: 0 }), requests: peer.requests }
}

/** The options of a wait whose time limit passes as soon as the resource has been read once. */
function onePoll() {
  const [begun, timeout] = [performance.now(), 600_000]
  const clock = vi.spyOn(performance, 'now').mockReturnValue(begun)
  onTestFinished(() => clock.mockRestore())
  return { timeout, onPoll: () => void clock.mockReturnValue(begun + timeout) }
}

test('an instance is polled until it is in the state, through unknown states and transient errors', async () => {
  const { client, requests } = await clientOf('awaiting_allocation', 'warming_up', 'trouble', 'running')
  const instance = await client.instances.waitUntil('inst_1', 'running', { interval: 1 })
  assert.equal(instance.state, 'running')
  assert.equal(requests.length, 4)
})

test('a state that can no longer be reached ends the wait', async () => {
  const { client, requests } = await clientOf('failed')
  await assert.rejects(client.instances.waitUntil('inst_1', 'running'), (error) => {
    return error instanceof UnreachableStateError && error.state === 'failed'
  })
  assert.equal(requests.length, 1)
})

test('the wait ends at its time limit, and the error has the last state', async () => {
  const { client } = await clientOf('awaiting_allocation')
  await assert.rejects(client.instances.waitUntil('inst_1', 'running', onePoll()), (error) => {
    const message = 'The resource is not running after 10 min. It is awaiting_allocation.'
    return error instanceof WaitTimeoutError && error.message === message && error.state === 'awaiting_allocation'
  })
})

test('an absent instance gives NotFoundError, and a signal aborts the wait', async () => {
  const { client } = await clientOf('absent')
  await assert.rejects(client.instances.waitUntil('inst_1', 'terminated'), NotFoundError)
  const reason = new Error('enough')
  const controller = new AbortController()
  const peer = await startPeer((response) => {
    answerJson(response, 200, { state: 'running' })
    response.on('close', () => controller.abort(reason))
  })
  const other = createClient({ token: 'a', baseUrl: peer.url })
  const { signal } = controller
  await assert.rejects(other.instances.waitUntil('inst_1', 'terminated', { signal }), reason)
})

test('a wait takes several states or a condition, and shows each response', async () => {
  const { client } = await clientOf('pending', 'partially_filled', 'cancelled')
  const seen: string[] = []
  const order = await client.orders.waitUntil('ordr_1', ['filled', 'cancelled'], {
    interval: 1,
    onPoll: ({ state }) => void seen.push(state),
  })
  assert.equal(order.state, 'cancelled')
  assert.deepEqual(seen, ['pending', 'partially_filled', 'cancelled'])
  const { client: other } = await clientOf('active', 'draining')
  const host = await other.hosts.waitUntil('host_1', ({ state }) => state !== 'active', { interval: 1 })
  assert.equal(host.state, 'draining')
})

test('several states are out of reach only together, and a condition never is', async () => {
  const { client } = await clientOf('filled')
  await assert.rejects(client.orders.waitUntil('ordr_1', ['standing', 'cancelled']), UnreachableStateError)
  assert.equal((await client.orders.waitUntil('ordr_1', ['cancelled', 'filled'])).state, 'filled')
  const { client: partly } = await clientOf('partially_filled', 'cancelled')
  const ended = await partly.orders.waitUntil('ordr_1', ['standing', 'cancelled'], { interval: 1 })
  assert.equal(ended.state, 'cancelled')
  await assert.rejects(
    client.orders.waitUntil('ordr_1', () => false, onePoll()),
    (error) => error instanceof WaitTimeoutError && error.state === 'filled',
  )
})

/** The waiter of each resource that has states, and of automations, whose counts are waited for. */
const waiters = {
  Deployment: (client: Client) => client.deployments.waitUntil,
  Host: (client: Client) => client.hosts.waitUntil,
  Image: (client: Client) => client.images.waitUntil,
  Instance: (client: Client) => client.instances.waitUntil,
  Order: (client: Client) => client.orders.waitUntil,
  Pool: (client: Client) => client.pools.waitUntil,
  AgentRollout: (client: Client) => client.agentRollouts.waitUntil,
  PendingCredit: (client: Client) => client.pendingCredits.waitUntil,
  PoolTransfer: (client: Client) => client.poolTransfers.waitUntil,
  Procurement: (client: Client) => client.procurements.waitUntil,
  Statement: (client: Client) => client.statement.waitUntil,
  Webhook: (client: Client) => client.webhooks.waitUntil,
  WebhookDelivery: (client: Client) => client.webhooks.waitUntilDelivery,
}
type Wait = (of: unknown, state: string, options?: object) => Promise<{ state: string }>
const delivery = { id: 'whk_1', delivery: 'whd_1' }

test('every resource of the contract that has states has its waiter', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../openapi.json'), 'utf8')
  const schemas: [string, { properties?: Record<string, { type?: unknown }> }][] = Object.entries(
    JSON.parse(text).components.schemas,
  )
  const withStates = schemas.filter(([, { properties }]) => properties?.state?.type === 'string').map(([name]) => name)
  // Rows of the operator's lists are those of customers with their account.
  const operatorsRows = ['PlatformInstance', 'PlatformOrder']
  // Parts and shapes of others, which are not read by themselves.
  const others = [
    'AgentRolloutHost',
    'AutomationStatus',
    'HostRdmaPort',
    'InstanceExplanation',
    'InstanceSshKey',
    'OrderExplanation',
    'WebhookWithSecret',
    ...operatorsRows,
  ]
  assert.ok(withStates.length > 8)
  for (const name of withStates) assert.ok(name in waiters || others.includes(name), `${name} has no waiter`)
})

test('each waiter reads its resource until it is in the state', async () => {
  for (const [name, waiter] of Object.entries(waiters)) {
    const { client, requests } = await clientOf('trouble', 'new_state', 'wanted')
    const wait = waiter(client) as Wait
    const resource = await wait(name === 'WebhookDelivery' ? delivery : 'x_1', 'wanted', { interval: 1 })
    assert.equal(resource.state, 'wanted', name)
    assert.equal(new Set(requests.map(({ url }) => url)).size, 1, name)
  }
})

test('a final state ends the wait of every kind whose states are known to follow one another', async () => {
  const finals = {
    AgentRollout: ['cancelled', 'completed'],
    Host: ['retired', 'active'],
    Image: ['failed', 'completed'],
    Instance: ['terminated', 'running'],
    Order: ['rejected', 'filled'],
    PendingCredit: ['refused', 'approved'],
    PoolTransfer: ['rejected', 'executed'],
    Statement: ['closed', 'open'],
    WebhookDelivery: ['failed', 'succeeded'],
  } as const
  assert.equal(Object.keys(finals).length, Object.keys(nextStates).length)
  for (const [name, [state, wanted]] of Object.entries(finals)) {
    const { client } = await clientOf(state)
    const wait = waiters[name as keyof typeof finals](client) as Wait
    const ended = wait(name === 'WebhookDelivery' ? delivery : 'x_1', wanted, { interval: 5 })
    await assert.rejects(ended, (error) => error instanceof UnreachableStateError && error.state === state, name)
  }
  for (const name of ['Deployment', 'Pool', 'Procurement', 'Webhook'] as const) {
    const { client } = await clientOf('disabled')
    const wait = waiters[name](client) as Wait
    await assert.rejects(wait('x_1', 'active', onePoll()), WaitTimeoutError, name)
  }
})
