import { endpoint } from '../kit/endpoint.ts'
import { schedule } from '../kit/schedule.ts'
import {
  constant,
  id,
  minute,
  onlyThis,
  optional,
  pageOf,
  pageParameters,
  repeated,
  resource,
  type Static,
} from '../kit/schema.ts'
import { skuSummary } from '../kit/summaries.ts'
import { requirementsParameter } from './sku-requirements.ts'

const area = 'instance SKU catalog'

export const skuAvailability = resource(
  'SkuAvailability',
  "Nodes in resting sell orders over time, without the caller's own.",
  {
    object: constant('sku_availability'),
    sku: skuSummary,
    schedule: schedule('Nodes that others offer'),
  },
)
export type SkuAvailability = Static<typeof skuAvailability>

const window = {
  start_at: optional(
    minute({ description: 'Start of the time to show, in Unix seconds. Default: the current minute.' }),
  ),
  end_at: optional(
    minute({
      description: 'End of the time to show, in Unix seconds. Default: 30 days after its start; at most 3 years.',
    }),
  ),
}

export const listSkuAvailability = endpoint({
  name: 'list_sku_availability',
  method: 'GET',
  path: '/v2/skus/availability',
  area,
  summary: 'List SKU availability',
  description:
    'Shows how many nodes of each SKU other accounts offer over time, at any price. SKUs without offers have an ' +
    'empty schedule. `get_orderbook_depth` shows the prices.',
  query: {
    ...pageParameters('skavc'),
    requirements: optional(requirementsParameter()),
    id: repeated(id('sku', onlyThis)),
    ...window,
  },
  response: pageOf(skuAvailability, 'skavc'),
  access: 'open',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_range', 'not_aligned', 'invalid_cursor', 'mutually_exclusive'],
})

export const getSkuAvailability = endpoint({
  name: 'get_sku_availability',
  method: 'GET',
  path: '/v2/skus/:id/availability',
  area,
  summary: 'Get availability of a SKU',
  description:
    'Shows how many nodes of one SKU other accounts offer over time, at any price. `get_orderbook_curve` shows ' +
    'what they cost.',
  params: { id: id('sku') },
  query: window,
  response: skuAvailability,
  access: 'open',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_range', 'not_aligned', 'not_found'],
})

export const operations = [listSkuAvailability, getSkuAvailability] as const
