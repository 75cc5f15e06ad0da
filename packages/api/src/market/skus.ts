import { endpoint } from '../kit/endpoint.ts'
import {
  array,
  boolean,
  constant,
  createdAt,
  displayText,
  dollars,
  id,
  integer,
  name,
  nameForm,
  nullable,
  oneOf,
  openEnum,
  optional,
  pageOf,
  pageParameters,
  resource,
  type Static,
  shortListOf,
  type TSchema,
  text,
  timestamp,
  updatedAt,
  valueText,
} from '../kit/schema.ts'

const area = 'instance SKU catalog'

/** The pattern of values of text properties. */
export const propertyPattern = '^[a-zA-Z0-9][a-zA-Z0-9._-]{0,254}$'
/** The value of a text property of a SKU. */
export const propertyTextForm = { min: 1, max: 255, pattern: propertyPattern, form: nameForm }
export const propertyText = text(propertyTextForm)
/** The RDMA fabrics of a node. */
export const rdmaTypes = ['infiniband', 'roce'] as const
/** The accelerators of a node. */
export const acceleratorCount = integer({ min: 0, max: 1024 })
/** The virtual CPUs of a node. */
export const vcpuCount = integer({ min: 1, max: 65_536 })
/** The rate of the fastest RDMA port of a node. */
export const rdmaRate = integer({ min: 1, max: 100_000 })
/** An amount of memory or storage. */
export const byteCount = integer({ unit: 'bytes', min: 0, description: 'Bytes.' })

/** A property with its display value. It is a component of the OpenAPI document under its title. */
function property<S extends TSchema>(title: string, value: S) {
  return resource(title, 'A property of a SKU, with the text that people read.', {
    value: { ...value, description: valueText },
    display_value: text({ max: 255, description: displayText }),
  })
}

const textProperty = property('TextProperty', propertyText)
const byteProperty = property('ByteProperty', byteCount)

/** The properties of a SKU. A property that is not set is left out. */
export const skuProperties = {
  region: optional(textProperty),
  availability_zone: optional(textProperty),
  accelerator: optional(textProperty),
  form_factor: optional(textProperty),
  rdma_type: optional(property('RdmaTypeProperty', openEnum(rdmaTypes))),
  rdma_gigabits_per_second: optional(property('RdmaRateProperty', rdmaRate)),
  infiniband_fabric: optional(
    name({ description: 'Name of the InfiniBand fabric that the nodes are on. Only with `rdma_type` `infiniband`.' }),
  ),
  num_accelerators: optional(property('AcceleratorCountProperty', acceleratorCount)),
  num_vcpus: optional(property('VcpuCountProperty', vcpuCount)),
  memory_bytes: optional(byteProperty),
  local_storage_bytes: optional(byteProperty),
  supports_public_ipv4: optional(property('BooleanProperty', boolean())),
}

/** The names of all properties of a SKU. */
export const skuPropertyNames = Object.keys(skuProperties) as (keyof typeof skuProperties)[]

/** Whether hosts may lack the hardware of a SKU. */
export function simulatedSku() {
  return boolean({
    description: 'Hosts of this SKU need not have its hardware: for development.',
  })
}

/** The most figures of one benchmark, and of the benchmarks of all hosts of a SKU. */
export const figuresMax = 16
const skuFiguresMax = 32

/** The name, the unit and the value of a figure that a benchmark has measured. */
export const figureName = text({
  max: 48,
  pattern: '^[a-z][a-z0-9_]*$',
  form: 'lower-case letters, digits and underscores, a letter first',
  examples: ['memory_bandwidth', 'fp16_dense'],
  description: 'Name of the figure.',
})
export const figureUnit = text({
  max: 16,
  pattern: '^[!-~]+(?: [!-~]+)*$',
  form: 'printable ASCII characters',
  examples: ['GB/s', 'TFLOP/s'],
  description: 'Unit of the figure.',
})
export const figureValue = (description = 'Measured value, in the unit.') =>
  text({
    max: 24,
    pattern: '^\\d{1,15}(\\.\\d{1,6})?$',
    form: 'a decimal string with at most six decimals',
    examples: ['312.5'],
    description,
  })

/** The names of figures that a SKU shows. The operator of the platform sets them, so that no host can add its own. */
export function benchmarkFigures() {
  return array(
    text({
      max: 65,
      pattern: '^[a-z][a-z0-9_]{0,47} [!-~]+(?: [!-~]+)*$',
      form: 'a name and its unit, such as `memory_bandwidth GB/s`',
      examples: ['memory_bandwidth GB/s', 'fp16_dense TFLOP/s'],
    }),
    {
      max: skuFiguresMax,
      description:
        'Figures of benchmarks that the SKU shows, in this order, each with its unit, such as `memory_bandwidth GB/s`.',
    },
  )
}

export const skuBenchmark = resource(
  'SkuBenchmark',
  'What suppliers measured on the hosts of a SKU. Each supplier has one vote, however many hosts it has.',
  {
    name: figureName,
    unit: figureUnit,
    lowest: figureValue(
      'The lowest of the lowest values of the suppliers. From three hosts of a supplier, and from three suppliers, ' +
        'the lowest quarter is left out.',
    ),
    median: figureValue('The median of the medians of the suppliers.'),
    host_count: integer({ min: 1, max: 1_000_000, description: 'How many hosts measured it within 90 days.' }),
    measured_at: timestamp({ description: 'The oldest of these measurements.' }),
  },
)
export type SkuBenchmark = Static<typeof skuBenchmark>

function skuBenchmarks() {
  return array(skuBenchmark, {
    max: skuFiguresMax,
    description: 'Benchmark figures that suppliers of hosts measured. Absent: nobody did.',
  })
}

/** Whether partners may supply a SKU. */
export function operatorHostsOnly() {
  return boolean({
    description: 'Let only the platform operator supply hosts of the SKU, and no partner.',
    negative: 'Let partners supply hosts of the SKU. This is the default.',
  })
}

/** Whether public prices leave out trades of related accounts. */
export function withoutRelated() {
  return boolean({
    default: false,
    description:
      'Leave trades of accounts that share a person out of public prices of the SKU: price history, trades and last ' +
      'prices. It counts for earlier trades too. Whether accounts share a person is decided as they trade, by ' +
      'sign-ins and e-mail addresses.',
    negative: 'Count all trades in public prices of the SKU. This is the default.',
  })
}

const skuMembers = {
  object: constant('sku'),
  id: id('sku'),
  alias: name({
    description: 'A name for people, unique among SKUs that are not retired. Requests refer to SKUs by id.',
  }),
  ...skuProperties,
  simulated: optional(simulatedSku()),
  operator_hosts_only: optional(operatorHostsOnly()),
  benchmarks: optional(skuBenchmarks()),
  price_step_dollars_per_node_hour: optional(
    dollars({ description: 'Prices are multiples of this step. Absent: the step is 0.000001.' }),
  ),
  deleted_at: optional(timestamp({ description: 'When it was retired, in Unix seconds. Absent: it is not.' })),
}

export const sku = resource(
  'Sku',
  "A hardware offering of the market, with the properties that hold for the caller's account.",
  skuMembers,
)
export type Sku = Static<typeof sku>

export const administeredSku = resource('AdministeredSku', 'A SKU as the platform operator sees it.', {
  ...skuMembers,
  benchmark_figures: benchmarkFigures(),
  listed: boolean({
    description: 'An unlisted SKU is visible only to accounts that hold allocation of it or have an override.',
  }),
  flat_fee_dollars_per_node_hour: dollars({
    description: 'Fee of the platform operator for each node-hour that is sold.',
  }),
  fee_bps: integer({
    unit: 'bps',
    min: 0,
    max: 10_000,
    description: 'Fee of the platform operator in basis points of the value of a fill. The seller pays it.',
  }),
  public_prices_exclude_related: withoutRelated(),
  price_step_dollars_per_node_hour: dollars({ description: 'Prices are multiples of it.' }),
  created_at: createdAt,
  updated_at: updatedAt,
})
export type AdministeredSku = Static<typeof administeredSku>

/** Properties whose values come from a list that the platform operator keeps. */
export const enumeratedProperties = [
  'region',
  'availability_zone',
  'accelerator',
  'form_factor',
  'rdma_type',
  'infiniband_fabric',
] as const

const catalogText = {
  object: constant('sku_property'),
  name: text({ ...propertyTextForm, description: 'The property, or the value as SKUs have it.' }),
  display_name: text({ min: 1, max: 255, description: 'The same as people read it.' }),
  description: text({ max: 1024, description: 'What it means.' }),
  documentation_link: nullable(text({ max: 2048, description: 'A page that explains it. `null`: none.' })),
  deprecated_at: nullable(timestamp({ description: 'Since when it is outdated, in Unix seconds. `null`: it is not.' })),
  deprecation_info: nullable(text({ max: 1024, description: 'What to use instead. `null`: not said.' })),
}

export const skuPropertyValue = resource(
  'SkuPropertyValue',
  'One allowed value of an enumerated property.',
  catalogText,
)
export type SkuPropertyValue = Static<typeof skuPropertyValue>

export const skuProperty = resource('SkuProperty', 'The meaning and the allowed values of a property.', {
  ...catalogText,
  type: oneOf(['enumeration', 'integer', 'boolean'], { description: 'What values it has.' }),
  values: optional(
    array(skuPropertyValue, { max: 1000, description: 'The values of an enumeration. Absent for other types.' }),
  ),
})
export type SkuProperty = Static<typeof skuProperty>

export const listSkus = endpoint({
  name: 'list_skus',
  method: 'GET',
  path: '/v2/skus',
  area,
  summary: 'List SKUs',
  description:
    'Shows the SKUs of the market, oldest first. Retired SKUs are left out without `include_deleted`; unlisted ones ' +
    'are shown only to accounts that hold allocation of them or have an override. If the platform operator overrode ' +
    'a property for your account, the overridden value is shown.',
  query: {
    ...pageParameters('skuc'),
    include_deleted: optional(boolean({ default: false, description: 'Also show retired SKUs.' })),
  },
  response: pageOf(sku, 'skuc'),
  access: 'open',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'mutually_exclusive'],
})

export const getSku = endpoint({
  name: 'get_sku',
  method: 'GET',
  path: '/v2/skus/:id',
  area,
  summary: 'Get a SKU',
  description:
    'Shows the properties of one SKU as your account sees them, also of a retired one. `get_sku_availability` shows ' +
    'the nodes of it that are offered.',
  params: { id: id('sku') },
  response: sku,
  access: 'open',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['not_found'],
})

export const listSkuProperties = endpoint({
  name: 'list_sku_properties',
  method: 'GET',
  path: '/v2/skus/property_catalog',
  area,
  summary: 'List SKU properties',
  description:
    'Shows each property of SKUs with the values of the catalog and what they mean. Use them in `requirements` of ' +
    'the order book.',
  response: shortListOf(skuProperty, 100),
  access: 'open',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const operations = [listSkus, getSku, listSkuProperties] as const
