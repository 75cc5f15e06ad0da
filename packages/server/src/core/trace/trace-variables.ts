/** The variables of traces. trace-settings.ts reads them, and so does the reference. */
import type { SettingTable } from '@bourse/text/settings.ts'

const readers = ['serve', 'start']

/** The variables of traces, in the order of the reference. */
export const traceVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning: 'The URL of the collector. Spans are sent to `/v1/traces` below it.',
    form: 'an http or https URL without query',
    unset: 'traces are off',
    readers,
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    meaning: 'The whole URL to which spans are sent. It is used instead of `OTEL_EXPORTER_OTLP_ENDPOINT`.',
    form: 'an http or https URL without query',
    readers,
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    meaning: 'The protocol of the collector. Only `http/json` is supported.',
    words: ['http/json'],
    fallback: 'http/json',
    readers,
  },
  OTEL_TRACES_SAMPLER: {
    meaning: 'Which traces are recorded.',
    words: [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ],
    fallback: 'parentbased_always_on',
    readers,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    meaning: 'The fraction of traces that a sampler with a ratio records.',
    form: 'a number between 0 and 1',
    fallback: '1',
    readers,
  },
  OTEL_SERVICE_NAME: {
    meaning: 'The name of the service in its spans.',
    fallback: 'bourse',
    readers,
  },
} as const satisfies SettingTable
