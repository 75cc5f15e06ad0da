import { buildOpenapi } from '@bourse/api/openapi.ts'
import { getDocs, getHealth, getMetrics, getOpenapi, getReadiness, getVersion } from '@bourse/api/process/process.ts'
import type { ReconcilerLoop } from './core/reconciler.ts'
import { handleRuntime, type Route } from './core/routes.ts'
import type { Mode } from './core/runtime.ts'
import { checkReadiness, type Metrics, readVersion } from './process.service.ts'

type Parts = { loop: ReconcilerLoop; metrics: Metrics; page: string; schema_version: number; mode: Mode }

/** The endpoints about the process itself. */
export function processRoutes({ loop, metrics, page, schema_version, mode }: Parts): Route[] {
  const version = readVersion(mode)
  const openapi = buildOpenapi()
  return [
    handleRuntime(getHealth, async () => ({ status: 'ok' as const })),
    handleRuntime(getReadiness, (runtime) => checkReadiness(runtime, loop, schema_version)),
    handleRuntime(getVersion, async () => version),
    handleRuntime(getOpenapi, async () => openapi),
    handleRuntime(getDocs, async () => page),
    handleRuntime(getMetrics, () => metrics.text()),
  ]
}
