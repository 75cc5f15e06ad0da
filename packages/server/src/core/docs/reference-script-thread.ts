/** The program of a thread that loads the script of the API reference. Only `loadReferenceScript` starts it. */
import { parentPort } from 'node:worker_threads'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import plugin from '@scalar/fastify-api-reference'
import type { ReferenceScript } from './reference-script.ts'

/** A route as the plugin registers it. */
type PluginRoute = { readonly url: string; readonly handler: (request: unknown, reply: unknown) => unknown }

/** The plugin registers the page, which is not ours, and its script. Its function is called as its framework does. */
function readScript(): string {
  const routes: PluginRoute[] = []
  const framework = { hasPlugin: () => false, initialConfig: {}, route: (route: PluginRoute) => routes.push(route) }
  const register = plugin as (on: object, options: object, done: () => void) => void
  register(framework, { configuration: { url: '/openapi.json' } }, () => {})
  let sent: unknown
  const reply = { header: () => reply, send: (body: unknown) => (sent = body) }
  routes.find(({ url }) => url.endsWith('/js/scalar.js'))?.handler(undefined, reply)
  if (typeof sent !== 'string') throw new Error('The plugin of the API reference has no script.')
  // Where its map of sources would be, which nobody serves.
  return sent.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
}

// The highest level takes half a minute and saves a tenth.
const brotliQuality = 6

const body = Buffer.from(readScript())
const script: ReferenceScript = {
  body,
  br: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: gzipSync(body),
}
parentPort?.postMessage(script)
