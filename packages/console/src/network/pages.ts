import { lazyRouteComponent } from '@tanstack/react-router'
import type { ConsolePage } from '../ui/console-page.ts'

/** The pages of this area. */
export const networkPages = [
  { path: '/network', component: lazyRouteComponent(() => import('./network-page.tsx'), 'NetworkPage') },
] as const satisfies readonly ConsolePage[]
