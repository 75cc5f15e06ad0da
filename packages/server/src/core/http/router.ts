/**
 * Maps method and path to an endpoint. Two trees: one by method, one of the paths alone, which distinguishes a wrong
 * method (405) from a wrong path (404). Both are looked up before the token is read.
 */
import type { IncomingMessage } from 'node:http'
import findMyWay, { type HTTPMethod } from 'find-my-way'
import { type ResourceReader, trailOf } from '../audit/request-trail.ts'
import { shownPath } from './access-log.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import type { EndpointHandler, FoundRoute, Response, Router, RouteTarget } from './request-context.ts'
import { refusalResponse } from './response.ts'
import type { Route } from './routes.ts'
import { type TransferRoute, transferHandler } from './transfer.ts'

export type RouterOptions = {
  readonly routes: readonly Route[]
  readonly transfers?: readonly TransferRoute[]
  readonly console_origin?: string
}

type Leaf = { readonly method: string; readonly path: string; readonly target: RouteTarget }

const paramLengthMax = 1024
const badUrl = refusalResponse({ code: 'invalid_url', message: 'The URL is not well percent-encoded.' })
const paramTooLong = refusalResponse({
  code: 'too_long',
  message: 'A part of the path is longer than 1,024 characters.',
  field: null,
})

/** Creates the router of one server. */
export function createRouter({ routes, transfers = [], console_origin }: RouterOptions): Router {
  const readers = routes.flatMap(({ endpoint, read }) => (read ? [{ endpoint, read }] : []))
  const leaves = [...routes.flatMap((route) => leavesOf(route, readers)), ...transfers.map(leafOfTransfer)]
  const targets = treeOf<RouteTarget>()
  for (const { method, path, target } of leaves) targets.on(method as HTTPMethod, path, () => target)
  const methodsByPath = treeOf<readonly string[]>()
  for (const [path, methods] of methodsByPattern(leaves)) methodsByPath.on('GET', path, () => methods)

  function find(incoming: IncomingMessage, path: string): FoundRoute | Response {
    // The router would take an asterisk for the root.
    if (!path.startsWith('/')) return noTarget(path)
    const method = (incoming.method === 'HEAD' ? 'GET' : incoming.method) as HTTPMethod
    const found = targets.find(method, path)
    if (found === undefined) return missing(incoming, path)
    return 'status' in found.value ? found.value : { target: found.value, params: found.params }
  }

  function missing(incoming: IncomingMessage, path: string): Response {
    const { method = '' } = incoming
    const allowed = methodsByPath.find('GET', path)?.value
    if (allowed === undefined) return noTarget(path)
    if ('status' in allowed) return allowed
    if (method === 'OPTIONS' && corsHeaders(console_origin, incoming).length > 0) {
      return { status: 204, body: undefined, headers: preflightHeaders(allowed) }
    }
    const methods = allowed.join(', ')
    const refusal = { code: 'method_not_allowed', message: `Use ${methods} here.`, field: null } as const
    return refusalResponse(refusal, ['Allow', methods])
  }

  return { find }
}

type Tree<Value> = {
  on(method: HTTPMethod, path: string, value: () => Value): void
  find(
    method: HTTPMethod,
    path: string,
  ): { readonly value: Value | Response; readonly params: Readonly<Record<string, string>> } | undefined
}

/** A tree whose handlers return their value; the handlers of the library's own errors return a response. */
function treeOf<Value>(): Tree<Value> {
  const tree = findMyWay({
    maxParamLength: paramLengthMax,
    // input.ts reads queries by the contract's schemas.
    querystringParser: () => undefined,
    onBadUrl: () => badUrl,
    onMaxParamLength: () => paramTooLong,
  })
  return {
    on: (method, path, value) => tree.on(method, path, value),
    find: (method, path) => {
      const found = tree.find(method, path)
      if (found === null || hasEmptyParam(found.params)) return undefined
      const give = found.handler as () => Value | Response
      return { value: give(), params: found.params as Record<string, string> }
    },
  }
}

/** No resource has an empty id or name, so such a path has a slash too many. Only an asterisk may stand for nothing. */
function hasEmptyParam(params: Readonly<Record<string, string | undefined>>): boolean {
  return Object.entries(params).some(([name, value]) => value === '' && name !== '*')
}

function noTarget(path: string): Response {
  const hint = path.length > 1 && path.endsWith('/') ? ' Leave out the slash at its end.' : ''
  return refusalResponse({ code: 'not_found', message: `There is nothing at ${shownPath(path)}.${hint}` })
}

function leavesOf({ endpoint, handler, stream, is_ready }: Route, readers: readonly ResourceReader[]): Leaf[] {
  const { name, method, path, other_path, also_stream } = endpoint
  const target: RouteTarget = { name, endpoint, handler, is_ready, trail: trailOf(endpoint, readers), pace: 'whole' }
  const leaves = [path, other_path].filter((one) => one !== undefined).map((one) => ({ method, path: one, target }))
  if (!also_stream || !stream) return leaves
  const streaming: RouteTarget = { ...target, name: also_stream.name, handler: stream, is_ready: false }
  return [...leaves, { method, path: also_stream.path, target: streaming }]
}

function leafOfTransfer({ name, method, path, run, is_page = false }: TransferRoute): Leaf {
  const handler: EndpointHandler = transferHandler(run)
  const pace = is_page ? 'whole' : 'moving'
  const target: RouteTarget = { name, endpoint: undefined, handler, is_ready: false, is_page, pace }
  return { method, path, target }
}

/** The methods of each path. All parameters get the same name, because names do not distinguish paths. */
function methodsByPattern(leaves: readonly Leaf[]): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { method, path } of leaves) {
    const shape = path.replaceAll(/:[a-z_]+/g, ':parameter')
    methods.set(shape, [...(methods.get(shape) ?? []), method])
  }
  for (const allowed of methods.values()) if (allowed.includes('GET')) allowed.push('HEAD')
  return methods
}
