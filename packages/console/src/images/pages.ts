import { lazyRouteComponent } from '@tanstack/react-router'
import type { ConsolePage } from '../ui/console-page.ts'

/** The pages of this area. */
export const imagePages = [
  { path: '/images', component: lazyRouteComponent(() => import('./images-page.tsx'), 'ImagesPage') },
  { path: '/images/$id', component: lazyRouteComponent(() => import('./image-page.tsx'), 'ImagePage') },
] as const satisfies readonly ConsolePage[]
