/** Calls of permits to enrol hosts. */
import { hour } from '../../../../scripts/gen/examples/example-call.ts'
import { onOne } from '../contract/case.ts'
import type { ContractWorld } from '../contract/world.ts'
import { done } from '../sim/coverage/item.ts'
import { keyed, oncePerKey } from '../sim/coverage/parts.ts'
import type { OperationCalls } from './operation-calls.ts'

async function enrolment({ make, shared }: ContractWorld) {
  return make('/preview/v2/host_enrolments', { sku: (await shared('sku')).id })
}

export const hostEnrolmentCalls: OperationCalls = {
  cases: {
    create_host_enrolment: {
      names_in_body: true,
      call: async ({ account, shared }) => ({
        body: { sku: (await shared('sku')).id, workspace: account.workspace_id },
      }),
    },
    delete_host_enrolment: onOne(enrolment),
  },
  rows: {
    list_host_enrolments: async ({ account, make, operate, shared, elsewhere }) => {
      // The rows of other lists may have changed the trust level of the account.
      await operate('PUT', `/preview/v2/admin/accounts/${account.id}/limits/hosts`, { value: 1000 })
      const { id: sku } = await shared('sku')
      const path = '/preview/v2/host_enrolments'
      const [wanted, other] = [await make(path, { sku, workspace: elsewhere }), await make(path, { sku })]
      return { wanted: wanted.id, other: other.id, selects: { workspace: elsewhere } }
    },
  },
  items: [
    {
      name: 'host-enrolments',
      covers: [...keyed('create_host_enrolment'), done('delete_host_enrolment')],
      work: async (pass) => {
        const call = { by: pass.platform, body: { sku: pass.fixtures.sku } }
        const { id } = await oncePerKey(pass, 'create_host_enrolment', call, { slots: 2 })
        await pass.ok('delete_host_enrolment', { by: pass.platform, id })
      },
    },
  ],
  examples: ({ ids }) => [
    {
      operation: 'create_host_enrolment',
      as: 'platform',
      body: { sku: ids.sku, slots: 1, uses: 8, expires_in_seconds: 24 * hour },
    },
    ({ made }) => ({
      operation: 'delete_host_enrolment',
      as: 'platform',
      params: { id: made('create_host_enrolment').id },
    }),
  ],
}
