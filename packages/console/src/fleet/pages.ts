import { lazyRouteComponent } from '@tanstack/react-router'
import type { ConsolePage } from '../ui/console-page.ts'

/** The pages of this area. */
export const fleetPages = [
  { path: '/instances', component: lazyRouteComponent(() => import('./instances-page.tsx'), 'InstancesPage') },
  { path: '/instances/$id', component: lazyRouteComponent(() => import('./instance-page.tsx'), 'InstancePage') },
] as const satisfies readonly ConsolePage[]
