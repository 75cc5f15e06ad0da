import { listNames } from '@bourse/api/iam/names.ts'
import { checkPermissions, getPermissions } from '@bourse/api/iam/permissions.ts'
import { handle } from '../../core/http/routes.ts'
import * as permissions from './effective-permissions.service.ts'
import { listShownNames } from './shown-names.service.ts'

export const permissionRoutes = [
  handle(listNames, (ctx, { query }) => listShownNames(ctx, query)),
  handle(checkPermissions, (ctx, { body }) => permissions.checkPermissions(ctx, body)),
  handle(getPermissions, (ctx, { query }) => permissions.getPermissions(ctx, query)),
]
