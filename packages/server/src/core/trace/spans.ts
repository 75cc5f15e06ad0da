/** What traces and spans can do, whoever makes them. */

/** Facts about a span, named by the conventions of OpenTelemetry where they have a name. */
export type SpanAttributes = Readonly<Record<string, string | number | undefined>>

/** A span that has begun. */
export type TraceSpan = {
  /** Begins a span within this one. `callsOut`: it is a request to another program. */
  child(name: string, attributes?: SpanAttributes, callsOut?: boolean): TraceSpan
  set(attributes: SpanAttributes): void
  /** Ends it; later calls do nothing. `problem` says what failed. */
  end(problem?: string): void
  /** The header `traceparent` of requests that belong to it. */
  readonly traceparent: string
}

/** What begins a trace, or continues that of a caller. */
type RootSpan = {
  readonly attributes: SpanAttributes
  readonly kind: 'request' | 'internal' | 'call'
  /** The header of the caller. What is none begins a new trace. */
  readonly traceparent?: string | undefined
}

/** The traces of one server. */
export type Tracing = {
  begin(name: string, root: RootSpan): TraceSpan
  /** The spans that reached the collector, and those that did not. */
  counts(): Readonly<Record<'exported' | 'dropped', number>>
  /** Sends what has ended, within two seconds. */
  close(): Promise<void>
}
