/** Console output of machines: agents append it, users read it. */
import { type appendInstanceLogs as appendContract, logChunkBytesMax } from '@bourse/api/fleet/agent.ts'
import type { LogChunk, listInstanceLogs as listContract } from '@bourse/api/fleet/instance-access.ts'
import type { Input, Output } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import { refuse } from '../../core/base/refusal.ts'
import type { Db } from '../../core/db/db.ts'
import type { AgentCaller, Ctx } from '../../core/work/ctx.ts'
import { allow, refuseNotFound } from '../../iam/access/permissions.service.ts'
import { findMachine } from '../hosts/machines.service.ts'
import { lockInstances } from '../instances/instance-changes.service.ts'
import { findInstance, loadInstance } from '../instances/instances.service.ts'
import { chunksToStore, type LogBudget, logBytesKept } from './instance-logs.rules.ts'
import {
  findLogEnd,
  insertLogChunks,
  type LogChunkRow,
  type LogRange,
  listLogChunks,
  removeLogsBefore,
} from './instance-logs.store.ts'

declare module '../../core/work/services.ts' {
  interface Services {
    /** How much console output each instance may write. */
    readonly log_budget: LogBudget
  }
}

const chunksByDefault = 100

/** Appends chunks of a machine on the calling host. Chunks that are stored already are skipped. */
export async function appendLogs(
  ctx: Ctx,
  { params: { id }, body: { chunks } }: Input<typeof appendContract>,
  { host_id }: AgentCaller,
): Promise<Output<typeof appendContract>> {
  await lockInstances(ctx, [id])
  const [machine, instance] = await Promise.all([findMachine(ctx, id), findInstance(ctx, id)])
  // Once the record is removed nothing is stored, although its machine may still be stopping.
  if (machine?.host_id !== host_id || !instance) refuseNotFound()
  return { next_seqnum: await keepChunks(ctx, id, chunks) }
}

/**
 * Stores the chunks that are newer than those of a locked instance and within its budget. Returns the next sequence
 * number. `now_ms` is the clock of the budget; by default the unshifted one, by which agents over HTTP live.
 */
export async function keepChunks(
  ctx: Ctx,
  id: Id<'instance'>,
  chunks: readonly LogChunk[],
  now_ms?: number,
): Promise<number> {
  const found = await findLogEnd(ctx.db, id)
  const decoded = chunks.map((chunk, index) => ({ ...chunk, data: bytesOf(chunk.data, `chunks.${index}.data`) }))
  const at = { budget: ctx.services.log_budget, now_ms: now_ms ?? found.now_ms }
  const stored = chunksToStore(found.end, decoded, at)
  const end = stored.at(-1) ?? found.end
  if (stored.length > 0) await insertLogChunks(ctx.db, id, stored)
  if (end.ends_at_byte > logBytesKept) await removeLogsBefore(ctx.db, id, end.ends_at_byte - logBytesKept)
  return end.seqnum + 1
}

/** Reads the console of an instance. */
export async function listLogs(
  ctx: Ctx,
  ref: Ref<'instance'>,
  query: Input<typeof listContract>['query'],
): Promise<Output<typeof listContract>> {
  const instance = await loadInstance(ctx, ref)
  await allow(ctx, 'instance:read', instance)
  const { limit = chunksByDefault, sort_by = 'seqnum' } = query
  const range = {
    seqnum_after: query.seqnum_after ?? null,
    seqnum_before: query.seqnum_before ?? null,
    logged_after: query.logged_after ?? null,
    logged_before: query.logged_before ?? null,
  }
  const rows = await listLogChunks(ctx.db, instance.id, sort_by, { ...range, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  return { object: 'list', data: shown.map(presentChunk), has_more: (rows[0]?.found ?? 0) > shown.length }
}

/** The first chunks of a range, as the API shows them, at most 1 MiB of them. */
export async function readChunks(
  db: Db,
  id: Id<'instance'>,
  { sort_by, ...range }: LogRange & { readonly sort_by: 'seqnum' | '-seqnum' },
): Promise<LogChunk[]> {
  return (await listLogChunks(db, id, sort_by, range)).map(presentChunk)
}

function presentChunk({ seqnum, logged_at, data }: LogChunkRow): LogChunk {
  return { seqnum, logged_at, data: data.toString('base64') }
}

function bytesOf(data: string, field: string): Buffer {
  const bytes = Buffer.from(data, 'base64')
  if (bytes.length > logChunkBytesMax) refuse('too_long', `A chunk has at most ${logChunkBytesMax} bytes.`, field)
  return bytes
}
