import assert from 'node:assert/strict'
import { test } from 'vitest'
import { readTraceSettings } from './trace-settings.ts'

const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318/'

test('without an endpoint there are no traces, whatever else is set', () => {
  assert.equal(readTraceSettings({}), undefined)
  assert.equal(readTraceSettings({ OTEL_SERVICE_NAME: 'market', OTEL_TRACES_SAMPLER: 'nothing' }), undefined)
})

test('the endpoint is followed by the path of traces, that of traces is used as it is', () => {
  assert.deepEqual(readTraceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT }), {
    url: 'http://collector:4318/v1/traces',
    service_name: 'bourse',
    sampler: 'parentbased_always_on',
    ratio: 1,
  })
  const exact = { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/own' }
  const more = { OTEL_SERVICE_NAME: 'market', OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.05' }
  assert.deepEqual(readTraceSettings({ ...exact, ...more, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }), {
    url: 'https://traces.example/own',
    service_name: 'market',
    sampler: 'traceidratio',
    ratio: 0.05,
  })
})

test('a wrong setting is refused by its name', () => {
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318?key=1'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'nowhere'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', '-1'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half'],
    ['OTEL_TRACES_SAMPLER_ARG', '0.0.5'],
  ] as const) {
    assert.throws(
      () => readTraceSettings({ OTEL_EXPORTER_OTLP_ENDPOINT, [name]: value }),
      (error: { code?: string; message?: string }) =>
        error.code === 'bad_configuration' && error.message?.startsWith(`${name} must be `) === true,
      `${name}=${value}`,
    )
  }
})
