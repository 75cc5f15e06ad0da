import {
  createProcurementEstimate,
  createProcurementUpdateEstimate,
} from '@bourse/api/automation/automation-estimates.ts'
import {
  createProcurement,
  deleteProcurement,
  getProcurement,
  listProcurements,
  updateProcurement,
} from '@bourse/api/automation/procurements.ts'
import { handle } from '../core/http/routes.ts'
import * as estimates from './procurement-estimates.service.ts'
import * as procurements from './procurements.service.ts'

export const procurementRoutes = [
  handle(createProcurement, (ctx, { body }) => procurements.createProcurement(ctx, body)),
  handle(listProcurements, (ctx, { query }) => procurements.listProcurements(ctx, query)),
  handle(getProcurement, (ctx, { params }) => procurements.getProcurement(ctx, params.id)),
  handle(updateProcurement, (ctx, { params, body }) => procurements.updateProcurement(ctx, params.id, body)),
  handle(deleteProcurement, (ctx, { params }) => procurements.deleteProcurement(ctx, params.id)),
  handle(createProcurementEstimate, (ctx, { body }) => estimates.estimateProcurement(ctx, body)),
  handle(createProcurementUpdateEstimate, (ctx, { params, body }) =>
    estimates.estimateProcurementUpdate(ctx, params.id, body),
  ),
]
