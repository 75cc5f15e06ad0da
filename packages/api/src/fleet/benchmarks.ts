/** What the operator of a host measures on it: named figures with a date, which buyers see with the SKU. */
import { endpoint } from '../kit/endpoint.ts'
import { array, openObject, openResource, resource, type Static, timestamp } from '../kit/schema.ts'
import { figureName, figuresMax, figureUnit, figureValue } from '../market/skus.ts'
import { area, epoch } from './agent-hardware.ts'

/** How old a measurement is when SKUs no longer show it, in days. */
export const benchmarkDaysMax = 90
/** How often an agent measures again, in days. */
export const benchmarkEveryDays = 7

export const benchmarkFigure = resource('BenchmarkFigure', 'One figure of a benchmark.', {
  name: figureName,
  value: figureValue(),
  unit: figureUnit,
})
export type BenchmarkFigure = Static<typeof benchmarkFigure>

const figures = array(benchmarkFigure, { max: figuresMax, description: 'What was measured.' })

export const hostBenchmark = resource(
  'HostBenchmark',
  'The figures that the script of the host owner has measured on a host.',
  {
    measured_at: timestamp({
      description: 'When it was measured, in Unix seconds by the clock of the host, and not later than the report.',
    }),
    figures,
  },
)
export type HostBenchmark = Static<typeof hostBenchmark>

export const reportBenchmark = endpoint({
  name: 'report_benchmark',
  method: 'PUT',
  path: '/agent/v1/benchmark',
  area,
  summary: 'Report benchmark figures',
  description:
    'Hands over the figures that the benchmark script of the host owner has measured, and replaces earlier figures. ' +
    'The SKU shows only figures that the platform operator names for it. Safe to repeat.',
  success: 200,
  body: openObject({
    epoch,
    measured_at: timestamp({ description: 'When it was measured, in Unix seconds by the clock of the host.' }),
    figures,
  }),
  response: openResource('ReportedBenchmark', 'The response to a report of figures.', {
    measured_at: timestamp({ description: 'The stored time: not later than that of the server.' }),
  }),
  access: 'agent',
  errors: ['stale_epoch', 'duplicate_entry'],
})

export const operations = [reportBenchmark] as const
