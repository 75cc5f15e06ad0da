import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type {
  createPoolTransfer as createContract,
  listPoolTransfers as listContract,
  PoolTransfer,
} from '@bourse/api/market/pool-transfers.ts'
import { poolKinds } from '@bourse/api/market/pools.ts'
import { Refusal, refuse } from '../../core/base/refusal.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { conditions, pageResponse } from '../../core/work/page.ts'
import { allow, onlyVisible, refuseNotFound, visibleWorkspaces } from '../../iam/access/permissions.service.ts'
import { resolveFilter, summaries } from '../../iam/names/names.service.ts'
import { lockCapacity, moveAllocation } from '../pools/capacity.service.ts'
import { minuteOf, type PoolRow } from '../pools/pools.rules.ts'
import { findOwnPool, findPool, lockPools } from '../pools/pools.service.ts'
import { fromEntries, type Schedule, span, toEntries } from '../schedule/schedule.rules.ts'
import { requireSku, skuSummaries } from '../skus/skus.service.ts'
import { findTransfer, insertTransfer, listTransfers, type TransferRow } from './pool-transfers.store.ts'
import { haltRefusal } from './trading.rules.ts'

const scheduleField = 'allocation_schedule_delta'

/** Moves allocation between two pools of the account, also across workspaces. The transfer is executed at once. */
export async function createPoolTransfer(ctx: Ctx, { body }: Input<typeof createContract>): Promise<PoolTransfer> {
  const { account_id, token_id } = callerOf(ctx)
  const from = await findNamedPool(ctx, body.from_pool, 'from_pool')
  const to = await findNamedPool(ctx, body.to_pool, 'to_pool')
  await allow(ctx, 'pool_transfer:create', from)
  await allow(ctx, 'pool_transfer:create', to)
  if (from.id === to.id) refuse('same_pool', 'A transfer needs two different pools.', 'to_pool')
  requireKind(from, 'out', 'from_pool')
  requireKind(to, 'in', 'to_pool')
  const schedule = readSchedule(body[scheduleField])
  const book = await lockCapacity(ctx, body.sku)
  await requireSku(ctx, body.sku)
  if (book?.halted) throw new Refusal(haltRefusal(book.halt_message))
  const now = Math.max(ctx.now, book?.decided_at ?? 0)
  if ((span(schedule)?.start ?? 0) < minuteOf(now)) {
    refuse('in_the_past', 'The transfer starts before the running minute.', `${scheduleField}.0.start_at`)
  }
  await lockPools(ctx, [from.id, to.id])
  for (const [pool, field] of [
    [from, 'from_pool'],
    [to, 'to_pool'],
  ] as const) {
    if (!(await findPool(ctx, pool.id))) refuseUnknown(field)
  }
  const move = { from: from.id, to: to.id, sku_id: body.sku, schedule }
  await moveAllocation(ctx, { ...move, cause: 'transfer', field: scheduleField })
  const row: TransferRow = {
    id: ctx.newId('pool_transfer'),
    account_id,
    from_pool_id: from.id,
    to_pool_id: to.id,
    workspace_id: from.workspace_id,
    sku_id: body.sku,
    schedule: [...schedule],
    created_by_token_id: token_id,
    created_at: ctx.now,
  }
  await insertTransfer(ctx.db, row)
  const [transfer] = await present(ctx, [row])
  return transfer as PoolTransfer
}

/** Lists transfers whose source is in a workspace that the caller may list. */
export async function listPoolTransfers(ctx: Ctx, query: Input<typeof listContract>['query']) {
  const where = onlyVisible(ctx, conditions(), 't', await visibleWorkspaces(ctx, 'pool_transfer:list', undefined))
  const pools = await resolveFilter(ctx, 'pool', query.pool)
  if (pools !== undefined) where.check('(t.from_pool_id = any($) or t.to_pool_id = any($))', pools, pools)
  // Every stored transfer is executed.
  if (query.state !== undefined && query.state !== 'executed') where.add('false')
  const page = await listTransfers(ctx, query, where)
  return pageResponse(page, await present(ctx, page.rows))
}

/** Reads one transfer. */
export async function getPoolTransfer(ctx: Ctx, id: Id<'pool_transfer'>): Promise<PoolTransfer> {
  const row = await findTransfer(ctx.db, id)
  if (!row || row.account_id !== callerOf(ctx).account_id) refuseNotFound()
  await allow(ctx, 'pool_transfer:read', row)
  const [transfer] = await present(ctx, [row])
  return transfer as PoolTransfer
}

async function findNamedPool(ctx: Ctx, ref: Parameters<typeof findOwnPool>[1], field: string): Promise<PoolRow> {
  return (await findOwnPool(ctx, ref)) ?? refuseUnknown(field)
}

function refuseUnknown(field: string): never {
  refuse('reference_not_found', 'There is no such pool.', field)
}

function requireKind({ kind }: PoolRow, way: 'in' | 'out', field: string): void {
  const ways: readonly string[] = poolKinds[kind].transfers
  if (ways.includes(way)) return
  const what = way === 'in' ? 'given to' : 'taken from'
  refuse('pool_kind_not_allowed', `Nothing is ${what} a pool of kind ${kind}.`, field)
}

function readSchedule(entries: Parameters<typeof fromEntries>[0]): Schedule {
  const read = fromEntries(entries, scheduleField)
  if ('refusal' in read) throw new Refusal(read.refusal)
  if (read.schedule.length === 0) refuse('out_of_range', 'The schedule moves nothing.', scheduleField)
  return read.schedule
}

async function present(ctx: Ctx, rows: readonly TransferRow[]): Promise<PoolTransfer[]> {
  const tokens = rows.flatMap(({ created_by_token_id: id }) => (id === null ? [] : [id]))
  const [names, skus] = await Promise.all([
    summaries(ctx, tokens),
    skuSummaries(
      ctx,
      rows.map(({ sku_id }) => sku_id),
    ),
  ])
  return rows.map((row): PoolTransfer => {
    const token = row.created_by_token_id
    return {
      object: 'pool_transfer',
      id: row.id,
      state: 'executed',
      from_pool: row.from_pool_id,
      to_pool: row.to_pool_id,
      sku: skus.get(row.sku_id) as PoolTransfer['sku'],
      allocation_schedule_delta: toEntries(row.schedule) as PoolTransfer['allocation_schedule_delta'],
      rejected_reason: null,
      created_at: row.created_at,
      created_by:
        token === null ? { type: 'system' } : { type: 'token', id: token, name: names.get(token)?.name ?? token },
      executed_at: row.created_at,
    }
  })
}
