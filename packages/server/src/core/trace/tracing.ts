/**
 * Spans: what a request, a transaction, a step or a delivery took, and in which trace it stands. Off by default, and
 * then nothing that makes or sends spans is loaded. A span is passed on by the origin of a command and not by the
 * context of asynchronous calls, since requests that share a transaction would share its trace too.
 * Not this file's work: what is sent, and where to (otlp.ts).
 */
import type { Log } from '../base/log.ts'
import { isRefusal } from '../base/refusal.ts'
import type { SpanAttributes, TraceSpan, Tracing } from './spans.ts'
import type { TraceSettings } from './trace-settings.ts'

/** Starts to trace; undefined where it is switched off. */
export async function openTracing(settings: TraceSettings | undefined, log: Log): Promise<Tracing | undefined> {
  if (settings === undefined) return undefined
  // Imported only where it is used: 20 MB of packages, a third of a second.
  const { createTracing } = await import('./otlp.ts')
  return createTracing(settings, log)
}

/** The name of a span, and facts about it. */
type SpanLabel = { readonly name: string; readonly attributes: SpanAttributes }

/** Runs work in a span within each of some spans: one for each request that the work is for. */
export function inSpans<T>(
  parents: readonly (TraceSpan | undefined)[],
  { name, attributes }: SpanLabel,
  work: () => Promise<T>,
): Promise<T> {
  const begun = parents.flatMap((parent) => (parent ? [parent] : []))
  if (begun.length === 0) return work()
  const spans = begun.map((parent) => parent.child(name, attributes, true))
  return endAfter(spans, work)
}

async function endAfter<T>(spans: readonly TraceSpan[], work: () => Promise<T>): Promise<T> {
  let problem: string | undefined
  try {
    return await work()
  } catch (error) {
    problem = problemOf(error)
    throw error
  } finally {
    for (const span of spans) span.end(problem)
  }
}

/** What failed; nothing where a request was refused, which is what should happen. */
export function problemOf(error: unknown): string | undefined {
  if (isRefusal(error) && error.code !== 'unavailable') return undefined
  return (error as { code?: string }).code ?? 'error'
}
