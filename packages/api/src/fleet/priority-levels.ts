/** Priority levels of instances, lowest first: lower ones end first when the allocation falls. */
export const priorityLevels = ['yield', 'normal', 'preferred', 'critical'] as const
/** The priority level of an instance. */
export type PriorityLevel = (typeof priorityLevels)[number]

const ranks: Readonly<Record<PriorityLevel, number>> = { yield: 0, normal: 1, preferred: 2, critical: 3 }

/** The fields that rank instances. `created_at` is in Unix seconds. */
export type Ranked = { readonly id: string; readonly priority_level: PriorityLevel; readonly created_at: number }

/** The order in which waiting instances start: highest priority first, then oldest, then id. For `sort`. */
export function byStartOrder(a: Ranked, b: Ranked): number {
  if (a.priority_level !== b.priority_level) return ranks[b.priority_level] - ranks[a.priority_level]
  return a.created_at - b.created_at || byId(a, b)
}

/** The order in which surplus instances end: lowest priority first, then newest, then id. For `sort`. */
export function byVictimOrder(a: Ranked, b: Ranked): number {
  if (a.priority_level !== b.priority_level) return ranks[a.priority_level] - ranks[b.priority_level]
  return b.created_at - a.created_at || byId(a, b)
}

function byId(a: Ranked, b: Ranked): number {
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}
