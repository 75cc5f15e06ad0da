import { lazyRouteComponent } from '@tanstack/react-router'
import type { ConsolePage } from '../ui/console-page.ts'

/** The pages of this area. */
export const imagePages: readonly ConsolePage[] = [
  { path: '/images', component: lazyRouteComponent(() => import('./images-page.tsx'), 'ImagesPage') },
  { path: '/images/$id', component: lazyRouteComponent(() => import('./image-page.tsx'), 'ImagePage') },
]
