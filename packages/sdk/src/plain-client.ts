/** Every operation of the contract as a method, in groups by noun, without the methods that are more than a request. */
import { callOf } from './call.ts'
import type { Streams } from './client-methods.ts'
import type { OperationName } from './client-types.ts'
import { environmentDefaults } from './environment.ts'
import { BourseError, NetworkError } from './errors.ts'
import type { EventSource } from './follow.ts'
import type { OpenLogs } from './follow-logs.ts'
import { operations } from './generated/operations.ts'
import type { Groups } from './generated/types.ts'
import { placements } from './naming.ts'
import type { Operation } from './operation.ts'
import { listCall } from './page.ts'
import { prepare, splitArguments } from './request.ts'
import { createTransport, type Logger, newMark, type Send } from './transport.ts'

/** The options of a client. In Node, address and token default to the environment. */
export type ClientOptions = {
  /** Default: `BOURSE_API_TOKEN`. An empty text means no token, for the few operations that need none. */
  readonly token?: string | undefined
  /**
   * For pages that the server itself serves: requests have the session of the person who is signed in at the browser,
   * and no token. `baseUrl` is then the origin of the page.
   */
  readonly session?: boolean
  /** Default: `BOURSE_BASE_URL`, or http://127.0.0.1:8080. */
  readonly baseUrl?: string | undefined
  /** Milliseconds for one attempt. Default 90,000. */
  readonly timeout?: number
  /** Further attempts after the first. Default 2. */
  readonly maxRetries?: number
  /** Replaces the global `fetch`: for a proxy, or to record or inspect requests. */
  readonly fetch?: typeof fetch
  readonly logger?: Logger
}

type Method = (...given: unknown[]) => unknown

/**
 * The operations alone, and the streams of which `withMoreMethods` makes the other methods: a page loads those
 * when it needs them.
 */
export function createOperations(options: ClientOptions = {}): { groups: Groups; streams: Streams } {
  const surroundings = environmentDefaults()
  const session = options.session ?? false
  const token = session ? undefined : (options.token ?? surroundings.token) || undefined
  const send = createTransport({
    baseUrl: options.baseUrl ?? surroundings.baseUrl ?? 'http://127.0.0.1:8080',
    token,
    session,
    timeout: options.timeout ?? 90_000,
    maxRetries: options.maxRetries ?? 2,
    fetch: options.fetch,
    logger: options.logger ?? {},
  })
  const groups: Record<string, Record<string, Method>> = {}
  const places = placements(operations.map(({ name }) => name))
  const sendOwn = token === undefined && !session ? refuseWithoutToken(send) : send
  for (const operation of operations) {
    const { noun, verb } = places.get(operation.name) ?? { noun: '', verb: '' }
    groups[noun] = {
      ...groups[noun],
      [verb]: methodOf(operation, sendOwn),
    }
  }
  const streams = { logsOf: logOpener(sendOwn), openEvents: eventOpener(sendOwn), exporterOf: exporter(sendOwn) }
  // The type comes from the same table of operations that the groups were made from.
  return { groups: groups as unknown as Groups, streams }
}

/** Opens the stream of events. */
function eventOpener(send: Send): EventSource['open'] {
  return async (query, after, options) => {
    const headers = after === undefined ? {} : { 'last-event-id': after }
    const split = { params: {}, body: undefined, query, options: { ...options, headers } }
    const reply = await send({ ...prepare(operationNamed('list_events'), split, newMark), streams: true }, options)
    if (reply.status === 204) return 'over'
    const body = reply.data as ReadableStream<Uint8Array> | null
    if (body && reply.headers.get('content-type')?.startsWith('text/event-stream')) return body
    await body?.cancel()
    return 'unsupported'
  }
}

/** Opens the consoles of instances as streams. */
function logOpener(send: Send): (id: string) => OpenLogs {
  return (id) => async (after, options) => {
    const headers = after === undefined ? {} : { 'last-event-id': String(after) }
    const split = { params: { id }, body: undefined, query: {}, options: { ...options, headers } }
    const { data } = await send(
      { ...prepare(operationNamed('list_instance_logs'), split, newMark), streams: true },
      options,
    )
    return (data ?? undefined) as ReadableStream<Uint8Array> | undefined
  }
}

/** Streams exports. */
function exporter(send: Send): Streams['exporterOf'] {
  return (name) =>
    async function* (query, options = {}) {
      const headers = { accept: '*/*' }
      const split = { params: {}, body: undefined, query, options: { ...options, headers } }
      const reply = await send({ ...prepare(operationNamed(name), split, newMark), streams: true }, options)
      const { requestId = '' } = reply
      const reader = (reply.data as ReadableStream<Uint8Array>).getReader()
      const next = () =>
        reader.read().catch((cause) => {
          options.signal?.throwIfAborted()
          throw new NetworkError('The connection broke before the end of the export.', { requestId, cause })
        })
      try {
        for (let read = await next(); !read.done; read = await next()) yield read.value
      } finally {
        // One that broke cannot be cancelled, which is no second error.
        await reader.cancel().catch(() => {})
      }
    }
}

function operationNamed(name: OperationName): Operation {
  const operation = operations.find((one) => one.name === name)
  if (!operation) throw new Error(`There is no operation ${name}.`)
  return operation
}

function methodOf(operation: Operation, send: Send): Method {
  const isList = operation.name.startsWith('list_')
  const { query: parameters = [] } = operation
  const ways = { forward: parameters.includes('starting_after'), backward: parameters.includes('ending_before') }
  return (...given) => {
    const split = splitArguments(operation, given)
    const { options } = split
    const sent = async (query: typeof split.query) => send(prepare(operation, { ...split, query }, newMark), options)
    return isList ? listCall(sent, split.query, ways) : callOf(sent(split.query), ({ data }) => data)
  }
}

/** Fails without a request if the token is missing, because the server would refuse it. */
function refuseWithoutToken(send: Send): Send {
  return async (request, options) => {
    if (request.isPublic) return send(request, options)
    throw new BourseError('The API token is missing. Pass `token` or set BOURSE_API_TOKEN.')
  }
}
