/** Tries the mutants that StrykerJS makes, area by area, and prints the score of each. */
import { type Area, areas, rulesOf } from './areas.ts'
import { changedLines } from './changed-lines.ts'
import { percentOf, type Score, tryArea } from './try-area.ts'

/** Is always tried beside what has changed, so that a run without a change still shows that mutants are found. */
const sample = 'packages/server/src/billing/pending-credits.rules.ts'

/** All mutants of these areas, or of all. Returns the names of those below their goal, or that there is none. */
export async function tryWhole(names: readonly string[]): Promise<string[]> {
  const unknown = names.filter((wanted) => !areas.some(({ name }) => name === wanted))
  if (unknown.length > 0)
    return [`no area is called ${unknown.join(' or ')}: ${areas.map(({ name }) => name).join(', ')}`]
  const chosen = areas.filter(({ name }) => names.length === 0 || names.includes(name))
  const work = chosen.map((area) => ({ area, parts: rulesOf(area) }))
  return tryEach(work)
}

/** The mutants of the lines that differ from a commit, and of one file. Returns the names of areas below their goal. */
export function tryChanged(base: string): Promise<string[]> {
  const work = areas.map((area) => {
    const rules = rulesOf(area)
    return { area, parts: [...changedLines(base, rules), ...(rules.includes(sample) ? [sample] : [])] }
  })
  return tryEach(work)
}

async function tryEach(work: readonly { area: Area; parts: readonly string[] }[]): Promise<string[]> {
  const failed: string[] = []
  const lines: string[] = []
  for (const { area, parts } of work) {
    if (parts.length === 0) continue
    const score = await tryArea(area, parts)
    for (const survivor of score.survivors) console.log(`survived: ${survivor}`)
    lines.push(lineOf(area, score))
    if ((percentOf(score) ?? 100) < (area.goal ?? 0)) failed.push(area.name)
  }
  console.log(['| Area | Mutants | Found | Score, % | Goal, % |', '|---|---|---|---|---|', ...lines].join('\n'))
  return failed
}

function lineOf({ name, goal }: Area, score: Score): string {
  const all = score.found + score.survivors.length
  return `| ${name} | ${all} | ${score.found} | ${percentOf(score)?.toFixed(1) ?? ''} | ${goal ?? ''} |`
}
