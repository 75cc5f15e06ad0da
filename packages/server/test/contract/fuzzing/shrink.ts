/** Reduces a failing request while it fails in the same way. */
import type { FuzzRequest } from './requests.ts'

const triesMax = 80

/** The smallest failing request found; the original one if no smaller one fails. */
export async function shrink(
  request: FuzzRequest,
  stillFails: (smaller: FuzzRequest) => Promise<boolean>,
): Promise<FuzzRequest> {
  let best = request
  let tries = 0
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false
    for (const candidate of smallerThan(best)) {
      tries += 1
      if (tries > triesMax) return best
      if (!(await stillFails(candidate))) continue
      best = candidate
      isSmaller = true
      break
    }
  }
  return best
}

function* smallerThan(request: FuzzRequest): Iterable<FuzzRequest> {
  const { query, headers, body, bytes } = request
  for (let index = 0; index < query.length; index++) yield { ...request, query: query.filter((_, at) => at !== index) }
  if (headers['idempotency-key'] !== undefined && !request.expected) yield { ...request, headers: {} }
  if (bytes) return
  for (const smaller of smallerValues(body)) yield { ...request, body: smaller }
}

/** Values without one part: a member, an entry, half of a text. */
function* smallerValues(value: unknown): Iterable<unknown> {
  if (typeof value === 'string' && value.length > 8) yield value.slice(0, value.length / 2)
  if (value === null || typeof value !== 'object') return
  if (Array.isArray(value)) {
    if (value.length > 3) yield value.slice(0, value.length / 2)
    for (let index = 0; index < value.length; index++) yield value.filter((_, at) => at !== index)
    for (const [index, entry] of value.entries()) {
      for (const smaller of smallerValues(entry)) yield value.with(index, smaller)
    }
    return
  }
  const entries = Object.entries(value)
  for (const [name] of entries) yield Object.fromEntries(entries.filter(([other]) => other !== name))
  for (const [name, own] of entries) {
    for (const smaller of smallerValues(own)) yield { ...value, [name]: smaller }
  }
}
