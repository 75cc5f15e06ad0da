import {
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
} from '@bourse/api/iam/workspaces.ts'
import { handle } from '../../core/http/routes.ts'
import * as workspaces from './workspaces.service.ts'

export const workspaceRoutes = [
  handle(createWorkspace, (ctx, { body }) => workspaces.createWorkspace(ctx, body)),
  handle(listWorkspaces, (ctx, { query }) => workspaces.listWorkspaces(ctx, query)),
  handle(getWorkspace, (ctx, { params }) => workspaces.getWorkspace(ctx, params.id)),
  handle(updateWorkspace, (ctx, input) => workspaces.updateWorkspace(ctx, input)),
  handle(deleteWorkspace, (ctx, { params }) => workspaces.deleteWorkspace(ctx, params.id)),
]
