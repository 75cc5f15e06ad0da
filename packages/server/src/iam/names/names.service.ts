/** The one place that turns a path into an id, and that says which names are taken. */
import { builtInRoles } from '@bourse/api/iam/built-in-roles.ts'
import {
  type Id,
  isPath,
  type Kind,
  kinds,
  type PathKind,
  parsePath,
  type Ref,
  resourcePath,
} from '@bourse/api/kit/ids.ts'
import { refuse, throwIfRefused } from '../../core/base/refusal.ts'
import { tornRead } from '../../core/db/torn-read.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { DEFAULT_NAME_TEMPLATE, nameFromTemplate, refuseNameTemplate } from './name-templates.rules.ts'
import {
  findByPaths,
  insertNames,
  listKindsIn as listKinds,
  listLiveNames,
  listNames,
  listNamesAround,
  type NameRow,
  type NewName,
  releaseNames,
  updateName,
} from './names.store.ts'

/** What a resource is to be called: as given, or drawn from a template. Kinds of the account have no workspace. */
export type NameRequest = {
  readonly id: string
  readonly kind: Kind
  readonly account_id: string
  readonly workspace_id: Id<'workspace'> | null
  readonly name?: string | undefined
  readonly template?: string | undefined
  /** The `object` of its summary where that is not its kind, such as `spot_deployment`. */
  readonly shown_as?: string
}

/** A resource as it stands inside others. */
export type Summary<K extends string = string> = {
  object: K
  id: K extends Kind ? Id<K> : string
  name: string
  resource_path: string
}

const drawsMax = 25

/** The id behind an id or path; undefined where a path leads nowhere. Ids pass unseen: loading shows what they are. */
export async function resolveRef<K extends PathKind>(ctx: Ctx, kind: K, ref: Ref<K>): Promise<Id<K> | undefined> {
  if (!isPath(ref)) return plainId(ref)
  return (await resolveRefs(ctx, kind, [ref]))[0]
}

/** The ids behind several references, in their order, with holes where a path leads nowhere. */
export async function resolveRefs<K extends PathKind>(
  ctx: Ctx,
  kind: K,
  refs: readonly Ref<K>[],
): Promise<(Id<K> | undefined)[]> {
  const paths = refs.filter((ref) => isPath(ref)).map((ref) => ({ ref, ...parsePath(ref) }))
  const found = new Map<string, string>()
  if (paths.length > 0) {
    const segments = kinds[kind].path_segments
    const rows = paths.map(({ ref, account_id, workspace, name }) => ({
      ref,
      account_id,
      workspace: workspace ?? null,
      name,
    }))
    for (const { ref, id } of await findByPaths(ctx.db, kind, { segments, paths: rows })) found.set(ref, id)
  }
  if (kind === 'role') for (const { ref, account_id, name } of paths) addBuiltIn(ctx, found, { ref, account_id, name })
  return refs.map((ref) => (isPath(ref) ? (found.get(ref) as Id<K> | undefined) : plainId(ref)))
}

/** The ids behind the values of a filter; those that lead nowhere are left out. */
export async function resolveFilter<K extends PathKind>(
  ctx: Ctx,
  kind: K,
  refs: readonly Ref<K>[] | undefined,
): Promise<Id<K>[] | undefined> {
  if (refs === undefined) return undefined
  return (await resolveRefs(ctx, kind, refs)).filter((id) => id !== undefined)
}

/** Takes a name for a new resource: the requested one, refused with `name_taken`, or a drawn one that is free. */
export async function claimName(ctx: Ctx, request: NameRequest): Promise<string> {
  const names = await claimNames(ctx, [request])
  return names.get(request.id) as string
}

/**
 * Takes the names of several new resources at once, by their ids. Call it once in a command and after all parents are
 * locked: a taken name is waited for like a lock.
 */
export async function claimNames(ctx: Ctx, requests: readonly NameRequest[]): Promise<Map<string, string>> {
  const claimed = await claimFreeNames(ctx, requests)
  if (claimed.size < requests.length) refuseTaken()
  return claimed
}

/** Like {@link claimNames}, but those whose requested name is taken are left out. */
export async function claimFreeNames(ctx: Ctx, requests: readonly NameRequest[]): Promise<Map<string, string>> {
  const claimed = new Map<string, string>()
  let open = requests
  for (let draw = 0; open.length > 0 && draw < drawsMax; draw++) {
    const rows = open.map((request) => newName(ctx, request))
    const taken = await insertNames(ctx.db, rows)
    for (const { id, name } of rows) if (taken.has(id)) claimed.set(id, name)
    open = open.filter((request) => !taken.has(request.id) && request.name === undefined)
  }
  return claimed
}

/** A name that nobody chose, for things whose names are not kept here. Whether it is free is not known. */
export function drawName({ random }: Ctx, template = DEFAULT_NAME_TEMPLATE): string {
  return nameFromTemplate(template, (below) => random.integer(below))
}

/** A template that names are to be drawn from later: the requested one, or the usual one. Refuses the field. */
export function readNameTemplate(requested: string | undefined, field: string): string {
  if (requested !== undefined) throwIfRefused(refuseNameTemplate(requested, field))
  return requested ?? DEFAULT_NAME_TEMPLATE
}

/** Gives a resource another name; its path changes at once, and with a workspace's the paths of all inside. */
export async function renameName(
  ctx: Ctx,
  { id, kind, name }: { id: string; kind: Kind; name: string },
): Promise<void> {
  if (kind === 'role' && Object.hasOwn(builtInRoles, name)) refuseTaken()
  try {
    if ((await updateName(ctx.db, id, name)) === 0) refuse('not_found', 'There is nothing with this id or path.')
  } catch (error) {
    // The transaction is broken by this, and the refusal ends it.
    if ((error as { code?: string }).code === '23505') refuseTaken()
    throw error
  }
}

/** Frees the names of deleted resources. Summaries go on showing images, automations, and makers of things. */
export async function releaseName(ctx: Ctx, ...ids: string[]): Promise<void> {
  await releaseNames(ctx.db, ids, ctx.now)
}

/** How resources stand inside others, in one statement; of deleted ones too. Ids without a name are left out. */
export async function summaries(ctx: Ctx, ids: Iterable<string | null | undefined>): Promise<Map<string, Summary>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null && id !== undefined)
  if (wanted.length === 0) return new Map()
  const rows = await listNames(ctx.db, wanted)
  return new Map(rows.map((row) => [row.id, summaryOf(row)]))
}

/** The same, and how the workspaces stand that the resources are in, whose ids need not be known. */
export async function summariesAround(
  { db }: Pick<Ctx, 'db'>,
  ids: Iterable<string | null | undefined>,
): Promise<Map<string, Summary>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null && id !== undefined)
  if (wanted.length === 0) return new Map()
  const rows = await listNamesAround(db, wanted)
  return new Map(rows.map((row) => [row.id, summaryOf(row)]))
}

/** The ids whose resources still go by their name: those that are not deleted. */
export async function listNamed(ctx: Ctx, ids: readonly string[]): Promise<Set<string>> {
  return ids.length === 0 ? new Set() : listLiveNames(ctx.db, [...new Set(ids)])
}

/** The kinds of the resources in a workspace that are not deleted. */
export function listKindsIn({ db }: Ctx, workspace_id: string): Promise<Kind[]> {
  return listKinds(db, workspace_id)
}

/** One summary of a kind out of those loaded. Where it is not there, its name has ended since: the read was torn. */
export function pickSummary<K extends Kind>(found: ReadonlyMap<string, Summary>, kind: K, id: string): Summary<K> {
  const summary = found.get(id)
  if (summary?.object !== kind) throw tornRead(`No summary of the ${kind} ${id} was loaded.`)
  return summary as Summary<K>
}

function summaryOf({ id, kind, account_id, name, shown_as, workspace_name }: NameRow): Summary {
  const path = resourcePath(kind as PathKind, { account_id, workspace: workspace_name ?? undefined, name })
  return { object: shown_as ?? kind, id, name, resource_path: kinds[kind].path_segments === 0 ? '' : path }
}

/** The id that is meant by an id: images are read by an older prefix too and always written by the new one. */
export function plainId<K extends PathKind>(id: string): Id<K> {
  return (id.startsWith('vmi_') ? `image_${id.slice(4)}` : id) as Id<K>
}

function newName(ctx: Ctx, { id, kind, account_id, workspace_id, name, template, shown_as }: NameRequest): NewName {
  if (kind === 'role' && name !== undefined && Object.hasOwn(builtInRoles, name)) refuseTaken()
  return { id, kind, account_id, workspace_id, name: name ?? drawName(ctx, template), shown_as: shown_as ?? null }
}

/** Every account has the built-in roles, so their paths lead somewhere in the caller's own. */
function addBuiltIn(
  ctx: Ctx,
  found: Map<string, string>,
  path: { ref: string; account_id: string; name: string },
): void {
  const isReached = !ctx.caller || ctx.caller.is_platform || ctx.caller.account_id === path.account_id
  if (!isReached || !Object.hasOwn(builtInRoles, path.name)) return
  found.set(path.ref, builtInRoles[path.name as keyof typeof builtInRoles].id)
}

function refuseTaken(): never {
  refuse('name_taken', 'This name is taken.', 'name')
}
