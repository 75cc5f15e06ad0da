import {
  getDocs,
  getHealth,
  getMetrics,
  getOpenapi,
  getReadiness,
  getSigningKeys,
  getVersion,
} from '@bourse/api/process/process.ts'
import { listWebhookKeys } from '@bourse/api/webhooks/webhook-keys.ts'
import { handleRuntime, handleStatic, type Route } from '../core/http/routes.ts'
import { publicKeySet } from '../core/keys/key-set.ts'
import { shortListResponse } from '../core/work/page.ts'
import { listPublicKeys } from '../webhooks/webhook-keys.service.ts'
import type { DescribedProcess } from './process.service.ts'

/** The endpoints about the process itself. */
export const processRoutes = (described: DescribedProcess): Route[] => [
  handleRuntime(getHealth, described.health),
  handleRuntime(getReadiness, described.readiness),
  handleRuntime(getVersion, described.version),
  handleRuntime(getSigningKeys, async ({ keys }) => publicKeySet(keys.signing)),
  handleStatic(getOpenapi, described.openapi),
  handleStatic(getDocs, described.docs),
  handleRuntime(getMetrics, described.metrics),
  handleRuntime(listWebhookKeys, async ({ keys }) => shortListResponse(listPublicKeys(keys))),
]
