/** The settings of traces, by the names that OpenTelemetry has given them. */
import { startProblem } from '../base/start-problem.ts'
import { traceVariables } from './trace-variables.ts'

const { words: samplers, fallback: usualSampler } = traceVariables.OTEL_TRACES_SAMPLER

/** Where spans are sent, and which. */
export type TraceSettings = {
  /** The URL to which they are posted. */
  readonly url: string
  readonly service_name: string
  readonly sampler: (typeof samplers)[number]
  /** The part of traces that are recorded, where the sampler asks for one. */
  readonly ratio: number
  /** How long spans wait for others. The default is five seconds. */
  readonly delay_milliseconds?: number
}

const endpointName = 'OTEL_EXPORTER_OTLP_ENDPOINT'
const exactName = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
const protocolName = 'OTEL_EXPORTER_OTLP_PROTOCOL'

/** Reads the settings; undefined without an endpoint: traces are off. */
export function readTraceSettings(variables: Readonly<Record<string, string | undefined>>): TraceSettings | undefined {
  const exact = readUrl(variables, exactName)
  const endpoint = readUrl(variables, endpointName)
  const url = exact ?? (endpoint && `${endpoint.replace(/\/+$/, '')}/v1/traces`)
  if (url === undefined) return undefined
  const protocol = variables[protocolName]
  if (protocol && protocol !== 'http/json') {
    throw bad(`${protocolName} must be http/json, or not set: spans are sent as OTLP over HTTP, in JSON.`)
  }
  const sampler = readSampler(variables.OTEL_TRACES_SAMPLER)
  return {
    url,
    service_name: variables.OTEL_SERVICE_NAME || traceVariables.OTEL_SERVICE_NAME.fallback,
    sampler,
    ratio: readRatio(variables.OTEL_TRACES_SAMPLER_ARG),
  }
}

function readUrl(variables: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const text = variables[name]
  if (!text) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && ['http:', 'https:'].includes(url.protocol) && !url.search && !url.hash) return text
  throw bad(`${name} must be an http or https URL without query, such as http://localhost:4318.`)
}

function readSampler(text: string | undefined): TraceSettings['sampler'] {
  if (!text) return usualSampler
  const known = samplers.find((name) => name === text)
  if (known) return known
  throw bad(`OTEL_TRACES_SAMPLER must be one of ${samplers.join(', ')}.`)
}

function readRatio(text: string | undefined): number {
  if (!text) return Number(traceVariables.OTEL_TRACES_SAMPLER_ARG.fallback)
  const ratio = Number(text)
  if (/^[\d.]+$/.test(text) && ratio >= 0 && ratio <= 1) return ratio
  throw bad('OTEL_TRACES_SAMPLER_ARG must be a number between 0 and 1, such as 0.05.')
}

function bad(message: string) {
  return startProblem('bad_configuration', message)
}
