import {
  createDeploymentEstimate,
  createDeploymentUpdateEstimate,
} from '@bourse/api/automation/automation-estimates.ts'
import {
  createDeployment,
  deleteDeployment,
  getDeployment,
  listDeployments,
  updateDeployment,
} from '@bourse/api/automation/deployments.ts'
import { handle } from '../core/http/routes.ts'
import * as estimates from './deployment-estimates.service.ts'
import * as deployments from './deployments.service.ts'

export const deploymentRoutes = [
  handle(createDeployment, (ctx, { body }) => deployments.createDeployment(ctx, body)),
  handle(listDeployments, (ctx, { query }) => deployments.listDeployments(ctx, query)),
  handle(getDeployment, (ctx, { params }) => deployments.getDeployment(ctx, params.id)),
  handle(updateDeployment, (ctx, { params, body }) => deployments.updateDeployment(ctx, params.id, body)),
  handle(deleteDeployment, (ctx, { params }) => deployments.deleteDeployment(ctx, params.id)),
  handle(createDeploymentEstimate, (ctx, { body }) => estimates.estimateDeployment(ctx, body)),
  handle(createDeploymentUpdateEstimate, (ctx, { params, body }) =>
    estimates.estimateDeploymentUpdate(ctx, params.id, body),
  ),
]
