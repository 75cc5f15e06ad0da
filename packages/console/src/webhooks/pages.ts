import { lazyRouteComponent } from '@tanstack/react-router'
import type { ConsolePage } from '../ui/console-page.ts'

/** The pages of this area. */
export const webhookPages: readonly ConsolePage[] = [
  { path: '/webhooks', component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage') },
  { path: '/webhooks/$id', component: lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage') },
]
