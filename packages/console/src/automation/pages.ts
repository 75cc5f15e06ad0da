import { lazyRouteComponent } from '@tanstack/react-router'
import type { ConsolePage } from '../ui/console-page.ts'

/** The pages of this area. */
export const automationPages = [
  { path: '/deployments', component: lazyRouteComponent(() => import('./deployments-page.tsx'), 'DeploymentsPage') },
  { path: '/deployments/$id', component: lazyRouteComponent(() => import('./deployment-page.tsx'), 'DeploymentPage') },
  { path: '/procurements', component: lazyRouteComponent(() => import('./procurements-page.tsx'), 'ProcurementsPage') },
  {
    path: '/procurements/$id',
    component: lazyRouteComponent(() => import('./procurement-page.tsx'), 'ProcurementPage'),
  },
] as const satisfies readonly ConsolePage[]
