/** The client: every operation of the contract as a method, in groups by noun. */
import { exportUsage } from '../../api/src/billing/exports.ts'
import { endpoints } from '../../api/src/contract.ts'
import { listEvents } from '../../api/src/events/events.ts'
import { type LogChunk, listInstanceLogs } from '../../api/src/fleet/instance-access.ts'
import type { Endpoint } from '../../api/src/kit/endpoint.ts'
import { callOf, type RequestOptions } from './call.ts'
import type { Groups, Query } from './client-types.ts'
import { environmentDefaults } from './environment.ts'
import { BourseError } from './errors.ts'
import { type Event, type EventSource, type FollowOptions, follow } from './follow.ts'
import { type FollowLogsOptions, followLogs, type OpenLogs } from './follow-logs.ts'
import { placements } from './naming.ts'
import { listCall } from './page.ts'
import { prepare, splitArguments } from './request.ts'
import { createTransport, type Logger, newMark, type Send } from './transport.ts'
import { verifyWebhook } from './verify-webhook.ts'
import { type Instance, type WaitOptions, waitUntil } from './wait-until.ts'

/** The options of a client. In Node, address and token default to the environment. */
export type ClientOptions = {
  /** Default: `BOURSE_API_TOKEN`. An empty text means no token, for the few operations that need none. */
  readonly token?: string | undefined
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

/** A client of one server. It holds no connection or timer between calls, so it has no `close`. */
export type Client = Groups & {
  readonly events: {
    /** Iterates over the existing and all future events; see {@link follow}. */
    follow(options?: FollowOptions): AsyncGenerator<Event, void, void>
  }
  readonly webhooks: {
    /** Verifies a message that a webhook delivered; see {@link verifyWebhook}. Needs no request. */
    readonly verify: typeof verifyWebhook
  }
  readonly usage: {
    /** Iterates over the bytes of an export as they arrive, so that one of any size fits into memory. */
    exportBytes(query: Query<'export_usage'>, options?: RequestOptions): AsyncGenerator<Uint8Array, void, void>
  }
  readonly instances: {
    /** Iterates over the existing and all future console output of an instance; see {@link followLogs}. */
    followLogs(
      id: Instance['id'] | `svc:instance:${string}`,
      options?: FollowLogsOptions,
    ): AsyncGenerator<LogChunk, void, void>
    /** Waits until an instance is in a state; see {@link waitUntil}. */
    waitUntil(
      id: Instance['id'] | `svc:instance:${string}`,
      state: Instance['state'],
      options?: WaitOptions,
    ): Promise<Instance>
  }
}

type Method = (...given: unknown[]) => unknown

/** Creates a client. Throws BourseError if the address or the token is malformed. */
export function createClient(options: ClientOptions = {}): Client {
  const surroundings = environmentDefaults()
  const token = (options.token ?? surroundings.token) || undefined
  const send = createTransport({
    baseUrl: options.baseUrl ?? surroundings.baseUrl ?? 'http://127.0.0.1:8080',
    token,
    timeout: options.timeout ?? 90_000,
    maxRetries: options.maxRetries ?? 2,
    fetch: options.fetch,
    logger: options.logger ?? {},
  })
  const groups: Record<string, Record<string, Method>> = {}
  const places = placements(endpoints.map(({ name }) => name))
  const sendOwn = token === undefined ? refuseWithoutToken(send) : send
  for (const endpoint of endpoints) {
    const { noun, verb } = places.get(endpoint.name) ?? { noun: '', verb: '' }
    groups[noun] = {
      ...groups[noun],
      [verb]: methodOf(endpoint, sendOwn),
    }
  }
  const streams = { logsOf: logOpener(sendOwn), openEvents: eventOpener(sendOwn), exportBytes: exporter(sendOwn) }
  return withWaiters(groups as unknown as Groups, streams)
}

/** Opens the stream of events. */
function eventOpener(send: Send): EventSource['open'] {
  return async (query, after, options) => {
    const headers = after === undefined ? {} : { 'last-event-id': after }
    const split = { params: {}, body: undefined, query, options: { ...options, headers } }
    const reply = await send({ ...prepare(listEvents, split, newMark), streams: true }, options)
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
    const { data } = await send({ ...prepare(listInstanceLogs, split, newMark), streams: true }, options)
    return (data ?? undefined) as ReadableStream<Uint8Array> | undefined
  }
}

/** Streams exports. */
function exporter(send: Send): Client['usage']['exportBytes'] {
  return async function* (query, options = {}) {
    const headers = { accept: '*/*' }
    const split = { params: {}, body: undefined, query, options: { ...options, headers } }
    const { data } = await send({ ...prepare(exportUsage, split, newMark), streams: true }, options)
    const reader = (data as ReadableStream<Uint8Array>).getReader()
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
    } finally {
      await reader.cancel()
    }
  }
}

type Streams = {
  readonly logsOf: (id: string) => OpenLogs
  readonly openEvents: EventSource['open']
  readonly exportBytes: Client['usage']['exportBytes']
}

function withWaiters(groups: Groups, { logsOf, openEvents, exportBytes }: Streams): Client {
  const source = {
    list: groups.events.list,
    open: openEvents,
    now: async (options: object) => (await groups.account.get(options)).server.now,
  }
  return {
    ...groups,
    events: { ...groups.events, follow: (options) => follow(source, options) },
    webhooks: { ...groups.webhooks, verify: verifyWebhook },
    usage: { ...groups.usage, exportBytes },
    instances: {
      ...groups.instances,
      followLogs: (id, options) => followLogs(logsOf(id), options),
      waitUntil: (id, state, options) => waitUntil((own) => groups.instances.get(id, own), state, options),
    },
  }
}

function methodOf(endpoint: Endpoint, send: Send): Method {
  const isList = endpoint.name.startsWith('list_')
  const { properties } = endpoint.query
  const ways = { forward: 'starting_after' in properties, backward: 'ending_before' in properties }
  return (...given) => {
    const split = splitArguments(endpoint, given)
    const { options } = split
    const sent = async (query: typeof split.query) => send(prepare(endpoint, { ...split, query }, newMark), options)
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
