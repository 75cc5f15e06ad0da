/**
 * Permits to enrol hosts. Until a permit ends, the hosts that it still allows count against the account's limit. An
 * agent is therefore never refused by the limit at the end of a long installation.
 */

import type {
  CreatedHostEnrolment,
  createHostEnrolment as createContract,
  HostEnrolment,
  listHostEnrolments as listContract,
} from '@bourse/api/fleet/host-enrolments.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { isUnencryptedUrl } from '@bourse/api/kit/loopback.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { refuse } from '../../core/base/refusal.ts'
import { deriveSecret, isSecretOf, isSecretUnderAnyKey } from '../../core/keys/derived-secret.ts'
import type { MasterKeys } from '../../core/keys/keys.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { conditions, pageResponse } from '../../core/work/page.ts'
import {
  allow,
  chooseWorkspace,
  onlyVisible,
  refuseNotFound,
  visibleWorkspaces,
} from '../../iam/access/permissions.service.ts'
import { returnLimit, takeLimit } from '../../iam/names/limit-usage.service.ts'
import { pickSummary, summaries } from '../../iam/names/names.service.ts'
import { findAccount, lockWorkspaceShared } from '../../iam/names/owners.service.ts'
import { findSkuFor, type SkuSummary, skuSummaries } from '../../market/skus/skus.service.ts'
import {
  type EnrolmentRow,
  enrolmentLock,
  findEnrolment,
  insertEnrolment,
  listEnrolments as listRows,
  updateEnded,
  updateUsed,
} from './host-enrolments.store.ts'

/** Kind of the due rows that end permits. The key is the id of the permit. */
export const enrolmentEnd = 'fleet.enrolment_end'

const secondsByDefault = daySeconds
const tokenPattern = /^bhe_([0-9a-zA-Z_-]{1,21})_([0-9a-f]{64})$/

/** A permit that lets hosts enrol. */
export type Permit = EnrolmentRow

/** Creates a permit. */
export async function createHostEnrolment(
  ctx: Ctx,
  body: Input<typeof createContract>['body'],
): Promise<CreatedHostEnrolment> {
  const { account_id } = callerOf(ctx)
  const workspace_id = await chooseWorkspace(ctx, body.workspace)
  await allow(ctx, 'host:create', workspace_id)
  const sku = await findSkuFor(ctx, account_id, body.sku)
  if (!sku?.is_visible || sku.deleted_at !== null) {
    refuse('sku_not_available', 'There is no such SKU, or it is retired.', 'sku')
  }
  await refusePartner(ctx, { sku, account_id, field: 'sku' })
  const { slots = 1, uses = 1, expires_in_seconds = secondsByDefault } = body
  await takeLimit(ctx, account_id, 'hosts', uses)
  await lockWorkspaceShared(ctx, workspace_id)
  const expires_at = ctx.now + expires_in_seconds
  const row: EnrolmentRow = {
    id: ctx.newId('host_enrolment'),
    account_id,
    workspace_id,
    sku_id: sku.id,
    slots,
    uses,
    used: 0,
    key_id: ctx.keys.master.current.key_id,
    expires_at,
    created_at: ctx.now,
    ended_at: null,
  }
  await insertEnrolment(ctx.db, row)
  ctx.schedule(enrolmentEnd, row.id, expires_at)
  return { ...(await presentOne(ctx, row)), ...secretsOf(ctx, row) }
}

/** Adds the secret and the command to a stored answer, which is kept without them. */
export async function restoreEnrolment(ctx: Ctx, body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const row = await findEnrolment(ctx.db, String(body.id))
  if (!row) throw new Error(`The permit ${String(body.id)} has no row, so its secret cannot be derived.`)
  return { ...body, ...secretsOf(ctx, row) }
}

/** Refuses a host of a partner for a SKU that only the operator of the platform supplies: `operator_hosts_only`. */
export async function refusePartner(
  ctx: Ctx,
  { sku, account_id, field }: { sku: { operator_hosts_only: boolean }; account_id: string; field: string },
): Promise<void> {
  if (!sku.operator_hosts_only || (await findAccount(ctx, account_id))?.is_platform) return
  const message = 'Only the operator of the platform supplies this SKU, so no other account can add hosts for it.'
  refuse('operator_hosts_only', message, field)
}

/** Lists the permits that the caller may list and that have not ended. */
export async function listHostEnrolments(ctx: Ctx, query: Input<typeof listContract>['query']) {
  const visible = await visibleWorkspaces(ctx, 'host:list', query.workspace)
  const page = await listRows(ctx, query, onlyVisible(ctx, conditions(), 'e', visible))
  return pageResponse(page, await present(ctx, page.rows))
}

/** Reads a permit that has not ended, without its secret. */
export async function getHostEnrolment(ctx: Ctx, id: Id<'host_enrolment'>): Promise<HostEnrolment> {
  const row = await loadEnrolment(ctx, id, 'read')
  if (hasEnded(ctx, row)) refuseNotFound()
  return presentOne(ctx, row)
}

/** Ends a permit. */
export async function deleteHostEnrolment(ctx: Ctx, id: Id<'host_enrolment'>): Promise<void> {
  await loadEnrolment(ctx, id, 'delete')
  const row = await lockEnrolment(ctx, id)
  if (!row || hasEnded(ctx, row)) refuseNotFound()
  await endEnrolment(ctx, row)
}

/** Ends a permit that has expired. Returns the time of its expiry if that is in the future. */
export async function expireEnrolment(ctx: Ctx, id: Id<'host_enrolment'>): Promise<number | undefined> {
  const row = await lockEnrolment(ctx, id)
  if (!row || row.ended_at !== null) return undefined
  if (row.expires_at > ctx.now) return row.expires_at
  await endEnrolment(ctx, row)
  return undefined
}

/**
 * The id of the permit whose secret this is; undefined where no master key derives it. Reads nothing: whether the
 * permit still exists is decided by `redeemEnrolment`.
 */
export function permitOfSecret(keys: MasterKeys, token: unknown): Id<'host_enrolment'> | undefined {
  const [, body, secret = ''] = (typeof token === 'string' && tokenPattern.exec(token)) || []
  if (body === undefined) return undefined
  const id = `henr_${body}` as const
  return isSecretUnderAnyKey(keys, factsOf(id), secret) ? id : undefined
}

/**
 * Finds and locks the permit of a secret (rank `claimed_work`), even if all of its uses are taken. Undefined if there
 * is none, or if the permit ended for another reason than being used up.
 */
export async function redeemEnrolment(ctx: Ctx, token: string): Promise<Permit | undefined> {
  const [, body, secret = ''] = tokenPattern.exec(token) ?? []
  const id = `henr_${body}` as const
  const known = body === undefined ? undefined : await findEnrolment(ctx.db, id)
  if (!known || !isSecretOf(ctx.keys.master, factsOf(id), { key_id: known.key_id, secret })) return undefined
  const row = await lockEnrolment(ctx, id)
  const isOpen = row !== undefined && row.expires_at > ctx.now && (row.ended_at === null || row.used === row.uses)
  return isOpen ? row : undefined
}

/** Counts one more host that enrolled with a permit. The permit is locked and has uses left. */
export async function useEnrolment(ctx: Ctx, row: Permit): Promise<void> {
  await updateUsed(ctx.db, row.id)
  if (row.used + 1 === row.uses) await endEnrolment(ctx, { ...row, used: row.uses })
}

/** A permit of the caller's account, including one that has ended. */
async function loadEnrolment(ctx: Ctx, id: Id<'host_enrolment'>, verb: 'read' | 'delete'): Promise<EnrolmentRow> {
  const row = await findEnrolment(ctx.db, id)
  if (!row || row.account_id !== callerOf(ctx).account_id) refuseNotFound()
  await allow(ctx, `host:${verb}`, row)
  return row
}

/** Whether a permit was deleted, has expired, or has no uses left. */
function hasEnded({ now }: Ctx, { ended_at, expires_at }: EnrolmentRow): boolean {
  return ended_at !== null || expires_at <= now
}

async function lockEnrolment(ctx: Ctx, id: Id<'host_enrolment'>): Promise<EnrolmentRow | undefined> {
  const [locked] = await ctx.lock(enrolmentLock, [id])
  return locked === undefined ? undefined : findEnrolment(ctx.db, id)
}

async function endEnrolment(ctx: Ctx, { id, account_id, uses, used }: EnrolmentRow): Promise<void> {
  if (!(await updateEnded(ctx.db, id, ctx.now))) return
  await returnLimit(ctx, account_id, 'hosts', uses - used)
  ctx.unschedule(enrolmentEnd, id)
}

function factsOf(id: Id<'host_enrolment'>) {
  return { purpose: 'host enrolment', facts: [id] }
}

function secretsOf({ keys, public_url }: Ctx, { id, key_id }: EnrolmentRow): { token: string; command: string } {
  const token = `bhe_${id.slice('henr_'.length)}_${deriveSecret(keys.master, factsOf(id), key_id)}`
  return { token, command: enrolCommand(public_url(), token) }
}

/**
 * One line for the shell of the host: installs the agent in a directory of its own, enrols the host, runs the agent.
 */
function enrolCommand(url: string, token: string): string {
  const fetch = `mkdir -p bourse-agent && curl -fsS ${url}/agent/v1/bundle.tgz | tar -xz -C bourse-agent`
  const trust = isUnencryptedUrl(url) ? '--insecure-http ' : ''
  // `printf` is part of the shell: every user of a host can read the arguments of its programs.
  const program = 'bourse-agent/packages/agent/bin/bourse'
  const enrol = `printf %s ${token} | ${program} agent enrol ${trust}--server ${url} --token-file -`
  return `${fetch} && ${enrol} && bourse-agent/packages/agent/bin/bourse agent run`
}

async function presentOne(ctx: Ctx, row: EnrolmentRow): Promise<HostEnrolment> {
  const [shown] = await present(ctx, [row])
  return shown as HostEnrolment
}

async function present(ctx: Ctx, rows: readonly EnrolmentRow[]): Promise<HostEnrolment[]> {
  const [names, skus] = await Promise.all([
    summaries(
      ctx,
      rows.map(({ workspace_id }) => workspace_id),
    ),
    skuSummaries(
      ctx,
      rows.map(({ sku_id }) => sku_id),
    ),
  ])
  return rows.map(({ id, workspace_id, sku_id, slots, uses, used, expires_at, created_at }) => ({
    object: 'host_enrolment',
    id,
    workspace: pickSummary(names, 'workspace', workspace_id),
    sku: skus.get(sku_id) as SkuSummary,
    slots,
    uses,
    used,
    expires_at,
    created_at,
  }))
}
