import { lazyRouteComponent } from '@tanstack/react-router'
import type { ConsolePage } from '../ui/console-page.ts'

/** The pages of this area. */
export const moneyPages = [
  { path: '/money', component: lazyRouteComponent(() => import('./money-page.tsx'), 'MoneyPage') },
] as const satisfies readonly ConsolePage[]
