/** The groups of a person at a provider. */

const groupsMax = 1000

/** Groups that are looked at, and how many the provider sent besides. */
export type ReadGroups = { readonly groups: readonly string[]; readonly left_out: number }

/** Reads the claim of the groups: a list, or the only one. What is no text is not a group. */
export function readGroups(claim: unknown): ReadGroups {
  const groups = [claim ?? []].flat().filter((group): group is string => typeof group === 'string')
  return { groups: groups.slice(0, groupsMax), left_out: Math.max(0, groups.length - groupsMax) }
}
