/** Resolves names to ids and resource paths. */
import { builtInRoles } from '@bourse/api/iam/built-in-roles.ts'
import { type IdKind, idPattern, kinds, type PathKind, resourcePath } from '@bourse/api/kit/ids.ts'
import type { Client } from '@bourse/sdk/client.ts'
import { ApiError, ForbiddenError, NotFoundError } from '@bourse/sdk/errors.ts'
import { nearest } from '../output/rows/nearest.ts'
import { usageProblem } from '../output/usage.ts'
import { type NamedRow, nounOf } from './client-nouns.ts'

/** How bare names are resolved. */
export type Naming = {
  /** The workspace of bare names. Default: the token's own. */
  readonly workspace: string | undefined
  /** Tells that a name was found elsewhere. */
  readonly note: (text: string) => void
}

/** The client for look-ups. Without naming, bare names belong to the token's own workspace. */
export type LookupClient = Client & { readonly naming?: Naming }

/** The most resources that are read to find a name. */
const searchedMax = 2_000

/**
 * Resolves an id, a path, a bare name, or `workspace/name`. A bare name is searched in the own workspace, then in all
 * visible ones; the name of a SKU is its alias. Any other text is sent to the server unchanged, which refuses it.
 *
 * A text in the form of the ids that servers make is an id, so that a name never takes the place of one in a script. A
 * shorter one, such as `pool_main`, is a name where one has it, and else an id.
 */
export async function resolveReference(client: LookupClient, kind: IdKind, typed: string): Promise<string> {
  if (!new RegExp(idPattern(kind)).test(typed)) return resolveName(client, kind, typed)
  if (madeId.test(typed)) return typed
  const named = await resolveName(client, kind, typed, { isAlsoId: true })
  if (named !== typed && (await lookUp(client, kind, typed)) === 'there') {
    const what = kind.replaceAll('_', ' ')
    client.naming?.note(`One ${what} is named ${typed}, and another one has this id. Using the one with the name.`)
  }
  return named
}

/** The workspace of new resources, if one was typed or is set. Without one, the server takes that of the token. */
export async function workspaceOfNew(client: LookupClient, typed?: string): Promise<`wksp_${string}` | undefined> {
  const named = typed ?? client.naming?.workspace
  return named === undefined ? undefined : ((await resolveReference(client, 'workspace', named)) as `wksp_${string}`)
}

/** An id as servers make them. */
const madeId = /^[a-z]+_[-0-9A-Z_a-z]{21}$/

/** The ids of built-in roles, which are shorter than those that servers make. */
const builtInIds: ReadonlySet<string> = new Set(Object.values(builtInRoles).map(({ id }) => id))

/** Resolves a name. One that may also be an id stays as it is where nothing has it in the workspace. */
async function resolveName(
  client: LookupClient,
  kind: IdKind,
  typed: string,
  { isAlsoId = false } = {},
): Promise<string> {
  // The name of a key is its comment, which may be any text.
  if (kind === 'ssh_key') {
    return chooseNamed(await client.sshKeys.list({ limit: 200 }).all(), { what: 'SSH key', name: typed, isAlsoId })
  }
  const { path_segments } = kinds[kind]
  const [, place, name = ''] = /^(?:([a-zA-Z0-9._-]+)\/)?([a-zA-Z0-9][a-zA-Z0-9._-]{0,254})$/.exec(typed) ?? []
  if (name === '' || (place && path_segments !== 3)) return typed
  if (kind === 'role' && Object.hasOwn(builtInRoles, name)) return builtInRoles[name as keyof typeof builtInRoles].id
  if (kind === 'sku') return findSku(client, name, { isAlsoId })
  if (kind === 'token') return findToken(client, name, { isAlsoId })
  if (path_segments === 0) return typed
  const { id: account_id, workspace: own } = await client.account.get()
  const workspace = place ?? client.naming?.workspace ?? own.name
  const where = path_segments === 3 ? { account_id, workspace } : { account_id }
  const path = resourcePath(kind as PathKind, { ...where, name })
  const found = await lookUp(client, kind, path)
  if (found === 'there') return path
  if (builtInIds.has(typed)) return typed
  // The server decides about what the caller may not read, and says so.
  if (found === 'unknown') return path
  if (isAlsoId && (await lookUp(client, kind, typed)) !== 'absent') return typed
  return searchElsewhere(client, { kind, name, place, path, workspace })
}

/** Whether an id or a path names a resource. Of one that may not be read this is unknown. */
async function lookUp(client: Client, kind: IdKind, ref: string): Promise<'there' | 'absent' | 'unknown'> {
  try {
    await nounOf(client, kind)?.get?.(ref)
    return 'there'
  } catch (error) {
    if (error instanceof NotFoundError) return 'absent'
    if (error instanceof ForbiddenError) return 'unknown'
    throw error
  }
}

type SoughtReference = {
  readonly kind: IdKind
  readonly name: string
  /** The workspace that was typed. */
  readonly place: string | undefined
  readonly path: string
  readonly workspace: string
}

/** Finds a name in the other workspaces. Throws where none or several have it. */
async function searchElsewhere(
  client: LookupClient,
  { kind, name, place, path, workspace }: SoughtReference,
): Promise<string> {
  const what = kind.replaceAll('_', ' ')
  const all = await visible(client, kind)
  // A caller that may not list them may know better.
  if (!all) return path
  const named = all.filter((one) => one.name === name && (place === undefined || one.workspace?.name === place))
  const [found, more] = named
  if (found && !more) {
    const elsewhere = `${name} is not in the workspace ${workspace}. Using the ${what} ${titleOf(found)}.`
    if (place === undefined) client.naming?.note(elsewhere)
    return found.id
  }
  if (more) {
    const titles = named.map(titleOf).join(', ')
    throw usageProblem(`Several workspaces have a ${what} ${name}.`, `Write one of ${titles}.`)
  }
  const titles = all.map((one) => (one.workspace?.name === workspace && !place ? nameOf(one) : titleOf(one)))
  throw absent(what, place ? `${place}/${name}` : name, titles)
}

/** All resources of a kind that the caller may see, up to a number of them; undefined where it may list none. */
async function visible(client: Client, kind: IdKind): Promise<readonly NamedRow[] | undefined> {
  try {
    const own = (await nounOf(client, kind)?.list?.({ limit: 200 }).all({ max: searchedMax })) ?? []
    return kind === 'image' ? [...own, ...(await publicImages(client))] : own
  } catch (error) {
    if (error instanceof ApiError && (error instanceof ForbiddenError || error instanceof NotFoundError))
      return undefined
    throw error
  }
}

/** The images that the operator offers to every account, newest first. */
export function publicImages(client: Client): Promise<Awaited<ReturnType<Client['images']['list']>>['data']> {
  return client.images.list({ public: true, state: 'completed', limit: 200 }).all({ max: searchedMax })
}

function titleOf(row: NamedRow): string {
  return row.workspace ? `${row.workspace.name}/${nameOf(row)}` : nameOf(row)
}

function nameOf({ name, id }: NamedRow): string {
  return name ?? id
}

async function findSku(client: Client, alias: string, { isAlsoId }: { isAlsoId: boolean }): Promise<string> {
  const found = await client.skus.list({ limit: 200, include_deleted: true }).all()
  const named = found.filter((sku) => sku.alias === alias)
  // A retired SKU no longer has its alias.
  const chosen = named.find(({ deleted_at }) => deleted_at === undefined) ?? named.at(-1)
  const aliases = found.flatMap(({ alias: one, deleted_at }) => (one && deleted_at === undefined ? [one] : []))
  return chosen?.id ?? (isAlsoId ? alias : Promise.reject(absent('SKU', alias, aliases)))
}

async function findToken(client: Client, name: string, { isAlsoId }: { isAlsoId: boolean }): Promise<string> {
  return chooseNamed(await client.tokens.list({ limit: 200 }).all(), { what: 'token', name, isAlsoId })
}

type SoughtName = { readonly what: string; readonly name: string; readonly isAlsoId: boolean }
type ListedRow = { readonly id: string; readonly name?: string | null | undefined }

/** The one row of a list that has a name. Throws where several have it, and where none has and it is no id. */
function chooseNamed(rows: readonly ListedRow[], { what, name, isAlsoId }: SoughtName): string {
  const named = rows.filter((row) => row.name === name)
  if (named.length > 1)
    throw usageProblem(`${named.length} ${what}s have the name ${name}.`, `Give the id of the ${what}.`)
  const names = rows.flatMap((row) => (row.name ? [row.name] : []))
  if (!named[0] && !isAlsoId) throw absent(what, name, names)
  return named[0]?.id ?? name
}

function absent(what: string, typed: string, names: readonly string[]) {
  const near = nearest(typed, names)
  const remedy = near.length === 0 ? 'List them, or give an id.' : `Did you mean ${near.join(' or ')}?`
  return usageProblem(`There is no ${what} ${typed} that you can see.`, remedy, 'not_found')
}
