/**
 * The reference model of access, from the rules of the API only: deny by default, the union of the rules of all roles,
 * account-wide kinds count in no workspace, `platform` counts in the platform account only. It is slow and plain, and
 * shares only the names of permissions with the server.
 */
import { type Permission, permissionResources, permissionVerbs } from '@bourse/api/kit/permissions.ts'

/** Verbs by kind of resource, with `*` for all, as in a role. */
export type RoleActions = Readonly<Record<string, readonly string[]>>

/** A role that is held in one workspace, or in the whole account where `where` is null. */
export type Assignment = { readonly where: string | null; readonly actions: RoleActions }

export type OracleDecision = 'allowed' | 'forbidden' | 'invisible'

/** Every right that is held at a place, as `kind:verb`. */
export function rightsAt(holdings: readonly Assignment[], where: string | null, isPlatform: boolean): Set<string> {
  const held = new Set<string>()
  for (const assignment of holdings) {
    if (assignment.where !== null && assignment.where !== where) continue
    for (const [kind, verbs] of Object.entries(assignment.actions)) {
      for (const resource of kind === '*' ? permissionResources : [kind]) {
        for (const verb of verbs.includes('*') ? permissionVerbs : verbs) {
          const right = `${resource}:${verb}`
          const isAccountWide = /^(user|role|billing|audit|webhook|platform):|^workspace:create$/.test(right)
          if (isAccountWide && assignment.where !== null) continue
          if (resource === 'platform' && !isPlatform) continue
          held.add(right)
        }
      }
    }
  }
  return held
}

/** Checks one right at one place of the account that the holder belongs to. */
export function judge(
  holdings: readonly Assignment[],
  { permission, where, isPlatform }: { permission: Permission; where: string | null; isPlatform: boolean },
): OracleDecision {
  const held = rightsAt(holdings, where, isPlatform)
  if (held.has(permission)) return 'allowed'
  const [kind] = permission.split(':')
  return [...held].some((right) => right.startsWith(`${kind}:`)) ? 'forbidden' : 'invisible'
}
