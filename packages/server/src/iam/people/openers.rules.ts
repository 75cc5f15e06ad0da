/** Whose links must not lead to what a user may do from now on. */
import { findLacking, rightsOf } from '../access/permissions.rules.ts'
import { assignedRoles, type PrincipalGrant } from '../access/roles.rules.ts'

/** The rights of a user before and after a change, and those of an account. */
type RightsChange = {
  readonly before: readonly PrincipalGrant[]
  readonly after: readonly PrincipalGrant[]
  readonly is_platform: boolean
}

/**
 * Whether a change gives a user a right that an opener lacks, who holds some grants now: none, if it has gone. What the
 * user had before does not count. So a role that gives nothing new ends nothing, and an admin loses nothing by one.
 */
export function givesMoreThan(
  opener: readonly PrincipalGrant[],
  { before, after, is_platform }: RightsChange,
): boolean {
  const reached = rightsOf(assignedRoles([...before, ...opener]), { is_platform })
  return assignedRoles(after).some((role) => findLacking(reached, { ...role, is_platform }) !== undefined)
}
