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
import {
  findLogEnd,
  insertLogChunks,
  type LogChunkRow,
  type LogRange,
  listLogChunks,
  removeLogsBefore,
} from './instance-logs.store.ts'

/** How many of the newest bytes of a console are kept (docs/concepts/instances.md, "Logs"). */
const LOG_BYTES_KEPT = 16 * 1024 * 1024
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

/** Stores the chunks that are newer than those of a locked instance. Returns the next sequence number. */
export async function keepChunks(ctx: Ctx, id: Id<'instance'>, chunks: readonly LogChunk[]): Promise<number> {
  const end = (await findLogEnd(ctx.db, id)) ?? { seqnum: 0, ends_at_byte: 0 }
  let { seqnum: last, ends_at_byte } = end
  const fresh: { seqnum: number; logged_at: number; data: string; ends_at_byte: number }[] = []
  for (const [index, { seqnum, logged_at, data }] of chunks.entries()) {
    if (seqnum <= last) continue
    ends_at_byte += bytesOf(data, `chunks.${index}.data`)
    last = seqnum
    fresh.push({ seqnum, logged_at, data, ends_at_byte })
  }
  if (fresh.length > 0) await insertLogChunks(ctx.db, id, fresh)
  if (ends_at_byte > LOG_BYTES_KEPT) await removeLogsBefore(ctx.db, id, ends_at_byte - LOG_BYTES_KEPT)
  return last + 1
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
  const chunks = await readChunks(ctx.db, instance.id, { ...range, sort_by, limit: limit + 1 })
  return { object: 'list', data: chunks.slice(0, limit), has_more: chunks.length > limit }
}

/** The chunks of a range, as the API shows them. */
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

function bytesOf(data: string, field: string): number {
  const bytes = Buffer.from(data, 'base64')
  if (bytes.length > logChunkBytesMax) refuse('too_long', `A chunk has at most ${logChunkBytesMax} bytes.`, field)
  return bytes.length
}
