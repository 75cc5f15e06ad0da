/** The result of a client method: a promise that also provides the status and headers of the response. */

/** The options of one call. */
export type RequestOptions = {
  /** Aborts the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal
  /** Milliseconds for one attempt. Default: the client's. */
  readonly timeout?: number
  /** Further attempts after the first. Default: the client's. */
  readonly maxRetries?: number
  /**
   * Makes a creating call safe to repeat, also from another process. By default the client generates a key for each
   * call and uses it for all attempts.
   */
  readonly idempotencyKey?: string
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A response: its data, status, headers and request id. */
export type Reply<T> = {
  readonly data: T
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | undefined
}

/** A running call: a promise of its data. */
export type Call<T> = Promise<T> & {
  /** Resolves to the response with status and headers. */
  withResponse(): Promise<Reply<T>>
}

/** Creates a call from a pending reply. A caller that awaits only `withResponse()` also handles its failure. */
export function callOf<R, T>(reply: Promise<Reply<R>>, shape: (reply: Reply<R>) => T): Call<T> {
  const data = reply.then(shape)
  const withResponse = () => Promise.all([reply, data]).then(([whole, shaped]) => ({ ...whole, data: shaped }))
  return Object.assign(data, { withResponse })
}
