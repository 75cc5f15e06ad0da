/**
 * Serves the built console under /console. Its files have a hash in their names, so browsers keep them for good; every
 * other path below /console is a page of the console, which is one HTML file.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { once } from '../base/once.ts'
import { programRoot } from '../base/program-root.ts'
import { createStaticContent, type StaticContent, staticResponse } from '../http/static-content.ts'
import type { TransferResponse, TransferRoute } from '../http/transfer.ts'

const dist = join(programRoot, 'packages/console/dist')

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Whether the console is there. A checkout whose build tools were not installed does not have it. */
export const hasConsole = once(() => existsSync(join(dist, 'index.html')))

const notBuilt = 'The console is not built. Run `npm ci`, then `npm run build:console`, and start the server again.'

/** The routes of the console. Parts of uploads go to the origin of the image store, where that is another one. */
export function createConsoleRoutes(imageOrigin?: string): TransferRoute[] {
  const page = once(() => pageContent(imageOrigin))
  const showPage: TransferRoute['run'] = async (_, { headers }) =>
    hasConsole() ? staticResponse(page(), headers) : textResponse(503, notBuilt)
  return [
    { name: 'get_console', method: 'GET', path: '/console', run: showPage },
    { name: 'get_console_page', method: 'GET', path: '/console/*', run: showPage },
    {
      name: 'get_console_file',
      method: 'GET',
      path: '/console/assets/:file',
      run: async (_, { params, headers }) => {
        const file = files().get(params.file ?? '')
        return file ? staticResponse(file(), headers) : textResponse(404, 'The console has no such file.')
      },
    },
  ]
}

/** The files by name, as they were when the first was asked for. No name of a request becomes the name of a file. */
const files = once(() => {
  const folder = join(dist, 'assets')
  const names = existsSync(folder) ? readdirSync(folder) : []
  const known = names.filter((name) => types[extname(name)] !== undefined)
  return new Map(known.map((name) => [name, once(() => fileContent(join(folder, name)))]))
})

function fileContent(path: string): StaticContent {
  const packed = existsSync(`${path}.br`) && { br: readFileSync(`${path}.br`), gzip: readFileSync(`${path}.gz`) }
  return createStaticContent(readFileSync(path), types[extname(path)] as string, {
    cache_control: 'public, max-age=31536000, immutable',
    ...(packed ? { packed } : {}),
  })
}

function pageContent(imageOrigin: string | undefined): StaticContent {
  const html = readFileSync(join(dist, 'index.html'))
  return createStaticContent(html, 'text/html; charset=utf-8', { headers: pageHeaders(imageOrigin) })
}

/** Nothing comes from another origin, no text becomes a script, and no other page shows the console in a frame. */
function pageHeaders(imageOrigin: string | undefined): readonly string[] {
  const policy = [
    "default-src 'self'",
    `connect-src 'self'${imageOrigin === undefined ? '' : ` ${imageOrigin}`}`,
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types bourse-worker',
  ]
  return [
    'Content-Security-Policy',
    policy.join('; '),
    'X-Frame-Options',
    'DENY',
    'Referrer-Policy',
    'same-origin',
    'Cross-Origin-Opener-Policy',
    'same-origin',
  ]
}

function textResponse(status: number, text: string): TransferResponse {
  return { status, body: Buffer.from(`${text}\n`), headers: ['Cache-Control', 'no-store'], media_type: 'text/plain' }
}
