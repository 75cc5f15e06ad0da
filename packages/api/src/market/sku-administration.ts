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
  updatedAt,
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
  max: 16,
  pattern: `^(?:${rdmaTypes.join('|')})$`,
  code: 'invalid_value',
  form: `one of ${rdmaTypes.join(', ')}`,
})

/** The properties in the input of the operator: the plain value, or the value with the text that people read. */
const properties = {
  region: plainOrDisplayed(propertyText, 'Region, such as `us-west`.'),
  availability_zone: plainOrDisplayed(propertyText, 'Availability zone, such as `us-west-1a`.'),
  accelerator: plainOrDisplayed(propertyText, 'Kind of GPU, such as `h100`.'),
  form_factor: plainOrDisplayed(propertyText, 'Form factor of the GPUs, such as `sxm`.'),
  rdma_type: plainOrDisplayed(rdmaText, 'Network between nodes: `infiniband` or `roce`.'),
  rdma_gigabits_per_second: plainOrDisplayed(rdmaRate, 'Rate of the fastest RDMA port, in gigabits per second.'),
  infiniband_fabric: name({ description: 'Name of the InfiniBand fabric, such as `west-ib`.' }),
  num_accelerators: plainOrDisplayed(acceleratorCount, 'Number of GPUs.'),
  num_vcpus: plainOrDisplayed(vcpuCount, 'Number of virtual processors.'),
  memory_bytes: plainOrDisplayed(byteCount, 'Memory of a node, in bytes.'),
  local_storage_bytes: plainOrDisplayed(byteCount, 'Local storage of a node, in bytes.'),
  supports_public_ipv4: plainOrDisplayed(
    boolean({ negative: 'Instances can have no public addresses.' }),
    'Instances can have public addresses.',
  ),
}

const givenProperties = {
  region: optional(properties.region),
  availability_zone: optional(properties.availability_zone),
  accelerator: optional(properties.accelerator),
  form_factor: optional(properties.form_factor),
  rdma_type: optional(properties.rdma_type),
  rdma_gigabits_per_second: optional(properties.rdma_gigabits_per_second),
  infiniband_fabric: optional(properties.infiniband_fabric),
  num_accelerators: optional(properties.num_accelerators),
  num_vcpus: optional(properties.num_vcpus),
  memory_bytes: optional(properties.memory_bytes),
  local_storage_bytes: optional(properties.local_storage_bytes),
  supports_public_ipv4: optional(properties.supports_public_ipv4),
}

const clearableProperties = {
  region: optional(nullable(properties.region)),
  availability_zone: optional(nullable(properties.availability_zone)),
  accelerator: optional(nullable(properties.accelerator)),
  form_factor: optional(nullable(properties.form_factor)),
  rdma_type: optional(nullable(properties.rdma_type)),
  rdma_gigabits_per_second: optional(nullable(properties.rdma_gigabits_per_second)),
  infiniband_fabric: optional(nullable(properties.infiniband_fabric)),
  num_accelerators: optional(nullable(properties.num_accelerators)),
  num_vcpus: optional(nullable(properties.num_vcpus)),
  memory_bytes: optional(nullable(properties.memory_bytes)),
  local_storage_bytes: optional(nullable(properties.local_storage_bytes)),
  supports_public_ipv4: optional(nullable(properties.supports_public_ipv4)),
}

const listed = { description: 'Show the SKU on the market.', negative: 'Hide the SKU from the market.' }

const terms = {
  alias: optional(
    name({
      description: 'Name of the SKU for people, such as `h100-west`. A new SKU without one gets a generated name.',
    }),
  ),
  listed: optional(boolean(listed)),
  simulated: optional(simulatedSku()),
  operator_hosts_only: optional(operatorHostsOnly()),
  public_prices_exclude_related: optional(withoutRelated()),
  benchmark_figures: optional(benchmarkFigures()),
  flat_fee_dollars_per_node_hour: optional(
    priceInput({
      description:
        'Fee of the platform operator for each node-hour that is sold, in dollars. A new SKU without it has none.',
    }),
  ),
  fee_bps: optional(
    integer({
      unit: 'bps',
      min: 0,
      max: 10_000,
      description:
        'Fee of the platform operator in basis points, hundredths of a percent, of the value of a sale. A new SKU ' +
        'without it has none.',
    }),
  ),
  price_step_dollars_per_node_hour: optional(
    priceInput({
      description:
        'Prices of orders and automations must be multiples of this, in dollars. A new SKU without it has 0.000001. ' +
        'Resting orders keep their prices.',
    }),
  ),
}

export const skuOverride = resource('SkuOverride', "The properties for one account, which override the SKU's own.", {
  object: constant('sku_override'),
  account: accountId(),
  sku: skuSummary,
  properties: resource('SkuOverrideProperties', 'The properties that differ for the account.', skuProperties),
  updated_at: updatedAt,
})
export type SkuOverride = Static<typeof skuOverride>

export const createSku = endpoint({
  name: 'create_sku',
  method: 'POST',
  path: '/preview/v2/admin/skus',
  area,
  summary: 'Create a SKU',
  description:
    'Creates a SKU with its properties, fees and price step. It has no supply yet: `create_host_enrolment` creates a ' +
    'permit with which its hosts enrol. `listed` says whether the market shows it.',
  body: object({ ...terms, listed: optional(boolean({ default: true, ...listed })), ...givenProperties }),
  response: administeredSku,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
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
  summary: 'Change a SKU',
  description:
    'Changes the given fields; `null` clears a property. `rdma_type` and `infiniband_fabric` cannot change while the ' +
    'SKU is in use. Other hardware is compared with its hosts at once, and new fees count for fills from then on. A ' +
    'SKU cannot promise less than an override of an account: 409 `in_use` names those accounts.',
  params: { id: id('sku') },
  body: object({ ...terms, ...clearableProperties }),
  response: administeredSku,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
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
  summary: 'Retire a SKU',
  description:
    'No new orders, instances or hosts start on it, and its resting orders are cancelled. Allocation that was ' +
    'bought and instances that run stay. `restore_sku` brings it back.',
  params: { id: id('sku') },
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  consequence: 'destroys',
  scope: 'account',
  errors: ['insufficient_user_authentication', 'forbidden', 'not_found'],
})

export const restoreSku = endpoint({
  name: 'restore_sku',
  method: 'POST',
  path: '/preview/v2/admin/skus/:id/restore',
  area,
  summary: 'Restore a SKU',
  description: 'The retired SKU can be traded and used again. Orders that its retirement cancelled stay cancelled.',
  params: { id: id('sku') },
  success: 200,
  response: administeredSku,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  scope: 'account',
  errors: ['insufficient_user_authentication', 'forbidden', 'not_found', 'invalid_state', 'alias_taken'],
})

export const putSkuPropertyValue = endpoint({
  name: 'put_sku_property_value',
  method: 'PUT',
  path: '/preview/v2/admin/sku_properties/:property/values/:name',
  area,
  summary: 'Set a property value',
  description:
    'Creates or replaces one value of an enumerated property in the catalog, with the text that people read. SKUs ' +
    'that have the value stay as they are. `list_sku_properties` shows the catalog.',
  params: {
    property: text({ min: 1, max: 64, description: 'Name of an enumerated property, such as `region`.' }),
    name: text({ max: 255, pattern: propertyPattern, description: 'The value, such as `us-east`.', form: nameForm }),
  },
  body: object({
    display_name: text({ min: 1, max: 255, description: 'The text that people read.' }),
    description: optional(text({ max: 1024, description: 'What the value means.' })),
    documentation_link: optional(
      nullable(
        text({
          max: 2048,
          pattern: '^https?://[^\\s]+$',
          form: 'an address on the web',
          description: 'A page that explains the value.',
        }),
      ),
    ),
    deprecated_at: optional(
      nullable(timestamp({ description: 'Since when the value is outdated, in Unix seconds. `null`: it is not.' })),
    ),
    deprecation_info: optional(nullable(text({ max: 1024, description: 'What to use instead.' }))),
  }),
  response: skuPropertyValue,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry', unasked: 'It is a word of the catalogue.' },
  scope: 'account',
  errors: ['forbidden', 'not_found'],
})

const overrideParams = { account: accountId(), sku: id('sku') }

export const listSkuOverrides = endpoint({
  name: 'list_sku_overrides',
  method: 'GET',
  path: '/preview/v2/admin/accounts/:account/sku_overrides',
  area,
  summary: 'List SKU overrides',
  description: 'Shows the SKUs whose properties differ for one account, with the values that it sees.',
  params: { account: accountId() },
  response: shortListOf(skuOverride, 10_000),
  access: 'platform:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['forbidden', 'not_found'],
})

export const putSkuOverride = endpoint({
  name: 'put_sku_override',
  method: 'PUT',
  path: '/preview/v2/admin/accounts/:account/sku_overrides/:sku',
  area,
  summary: 'Override a SKU',
  description:
    'Sets properties of a SKU as one account sees them, and replaces an earlier override of this account and SKU. An ' +
    'override cannot promise more than the SKU. Emits `instance_sku_override.updated` in that account if anything ' +
    'changed.',
  params: overrideParams,
  body: object(givenProperties, { min_properties: 1 }),
  response: skuOverride,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  scope: 'account',
  errors: ['insufficient_user_authentication', 'forbidden', 'not_found', 'reference_not_found', 'not_applicable'],
})

export const deleteSkuOverride = endpoint({
  name: 'delete_sku_override',
  method: 'DELETE',
  path: '/preview/v2/admin/accounts/:account/sku_overrides/:sku',
  area,
  summary: 'Remove a SKU override',
  description:
    'The account sees the properties of the SKU itself again. Emits `instance_sku_override.deleted` in that ' +
    'account.',
  params: overrideParams,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  consequence: 'destroys',
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
