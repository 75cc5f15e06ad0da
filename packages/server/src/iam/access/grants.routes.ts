import { createGrant, deleteGrant, getGrant, listGrants } from '@bourse/api/iam/grants.ts'
import { handle } from '../../core/http/routes.ts'
import * as grants from './grants.service.ts'

export const grantRoutes = [
  handle(createGrant, (ctx, { body }) => grants.createGrant(ctx, body)),
  handle(listGrants, (ctx, { query }) => grants.listGrants(ctx, query)),
  handle(getGrant, (ctx, { params }) => grants.getGrant(ctx, params.id)),
  handle(deleteGrant, (ctx, { params }) => grants.deleteGrant(ctx, params.id)),
]
