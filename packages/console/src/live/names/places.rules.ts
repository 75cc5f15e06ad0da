/** Where a resource is shown. Pure. */

/** A page, with what its address holds. */
export type ShownPlace = { readonly to: string; readonly search?: Readonly<Record<string, string>> }

const pages: Readonly<Record<string, string>> = {
  instance: '/instances',
  order: '/orders',
  image: '/images',
  webhook: '/webhooks',
  deployment: '/deployments',
  procurement: '/procurements',
  agent_rollout: '/operator/rollouts',
}

/** Kinds whose resources open in a dialog of their list. */
const openers: Readonly<Record<string, string>> = {
  pool: '/pools',
  workspace: '/account',
  instance_template: '/templates',
}

/** Kinds whose resources are shown in a list alone. */
const lists: Readonly<Record<string, ShownPlace>> = {
  budget: { to: '/money', search: { tab: 'budgets' } },
  ssh_key: { to: '/access', search: { tab: 'ssh-keys' } },
  pending_credit: { to: '/operator', search: { tab: 'credits' } },
}

/** The place of a resource; undefined where no page shows it. */
export function resourcePlace(type: string, id: string): ShownPlace | undefined {
  const page = pages[type]
  if (page !== undefined) return { to: `${page}/${encodeURIComponent(id)}` }
  const opener = openers[type]
  return opener === undefined ? lists[type] : { to: opener, search: { open: id } }
}
