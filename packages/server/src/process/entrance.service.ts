/** The root of the server: tells people and programs where to go. Not an operation of the contract. */

import { interfaceVersion } from '@bourse/api/interface-version.ts'
import { prefers } from '../core/base/accept.ts'
import { version } from '../core/base/version.ts'
import { hasConsole } from '../core/console/console-routes.ts'
import type { TransferRoute } from '../core/http/transfer.ts'

const links = {
  console: '/console',
  reference: '/docs',
  guides: '/docs/guides',
  openapi: '/openapi.json',
  health: '/healthz',
  readiness: '/readyz',
  version: '/version',
}
const index = { object: 'index', name: 'bourse', version, interface_version: interfaceVersion, links }
const body = Buffer.from(JSON.stringify(index))

/** Makes the route. A browser is sent to the console, a program gets the version and the links. */
export function createEntrance(): TransferRoute {
  return {
    name: 'get_index',
    method: 'GET',
    path: '/',
    run: async (_, { headers }) => {
      const vary = ['Vary', 'Accept']
      const place = hasConsole() ? links.console : links.reference
      if (prefers(headers.accept, 'text/html')) return { status: 302, headers: [...vary, 'Location', place] }
      const open = async function* () {
        yield body
      }
      const media_type = 'application/json; charset=utf-8'
      return { status: 200, headers: vary, media_type, content: { size_bytes: body.length, open } }
    },
  }
}
