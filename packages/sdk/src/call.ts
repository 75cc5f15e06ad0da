/** What a method of the client gives: a promise that also knows the answer's status and headers. */

/** What may be said of one call beyond its input. */
export type RequestOptions = {
  /** Breaks the call off; its reason is thrown. */
  readonly signal?: AbortSignal
  /** Milliseconds for one attempt. Default: the client's. */
  readonly timeout?: number
  /** Further attempts after the first. Default: the client's. */
  readonly maxRetries?: number
  /**
   * Makes a creating call safe to repeat, also by another process. Where it is absent one is made for each call, and
   * kept over its attempts.
   */
  readonly idempotencyKey?: string
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer with what came around it. */
export type Reply<T> = {
  readonly data: T
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | undefined
}

/** A call under way: a promise of its answer. */
export type Call<T> = Promise<T> & {
  /** The answer with status and headers. */
  withResponse(): Promise<Reply<T>>
}

/** Makes a call of a reply under way. Whoever takes `withResponse()` alone has taken care of a failure too. */
export function callOf<R, T>(reply: Promise<Reply<R>>, shape: (reply: Reply<R>) => T): Call<T> {
  const data = reply.then(shape)
  const withResponse = () => Promise.all([reply, data]).then(([whole, shaped]) => ({ ...whole, data: shaped }))
  return Object.assign(data, { withResponse })
}
