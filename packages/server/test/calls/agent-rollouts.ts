/** Calls of versions of the agent and their rollouts. */
import { bundlesMax } from '@bourse/api/fleet/agent-bundles.ts'
import { onOne } from '../contract/case.ts'
import type { FilterRows } from '../contract/market-rows.ts'
import type { ContractWorld } from '../contract/world.ts'
import { done, type Pass, refusal } from '../sim/coverage/item.ts'
import { keyed, oncePerKey } from '../sim/coverage/parts.ts'
import { signedBundle } from '../support/bundles.ts'
import type { OperationCalls } from './operation-calls.ts'

const bundles = '/preview/v2/admin/agent_bundles'
const rollouts = '/preview/v2/admin/agent_rollouts'
let versions = 0

/** A version that no bundle has yet. There is room for few, so those that no rollout needs go first. */
async function bundle({ operate }: ContractWorld) {
  const { data } = await operate('GET', `${bundles}?limit=200`)
  if (data.length > bundlesMax / 2) {
    await endRollouts(operate)
    for (const { id } of data) await operate('DELETE', `${bundles}/${id}`)
  }
  return operate('POST', bundles, signedBundle({ version: `0.0.${++versions}` }))
}

/** One rollout at a time is in progress. */
async function endRollouts(operate: ContractWorld['operate']): Promise<void> {
  const { data } = await operate('GET', `${rollouts}?state=running&state=halted`)
  for (const { id } of data) await operate('POST', `${rollouts}/${id}/cancel`)
}

async function newVersion(world: ContractWorld): Promise<string> {
  await endRollouts(world.operate)
  return (await bundle(world)).version
}

/** Hosts of this world have no agents. It is halted by itself, so that nothing completes it meanwhile. */
async function rollout(world: ContractWorld, halted = true) {
  return world.operate('POST', rollouts, { agent_version: await newVersion(world), halted })
}

async function rolloutRows(world: ContractWorld): Promise<FilterRows> {
  const wanted = await rollout(world)
  await world.operate('POST', `${rollouts}/${wanted.id}/cancel`)
  const other = await rollout(world)
  return { wanted: wanted.id, other: other.id, selects: { state: 'cancelled' }, token: world.platform.token }
}

async function bundleRows(world: ContractWorld): Promise<FilterRows> {
  const [wanted, other] = [await bundle(world), await bundle(world)]
  return { wanted: wanted.id, other: other.id, selects: {}, token: world.platform.token }
}

async function addBundle(pass: Pass): Promise<{ id: string; version: string }> {
  return pass.ok('create_agent_bundle', { by: pass.platform, body: signedBundle({ version: pass.unique() }) })
}

const groups = ['canary=1%', 'early=10%', 'rest']

export const agentRolloutCalls: OperationCalls = {
  cases: {
    create_agent_bundle: { call: () => ({ body: signedBundle({ version: `1.0.${++versions}` }) }), is_alone: true },
    get_agent_bundle: { ...onOne(bundle), is_alone: true },
    delete_agent_bundle: { ...onOne(bundle), is_alone: true },
    create_agent_rollout: {
      call: async (world) => ({ body: { agent_version: await newVersion(world), halted: true } }),
    },
    get_agent_rollout: { ...onOne((world) => rollout(world)), is_alone: true },
    halt_agent_rollout: { ...onOne((world) => rollout(world, false)), is_alone: true },
    resume_agent_rollout: { ...onOne((world) => rollout(world)), is_alone: true },
    cancel_agent_rollout: { ...onOne((world) => rollout(world)), is_alone: true },
    roll_back_agent_rollout: { ...onOne((world) => rollout(world)), is_alone: true },
    pin_host_agent: onOne(({ shared }) => shared('host')),
    unpin_host_agent: onOne(({ shared }) => shared('host')),
  },
  rows: { list_agent_bundles: bundleRows, list_agent_rollouts: rolloutRows },
  items: [
    {
      name: 'agent-rollouts',
      covers: [
        ...keyed('create_agent_bundle'),
        refusal('create_agent_bundle', 'bundle_exists'),
        refusal('create_agent_bundle', 'bundle_refused'),
        refusal('create_agent_bundle', 'limit_exceeded'),
        done('list_agent_bundles'),
        done('get_agent_bundle'),
        done('delete_agent_bundle'),
        refusal('delete_agent_bundle', 'in_use'),
        ...keyed('create_agent_rollout'),
        refusal('create_agent_rollout', 'reference_not_found'),
        refusal('create_agent_rollout', 'bundle_not_supported'),
        refusal('create_agent_rollout', 'rollout_in_progress'),
        done('list_agent_rollouts'),
        done('get_agent_rollout'),
        done('halt_agent_rollout'),
        refusal('halt_agent_rollout', 'invalid_state'),
        done('resume_agent_rollout'),
        refusal('resume_agent_rollout', 'invalid_state'),
        done('cancel_agent_rollout'),
        refusal('cancel_agent_rollout', 'invalid_state'),
        done('roll_back_agent_rollout'),
        refusal('roll_back_agent_rollout', 'invalid_state'),
        done('pin_host_agent'),
        done('unpin_host_agent'),
      ],
      work: async (pass) => {
        const by = pass.platform
        const first = signedBundle({ version: pass.unique() })
        const other = signedBundle({ version: pass.unique() })
        const made = [await oncePerKey(pass, 'create_agent_bundle', { by, body: first }, other)]
        await pass.refuse('create_agent_bundle', 'bundle_exists', { by, body: first })
        await pass.refuse('create_agent_bundle', 'bundle_refused', { by, body: { ...first, content: other.content } })
        const newer = signedBundle({ version: pass.unique(), oldest_server_protocol: 2 })
        made.push(await pass.ok('create_agent_bundle', { by, body: newer }))
        while (made.length < bundlesMax) made.push(await addBundle(pass))
        await pass.refuse('create_agent_bundle', 'limit_exceeded', { by, body: other })
        await pass.ok('list_agent_bundles', { by })
        const [{ id, version }, { version: unsupported }] = made
        await pass.ok('get_agent_bundle', { by, id })
        const wanted = (name: string) => ({ by, body: { agent_version: name, groups, halted: true } })
        await pass.refuse('create_agent_rollout', 'reference_not_found', wanted(pass.unique()))
        await pass.refuse('create_agent_rollout', 'bundle_not_supported', wanted(unsupported))
        const rolled = await oncePerKey(pass, 'create_agent_rollout', wanted(version), { hosts_at_once: 2 })
        await pass.refuse('create_agent_rollout', 'rollout_in_progress', wanted(version))
        await pass.refuse('delete_agent_bundle', 'in_use', { by, id })
        await pass.ok('list_agent_rollouts', { by, query: 'state=halted' })
        await pass.ok('get_agent_rollout', { by, id: rolled.id })
        await pass.refuse('halt_agent_rollout', 'invalid_state', { by, id: rolled.id })
        await pass.ok('resume_agent_rollout', { by, id: rolled.id })
        await pass.refuse('resume_agent_rollout', 'invalid_state', { by, id: rolled.id })
        await pass.ok('halt_agent_rollout', { by, id: rolled.id })
        const back = await pass.ok('roll_back_agent_rollout', { by, id: rolled.id })
        await pass.refuse('roll_back_agent_rollout', 'invalid_state', { by, id: rolled.id })
        await pass.ok('cancel_agent_rollout', { by, id: back.id })
        await pass.refuse('cancel_agent_rollout', 'invalid_state', { by, id: back.id })
        for (const one of made) await pass.ok('delete_agent_bundle', { by, id: one.id })
        const host = { by, id: await anyHost(pass) }
        await pass.ok('pin_host_agent', host)
        await pass.ok('unpin_host_agent', host)
      },
    },
  ],
  examples: () => [
    {
      operation: 'create_agent_bundle',
      as: 'platform',
      body: signedBundle({ version: '1.4.0', commit: '1a2b3c4d5e6f' }),
    },
    { operation: 'list_agent_bundles', as: 'platform' },
    { operation: 'create_agent_rollout', as: 'platform', body: { agent_version: '1.4.0', groups } },
    { operation: 'list_agent_rollouts', as: 'platform', query: { state: 'running' } },
    ...(['get_agent_rollout', 'halt_agent_rollout', 'resume_agent_rollout', 'roll_back_agent_rollout'] as const).map(
      (operation) =>
        ({ made }: { made: (name: 'create_agent_rollout') => any }) => ({
          operation,
          as: 'platform' as const,
          params: { id: made('create_agent_rollout').id },
        }),
    ),
    ({ made }) => ({
      operation: 'cancel_agent_rollout',
      as: 'platform',
      params: { id: made('roll_back_agent_rollout').id },
    }),
    ({ made }) => ({
      operation: 'get_agent_bundle',
      as: 'platform',
      params: { id: made('create_agent_bundle').id },
    }),
    ({ made }) => ({
      operation: 'delete_agent_bundle',
      as: 'platform',
      params: { id: made('create_agent_bundle').id },
    }),
    { operation: 'list_hosts', as: 'platform', query: { limit: 2 } },
    ({ made }) => ({ operation: 'pin_host_agent', as: 'platform', params: { id: made('list_hosts').data[0]?.id } }),
    ({ made }) => ({ operation: 'unpin_host_agent', as: 'platform', params: { id: made('list_hosts').data[0]?.id } }),
  ],
}

async function anyHost(pass: Pass): Promise<string> {
  const { data } = await pass.ok('list_hosts', { by: pass.platform, query: 'limit=1' })
  return data[0].id
}
