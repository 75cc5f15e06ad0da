/** What was deleted: lists of it are outdated, and nobody asks for it by its id any more. */
import { cache } from './cache.ts'
import type { Noun } from './nouns.rules.ts'

/** Marks everything of the nouns as outdated. It is read again by the next page that shows it, not by this one. */
export function markOutdated(nouns: readonly Noun[]): void {
  for (const noun of nouns) void cache.invalidateQueries({ queryKey: [noun], refetchType: 'none' })
}
