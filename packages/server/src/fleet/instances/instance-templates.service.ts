import type {
  createInstanceTemplate as createContract,
  InstanceTemplate,
  listInstanceTemplates as listContract,
} from '@bourse/api/fleet/instance-templates.ts'
import type { CloudInitResponse } from '@bourse/api/fleet/launch-fields.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id, Ref } from '@bourse/api/kit/ids.ts'
import { throwIfRefused } from '../../core/base/refusal.ts'
import { refuseInUse } from '../../core/http/in-use.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { conditions, pageResponse } from '../../core/work/page.ts'
import type { FindReferrers } from '../../core/work/references.ts'
import {
  allow,
  chooseWorkspace,
  onlyVisible,
  refuseNotFound,
  visibleWorkspaces,
} from '../../iam/access/permissions.service.ts'
import { returnLimit, takeLimit } from '../../iam/names/limit-usage.service.ts'
import {
  claimName,
  idToLoad,
  pickSummary,
  releaseName,
  resolveFilter,
  summaries,
} from '../../iam/names/names.service.ts'
import { lockWorkspaceShared } from '../../iam/names/owners.service.ts'
import {
  allowReadingUserData,
  answerUserData,
  eraseUserData,
  keepUserData,
  readUserData,
} from './cloud-init.service.ts'
import { chooseSshKeys } from './instance-ssh-keys.service.ts'
import {
  findTemplate as findRow,
  insertTemplate,
  listTemplateReferrers,
  listTemplates,
  removeTemplate,
  type TemplateRow,
  templateLock,
  templateShareLock,
} from './instance-templates.store.ts'
import { admitTemplate } from './instances.rules.ts'
import { defaultPriority, lockLaunchReferences } from './launches.service.ts'

const kind = 'instance_template'
const referrersShown = 20

/** Creates a template. */
export async function createInstanceTemplate(
  ctx: Ctx,
  body: Input<typeof createContract>['body'],
): Promise<InstanceTemplate> {
  const { account_id } = callerOf(ctx)
  const userData = readUserData(body.cloud_init_user_data)
  const workspace_id = await chooseWorkspace(ctx, body.workspace)
  await allow(ctx, 'instance_template:create', workspace_id)
  await takeLimit(ctx, account_id, 'instance_templates')
  const ssh_key_ids = (await chooseSshKeys(ctx, body)).map((key) => key.id)
  const { choice, columns } = await lockLaunchReferences(ctx, body, { workspace_id, joins_subnet: false })
  throwIfRefused(admitTemplate(choice))
  await lockWorkspaceShared(ctx, workspace_id)
  const id = ctx.newId(kind)
  await claimName(ctx, { id, kind, account_id, workspace_id, name: body.name })
  const { tags = null, priority_level = defaultPriority } = body
  const marks = { user_data_used: userData !== undefined, created_at: ctx.now }
  const row: TemplateRow = { id, account_id, workspace_id, ...columns, ssh_key_ids, priority_level, tags, ...marks }
  await Promise.all([insertTemplate(ctx.db, row), userData && keepUserData(ctx, [row], userData)])
  return presentOne(ctx, row)
}

/** Lists the templates that the caller may list. */
export async function listInstanceTemplates(ctx: Ctx, query: Input<typeof listContract>['query']) {
  const visible = await visibleWorkspaces(ctx, 'instance_template:list', query.workspace)
  const where = onlyVisible(ctx, conditions(), 't', visible)
  where.addIf('t.id = any($)', await resolveFilter(ctx, kind, query.id))
  where.checkIf('t.image_id = any($)', await resolveFilter(ctx, 'image', query.image))
  const page = await listTemplates(ctx, query, where)
  return pageResponse(page, await present(ctx, page.rows))
}

/** Reads one template. */
export async function getInstanceTemplate(ctx: Ctx, ref: Ref<typeof kind>): Promise<InstanceTemplate> {
  const row = await loadTemplate(ctx, ref)
  await allow(ctx, 'instance_template:read', row)
  return presentOne(ctx, row)
}

/** Reads the user data of a template. Not found also if it has none. */
export async function getInstanceTemplateCloudInit(ctx: Ctx, ref: Ref<typeof kind>): Promise<CloudInitResponse> {
  const row = await loadTemplate(ctx, ref)
  await allowReadingUserData(ctx, row, kind)
  return answerUserData(ctx, row)
}

/** Deletes a template that no deployment uses, and its user data with it. */
export async function deleteInstanceTemplate(ctx: Ctx, ref: Ref<typeof kind>): Promise<void> {
  const known = await loadTemplate(ctx, ref)
  await allow(ctx, 'instance_template:delete', known)
  const [locked] = await ctx.lock(templateLock, [known.id])
  if (locked === undefined) refuseNotFound()
  throwIfRefused(refuseInUse(kind, await ctx.referrers(kind, known.id, referrersShown)))
  await Promise.all([
    removeTemplate(ctx, known.id),
    eraseUserData(ctx, [known.id]),
    releaseName(ctx, known.id),
    returnLimit(ctx, known.account_id, 'instance_templates'),
  ])
}

/** A template of whatever account. */
export function findTemplate(ctx: Ctx, id: Id<typeof kind>): Promise<TemplateRow | undefined> {
  return findRow(ctx.db, id)
}

/** A template, locked against deletion; undefined if it is gone. */
export async function lockTemplateShared(ctx: Ctx, id: Id<typeof kind>): Promise<TemplateRow | undefined> {
  const [[locked], row] = await Promise.all([ctx.lock(templateShareLock, [id]), findTemplate(ctx, id)])
  return locked === undefined ? undefined : row
}

async function loadTemplate(ctx: Ctx, ref: Ref<typeof kind>): Promise<TemplateRow> {
  const id = await idToLoad(ctx, kind, ref)
  const row = await findTemplate(ctx, id)
  return row ?? refuseNotFound()
}

async function presentOne(ctx: Ctx, row: TemplateRow): Promise<InstanceTemplate> {
  const [shown] = await present(ctx, [row])
  return shown as InstanceTemplate
}

async function present(ctx: Ctx, rows: readonly TemplateRow[]): Promise<InstanceTemplate[]> {
  const names = await summaries(
    ctx,
    rows.flatMap(({ id, workspace_id, image_id }) => [id, workspace_id, image_id]),
  )
  return rows.map((row) => {
    const { name, resource_path } = pickSummary(names, kind, row.id)
    return {
      object: kind,
      id: row.id,
      resource_path,
      workspace: pickSummary(names, 'workspace', row.workspace_id),
      name,
      image: pickSummary(names, 'image', row.image_id),
      cloud_init_user_data_used: row.user_data_used,
      ssh_keys: row.ssh_key_ids,
      tags: row.tags,
      priority_level: row.priority_level,
      _preview_enable_public_ipv4: row.enable_public_ipv4,
      _preview_firewall: row.firewall_id,
      subnet: row.subnet_id,
      _preview_infiniband_partition: row.infiniband_partition_id,
      created_at: row.created_at,
    }
  })
}

/** Finds the templates that refer to a resource by a column. */
export function templatesBy(column: Parameters<typeof listTemplateReferrers>[1]): FindReferrers {
  return (ctx, id, limit) => listTemplateReferrers(ctx.db, column, id, limit)
}
