import { createRole, deleteRole, getRole, listRoles, updateRole } from '@bourse/api/iam/roles.ts'
import { handle } from '../../core/http/routes.ts'
import * as roles from './roles.service.ts'

export const roleRoutes = [
  handle(createRole, (ctx, { body }) => roles.createRole(ctx, body)),
  handle(listRoles, (ctx, { query }) => roles.listRoles(ctx, query)),
  handle(getRole, (ctx, { params }) => roles.getRole(ctx, params.id)),
  handle(updateRole, (ctx, input) => roles.updateRole(ctx, input)),
  handle(deleteRole, (ctx, { params }) => roles.deleteRole(ctx, params.id)),
]
