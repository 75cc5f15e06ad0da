import { lazyRouteComponent } from '@tanstack/react-router'
import type { ConsolePage } from '../ui/console-page.ts'

/** The pages of this area. */
export const marketPages = [
  { path: '/market', component: lazyRouteComponent(() => import('./market-page.tsx'), 'MarketPage') },
  { path: '/ticket', component: lazyRouteComponent(() => import('./ticket/ticket-page.tsx'), 'TicketPage') },
  { path: '/orders', component: lazyRouteComponent(() => import('./orders/orders-page.tsx'), 'OrdersPage') },
  { path: '/orders/$id', component: lazyRouteComponent(() => import('./orders/order-page.tsx'), 'OrderPage') },
  { path: '/calendar', component: lazyRouteComponent(() => import('./calendar/calendar-page.tsx'), 'CalendarPage') },
] as const satisfies readonly ConsolePage[]
