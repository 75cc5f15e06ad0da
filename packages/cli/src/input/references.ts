/** Resolves names to ids and resource paths. */
import { builtInRoles } from '@bourse/api/iam/built-in-roles.ts'
import { idPattern, type Kind, kinds, type PathKind, resourcePath } from '@bourse/api/kit/ids.ts'
import type { Client } from '@bourse/sdk/client.ts'
import { usageProblem } from '../output/usage.ts'

/**
 * Resolves an id, a path, a bare name, or `workspace/name`. A bare name is searched in the token's own workspace; the
 * name of a SKU is its alias. Any other text is sent to the server unchanged, which refuses it.
 */
export async function resolveReference(client: Client, kind: Kind, typed: string): Promise<string> {
  const { path_segments } = kinds[kind]
  const [, place, name = ''] = /^(?:([a-zA-Z0-9._-]+)\/)?([a-zA-Z0-9][a-zA-Z0-9._-]{0,254})$/.exec(typed) ?? []
  if (name === '' || new RegExp(idPattern(kind)).test(typed) || (place && path_segments !== 3)) return typed
  if (kind === 'role' && Object.hasOwn(builtInRoles, name)) return builtInRoles[name as keyof typeof builtInRoles].id
  if (kind === 'sku') return (await findSku(client, name)) ?? missing('SKU', 'alias', name)
  if (kind === 'token') return (await findToken(client, name)) ?? missing('token', 'name', name)
  if (path_segments === 0) return typed
  const { id: account_id, workspace } = await client.account.get()
  const where = path_segments === 3 ? { account_id, workspace: place ?? workspace.name } : { account_id }
  return resourcePath(kind as PathKind, { ...where, name })
}

async function findSku(client: Client, alias: string): Promise<string | undefined> {
  const found = await client.skus.list({ limit: 200, include_deleted: true }).all()
  const named = found.filter((sku) => sku.alias === alias)
  // A retired SKU no longer has its alias.
  return (named.find(({ deleted_at }) => deleted_at === undefined) ?? named.at(-1))?.id
}

async function findToken(client: Client, name: string): Promise<string | undefined> {
  const found = await client.tokens.list({ limit: 200 }).all()
  const named = found.filter((token) => token.name === name)
  if (named.length > 1) throw usageProblem(`${named.length} tokens have the name ${name}.`, 'Give the id of the token.')
  return named[0]?.id
}

function missing(what: string, by: string, typed: string): never {
  throw usageProblem(`There is no ${what} with the ${by} ${typed}.`, 'List them, or give an id.', 'not_found')
}
