import { getDocs, getHealth, getMetrics, getOpenapi, getReadiness, getVersion } from '@bourse/api/process/process.ts'
import { handleRuntime, type Route } from './core/http/routes.ts'
import type { DescribedProcess } from './process.service.ts'

/** The endpoints about the process itself. */
export const processRoutes = (described: DescribedProcess): Route[] => [
  handleRuntime(getHealth, described.health),
  handleRuntime(getReadiness, described.readiness),
  handleRuntime(getVersion, described.version),
  handleRuntime(getOpenapi, described.openapi),
  handleRuntime(getDocs, described.docs),
  handleRuntime(getMetrics, described.metrics),
]
