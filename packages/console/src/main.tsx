/** The entry of the console. */
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { cache } from './live/cache.ts'
import './ui/fonts.css'
import './ui/tokens.css'
import './ui/base.css'
import { router } from './app/router.tsx'
import { applyTheme } from './app/theme.ts'

applyTheme()
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={cache}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
