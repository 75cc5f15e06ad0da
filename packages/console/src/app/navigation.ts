/** The pages of the navigation, in its order. The palette finds them too. */

import type { PageAddress } from '../ui/address.ts'

/** A link of the navigation. */
export type NavigationPlace = {
  readonly to: PageAddress
  readonly title: string
  readonly search?: Readonly<Record<string, string>>
}

/** Groups of links. */
export const navigation: readonly { readonly title: string; readonly places: readonly NavigationPlace[] }[] = [
  {
    title: '',
    places: [
      { to: '/', title: 'Board' },
      { to: '/ticket', title: 'Ticket' },
      { to: '/orders', title: 'Orders' },
      { to: '/calendar', title: 'Calendar' },
      { to: '/pools', title: 'Pools' },
      { to: '/procurements', title: 'Procurements' },
    ],
  },
  {
    title: 'Run',
    places: [
      { to: '/instances', title: 'Instances' },
      { to: '/templates', title: 'Templates' },
      { to: '/deployments', title: 'Deployments' },
      { to: '/images', title: 'Images' },
      { to: '/network', title: 'Network' },
    ],
  },
  {
    title: 'Follow',
    places: [
      { to: '/events', title: 'Events' },
      { to: '/webhooks', title: 'Webhooks' },
    ],
  },
  {
    title: 'Manage',
    places: [
      { to: '/money', title: 'Money' },
      { to: '/access', title: 'Access' },
      { to: '/account', title: 'Account' },
    ],
  },
]

/** The links at the foot of a narrow screen; the others are in its menu. */
export const firstPlaces: readonly NavigationPlace[] = [
  { to: '/', title: 'Board' },
  { to: '/orders', title: 'Orders' },
  { to: '/instances', title: 'Instances' },
]

/** The same for the operator. */
export const operatorsFirstPlaces: readonly NavigationPlace[] = [
  { to: '/operator', title: 'Desk' },
  { to: '/operator', title: 'Hosts', search: { tab: 'hosts' } },
  { to: '/operator', title: 'Accounts', search: { tab: 'accounts' } },
]
