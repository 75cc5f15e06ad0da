/** One operation of the API, as far as a request needs to know it. The table of all is generated from the contract. */
export type Operation = {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path parameters are written `:name`. */
  readonly path: string
  readonly takes_body?: boolean
  /** The names of its query parameters. */
  readonly query?: readonly string[]
  /** Whether it takes `Idempotency-Key`. */
  readonly is_idempotent?: boolean
  /** Whether it needs no token. */
  readonly is_public?: boolean
  /** The media type of a success, if it is not JSON. */
  readonly media_type?: string
}

/** The names of the path parameters of an operation, in their order. */
export function pathParameters({ path }: Operation): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
}
