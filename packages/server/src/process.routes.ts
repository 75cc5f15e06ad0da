import { getDocs, getHealth, getMetrics, getOpenapi, getReadiness, getVersion } from '@bourse/api/process/process.ts'
import { handleRuntime, handleStatic, type Route } from './core/http/routes.ts'
import type { DescribedProcess } from './process.service.ts'

/** The endpoints about the process itself. */
export const processRoutes = (described: DescribedProcess): Route[] => [
  handleRuntime(getHealth, described.health),
  handleRuntime(getReadiness, described.readiness),
  handleRuntime(getVersion, described.version),
  handleStatic(getOpenapi, described.openapi),
  handleStatic(getDocs, described.docs),
  handleRuntime(getMetrics, described.metrics),
]
