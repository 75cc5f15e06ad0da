import { endpoint } from '../kit/endpoint.ts'
import {
  accountId,
  boolean,
  constant,
  id,
  integer,
  name,
  nameForm,
  nullable,
  object,
  optional,
  plainOrDisplayed,
  priceInput,
  resource,
  type Static,
  shortListOf,
  text,
  timestamp,
} from '../kit/schema.ts'
import { skuSummary } from '../kit/summaries.ts'
import {
  acceleratorCount,
  administeredSku,
  benchmarkFigures,
  byteCount,
  operatorHostsOnly,
  propertyPattern,
  propertyText,
  rdmaRate,
  rdmaTypes,
  simulatedSku,
  skuProperties,
  skuPropertyValue,
  vcpuCount,
  withoutRelated,
} from './skus.ts'

const area = 'administration'

const rdmaText = text({
  ...{ max: 16, pattern: `^(?:${rdmaTypes.join('|')})$`, code: 'invalid_value' },
  form: `one of ${rdmaTypes.join(', ')}`,
})

const word = plainOrDisplayed(propertyText)
const rdmaType = plainOrDisplayed(rdmaText)
const accelerators = plainOrDisplayed(acceleratorCount)
const vcpus = plainOrDisplayed(vcpuCount)
const bytes = plainOrDisplayed(byteCount)
const flag = plainOrDisplayed(boolean())
const rate = plainOrDisplayed(rdmaRate)

/** The properties in the input of the operator: the plain value, or the value with the text that people read. */
const properties = {
  region: optional(word),
  availability_zone: optional(word),
  accelerator: optional(word),
  form_factor: optional(word),
  rdma_type: optional(rdmaType),
  rdma_gigabits_per_second: optional(rate),
  infiniband_fabric: optional(name()),
  num_accelerators: optional(accelerators),
  num_vcpus: optional(vcpus),
  memory_bytes: optional(bytes),
  local_storage_bytes: optional(bytes),
  supports_public_ipv4: optional(flag),
}

const clearableProperties = {
  region: optional(nullable(word)),
  availability_zone: optional(nullable(word)),
  accelerator: optional(nullable(word)),
  form_factor: optional(nullable(word)),
  rdma_type: optional(nullable(rdmaType)),
  rdma_gigabits_per_second: optional(nullable(rate)),
  infiniband_fabric: optional(nullable(name())),
  num_accelerators: optional(nullable(accelerators)),
  num_vcpus: optional(nullable(vcpus)),
  memory_bytes: optional(nullable(bytes)),
  local_storage_bytes: optional(nullable(bytes)),
  supports_public_ipv4: optional(nullable(flag)),
}

const terms = {
  alias: optional(name()),
  listed: optional(boolean({ default: true })),
  simulated: optional(simulatedSku()),
  operator_hosts_only: optional(operatorHostsOnly()),
  public_prices_exclude_related: optional(withoutRelated()),
  benchmark_figures: optional(benchmarkFigures()),
  flat_fee_dollars_per_node_hour: optional(priceInput({ description: 'Default `0.000000`.' })),
  fee_bps: optional(integer({ unit: 'bps', min: 0, max: 10_000, default: 0 })),
  price_step_dollars_per_node_hour: optional(
    priceInput({
      description:
        'Prices of orders and automations are multiples of it, default `0.000001`. Resting orders keep their prices.',
    }),
  ),
}

/** The properties for one account, which override the SKU's own. */
export const skuOverride = resource('SkuOverride', {
  object: constant('sku_override'),
  account: accountId(),
  sku: skuSummary,
  properties: resource('SkuOverrideProperties', skuProperties),
  updated_at: timestamp(),
})
export type SkuOverride = Static<typeof skuOverride>

export const createSku = endpoint({
  name: 'create_sku',
  method: 'POST',
  path: '/preview/v2/admin/skus',
  area,
  summary: 'Create a SKU.',
  body: object({ ...terms, ...properties }),
  response: administeredSku,
  access: 'platform:write',
  scope: 'account',
  idempotent: true,
  errors: [
    'insufficient_user_authentication',
    'forbidden',
    'not_found',
    'alias_taken',
    'reference_not_found',
    'not_applicable',
  ],
})

export const updateSku = endpoint({
  name: 'update_sku',
  method: 'PATCH',
  path: '/preview/v2/admin/skus/:id',
  area,
  summary: 'Change a SKU; `null` clears a property.',
  description: 'A SKU cannot promise less than an override of an account: 409 `in_use` names those accounts.',
  params: { id: id('sku') },
  body: object({ ...terms, ...clearableProperties }),
  response: administeredSku,
  access: 'platform:write',
  scope: 'account',
  errors: [
    'insufficient_user_authentication',
    'forbidden',
    'not_found',
    'alias_taken',
    'in_use',
    'reference_not_found',
    'not_applicable',
  ],
})

export const retireSku = endpoint({
  name: 'retire_sku',
  method: 'DELETE',
  path: '/preview/v2/admin/skus/:id',
  area,
  summary: 'Retire a SKU. Nothing new starts on it; existing allocation and instances stay.',
  params: { id: id('sku') },
  access: 'platform:write',
  scope: 'account',
  errors: ['insufficient_user_authentication', 'forbidden', 'not_found'],
})

export const restoreSku = endpoint({
  name: 'restore_sku',
  method: 'POST',
  path: '/preview/v2/admin/skus/:id/restore',
  area,
  summary: 'Restore a retired SKU.',
  params: { id: id('sku') },
  success: 200,
  response: administeredSku,
  access: 'platform:write',
  scope: 'account',
  errors: ['insufficient_user_authentication', 'forbidden', 'not_found', 'invalid_state', 'alias_taken'],
})

export const putSkuPropertyValue = endpoint({
  name: 'put_sku_property_value',
  method: 'PUT',
  path: '/preview/v2/admin/sku_properties/:property/values/:name',
  area,
  summary: 'Create or replace one value of an enumerated property in the catalog.',
  params: {
    property: text({ min: 1, max: 64, description: 'Name of an enumerated property.' }),
    name: text({ max: 255, pattern: propertyPattern, description: 'The value.', form: nameForm }),
  },
  body: object({
    display_name: text({ min: 1, max: 255 }),
    description: optional(text({ max: 1024 })),
    documentation_link: optional(
      nullable(text({ max: 2048, pattern: '^https?://[^\\s]+$', form: 'an address on the web' })),
    ),
    deprecated_at: optional(nullable(timestamp())),
    deprecation_info: optional(nullable(text({ max: 1024 }))),
  }),
  response: skuPropertyValue,
  access: 'platform:write',
  scope: 'account',
  errors: ['forbidden', 'not_found'],
})

const overrideParams = { account: accountId(), sku: id('sku') }

export const listSkuOverrides = endpoint({
  name: 'list_sku_overrides',
  method: 'GET',
  path: '/preview/v2/admin/accounts/:account/sku_overrides',
  area,
  summary: 'List the SKUs whose properties are overridden for an account.',
  params: { account: accountId() },
  response: shortListOf(skuOverride, 10_000),
  access: 'platform:read',
  scope: 'account',
  errors: ['forbidden', 'not_found'],
})

export const putSkuOverride = endpoint({
  name: 'put_sku_override',
  method: 'PUT',
  path: '/preview/v2/admin/accounts/:account/sku_overrides/:sku',
  area,
  summary: 'Override properties of a SKU for an account. Replaces an earlier override.',
  description: 'Emits `instance_sku_override.updated` in that account if anything changed.',
  params: overrideParams,
  body: object(properties, { min_properties: 1 }),
  response: skuOverride,
  access: 'platform:write',
  scope: 'account',
  errors: ['insufficient_user_authentication', 'forbidden', 'not_found', 'reference_not_found', 'not_applicable'],
})

export const deleteSkuOverride = endpoint({
  name: 'delete_sku_override',
  method: 'DELETE',
  path: '/preview/v2/admin/accounts/:account/sku_overrides/:sku',
  area,
  summary: 'Remove the override of a SKU for an account.',
  description: 'Emits `instance_sku_override.deleted` in that account.',
  params: overrideParams,
  access: 'platform:write',
  scope: 'account',
  errors: ['insufficient_user_authentication', 'forbidden', 'not_found'],
})

export const operations = [
  createSku,
  updateSku,
  retireSku,
  restoreSku,
  putSkuPropertyValue,
  listSkuOverrides,
  putSkuOverride,
  deleteSkuOverride,
] as const
