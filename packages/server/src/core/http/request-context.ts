/**
 * The types that the files of the HTTP edge share: a request in the pipeline, its endpoint, its response, and the
 * server that received it. Types only; every other file of this folder may import this one.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import type { SentReference } from '@bourse/api/kit/references.ts'
import type { TObject, TSchema } from '@bourse/api/kit/schema.ts'
import type { RequestTrail } from '../audit/request-trail.ts'
import type { Delays } from '../base/delays.ts'
import type { Network } from '../base/networks.rules.ts'
import type { RecentCache } from '../base/recent-cache.ts'
import type { RefusalData } from '../base/refusal.ts'
import type { FailureCause } from '../db/failure-causes.ts'
import type { ProxyHeader } from '../proxies/client-address.rules.ts'
import type { TraceSpan } from '../trace/spans.ts'
import type { Concurrency } from '../work/concurrency.ts'
import type { AgentCaller, AskedRight, Caller, Ctx } from '../work/ctx.ts'
import type { FairQueue } from '../work/fair-queue.ts'
import type { Runtime } from '../work/runtime.ts'
import type { StreamSource, Streams } from './event-stream.ts'
import type { RateLimits, RateVerdict } from './rate-limits.ts'
import type { RefusalSums } from './refusal-sums.ts'
import type { UnsentResponses } from './unsent-responses.ts'

/** An endpoint of the contract with any schemas. */
export type AnyEndpoint = Endpoint<TObject, TObject, TSchema, TSchema>

/** One request in the pipeline. The stages fill in the mutable fields. */
export type RequestContext = {
  readonly edge: Edge
  readonly request_id: string
  /** Monotonic milliseconds at which the request arrived. */
  readonly started: number
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** The address of the client, or of the proxy in front that is not trusted. Empty: the connection has gone. */
  readonly address: string
  /** The endpoint of the request. Undefined until it is routed, and where the route does not exist. */
  target: RouteTarget | undefined
  raw: RawInput
  caller: Caller | undefined
  agent: AgentCaller | undefined
  rate: RateVerdict | undefined
  /** Releases the request's place among the concurrent requests of its account. */
  release: (() => void) | undefined
  /** Where a fault of the sandbox cuts the connection. */
  cut: InjectedFault['cut']
  /** Undefined where traces are off, until the request is routed, and for what probes ask. */
  span: TraceSpan | undefined
  /** What the database could not do, where the request is refused for that. */
  failure: FailureCause | undefined
}

/** The input before validation. */
export type RawInput = {
  readonly params: Readonly<Record<string, string>>
  /** The text after the question mark. */
  readonly query: string
  readonly body: Buffer | undefined
  /** The validated input, where this raw input is kept for the next request with the same URL. */
  validated?: unknown
  /** A value that the operation caches for the next request with the same URL. */
  kept?: unknown
}

/** The facts about a request besides its input. */
export type PlainRequest = {
  readonly caller: Caller | undefined
  readonly agent: AgentCaller | undefined
  readonly request_id: string
  readonly incoming: IncomingMessage
  readonly address: string
  /** Records the request with a transaction of its own; otherwise it is recorded afterwards. */
  readonly record?: (ctx: Ctx, result: unknown) => void
}

/** Serves the requests of one method and path. */
export type RouteTarget = {
  /** The name in logs and measurements. */
  readonly name: string
  /** Undefined for transfers, which are not operations of the contract. */
  readonly endpoint: AnyEndpoint | undefined
  readonly handler: EndpointHandler
  /** Whether a GET that succeeds may be served by its URL the next time, without routing and validation. */
  readonly is_ready: boolean
  /** Records the requests in the audit trail. Undefined: they are not recorded. */
  readonly trail?: RequestTrail | undefined
  /** A page for people, which anybody may ask for. */
  readonly is_page?: boolean
  readonly pace: BodyPace
}

/**
 * Validates the raw input, runs the operation and renders its result. `ended`: the client has disconnected, and no
 * response can be sent.
 */
export type EndpointHandler = (context: RequestContext, raw: RawInput) => Handled | Promise<Handled>
export type Handled = Response | 'ended'

/** A response that is ready to be sent. */
export type Response = {
  readonly status: number
  readonly body: Buffer | undefined
  /** ASCII text that is sent before the body, for bodies of which most is shared with other responses. */
  readonly lead?: string
  readonly headers: readonly string[]
  /** JSON where it is not set. */
  readonly media_type?: string
  /** An event stream in place of a body. */
  readonly stream?: ResponseStream
  /** A body that is sent in pieces. */
  readonly content?: ResponseContent
  /** Closes the connection. */
  readonly closes?: boolean
}

/**
 * A body that is sent in pieces, each produced when its reader has taken those before it. Without a size it is sent in
 * chunks, and the request keeps its place until it ends.
 */
export type ResponseContent = {
  readonly size_bytes: number | undefined
  readonly open: () => AsyncIterable<Uint8Array>
  readonly is_packed?: boolean
}

export type ResponseStream = {
  readonly source: StreamSource
  /** How many streams the account may have open; null = no limit. */
  readonly streams_max: number | null
  /** The rights under which the stream was opened. The stream ends when one is revoked. */
  readonly asked: readonly AskedRight[]
}

/** The time that a body timeout measures: the time since the request began, or since bytes last moved. */
export type BodyPace = 'whole' | 'moving'

/** The tokens of the API. */
export type TokenGate = {
  /** The caller behind a token; undefined for 401. Not a promise where the token is cached. */
  authenticate(token: string): Caller | undefined | Promise<Caller | undefined>
  /** What an operation asks of a caller besides rights, where the caller does not meet it. */
  refusalOf(caller: Caller, operation: string): RefusalData | undefined | Promise<RefusalData | undefined>
  /** Refuses unless the caller now holds every right under which a stored response was given. */
  recheck(ctx: Pick<Ctx, 'caller'>, asked: readonly AskedRight[]): void
}

/** The tokens of the agents of hosts. */
export type AgentGate = {
  /** The host behind a token that its agent signed; undefined if there is none. */
  authenticate(token: string): Promise<AgentCaller | 'retired' | undefined>
  /** How many requests of one host run at a time. */
  readonly places: Concurrency
}

/** A fault of the sandbox on one request: a refusal in place of the response, or a cut of the connection. */
export type InjectedFault = { readonly refusal?: RefusalData; readonly cut?: 'before' | 'after' }

/** The dependencies of the edge, besides its routes. */
export type EdgeOptions = {
  readonly runtime: Runtime
  readonly gate: TokenGate
  readonly agents?: AgentGate
  readonly rate_limits: RateLimits
  readonly concurrency: Concurrency
  /** The turns of the accounts at the database, for commands and for queries. */
  readonly turns: { readonly commands: FairQueue; readonly queries: FairQueue }
  readonly streams: Streams
  readonly fingerprint_secret: Buffer
  /** The other forms, id or path, that the references of a request have now. */
  readonly otherForms: (ctx: Ctx, sent: readonly SentReference[]) => Promise<Map<string, string[]>>
  /** Checks every response against its schema and every code against the endpoint's list. For tests. */
  readonly check_responses?: boolean
  readonly console_origin?: string
  /** The networks of proxies that say who their clients are. */
  readonly trusted_proxies?: readonly Network[]
  /** In what they say it. The default is `X-Forwarded-For`. */
  readonly proxy_header?: ProxyHeader
  /** Names that lead to this server besides that of its public URL. */
  readonly allowed_hosts?: readonly string[]
  /** Keeps the address of a proxy that nobody named, for the doctor. */
  readonly recordProxy?: (address: string) => Promise<unknown>
  /** How long a connection stays open without a request. */
  readonly keep_alive_seconds: number
  /** What every response says of the way to this server (transport.rules.ts). */
  readonly transport_headers?: readonly string[]
  /** Pauses or refuses a request before its token is read, while the world is being replaced. */
  readonly waitForWorld?: (endpoint: AnyEndpoint) => Promise<RefusalData | undefined> | undefined
  /** Refuses in place of a response that was read from a world that has been replaced since the request began. */
  readonly refuseIfOutdated?: (endpoint: AnyEndpoint, began: number) => RefusalData | undefined
  /** The fault for one authenticated request; undefined at once while no fault is set. */
  readonly injectFault?: (endpoint: AnyEndpoint) => Promise<InjectedFault | undefined> | undefined
  /** Counts each finished request. */
  readonly observe?: (operation: string, status: number, milliseconds: number) => void
}

/** One listening edge: its dependencies, and the state that its requests share. */
export type Edge = EdgeOptions & {
  readonly router: Router
  /** Requests of ready bytes by URL, already routed and validated. */
  readonly ready_urls: RecentCache<string, ReadyUrl>
  readonly connections: RequestConnections
  /** Generates the id of a request that was sent without one. */
  readonly newRequestId: () => string
  readonly body_timeouts: BodyTimeouts
  readonly delays: Delays
  readonly unsent_responses: UnsentResponses
  readonly refusal_sums: RefusalSums
  /** Notes an address whose header does not count, because nobody named it as a proxy. */
  readonly noteProxy: (peer: string) => void
  /** Set while the server drains or closes: every response then closes its connection. */
  is_closing: boolean
}

type ReadyUrl = { readonly target: RouteTarget; readonly raw: RawInput }

/** Finds the endpoint of a request. */
export type Router = {
  /** The target and the parameters in the path, or the response where there is none. */
  find(incoming: IncomingMessage, path: string): FoundRoute | Response
}

export type FoundRoute = { readonly target: RouteTarget; readonly params: Readonly<Record<string, string>> }

/** Follows the requests on each connection. */
export type RequestConnections = {
  /** Takes note of a new connection. */
  follow(socket: Socket): void
  /**
   * From now on {@link check} ends connections without a request in progress, which Node would wait for: after one
   * second those on which nothing was sent, as browsers keep them, after five seconds all.
   */
  stop(): void
  check(): void
  /** Makes a request the newest of its connection, and calls `start` when it may run. */
  begin(context: RequestContext, start: () => void): void
  /** Whether every request on a connection has its response. */
  isFree(socket: Socket): boolean
  /** Responds to an error of the HTTP parser, and closes the connection. */
  refuse(error: Error & { code?: string }, socket: Socket): void
  /** Ends a request that takes too long. */
  timeOut(context: RequestContext): void
}

/** Limits the time that bodies may take. */
export type BodyTimeouts = {
  /** Tracks a request whose body is incomplete. */
  follow(context: RequestContext, pace: BodyPace): void
  /** Ends the requests that have taken too long. */
  check(): void
  /** Ends transfers at once, and in five seconds every other request whose body is not complete. */
  stop(): void
}
