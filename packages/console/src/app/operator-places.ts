/** The places of the operator, in the order of the navigation. The palette finds them too. */

/** A part of the operator's page: its name in the address, and its title. */
export type OperatorPlace = { readonly tab: string; readonly title: string }

/** Groups of places. */
export const operatorPlaces: readonly { readonly title: string; readonly places: readonly OperatorPlace[] }[] = [
  {
    title: '',
    places: [
      { tab: 'desk', title: 'Desk' },
      { tab: 'market', title: 'Market' },
      { tab: 'skus', title: 'SKUs' },
      { tab: 'orders', title: 'All orders' },
      { tab: 'revenue', title: 'Revenue and ledger' },
    ],
  },
  {
    title: 'Fleet',
    places: [
      { tab: 'hosts', title: 'Hosts' },
      { tab: 'rollouts', title: 'Agent rollouts' },
      { tab: 'instances', title: 'All instances' },
      { tab: 'pools', title: 'All pools' },
    ],
  },
  {
    title: 'People',
    places: [
      { tab: 'accounts', title: 'Accounts' },
      { tab: 'credits', title: 'Credits' },
      { tab: 'usage', title: 'Usage' },
    ],
  },
  { title: 'Trust', places: [{ tab: 'health', title: 'Health' }] },
]

/** What the address of a place holds: the desk is what is shown without a word. */
export function placeSearch({ tab }: Pick<OperatorPlace, 'tab'>): Readonly<Record<string, string>> {
  return tab === 'desk' ? {} : { tab }
}
