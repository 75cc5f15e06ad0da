import { retireHost } from '@bourse/api/fleet/hosts.ts'
import { handle } from '../../core/http/routes.ts'
import * as retirement from './host-retirement.service.ts'

export const hostRetirementRoutes = [
  handle(retireHost, (ctx, { params, body }) => retirement.retireHost(ctx, params.id, body)),
]
