import { cordonHost, drainHost, uncordonHost, updateHost } from '@bourse/api/fleet/hosts.ts'
import { handle } from '../../core/http/routes.ts'
import * as changes from './host-changes.service.ts'

export const hostChangeRoutes = [
  handle(updateHost, (ctx, { params, body }) => changes.renameHost(ctx, params.id, body.name)),
  handle(cordonHost, (ctx, { params }) => changes.cordonHost(ctx, params.id)),
  handle(uncordonHost, (ctx, { params }) => changes.uncordonHost(ctx, params.id)),
  handle(drainHost, (ctx, { params, body }) => changes.drainHost(ctx, params.id, body)),
]
