/** The last requests of this tab, for the panel that shows what is behind each action. */

/** A request as it was sent, and its response once there is one. */
export type SentRequest = {
  readonly number: number
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  /** Milliseconds since the page was loaded. */
  readonly sent_at: number
  readonly status?: number
  readonly milliseconds?: number
  readonly request_id?: string | undefined
  /** The id in the response of a write. */
  readonly made?: string | undefined
}

/** So many reads and so many writes are kept: pages read all the time, and writes are what was done. */
const keptMax = 100
let sent: readonly SentRequest[] = []
let numbered = 0
const listeners = new Set<() => void>()

/** The kept requests, newest first. The array stays the same until one changes. */
export function sentRequests(): readonly SentRequest[] {
  return sent
}

/** Calls the listener whenever a request is sent or answered. Returns how to stop that. */
export function onRequests(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Forgets all requests. */
export function clearRequests(): void {
  change([])
}

/** `fetch` that keeps what is sent. */
export const recordingFetch: typeof fetch = async (input, init) => {
  const began = performance.now()
  const { pathname, search } = new URL(String(input))
  const one: SentRequest = {
    number: ++numbered,
    method: init?.method ?? 'GET',
    path: pathname + search,
    body: typeof init?.body === 'string' ? init.body : undefined,
    sent_at: began,
  }
  change(kept([one, ...sent]))
  const end = (rest: Partial<SentRequest>) =>
    change(sent.map((other) => (other.number === one.number ? { ...one, ...rest } : other)))
  try {
    const response = await fetch(input, init)
    const milliseconds = Math.round(performance.now() - began)
    const made = one.method === 'GET' ? undefined : await idOf(response)
    const request_id = response.headers.get('x-request-id') ?? undefined
    end({ status: response.status, milliseconds, request_id, made })
    return response
  } catch (error) {
    end({ status: 0, milliseconds: Math.round(performance.now() - began) })
    throw error
  }
}

/** The newest reads and the newest writes. */
function kept(all: readonly SentRequest[]): readonly SentRequest[] {
  const reads = all.filter(isRead).slice(0, keptMax)
  const writes = all.filter((one) => !isRead(one)).slice(0, keptMax)
  return [...reads, ...writes].toSorted((one, other) => other.number - one.number)
}

/** Estimates and checks have a body and change nothing; a ticket asks for one at each key. */
function isRead({ method, path }: SentRequest): boolean {
  return method === 'GET' || /(estimates?|\/permissions\/check)$/.test(path)
}

/** The id of what a response shows; undefined where it shows nothing, or a list. */
async function idOf(response: Response): Promise<string | undefined> {
  if (!response.ok || response.status === 204) return undefined
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  const { id } = (body ?? {}) as { id?: unknown }
  return typeof id === 'string' ? id : undefined
}

function change(next: readonly SentRequest[]): void {
  sent = next
  for (const listener of listeners) listener()
}
