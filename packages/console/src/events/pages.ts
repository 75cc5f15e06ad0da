import { lazyRouteComponent } from '@tanstack/react-router'
import type { ConsolePage } from '../ui/console-page.ts'

/** The pages of this area. */
export const eventPages = [
  { path: '/events', component: lazyRouteComponent(() => import('./events-page.tsx'), 'EventsPage') },
] as const satisfies readonly ConsolePage[]
