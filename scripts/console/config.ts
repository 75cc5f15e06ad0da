/** How Vite builds and serves the console. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { InlineConfig } from 'vite'

/** The folder of the console. */
export const consoleFolder = join(import.meta.dirname, '../../packages/console')

/** Whether Vite is installed; an installation without development dependencies does not have it. */
export function hasBuildTools(): boolean {
  try {
    createRequire(join(consoleFolder, 'package.json')).resolve('vite')
    return true
  } catch {
    return false
  }
}

/** The paths that the server answers, and not the console. */
const serverPaths = '^/(v2|preview|sandbox|image_data|sign_in|sign_out|device|docs|openapi.json|version)(/|$|\\?)'

/** Sources that each page with a list needs. */
const ofLists = [
  'live/lists/',
  'ui/(table-columns|loaded|freshness|typed-filter|select)',
  'generated/rows/(events|fleet)',
]

/** The configuration; with the address of a server, requests that are not the console's go there. */
export function viteConfig(server?: string): InlineConfig {
  return {
    root: consoleFolder,
    base: '/console/',
    configFile: false,
    logLevel: server ? 'info' : 'warn',
    oxc: { jsx: { runtime: 'automatic' } },
    build: {
      target: 'es2024',
      // The inlined form would need `data:` in the policy of the page.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      manifest: true,
      rolldownOptions: {
        // Marks of server components mean nothing in a page.
        onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [
              // What each page needs: one file compresses better than many, and is one request.
              {
                name: 'base',
                test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?!.*virtual))/,
              },
              // What each page with a list needs.
              { name: 'lists', test: new RegExp(`src/(${ofLists.join('|')})`) },
            ],
          },
        },
      },
    },
    ...(server ? { server: { port: 5173, strictPort: true, proxy: { [serverPaths]: server } } } : {}),
  }
}
