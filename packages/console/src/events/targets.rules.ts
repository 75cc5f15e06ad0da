/** Where a resource is shown. Pure. */

const pages: Readonly<Record<string, string>> = {
  instance: '/instances',
  order: '/orders',
  image: '/images',
  webhook: '/webhooks',
  deployment: '/deployments',
  procurement: '/procurements',
}

const fixed: Readonly<Record<string, string>> = { budget: '/money', account: '/', pool: '/calendar' }

/** The path of the page of a resource; undefined where there is none. */
export function pathOf(type: string, id: string): string | undefined {
  const page = pages[type]
  return page === undefined ? fixed[type] : `${page}/${encodeURIComponent(id)}`
}
