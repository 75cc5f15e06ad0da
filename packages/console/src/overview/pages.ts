import { lazyRouteComponent } from '@tanstack/react-router'
import type { ConsolePage } from '../ui/console-page.ts'

/** The pages of this area. */
export const overviewPages: readonly ConsolePage[] = [
  { path: '/', component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage') },
]
