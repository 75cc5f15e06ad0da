import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type {
  createMaintenanceWindow as createContract,
  MaintenanceWindow,
} from '@bourse/api/market/market-administration.ts'
import type { MaintenanceNotice } from '@bourse/api/market/order-estimates.ts'
import { refuse } from '../../core/base/refusal.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { conditions, type PageQuery, pageResponse } from '../../core/work/page.ts'
import { allow, refuseNotFound } from '../../iam/access/permissions.service.ts'
import { skuSummaries } from '../skus/skus.service.ts'
import { insertWindow, listNotices, listWindows, removeWindow, type WindowRow } from './maintenance-windows.store.ts'

/** Creates a maintenance window, which order estimates show as a notice. */
export async function createMaintenanceWindow(
  ctx: Ctx,
  body: Input<typeof createContract>['body'],
): Promise<MaintenanceWindow> {
  await allow(ctx, 'platform:write', null)
  if (body.start_at >= body.end_at) refuse('invalid_range', 'The start must lie before the end.', 'end_at')
  const { sku = [], action_message = null, ...fields } = body
  const known = await skuSummaries(ctx, sku)
  if (sku.some((id) => !known.has(id))) refuse('reference_not_found', 'There is no such SKU.', 'sku')
  const row: WindowRow = {
    id: ctx.newId('maintenance_window'),
    ...fields,
    action_message,
    sku_ids: sku,
    created_at: ctx.now,
  }
  await insertWindow(ctx.db, row)
  return present(row)
}

/** Lists maintenance windows. */
export async function listMaintenanceWindows(ctx: Ctx, query: PageQuery) {
  await allow(ctx, 'platform:read', null)
  const page = await listWindows(ctx, query, conditions())
  return pageResponse(page, page.rows.map(present))
}

/** Deletes a maintenance window. */
export async function deleteMaintenanceWindow(ctx: Ctx, id: Id<'maintenance_window'>): Promise<void> {
  await allow(ctx, 'platform:write', null)
  if (!(await removeWindow(ctx.db, id))) refuseNotFound()
}

/** The notices of maintenance windows of a SKU that overlap a time. */
export async function noticesOf(
  ctx: Ctx,
  time: { from: number; to: number; sku_id: Id<'sku'> },
): Promise<MaintenanceNotice[]> {
  const rows = await listNotices(ctx.db, time)
  return rows.map((row) => ({
    type: 'maintenance_window',
    start_at: row.start_at,
    end_at: row.end_at,
    maintenance_type: row.maintenance_type,
    title: row.title,
    description: row.description,
    action_message: row.action_message,
  }))
}

function present(row: WindowRow): MaintenanceWindow {
  return {
    object: 'maintenance_window',
    id: row.id,
    start_at: row.start_at,
    end_at: row.end_at,
    maintenance_type: row.maintenance_type,
    title: row.title,
    description: row.description,
    action_message: row.action_message,
    sku: row.sku_ids,
    created_at: row.created_at,
  }
}
