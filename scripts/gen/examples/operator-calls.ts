/** Calls of the platform's operator, and of the sandbox. */
import { type Calls, type ExampleWorld, hour } from './example-call.ts'

const account = { account: 'acme' }

export const hostCalls: Calls = ({ ids, now }) => [
  {
    operation: 'create_simulated_hosts',
    as: 'platform',
    body: { sku: ids.sku, count: 2, slots: 2 },
    after: 'a minute passes',
  },
  { operation: 'list_hosts', as: 'platform', query: { limit: 2 } },
  ({ made }) => ({ operation: 'get_host', as: 'platform', params: hostOf(made) }),
  ({ made }) => ({
    operation: 'create_read_only_pool',
    as: 'platform',
    body: {
      ...account,
      workspace: 'svc:workspace:acme:default',
      name: 'granted',
      from_pool: made('create_simulated_hosts').data[0]?.pool.id,
      sku: ids.sku,
      allocation_schedule: [{ start_at: now + 24 * hour, end_at: now + 48 * hour, node_count: 1 }],
    },
  }),
  ({ made }) => ({ operation: 'update_host', as: 'platform', params: hostOf(made), body: { name: 'rack-12-node-3' } }),
  ({ made }) => ({ operation: 'cordon_host', as: 'platform', params: hostOf(made) }),
  ({ made }) => ({ operation: 'uncordon_host', as: 'platform', params: hostOf(made) }),
  ({ made }) => ({
    operation: 'drain_host',
    as: 'platform',
    params: hostOf(made),
    body: { deadline_at: now + 180 },
    after: 'a minute passes',
  }),
  { operation: 'advance_clock', as: 'platform', body: { seconds: 600 } },
  ({ made }) => ({ operation: 'retire_host', as: 'platform', params: hostOf(made) }),
]

export const accountCalls: Calls = () => [
  {
    operation: 'create_account',
    as: 'platform',
    body: { id: 'fathom', name: 'Fathom Labs', entity_type: 'business', trust_level: 'basic' },
  },
  { operation: 'list_accounts', as: 'platform', query: { limit: 2 } },
  { operation: 'get_administered_account', as: 'platform', params: { account: 'fathom' } },
  { operation: 'update_account', as: 'platform', params: { account: 'fathom' }, body: { name: 'Fathom' } },
  { operation: 'freeze_account', as: 'platform', params: { account: 'fathom' } },
  { operation: 'unfreeze_account', as: 'platform', params: { account: 'fathom' } },
  { operation: 'set_trust_level', as: 'platform', params: { account: 'fathom' }, body: { trust_level: 'trusted' } },
  {
    operation: 'create_account_user',
    as: 'platform',
    params: { account: 'fathom' },
    body: { email: 'joan@fathom.example', name: 'joan', first_name: 'Joan', last_name: 'Clarke' },
  },
  { operation: 'list_account_limits', as: 'platform', params: account },
  { operation: 'put_account_limit', as: 'platform', params: { ...account, name: 'instances' }, body: { value: 500 } },
  { operation: 'delete_account_limit', as: 'platform', params: { ...account, name: 'instances' } },
]

export const marketAdministrationCalls: Calls = ({ ids, now }) => [
  {
    operation: 'create_sku',
    as: 'platform',
    body: {
      alias: 'b200-oregon',
      region: 'us-west',
      availability_zone: 'us-west-1a',
      accelerator: 'b200',
      num_accelerators: 8,
      num_vcpus: 224,
    },
  },
  ({ made }) => ({ operation: 'update_sku', as: 'platform', params: skuOf(made), body: { fee_bps: 150 } }),
  ({ made }) => ({ operation: 'retire_sku', as: 'platform', params: skuOf(made) }),
  ({ made }) => ({ operation: 'restore_sku', as: 'platform', params: skuOf(made) }),
  {
    operation: 'put_sku_property_value',
    as: 'platform',
    params: { property: 'region', name: 'us-east' },
    body: { display_name: 'US East' },
  },
  { operation: 'put_sku_override', as: 'platform', params: { ...account, sku: ids.sku }, body: { num_vcpus: 176 } },
  { operation: 'list_sku_overrides', as: 'platform', params: account },
  { operation: 'delete_sku_override', as: 'platform', params: { ...account, sku: ids.sku } },
  { operation: 'halt_market', as: 'platform', body: { sku: ids.sku, message: 'The fabric is being replaced.' } },
  { operation: 'get_market_halt', as: 'platform' },
  { operation: 'resume_market', as: 'platform', body: { sku: ids.sku } },
  {
    operation: 'create_maintenance_window',
    as: 'platform',
    body: {
      start_at: now + 48 * hour,
      end_at: now + 50 * hour,
      maintenance_type: 'degraded_performance',
      title: 'New switches in us-west-1a',
      description: 'The network is slower while switches are replaced, one after the other.',
      sku: [ids.sku],
    },
  },
  { operation: 'list_maintenance_windows', as: 'platform' },
  ({ made }) => ({
    operation: 'delete_maintenance_window',
    as: 'platform',
    params: { id: made('create_maintenance_window').id },
  }),
  { operation: 'create_ready_image', as: 'platform', body: { name: 'rocky-10' } },
  ({ made }) => ({ operation: 'publish_public_image', as: 'platform', params: imageOf(made) }),
  ({ made }) => ({ operation: 'revoke_public_image', as: 'platform', params: imageOf(made) }),
  ({ made }) => ({ operation: 'reinstate_public_image', as: 'platform', params: imageOf(made) }),
  ({ made }) => ({
    operation: 'deprecate_public_image',
    as: 'platform',
    params: imageOf(made),
    body: { message: 'Use rocky-11.' },
  }),
]

const hostOf = (made: ExampleWorld['made']) => ({ id: made('create_simulated_hosts').data[0]?.id })
const skuOf = (made: ExampleWorld['made']) => ({ id: made('create_sku').id })
const imageOf = (made: ExampleWorld['made']) => ({ id: made('create_ready_image').id })

export const sandboxCalls: Calls = ({ ids }) => [
  { operation: 'get_clock' },
  { operation: 'freeze_clock' },
  { operation: 'settle', body: { timeout_seconds: 5 } },
  { operation: 'list_market_makers' },
  { operation: 'update_market_maker', params: { sku: ids.sku }, body: { base_price_dollars_per_node_hour: '18.00' } },
  ({ made }) => ({
    operation: 'create_market_maker',
    body: { sku: made('create_sku').id, base_price_dollars_per_node_hour: '18.00', node_count: 4 },
  }),
  { operation: 'create_fault', body: { kind: 'http_error', status: 503, times: 3 } },
  { operation: 'list_faults' },
  ({ made }) => ({ operation: 'delete_fault', params: { id: made('create_fault').id } }),
  { operation: 'set_clock_rate', body: { rate: 60 } },
  { operation: 'resume_clock' },
  { operation: 'load_scenario', params: { name: 'preemption' }, body: { seed: 7 } },
  { operation: 'reset_sandbox', body: { scenario: 'empty' } },
]
