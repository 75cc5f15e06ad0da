import { lazyRouteComponent } from '@tanstack/react-router'
import type { ConsolePage } from '../ui/console-page.ts'

/** The pages of this area. */
export const overviewPages = [
  { path: '/', component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage') },
] as const satisfies readonly ConsolePage[]
