/** Chooses the media type of a response from the Accept header (RFC 9110, 12.5.1). */

/** The quality values of a type and of JSON. Undefined where the client does not name the type. Wildcards mean JSON. */
type MediaPreference = { readonly named: number | undefined; readonly json: number }

/** Whether a client names a type and ranks JSON lower. */
export function prefers(accept: string | undefined, type: string): boolean {
  const { named, json } = preferenceOf(accept, type)
  return named !== undefined && named > json
}

/** Whether a client names a type and does not rank JSON higher. */
export function ranksAsHigh(accept: string | undefined, type: string): boolean {
  // Most requests do not name it.
  if (accept === undefined || !accept.toLowerCase().includes(type)) return false
  const { named, json } = preferenceOf(accept, type)
  return named !== undefined && named > 0 && named >= json
}

/** Whether a client accepts an encoding that it names, or any. */
export function accepts(acceptEncoding: string | undefined, encoding: string): boolean {
  if (acceptEncoding === undefined) return false
  const liked = new Map(acceptEncoding.split(',').map(rangeOf))
  return (liked.get(encoding) ?? liked.get('*') ?? 0) > 0
}

function preferenceOf(accept: string | undefined, type: string): MediaPreference {
  if (accept === undefined) return { named: undefined, json: 0 }
  const liked = new Map(accept.split(',').map(rangeOf))
  const json = liked.get('application/json') ?? liked.get('application/*') ?? liked.get('*/*') ?? 0
  return { named: liked.get(type), json }
}

function rangeOf(part: string): [type: string, quality: number] {
  const [type = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase())
  const quality = parameters.find((one) => one.startsWith('q='))?.slice(2)
  const value = quality === undefined ? 1 : Number(quality)
  return [type, Number.isNaN(value) ? 0 : value]
}
