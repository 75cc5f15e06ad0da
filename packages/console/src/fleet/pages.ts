import { lazyRouteComponent } from '@tanstack/react-router'
import type { ConsolePage } from '../ui/console-page.ts'

/** The pages of this area. */
export const fleetPages = [
  { path: '/instances', component: lazyRouteComponent(() => import('./instances-page.tsx'), 'InstancesPage') },
  { path: '/instances/$id', component: lazyRouteComponent(() => import('./instance-page.tsx'), 'InstancePage') },
  {
    path: '/templates',
    component: lazyRouteComponent(() => import('./templates/templates-page.tsx'), 'TemplatesPage'),
  },
  { path: '/pools', component: lazyRouteComponent(() => import('./pools/pools-page.tsx'), 'PoolsPage') },
] as const satisfies readonly ConsolePage[]
