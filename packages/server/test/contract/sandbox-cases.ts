/** Calls of the sandbox's controls: they want any token and no right. */
import { type Case, onOne } from './case.ts'
import type { World } from './world.ts'

/** A fault that nobody notices. */
const harmless = { kind: 'http_latency', milliseconds: 1, operation: 'get_account' }

async function fault({ make }: World) {
  return { id: (await make('/sandbox/faults', harmless)).id }
}

export const sandboxCases = {
  get_clock: {},
  freeze_clock: {},
  resume_clock: {},
  advance_clock: { call: () => ({ body: { seconds: 1 } }) },
  set_clock_rate: { call: () => ({ body: { rate: 1 } }) },
  settle: { call: () => ({ body: { timeout_seconds: 1 } }) },
  list_scenarios: {},
  create_simulated_hosts: { call: async ({ shared }) => ({ body: { sku: (await shared('sku')).id, count: 1 } }) },
  create_ready_image: { call: ({ word }) => ({ body: { name: word() } }) },
  create_fault: { call: () => ({ body: harmless }) },
  list_faults: {},
  delete_fault: onOne(fault),
  load_scenario: { call: () => ({ params: { name: 'empty' }, body: {} }), ends_world: true },
  reset_sandbox: { call: () => ({ body: { scenario: 'empty' } }), ends_world: true },
} satisfies Record<string, Case>
