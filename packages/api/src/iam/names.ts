import { endpoint } from '../kit/endpoint.ts'
import { constant, repeated, resource, type Static, shortListOf, text } from '../kit/schema.ts'

/** The most ids of one request. */
export const namesMax = 200

export const shownName = resource('ShownName', 'What people call a resource or a principal.', {
  object: constant('name'),
  id: text({ max: 64, description: 'The id that was asked for.' }),
  type: text({ max: 64, description: 'What it is, such as `instance`, `token` or `sku`.' }),
  name: text({
    max: 2048,
    description:
      'Its name: the alias of a SKU, the side, nodes and SKU of an order, the person of a session, the URL of a ' +
      'webhook, the amount and period of a budget without a name.',
  }),
})
export type ShownName = Static<typeof shownName>

export const listNames = endpoint({
  name: 'list_names',
  method: 'GET',
  path: '/preview/v2/names',
  area: 'names',
  summary: 'List names of ids',
  description:
    'Shows the names of up to 200 ids of any kind. Ids that do not exist, that have no name, or that the caller may ' +
    'not see are left out. The response does not tell these cases apart.',
  query: {
    ids: repeated(
      text({
        min: 1,
        max: 64,
        pattern: '^[a-z]{2,10}_[0-9a-zA-Z_-]{1,40}$',
        form: 'an id, such as `inst_…`',
        description: 'Ids, 200 at most. Default: none.',
      }),
      { max: namesMax },
    ),
  },
  response: shortListOf(shownName, namesMax),
  access: 'open',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: [],
})

export const operations = [listNames] as const
