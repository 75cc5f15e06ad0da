import { lazyRouteComponent } from '@tanstack/react-router'
import type { ConsolePage } from '../ui/console-page.ts'

/** The pages of this area. */
export const accessPages = [
  { path: '/access', component: lazyRouteComponent(() => import('./access-page.tsx'), 'AccessPage') },
  { path: '/account', component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage') },
] as const satisfies readonly ConsolePage[]
