import { createSimulatedHosts } from '@bourse/api/sandbox/additions.ts'
import { handle } from '../../core/http/routes.ts'
import * as hosts from './hosts.service.ts'

export const simulatedHostRoutes = [
  handle(createSimulatedHosts, (ctx, { body }) => hosts.createSimulatedHosts(ctx, body)),
]
