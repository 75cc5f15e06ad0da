/** The CORS headers (cross-origin requests) for a console that is served from another origin. */
import type { IncomingMessage } from 'node:http'

const exposedHeaders =
  'X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, Retry-After, ' +
  'Idempotency-Replayed, ETag, X-Error-Code'
const sentHeaders = 'Authorization, Content-Type, Idempotency-Key, X-Request-Id, Last-Event-ID'
const noHeaders: readonly string[] = []

/** The headers of every response to the console; none for other origins. */
export function corsHeaders(consoleOrigin: string | undefined, { headers }: IncomingMessage): readonly string[] {
  if (consoleOrigin === undefined || headers.origin !== consoleOrigin) return noHeaders
  return [
    'Access-Control-Allow-Origin',
    consoleOrigin,
    'Vary',
    'Origin',
    'Access-Control-Expose-Headers',
    exposedHeaders,
  ]
}

/** The headers of the response to a preflight request. */
export function preflightHeaders(methods: readonly string[]): string[] {
  return [
    'Access-Control-Allow-Methods',
    methods.join(', '),
    'Access-Control-Allow-Headers',
    sentHeaders,
    'Access-Control-Max-Age',
    '600',
  ]
}
