/** Resolves paths to ids and manages names. No other file does either. */
import { builtInRoles } from '@bourse/api/iam/built-in-roles.ts'
import {
  type Id,
  type IdKind,
  isPath,
  type KindNaming,
  kinds,
  type PathKind,
  parsePath,
  type Ref,
  resourcePath,
} from '@bourse/api/kit/ids.ts'
import type { SentReference } from '@bourse/api/kit/references.ts'
import { refuse, throwIfRefused } from '../../core/base/refusal.ts'
import { tornRead } from '../../core/db/torn-read.ts'
import { isUniqueViolation } from '../../core/db/unique-violation.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { Conditions } from '../../core/work/page.ts'
import { defaultNameTemplate, nameFromTemplate, refuseNameTemplate } from './name-templates.rules.ts'
import {
  findByName,
  findByPaths,
  forgetNames,
  insertNames,
  listKindsIn as listKinds,
  listLiveNames,
  listNames,
  listNamesAround,
  listOwnedNames,
  listPresentNames,
  type NameRow,
  type NewName,
  type OwnedNameRow,
  releaseNames,
  updateName,
} from './names.store.ts'
import { isAmong, likePattern } from './resource-limits.rules.ts'

/** The name of a new resource: `name`, or drawn from a template. `workspace_id` is null for kinds of the account. */
type NameRequest = {
  readonly id: string
  readonly kind: IdKind
  readonly account_id: string
  readonly workspace_id: Id<'workspace'> | null
  readonly name?: string | undefined
  readonly template?: string | undefined
  /** The `object` of its summary, if that is not its kind, such as `spot_deployment`. */
  readonly shown_as?: string
}

/** A resource as it is presented inside others. */
export type Summary<K extends string = string> = {
  object: K
  id: K extends IdKind ? Id<K> : string
  name: string
  resource_path: string
}

type NamePlace = Pick<NameRequest, 'workspace_id'>

const drawsMax = 25
/** Shorter than what ids are drawn with. */
const nobody = '0'

/** Resolves an id or path to an id; undefined for an unknown path. Does not check that an id exists. */
export async function resolveRef<K extends PathKind>(ctx: Ctx, kind: K, ref: Ref<K>): Promise<Id<K> | undefined> {
  if (!isPath(ref) && !ctx.caller?.limits?.resources) return plainId(ref)
  return (await resolveRefs(ctx, kind, [ref]))[0]
}

/**
 * The other forms that references have now: the id of a path, the path of an id, and either prefix where a kind has
 * two. Unknown ones have none.
 */
export async function otherForms(ctx: Ctx, sent: readonly SentReference[]): Promise<Map<string, string[]>> {
  const paths = sent.filter(({ ref }) => ref.startsWith('svc:'))
  const resolved = await Promise.all(paths.map(({ kind, ref }) => resolveRef(ctx, kind, ref as Ref<PathKind>)))
  const idOf = new Map(paths.map(({ ref }, at) => [ref, resolved[at] as string | undefined]))
  for (const { ref } of sent) if (!idOf.has(ref)) idOf.set(ref, plainId(ref))
  const named = await summaries(ctx, idOf.values())
  const formsOf = ({ kind, ref }: SentReference): string[] => {
    const id = idOf.get(ref)
    if (id === undefined) return []
    const { prefix, also_prefix }: KindNaming = kinds[kind]
    const also = also_prefix === undefined ? [] : [`${also_prefix}${id.slice(prefix.length)}`]
    return [id, ...also, named.get(id)?.resource_path ?? ''].filter((form) => form !== '' && form !== ref)
  }
  return new Map(sent.map((one) => [one.ref, formsOf(one)]))
}

/**
 * The id of a resource that is loaded next. An unknown path gives an id that nothing has, so that the work that
 * follows, and with it the time of the response, is that for a resource which the caller may not see.
 */
export async function idToLoad<K extends PathKind>(ctx: Ctx, kind: K, ref: Ref<K>): Promise<Id<K>> {
  return (await resolveRef(ctx, kind, ref)) ?? (`${kinds[kind].prefix}_${nobody}` as Id<K>)
}

/** Resolves several references to ids, in their order; undefined for each unknown path. */
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
  const ids = refs.map((ref) => (isPath(ref) ? (found.get(ref) as Id<K> | undefined) : plainId<K>(ref)))
  if (!ctx.caller?.limits?.resources || namedByAll.has(kind)) return ids
  const within = await withinLimits(ctx, ids)
  return ids.map((id) => (id !== undefined && within.has(id) ? id : undefined))
}

/** A token that is limited to resources may still name where they lie, and roles: neither is acted on by its name. */
const namedByAll: ReadonlySet<IdKind> = new Set<IdKind>(['workspace', 'role'])

/** Those of some ids that the caller may act on as far as its token is limited to resources. */
export async function withinLimits<I extends string>(ctx: Ctx, ids: readonly (I | undefined)[]): Promise<Set<I>> {
  const given = ids.filter((id) => id !== undefined)
  const limit = ctx.caller?.limits?.resources
  if (!limit) return new Set(given)
  const open = given.filter((id) => !limit.includes(id))
  const rows = open.length === 0 ? [] : await listPresentNames(ctx.db, [...new Set(open)])
  const paths = new Map(rows.map((row) => [row.id, summaryOf(row).resource_path || undefined]))
  return new Set(given.filter((id) => isAmong(limit, { id, path: paths.get(id) })))
}

/** Refuses `forbidden` unless the caller's token is not limited to resources, or to those with such a path. */
export async function refuseNameBeyondLimits(
  ctx: Ctx,
  {
    id,
    kind,
    account_id,
    workspace_id,
    name,
  }: Pick<NameRequest, 'id' | 'kind' | 'account_id' | 'workspace_id'> & {
    readonly name: string
  },
): Promise<void> {
  const limit = ctx.caller?.limits?.resources
  // A token has no path. What a token makes is limited like the token itself.
  if (!limit || kind === 'token') return
  const found = workspace_id === null ? undefined : await summaries(ctx, [workspace_id])
  const workspace = found?.get(workspace_id as string)?.name
  const path = resourcePath(kind as PathKind, { account_id, workspace, name })
  if (!isAmong(limit, { id, path })) refuse('forbidden', `This token is limited to resources, and not to ${path}.`)
}

/** Resolves the values of a filter to ids, without those of unknown paths. */
export async function resolveFilter<K extends PathKind>(
  ctx: Ctx,
  kind: K,
  refs: readonly Ref<K>[] | undefined,
): Promise<Id<K>[] | undefined> {
  if (refs === undefined) return undefined
  return (await resolveRefs(ctx, kind, refs)).filter((id) => id !== undefined)
}

/**
 * Narrows a list to what has a name, in which `*` stands for any characters. A whole name in one account is found by an
 * index; a pattern is checked on each row. `alias` is the table of the list.
 */
export async function onlyNamed(
  ctx: Ctx,
  where: Conditions,
  alias: string,
  { kind, name, account_id }: { kind: IdKind; name: string; account_id: string | undefined },
): Promise<void> {
  if (account_id !== undefined && !name.includes('*')) {
    where.add(`${alias}.id = any($)`, await findByName(ctx.db, account_id, kind, name))
  } else {
    where.check(`exists (select from names ln where ln.id = ${alias}.id and ln.name like $)`, likePattern(name))
  }
}

/** Claims the requested name for a new resource, or draws a free one. Refuses `name_taken`. */
export async function claimName(ctx: Ctx, request: NameRequest): Promise<string> {
  const names = await claimNames(ctx, [request])
  return names.get(request.id) as string
}

/**
 * Claims the names of several new resources; returns them by resource id. Refuses `name_taken`. Waits for commands that
 * claim the same names, so call it at most once in a command, after all parents are locked.
 */
export async function claimNames(ctx: Ctx, requests: readonly NameRequest[]): Promise<Map<string, string>> {
  const claimed = await claimFreeNames(ctx, requests)
  const refused = requests.find(({ id }) => !claimed.has(id))
  if (refused) refuseTaken(refused.kind)
  return claimed
}

/** Like {@link claimNames}, but leaves out resources whose requested name is taken. */
export async function claimFreeNames(ctx: Ctx, requests: readonly NameRequest[]): Promise<Map<string, string>> {
  const claimed = new Map<string, string>()
  let open = requests
  for (let draw = 0; open.length > 0 && draw < drawsMax; draw++) {
    const rows = open.map((request) => newName(ctx, request))
    if (ctx.caller?.limits?.resources) {
      for (const request of rows) await refuseNameBeyondLimits(ctx, request as typeof request & NamePlace)
    }
    const taken = await insertNames(ctx.db, rows)
    for (const { id, name } of rows) if (taken.has(id)) claimed.set(id, name)
    open = open.filter((request) => !taken.has(request.id) && request.name === undefined)
  }
  return claimed
}

/** Draws a name without claiming it, for objects whose names are not stored here. */
export function drawName({ random }: Ctx, template = defaultNameTemplate): string {
  return nameFromTemplate(template, (below) => random.integer(below))
}

/** The requested template for later draws, or the default one. Refuses an invalid template on `field`. */
export function readNameTemplate(requested: string | undefined, field: string): string {
  if (requested !== undefined) throwIfRefused(refuseNameTemplate(requested, field))
  return requested ?? defaultNameTemplate
}

/** Renames a resource, which changes its path. Renaming a workspace changes the paths of its resources too. */
export async function renameName(
  ctx: Ctx,
  { id, kind, name }: { id: string; kind: IdKind; name: string },
): Promise<void> {
  if (kind === 'role' && Object.hasOwn(builtInRoles, name)) refuseTaken(kind)
  if (ctx.caller?.limits?.resources) await refuseRenameBeyondLimits(ctx, id, name)
  try {
    if ((await updateName(ctx.db, id, name)) === 0) refuse('not_found', 'No resource has this id or path.')
  } catch (error) {
    if (isUniqueViolation(error)) refuseTaken(kind)
    throw error
  }
}

async function refuseRenameBeyondLimits(ctx: Ctx, id: string, name: string): Promise<void> {
  const limit = ctx.caller?.limits?.resources ?? []
  const [row] = await listPresentNames(ctx.db, [id])
  const path = row && summaryOf({ ...row, name }).resource_path
  if (!isAmong(limit, { id, path })) refuse('forbidden', `This token is limited to resources, and not to ${path}.`)
}

/** Releases the names of deleted resources. Summaries of images, automations and creators stay available. */
export async function releaseName(ctx: Ctx, ...ids: string[]): Promise<void> {
  await releaseNames(ctx.db, ids, ctx.now)
}

/** Deletes the names of resources of which nothing shows any more that they existed. */
export async function forgetName(ctx: Ctx, ...ids: string[]): Promise<void> {
  await forgetNames(ctx.db, ids)
}

/** Loads the summaries of resources by id, in one statement. Leaves out ids without a name. */
export async function summaries(ctx: Ctx, ids: Iterable<string | null | undefined>): Promise<Map<string, Summary>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null && id !== undefined)
  if (wanted.length === 0) return new Map()
  const rows = await listNames(ctx.db, wanted)
  return new Map(rows.map((row) => [row.id, summaryOf(row)]))
}

/** Loads the summaries of resources and of their workspaces by id, in one statement. */
export async function summariesAround(
  { db }: Pick<Ctx, 'db'>,
  ids: Iterable<string | null | undefined>,
): Promise<Map<string, Summary>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null && id !== undefined)
  if (wanted.length === 0) return new Map()
  const rows = await listNamesAround(db, wanted)
  return new Map(rows.map((row) => [row.id, summaryOf(row)]))
}

/** The names of those of some ids that an account has, with their workspaces. */
export function listOwned({ db }: Pick<Ctx, 'db'>, ids: readonly string[], accountId: string): Promise<OwnedNameRow[]> {
  return listOwnedNames(db, ids, accountId)
}

/** Those of some ids whose names are not released. */
export async function listNamed(ctx: Ctx, ids: readonly string[]): Promise<Set<string>> {
  return ids.length === 0 ? new Set() : listLiveNames(ctx.db, [...new Set(ids)])
}

/** The kinds of resources that a workspace contains. */
export function listKindsIn({ db }: Ctx, workspace_id: string): Promise<IdKind[]> {
  return listKinds(db, workspace_id)
}

/** Returns a loaded summary. Throws a torn read if it is missing: the name was released after the row was read. */
export function pickSummary<K extends IdKind>(found: ReadonlyMap<string, Summary>, kind: K, id: string): Summary<K> {
  const summary = found.get(id)
  if (summary?.object !== kind) throw tornRead(`No summary of the ${kind} ${id} was loaded.`)
  return summary as Summary<K>
}

function summaryOf({ id, kind, account_id, name, shown_as, workspace_name }: NameRow): Summary {
  const path = resourcePath(kind as PathKind, { account_id, workspace: workspace_name ?? undefined, name })
  return { object: shown_as ?? kind, id, name, resource_path: kinds[kind].path_segments === 0 ? '' : path }
}

/** Normalizes an id: replaces the older prefix of images, which requests may use, by the present one. */
export function plainId<K extends PathKind>(id: string): Id<K> {
  return (id.startsWith('vmi_') ? `image_${id.slice(4)}` : id) as Id<K>
}

function newName(ctx: Ctx, { id, kind, account_id, workspace_id, name, template, shown_as }: NameRequest): NewName {
  if (kind === 'role' && name !== undefined && Object.hasOwn(builtInRoles, name)) refuseTaken(kind)
  return { id, kind, account_id, workspace_id, name: name ?? drawName(ctx, template), shown_as: shown_as ?? null }
}

/** Resolves paths of built-in roles, which every account has, in the caller's account and for the operator. */
function addBuiltIn(
  ctx: Ctx,
  found: Map<string, string>,
  path: { ref: string; account_id: string; name: string },
): void {
  const isReached = !ctx.caller || ctx.caller.is_platform || ctx.caller.account_id === path.account_id
  if (!isReached || !Object.hasOwn(builtInRoles, path.name)) return
  found.set(path.ref, builtInRoles[path.name as keyof typeof builtInRoles].id)
}

function refuseTaken(kind: IdKind): never {
  const kept = kind === 'instance' ? ' A terminated instance keeps its name until it is deleted.' : ''
  refuse('name_taken', `This name is taken.${kept}`, 'name')
}
