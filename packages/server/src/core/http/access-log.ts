/** Writes each finished request to the log and counts it. No token, query or name of a secret reaches the log. */
import { monotonicMilliseconds } from '../base/clock.ts'
import { recordRefusedWrite } from '../work/write-probe.ts'
import type { RequestContext, Response } from './request-context.ts'
import { bugResponse } from './response.ts'

/** Logs and counts a request that has its response. */
export function logAccess(context: RequestContext, status: number): void {
  const milliseconds = monotonicMilliseconds() - context.started
  context.edge.observe?.(context.target?.name ?? 'none', status, milliseconds)
  endSpan(context, status)
  logRequest(context, status, milliseconds)
}

/** Ends the span of a request. Without a status the client got no response. */
export function endSpan({ span, caller, agent }: RequestContext, status?: number): void {
  span?.set({
    'http.response.status_code': status,
    'bourse.account_id': caller?.account_id,
    'bourse.host_id': agent?.host_id,
  })
  if (status === undefined) span?.end('no response')
  else span?.end(status >= 500 ? String(status) : undefined)
}

/** Counts a failure of the database that refuses a request. The line of the request names its cause. */
export function countFailure(context: RequestContext, error: unknown): void {
  const { runtime } = context.edge
  context.failure = runtime.services.failures.record(error, context.request_id)
  if (context.incoming.method !== 'GET') recordRefusedWrite(runtime, error)
}

/** Logs a bug with its details and returns the response to it. */
export function reportBug({ edge, request_id, target }: RequestContext, error: unknown): Response {
  edge.runtime.log.error({ request_id, operation: target?.name, err: error }, 'A request met a bug.')
  return bugResponse()
}

function logRequest(context: RequestContext, status: number, milliseconds: number): void {
  const { edge, target, incoming, address, caller, agent, request_id, failure } = context
  const { log } = edge.runtime
  const isSummed = isRefusedUnknown(context, status)
  if (isSummed) edge.refusal_sums.add(status, address || undefined)
  // Agents report all the time, and their reports are stored elsewhere.
  const isUsual = (incoming.method === 'GET' && status < 500) || (agent !== undefined && status < 400)
  const isQuiet = isSummed || isUsual
  if (isQuiet && !log.isLevelEnabled('debug')) return
  const fields = {
    request_id,
    operation: target?.name,
    method: incoming.method,
    path: shownPath(incoming.url ?? ''),
    status,
    milliseconds: Math.round(milliseconds * 10) / 10,
    account_id: caller?.account_id,
    token_id: caller?.token_id,
    host_id: agent?.host_id,
    cause: failure,
  }
  if (isQuiet) log.debug(fields, 'request')
  else log.info(fields, 'request')
}

/** Whether a request was refused whose sender is not known. Anybody can send such requests at any rate. */
function isRefusedUnknown({ caller, agent }: RequestContext, status: number): boolean {
  return caller === undefined && agent === undefined && status >= 400 && status < 500
}

// Ids and most names are shorter, tokens and keys longer: a secret that was put into a path by mistake is not logged.
const shownLengthMax = 40

/** A path as the log and errors show it: without the query, and without parts that are long enough to be a secret. */
export function shownPath(url: string): string {
  const path = url.split('?', 1)[0] as string
  return path.slice(0, 1024).replaceAll(/[^/:]+/g, (part) => (part.length > shownLengthMax ? '(long)' : part))
}
