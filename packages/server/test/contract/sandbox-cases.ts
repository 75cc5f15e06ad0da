/** Calls of the sandbox's controls: they want any token and no right. */
import { type ContractCase, onOne } from './case.ts'
import type { ContractWorld } from './world.ts'

/** A fault that nobody notices. */
const harmless = { kind: 'http_latency', milliseconds: 1, operation: 'get_account' }

async function fault({ make }: ContractWorld) {
  return { id: (await make('/sandbox/faults', harmless)).id }
}

/** Body of a market maker on a SKU of its own. */
async function makerOf({ operate }: ContractWorld): Promise<{ sku: string }> {
  const { id } = await operate('POST', '/preview/v2/admin/skus', { num_vcpus: 8 })
  return { sku: id, base_price_dollars_per_node_hour: '2.000000', node_count: 1 } as { sku: string }
}

export const sandboxCases = {
  advance_clock: { call: () => ({ body: { seconds: 1 } }) },
  set_clock_rate: { call: () => ({ body: { rate: 1 } }) },
  settle: { call: () => ({ body: { timeout_seconds: 1 } }) },
  create_simulated_hosts: { call: async ({ shared }) => ({ body: { sku: (await shared('sku')).id, count: 1 } }) },
  create_ready_image: { call: ({ word }) => ({ body: { name: word() } }) },
  create_fault: { call: () => ({ body: harmless }) },
  delete_fault: onOne(fault),
  create_market_maker: { call: async (world) => ({ body: await makerOf(world) }) },
  update_market_maker: {
    call: async (world) => {
      const body = await makerOf(world)
      await world.make('/sandbox/makers', body)
      return { params: { sku: body.sku }, body: { enabled: false } }
    },
  },
  load_scenario: { call: () => ({ params: { name: 'empty' }, body: {} }), ends_world: true },
  reset_sandbox: { call: () => ({ body: { scenario: 'empty' } }), ends_world: true },
} satisfies Record<string, ContractCase>
