/**
 * Serves one request from its head to its log line. `stages` lists all stages in order. A stage reads and fills in the
 * request context. It returns undefined to continue, a response to skip the remaining stages, or `ended` where no
 * response can be sent. It returns a promise only where it has to wait: a read of ready bytes passes all stages in one
 * turn of the event loop.
 * Not this file's work: connections (connections.ts), endpoints (routes.ts).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { codesOf } from '@bourse/api/kit/endpoint.ts'
import { createRequestRecorder, isRefusedByRights } from '../audit/request-entries.ts'
import { monotonicMilliseconds } from '../base/clock.ts'
import { isInNetworks } from '../base/networks.rules.ts'
import { isRefusal, type RefusalData, throwIfRefused } from '../base/refusal.ts'
import { isUnavailable, unavailable } from '../db/db.ts'
import type { Caller } from '../work/ctx.ts'
import { countFailure, endSpan, logAccess, reportBug } from './access-log.ts'
import { bringsBody, readBody } from './body.ts'
import { refuseHost, refuseName, takeAbsoluteForm } from './connections.ts'
import { addressOf, addressRefusal, agentRefusal, bearerToken, credentialOf, unauthenticated } from './credentials.ts'
import { ownerOf, refuseStream, refuseUnread, sendContent, sendStream } from './long-responses.ts'
import { type DelayKind, networkOf, type RateVerdict, rateLimited } from './rate-limits.ts'
import { recordedRequestOf } from './replay.ts'
import type { Edge, Handled, RawInput, RequestContext, Response, RouteTarget } from './request-context.ts'
import { refusalResponse, sendWhole } from './response.ts'

type StageOutcome = Handled | undefined
type PipelineStage = (context: RequestContext) => StageOutcome | Promise<StageOutcome>

const stages: readonly PipelineStage[] = [
  route, // 404, 405, HEAD, OPTIONS, and 403 for a name that is none of this server
  beginSpan, // begins the span of the request, where traces are on
  waitWhileReplaced, // 503 while the world is being replaced
  authenticate, // 401, and 403 from a network that the token does not allow
  takeRate, // 429 by the rate of a token and its account
  waitForBody, // holds an account or a host that sends many large bodies
  checkTrust, // 403 of a limited token that may not call the operation, 401 of an old sign-in
  takePlace, // 429 by the number of concurrent requests of an account
  injectFault, // faults of the sandbox
  takeBody, // 413
  run, // validate, run the operation, render its result
]

const noInput: RawInput = { params: Object.freeze({}), query: '', body: undefined }
/** Longer URLs are routed and validated each time. */
const readyUrlLengthMax = 512

/** Serves one request. */
export function serve(edge: Edge, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const context = openContext(edge, incoming, outgoing)
  edge.connections.begin(context, () => advance(context, 0))
}

function advance(context: RequestContext, from: number): void {
  for (let at = from; at < stages.length; at++) {
    const outcome = pass(context, stages[at] as PipelineStage)
    if (outcome instanceof Promise) {
      const goOn = (settled: StageOutcome) => (settled === undefined ? advance(context, at + 1) : end(context, settled))
      outcome.then(goOn, (error) => respond(context, responseToThrown(context, error)))
      return
    }
    if (outcome !== undefined) {
      end(context, outcome)
      return
    }
  }
}

function pass(context: RequestContext, stage: PipelineStage): StageOutcome | Promise<StageOutcome> {
  try {
    return stage(context)
  } catch (error) {
    return responseToThrown(context, error)
  }
}

function end(context: RequestContext, outcome: Handled): void {
  if (outcome === 'ended') leave(context)
  else respond(context, outcome)
}

function openContext(edge: Edge, incoming: IncomingMessage, outgoing: ServerResponse): RequestContext {
  const sent = incoming.headers['x-request-id']
  const isKept = typeof sent === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(sent)
  return {
    edge,
    request_id: isKept ? sent : edge.newRequestId(),
    started: monotonicMilliseconds(),
    incoming,
    outgoing,
    address: addressOf(edge, incoming),
    target: undefined,
    raw: noInput,
    caller: undefined,
    agent: undefined,
    rate: undefined,
    release: undefined,
    cut: undefined,
    span: undefined,
    failure: undefined,
  }
}

function route(context: RequestContext): StageOutcome | Promise<StageOutcome> {
  const { edge, incoming } = context
  const outcome = refuseHost(incoming) ?? routeByUrl(context) ?? refuseName(context)
  edge.body_timeouts.follow(context, context.target?.pace ?? 'whole')
  const { target } = context
  if (target !== undefined && target.endpoint?.access !== 'public' && !target.is_page) return outcome
  const sender = networkOf(context.address)
  const settled = holdExcess(context, outcome, { kind: 'open', sender })
  if (target === undefined) context.rate = edge.rate_limits.peekOpen(sender)
  return settled
}

type Excess = { readonly kind: DelayKind; readonly sender: string }

/** Holds a request of a sender that sends more than anybody needs, before its body is read. */
function holdExcess(
  context: RequestContext,
  outcome: StageOutcome,
  { kind, sender }: Excess,
): StageOutcome | Promise<StageOutcome> {
  return hold(context, outcome, context.edge.rate_limits.delayOf(kind, sender))
}

/** Ends a stage with its outcome, but later. Where too many requests are held already, the connection closes. */
function hold(
  context: RequestContext,
  outcome: StageOutcome,
  milliseconds: number,
): StageOutcome | Promise<StageOutcome> {
  if (milliseconds === 0) return outcome
  const held = context.edge.delays.hold(milliseconds)
  if (held !== undefined) return held.then(() => outcome)
  cutConnection(context)
  return 'ended'
}

/** Callers of ready bytes repeat the same URL, so URLs that were validated skip the router. */
function routeByUrl(context: RequestContext): StageOutcome {
  const { edge, incoming } = context
  if (!incoming.url?.startsWith('/')) takeAbsoluteForm(incoming)
  const { url = '' } = incoming
  const ready = incoming.method === 'GET' ? edge.ready_urls.get(url) : undefined
  if (ready !== undefined) {
    context.target = ready.target
    context.raw = ready.raw
    return undefined
  }
  const at = url.indexOf('?')
  const found = edge.router.find(incoming, at < 0 ? url : url.slice(0, at))
  if ('status' in found) return found
  context.target = found.target
  context.raw = { params: found.params, query: at < 0 ? '' : url.slice(at + 1), body: undefined }
  return undefined
}

/** What probes and scrapers ask all the time. */
const untraced = new Set(['get_health', 'get_readiness', 'get_metrics'])

function beginSpan(context: RequestContext): undefined {
  const { edge, incoming, target, request_id } = context
  const { tracing } = edge.runtime
  if (!tracing || !target || untraced.has(target.name)) return undefined
  const { method = '', headers } = incoming
  const route = target.endpoint?.path ?? target.name
  const sent = headers.traceparent
  context.span = tracing.begin(`${method} ${route}`, {
    kind: 'request',
    traceparent: typeof sent === 'string' ? sent : undefined,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'bourse.operation': target.name,
      'bourse.request_id': request_id,
    },
  })
  return undefined
}

function waitWhileReplaced({ edge, target }: RequestContext): StageOutcome | Promise<StageOutcome> {
  const endpoint = target?.endpoint
  if (!edge.waitForWorld || !endpoint || endpoint.access === 'public') return undefined
  const pending = edge.waitForWorld(endpoint)
  return pending?.then((refusal) => (refusal === undefined ? undefined : refusalResponse(refusal)))
}

function authenticate(context: RequestContext): StageOutcome | Promise<StageOutcome> {
  const { edge, incoming, target } = context
  const access = target?.endpoint?.access
  if (access === undefined || access === 'public') return undefined
  if (access === 'agent') return authenticateAgent(context, bearerToken(incoming))
  const token = credentialOf(incoming, edge.runtime)
  const caller = token === undefined ? undefined : edge.gate.authenticate(token)
  if (caller instanceof Promise) return caller.then((known) => admitCaller(context, known))
  return admitCaller(context, caller)
}

function admitCaller(context: RequestContext, caller: Caller | undefined): StageOutcome | Promise<StageOutcome> {
  context.caller = caller
  if (caller) return refuseAddress(context, caller)
  // The world may have been removed since the request passed the previous stage. Then every token is unknown.
  const pending = waitWhileReplaced(context)
  if (pending instanceof Promise) return pending.then((refusal) => refusal ?? authenticate(context))
  return refuseUnknown(context, unauthenticated(context, 'Send a valid API token as Authorization: Bearer <token>.'))
}

/** Refuses a token that is limited to other networks than that of the client. */
function refuseAddress(context: RequestContext, caller: Caller): StageOutcome | Promise<StageOutcome> {
  const { limits, token_id } = caller
  const networks = limits?.networks
  if (!networks || isInNetworks(context.address, networks)) return undefined
  context.rate = peekRate(context, caller)
  const refusal = addressRefusal(context, token_id)
  if (refusal.retry_after_seconds === undefined) recordForeignUse(context, refusal)
  context.caller = undefined
  return refuseUnknown(context, refusal)
}

/** Adds the use of a token from a network that it does not allow to the audit trail, whatever it was used for. */
function recordForeignUse(context: RequestContext, refusal: RefusalData): void {
  const [endpoint, request] = [context.target?.endpoint, recordedRequestOf(context, undefined)]
  if (!endpoint || !request) return
  context.edge.runtime.services.audit_queue.add(createRequestRecorder(endpoint).refused(request, refusal))
}

async function authenticateAgent(context: RequestContext, token: string | undefined): Promise<StageOutcome> {
  const { edge } = context
  const agent = token === undefined ? undefined : await edge.agents?.authenticate(token)
  if (agent === undefined || agent === 'retired') return refuseUnknown(context, agentRefusal(context, agent))
  context.agent = agent
  return undefined
}

function refuseUnknown(context: RequestContext, refusal: RefusalData): StageOutcome | Promise<StageOutcome> {
  const response = refusalResponse(refusal)
  if (refusal.retry_after_seconds === undefined) return response
  return holdExcess(context, response, { kind: 'refused', sender: networkOf(context.address) })
}

/** Draws from the buckets of the token and its account, or from that of a host's reports. */
function takeRate(context: RequestContext): StageOutcome | Promise<StageOutcome> {
  const { edge, caller, agent, target } = context
  if (!target?.endpoint) return undefined
  const { rate } = target.endpoint
  if (agent && rate === 'reports') {
    context.rate = edge.rate_limits.takeReport(agent.host_id)
    if (context.rate.allowed) return undefined
    return holdExcess(context, refusalResponse(rateLimited(context.rate)), { kind: 'refused', sender: agent.host_id })
  }
  if (!caller) return undefined
  if (rate === 'none' || rate === 'reports') {
    context.rate = peekRate(context, caller)
    return undefined
  }
  const { token_id, account_id } = caller
  context.rate = edge.rate_limits.take({ rate, token_id, account_id })
  if (context.rate.allowed) return undefined
  return holdExcess(context, refusalResponse(rateLimited(context.rate)), { kind: 'refused', sender: account_id })
}

/** The bucket of the caller, without drawing from it. Operations without one of their own show that of writes. */
function peekRate({ edge, target }: RequestContext, { token_id, account_id }: Caller): RateVerdict {
  const rate = target?.endpoint?.rate
  const shown = rate === undefined || rate === 'none' || rate === 'reports' ? 'write' : rate
  return edge.rate_limits.peek({ rate: shown, token_id, account_id })
}

/** Checking a body costs about as much as its length, and is not shared out among accounts otherwise. */
function waitForBody(context: RequestContext): StageOutcome | Promise<StageOutcome> {
  const { edge, incoming, caller, agent, target } = context
  const sender = caller?.account_id ?? agent?.host_id
  if (sender === undefined || target?.endpoint?.body === undefined || !bringsBody(incoming)) return undefined
  const length = incoming.headers['content-length']
  const bytes = length === undefined ? target.endpoint.body_bytes_max : Number(length)
  return hold(context, undefined, edge.rate_limits.delayOfBody(sender, bytes))
}

/** Refuses a caller who does not meet what the operation asks besides rights (packages/api/src/trust.ts). */
function checkTrust({ edge, caller, target }: RequestContext): StageOutcome | Promise<StageOutcome> {
  const refusal = caller && target?.endpoint && edge.gate.refusalOf(caller, target.endpoint.name)
  if (refusal instanceof Promise) return refusal.then(passUnless)
  return passUnless(refusal)
}

function passUnless(refusal: RefusalData | undefined): undefined {
  throwIfRefused(refusal)
}

/** Waits for one of the places of the account or the host. Operations without a rate, such as long polls, take none. */
function takePlace(context: RequestContext): StageOutcome | Promise<StageOutcome> {
  const { edge, caller, agent, target } = context
  if (target?.endpoint === undefined || target.endpoint.rate === 'none') return undefined
  const place = caller ? edge.concurrency.enter(caller.account_id) : agent && edge.agents?.places.enter(agent.host_id)
  if (place instanceof Promise) {
    return place.then((release) => {
      context.release = release
      return undefined
    })
  }
  context.release = place
  return undefined
}

function injectFault(context: RequestContext): StageOutcome | Promise<StageOutcome> {
  const { edge, caller, agent, target } = context
  if (!target?.endpoint || (!caller && !agent)) return undefined
  const pending = edge.injectFault?.(target.endpoint)
  return pending?.then((fault) => {
    if (fault?.refusal) return refusalResponse(fault.refusal)
    context.cut = fault?.cut
    if (context.cut !== 'before') return undefined
    cutConnection(context)
    return 'ended'
  })
}

/** Operations without a body ignore a body that is sent. */
function takeBody(context: RequestContext): StageOutcome | Promise<StageOutcome> {
  const endpoint = context.target?.endpoint
  if (endpoint?.body === undefined) return undefined
  const reading = readBody(context.incoming, endpoint.body_bytes_max)
  return reading?.then((body) => {
    // The client has disconnected, or already has its response because the body timed out or was not HTTP.
    if (body === 'ended' || context.outgoing.writableEnded) return 'ended'
    if (!Buffer.isBuffer(body)) return body
    context.raw = { ...context.raw, body }
    return undefined
  })
}

function run(context: RequestContext): Handled | Promise<Handled> {
  const { target, raw } = context
  if (!target) throw new Error('A request that has no target has its response.')
  const isNew = target.is_ready && raw.validated === undefined
  let handled: Handled | Promise<Handled>
  try {
    handled = target.handler(context, raw)
  } catch (error) {
    return currentOf(context, responseToThrown(context, error))
  }
  if (isNew && raw.validated !== undefined) keepReadyUrl(context, target)
  if (!(handled instanceof Promise)) return currentOf(context, handled)
  return handled.then(
    (response) => currentOf(context, response),
    (error) => currentOf(context, responseToThrown(context, error)),
  )
}

function keepReadyUrl({ edge, incoming, raw }: RequestContext, target: RouteTarget): void {
  const { url = '', method } = incoming
  if (method === 'GET' && url.length <= readyUrlLengthMax) edge.ready_urls.set(url, { target, raw })
}

/** The response, or a refusal where it shows a world that has since been replaced. Writes keep theirs. */
function currentOf({ edge, target, started }: RequestContext, handled: Handled): Handled {
  const endpoint = target?.endpoint
  if (handled === 'ended' || !edge.refuseIfOutdated || !endpoint || endpoint.access === 'public') return handled
  if (handled.status < 400 && endpoint.method !== 'GET') return handled
  const refusal = edge.refuseIfOutdated(endpoint, started)
  return refusal === undefined ? handled : refusalResponse(refusal)
}

/** Sends the response of a request and logs it, unless the connection has closed or a fault cuts it. */
export function respond(context: RequestContext, response: Response): void {
  const { outgoing } = context
  // The connection refers to its newest request for as long as it is idle. A small body shares a buffer of 64 KiB.
  context.raw = noInput
  if (outgoing.writableEnded || outgoing.destroyed) {
    leave(context)
    return
  }
  if (context.cut) {
    cutConnection(context)
    return
  }
  try {
    send(context, response)
  } catch (error) {
    // A response that cannot be written is a bug. Only this request may fail because of it.
    leave(context)
    reportBug(context, error)
    outgoing.destroy()
  }
}

function send(context: RequestContext, response: Response): void {
  const refused = response.stream ? refuseStream(context, response.stream) : refuseUnread(context, response)
  const { stream, content, status } = refused ?? response
  if (stream || content?.size_bytes !== undefined) releasePlace(context)
  if (stream) sendStream(context, response, stream)
  else if (content) sendContent(context, response, content)
  else {
    sendWhole(context, refused ?? response)
    const { edge, incoming, outgoing, address } = context
    const release = () => releasePlace(context)
    edge.unsent_responses.follow({ outgoing, socket: incoming.socket, owner: ownerOf(context), release })
    const isOpen = context.caller === undefined && context.agent === undefined
    if (isOpen) edge.rate_limits.chargeResponse(address, response.body?.length ?? 0)
  }
  logAccess(context, status)
}

/** The response to what a stage threw: the response of its refusal, or the response to a bug. */
function responseToThrown(context: RequestContext, thrown: unknown): Response {
  // Some code reads the database outside of a command or query.
  const error = !isRefusal(thrown) && isUnavailable(thrown) ? unavailable(thrown) : thrown
  if (!isRefusal(error)) return reportBug(context, error)
  recordRefusal(context, error.data)
  if (error.code === 'unavailable' && error.cause) countFailure(context, error.cause)
  const endpoint = context.target?.endpoint
  if (context.edge.check_responses && endpoint && !codesOf(endpoint).includes(error.code)) {
    return reportBug(context, new Error(`${endpoint.name} does not list the code ${error.code}.`))
  }
  return refusalResponse(error.data)
}

/** Adds a refusal for lack of rights to the audit trail. Its transaction is rolled back, so the entry is queued. */
function recordRefusal(context: RequestContext, refusal: RefusalData): void {
  const trail = context.target?.trail
  const request = trail && isRefusedByRights(refusal) ? recordedRequestOf(context, undefined) : undefined
  if (trail && request) context.edge.runtime.services.audit_queue.add(trail.recorder.refused(request, refusal))
}

function releasePlace(context: RequestContext): void {
  context.release?.()
  context.release = undefined
}

/** Ends a request that gets no response. */
function leave(context: RequestContext): void {
  releasePlace(context)
  endSpan(context)
}

function cutConnection(context: RequestContext): void {
  leave(context)
  context.incoming.socket.destroy()
}
