import { getHost, listHosts } from '@bourse/api/fleet/hosts.ts'
import { handle } from '../core/routes.ts'
import * as hosts from './hosts.service.ts'

export const hostRoutes = [
  handle(listHosts, (ctx, { query }) => hosts.listHosts(ctx, query)),
  handle(getHost, (ctx, { params }) => hosts.getHost(ctx, params.id)),
]
