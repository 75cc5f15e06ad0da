/**
 * Sends spans to a collector by OTLP over HTTP. They wait in a queue of bounded length. Where the collector is away or
 * too slow, spans are dropped and counted, and nothing else waits for it.
 */

import { pause } from '@bourse/text/time/pause.ts'
import { type Context, type HrTime, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { ExportResultCode, millisToHrTime, parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { monotonicMilliseconds, wallMilliseconds } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { version } from '../base/version.ts'
import type { TraceSpan, Tracing } from './spans.ts'
import type { TraceSettings } from './trace-settings.ts'

/** The spans that have ended and are not sent yet: some megabytes. */
const queueMax = 4_096
const batchMax = 512
const usualDelayMilliseconds = 5_000
const exportMilliseconds = 5_000
const closeMilliseconds = 2_000

const kinds = { request: SpanKind.SERVER, internal: SpanKind.INTERNAL, call: SpanKind.CLIENT } as const

/** What became of spans. */
type SpanCounts = { exported: number; dropped: number; waiting: number }

/** Creates the traces of one server. */
export function createTracing(settings: TraceSettings, log: Log): Tracing {
  const counts: SpanCounts = { exported: 0, dropped: 0, waiting: 0 }
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.service_name, 'service.version': version }),
    sampler: samplerOf(settings),
    spanProcessors: [boundedProcessor(settings, counts, log)],
  })
  const tracer = provider.getTracer('bourse', version)
  const begin: BeginSpan = (name, kind, attributes, { context, clock }) => {
    const span = tracer.startSpan(name, { kind, attributes: { ...attributes }, startTime: clock() }, context)
    return spanOf(span, clock, begin)
  }
  return {
    begin: (name, { kind, attributes, traceparent }) =>
      begin(name, kinds[kind], attributes, { context: callerContext(traceparent), clock: startClock() }),
    counts: () => ({ exported: counts.exported, dropped: counts.dropped }),
    close: async () => {
      const given = new AbortController()
      const ended = provider.shutdown().catch((err) => log.warn({ err }, 'The last spans could not be sent.'))
      await Promise.race([ended, pause(closeMilliseconds, given.signal)])
      given.abort()
    },
  }
}

function samplerOf({ sampler, ratio }: TraceSettings): Sampler {
  const root = sampler.endsWith('traceidratio')
    ? new TraceIdRatioBasedSampler(ratio)
    : sampler.endsWith('always_on')
      ? new AlwaysOnSampler()
      : new AlwaysOffSampler()
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

/** The trace of the caller, if it sent one. */
function callerContext(traceparent: string | undefined): Context {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent)
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT
}

type SpanClock = () => HrTime
type SpanParent = { readonly context: Context; readonly clock: SpanClock }
type BeginSpan = (name: string, kind: SpanKind, attributes: object, parent: SpanParent) => TraceSpan

/**
 * The clock of a span and of all spans within it. A span with a clock of its own, which begins at a whole millisecond,
 * could end after its parent.
 */
function startClock(): SpanClock {
  const offset = wallMilliseconds() - monotonicMilliseconds()
  return () => millisToHrTime(offset + monotonicMilliseconds())
}

/** Spans that are not recorded have no children: they only pass on the decision. */
function spanOf(span: Span, clock: SpanClock, begin: BeginSpan): TraceSpan {
  const { traceId, spanId, traceFlags } = span.spanContext()
  const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  if (!span.isRecording()) {
    const unrecorded: TraceSpan = { traceparent, child: () => unrecorded, set: () => {}, end: () => {} }
    return unrecorded
  }
  const parent: SpanParent = { context: trace.setSpan(ROOT_CONTEXT, span), clock }
  return {
    traceparent,
    child: (name, attributes = {}, callsOut = false) =>
      begin(name, callsOut ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes, parent),
    set: (attributes) => void span.setAttributes({ ...attributes }),
    end: (problem) => {
      if (!span.isRecording()) return
      if (problem !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: problem })
      span.end(clock())
    },
  }
}

/** Hands spans to the library's queue only while it has room, because the library does not count what it drops. */
function boundedProcessor({ url, delay_milliseconds }: TraceSettings, counts: SpanCounts, log: Log): SpanProcessor {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: exportMilliseconds })
  const batches = new BatchSpanProcessor({
    exporter: countingExporter(exporter, counts, log),
    maxQueueSize: queueMax,
    maxExportBatchSize: batchMax,
    scheduledDelayMillis: delay_milliseconds ?? usualDelayMilliseconds,
  })
  return {
    onStart: (span, context) => batches.onStart(span, context),
    onEnd: (span) => {
      if (counts.waiting >= queueMax) {
        counts.dropped += 1
        return
      }
      counts.waiting += 1
      batches.onEnd(span)
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  }
}

function countingExporter(exporter: SpanExporter, counts: SpanCounts, log: Log): SpanExporter {
  let isFailing = false
  return {
    export: (spans, done) => {
      exporter.export(spans, (result) => {
        const isSent = result.code === ExportResultCode.SUCCESS
        counts.waiting -= spans.length
        counts[isSent ? 'exported' : 'dropped'] += spans.length
        if (!isSent && !isFailing) log.warn({ err: result.error }, 'Spans could not be sent; they are dropped.')
        if (isSent && isFailing) log.info({}, 'Spans are sent again.')
        isFailing = !isSent
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
