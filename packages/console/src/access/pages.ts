import { lazyRouteComponent } from '@tanstack/react-router'
import type { ConsolePage } from '../ui/console-page.ts'

/** The pages of this area. */
export const accessPages = [
  { path: '/access', component: lazyRouteComponent(() => import('./access-page.tsx'), 'AccessPage') },
] as const satisfies readonly ConsolePage[]
