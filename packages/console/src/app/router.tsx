/** All pages by their addresses. Each area brings its own; a page is loaded when it is first opened. */
import { createRootRoute, createRoute, createRouter, type ErrorRouteComponent } from '@tanstack/react-router'
import { accessPages } from '../access/pages.ts'
import { automationPages } from '../automation/pages.ts'
import { eventPages } from '../events/pages.ts'
import { fleetPages } from '../fleet/pages.ts'
import { imagePages } from '../images/pages.ts'
import { marketPages } from '../market/pages.ts'
import { moneyPages } from '../money/pages.ts'
import { networkPages } from '../network/pages.ts'
import { operatorPages } from '../operator/pages.ts'
import { overviewPages } from '../overview/pages.ts'
import type { AddressValues } from '../ui/address.ts'
import type { ConsolePage } from '../ui/console-page.ts'
import { Loading } from '../ui/page.tsx'
import { webhookPages } from '../webhooks/pages.ts'
import { BrokenPage, MissingPage } from './error-pages.tsx'
import { Frame } from './frame.tsx'

const root = createRootRoute({
  component: Frame,
  notFoundComponent: MissingPage,
  validateSearch: (search): AddressValues => search as AddressValues,
})

const pages = [
  ...overviewPages,
  ...marketPages,
  ...fleetPages,
  ...automationPages,
  ...imagePages,
  ...networkPages,
  ...eventPages,
  ...webhookPages,
  ...moneyPages,
  ...accessPages,
  ...operatorPages,
]

function routeOf<const P extends string>({ path, component }: ConsolePage<P>) {
  return createRoute({ getParentRoute: () => root, path, component, errorComponent: BrokenPage as ErrorRouteComponent })
}

type RouteAt<P extends string> = P extends string ? ReturnType<typeof routeOf<P>> : never

const routes = pages.map((page) => routeOf(page)) as RouteAt<(typeof pages)[number]['path']>[]

/** The router of the console. Addresses keep the state of pages: filters, sort, tabs. */
export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultPendingMs: 150,
  scrollRestoration: true,
  // Values of addresses are texts: an id of digits stays an id.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`
  },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
