import { lazyRouteComponent } from '@tanstack/react-router'
import type { ConsolePage } from '../ui/console-page.ts'

/** The pages of this area. */
export const webhookPages = [
  { path: '/webhooks', component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage') },
  { path: '/webhooks/$id', component: lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage') },
] as const satisfies readonly ConsolePage[]
