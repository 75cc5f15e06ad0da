import { lazyRouteComponent } from '@tanstack/react-router'
import type { ConsolePage } from '../ui/console-page.ts'

/** The pages of this area. */
export const eventPages: readonly ConsolePage[] = [
  { path: '/events', component: lazyRouteComponent(() => import('./events-page.tsx'), 'EventsPage') },
]
