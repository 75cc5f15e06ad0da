import { lazyRouteComponent } from '@tanstack/react-router'
import type { ConsolePage } from '../ui/console-page.ts'

/** The pages of this area. */
export const operatorPages = [
  { path: '/operator', component: lazyRouteComponent(() => import('./operator-page.tsx'), 'OperatorPage') },
  {
    path: '/operator/accounts/$id',
    component: lazyRouteComponent(() => import('./account/account-page.tsx'), 'AccountPage'),
  },
  { path: '/operator/hosts/$id', component: lazyRouteComponent(() => import('./host-page.tsx'), 'HostPage') },
  { path: '/operator/rollouts/$id', component: lazyRouteComponent(() => import('./rollout-page.tsx'), 'RolloutPage') },
] as const satisfies readonly ConsolePage[]
