/** The list of instances over all accounts, for the platform operator. The rows are those of the customers' list. */
import { endpoint } from '../kit/endpoint.ts'
import { accountId, optional, pageOf, resource, type Static } from '../kit/schema.ts'
import { instance, listInstances } from './instances.ts'

export const platformInstance = resource('PlatformInstance', 'An instance as the platform operator sees it.', {
  ...instance.properties,
  account: accountId({ description: 'Id of the account that it belongs to.' }),
})
export type PlatformInstance = Static<typeof platformInstance>

export const listPlatformInstances = endpoint({
  name: 'list_platform_instances',
  method: 'GET',
  path: '/preview/v2/admin/instances',
  area: 'administration',
  summary: 'List instances of accounts',
  description: 'Shows the instances of all accounts, newest first, with the filters of `list_instances` and `account`.',
  query: {
    ...listInstances.query.properties,
    account: optional(accountId({ description: 'Only instances of this account: its id.' })),
  },
  response: pageOf(platformInstance, 'instc'),
  access: 'platform:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['invalid_cursor', 'forbidden', 'not_found', 'mutually_exclusive'],
})

export const operations = [listPlatformInstances] as const
