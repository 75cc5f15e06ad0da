/** Renders the results of operations: JSON, plain text, or a list as CSV. */
import { csvOf } from '@bourse/text/csv.ts'
import { checkOf } from '../base/validate.ts'
import type { AnyEndpoint, Edge, Response } from './request-context.ts'
import { jsonResponse } from './response.ts'

type Render = (edge: Edge, result: unknown) => Response

/**
 * A ready JSON body, and ASCII text to send before it, for bodies of which most is shared with other responses.
 * `half_price` marks an empty page of events.
 */
export type Bytes = { readonly body: Buffer; readonly lead?: string; readonly half_price?: boolean }

/** Renders the results of one endpoint. */
export function renderer(endpoint: AnyEndpoint): Render {
  const headers = ownHeaders(endpoint)
  const check = bodyCheck(endpoint)
  const { success, response, media_type, may_be_empty } = endpoint
  return (edge, result) => {
    if (result === undefined && may_be_empty) return { status: 204, body: undefined, headers }
    if (response === undefined) return { status: success, body: undefined, headers }
    if (media_type !== 'application/json') return textResponse(endpoint, result)
    const rendered = jsonResponse(success, result, headers)
    if (edge.check_responses) check(rendered.body)
    return rendered
  }
}

/** In tests: throws where a body breaks the endpoint's schema. */
export function bodyCheck(endpoint: AnyEndpoint): (body: Buffer | undefined) => void {
  if (endpoint.response === undefined) return () => {}
  const check = checkOf(endpoint.response)
  return (body) => {
    const details = check(JSON.parse(String(body)))
    if (details) throw new Error(`The response of ${endpoint.name} breaks its schema: ${JSON.stringify(details)}`)
  }
}

/** The headers of every response of an endpoint. */
export function ownHeaders({ no_store }: AnyEndpoint): string[] {
  return no_store ? ['Cache-Control', 'no-store'] : []
}

function textResponse({ success, media_type }: AnyEndpoint, result: unknown): Response {
  return { status: success, body: Buffer.from(String(result)), headers: [], media_type: `${media_type}; charset=utf-8` }
}

type ListRows = Record<string, unknown>[]
type RenderedList = {
  readonly data?: ListRows
  readonly lines?: ListRows
  readonly has_more?: boolean
  readonly cursor?: string
}
type RowsSchema = { readonly items: { readonly properties: object } }

/**
 * The same page as CSV, or the lines of an object that has some. The cursor, which JSON holds beside its rows, is in a
 * header (RFC 8288).
 */
export function csvResponse({ path, response }: AnyEndpoint, list: unknown, queryText: string): Response {
  const { data, lines = [], has_more, cursor } = list as RenderedList
  const { properties } = response as { properties: { data?: RowsSchema; lines?: RowsSchema } }
  const rows = properties.data ?? properties.lines
  const columns = Object.keys(rows?.items.properties ?? {}).filter((name) => name !== 'object')
  const query = new URLSearchParams(queryText)
  const way = query.has('ending_before') ? 'ending_before' : 'starting_after'
  if (cursor !== undefined) query.set(way, cursor)
  const headers = has_more ? ['Link', `<${path}?${query}>; rel="next"`] : []
  const body = Buffer.from(csvOf(data ?? lines, columns))
  return { status: 200, body, headers, media_type: 'text/csv; charset=utf-8; header=present' }
}

/** The response in a form that the client accepts. */
export function varying(response: Response): Response {
  return { ...response, headers: [...response.headers, 'Vary', 'Accept'] }
}
