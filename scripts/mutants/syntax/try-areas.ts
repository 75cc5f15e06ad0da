/** Tries the mutants that StrykerJS makes, area by area, and prints the score of each. */
import { type Area, areas, pureFilesOf, servicesOf } from './areas.ts'
import { changedLines } from './changed-lines.ts'
import { percentOf, type Score, type Trial, tryMutants } from './try-mutants.ts'

/** Is always tried beside what has changed, so that a run without a change still shows that mutants are found. */
const sample = 'packages/server/src/billing/pending-credits.rules.ts'

type TrialOfArea = Trial & { readonly goal?: number | undefined }

/**
 * All mutants of the pure code of these areas, or of all areas. Returns the names of those below their goal, or that
 * there is none.
 */
export async function tryWhole(names: readonly string[]): Promise<string[]> {
  const unknown = names.filter((wanted) => !areas.some(({ name }) => name === wanted))
  if (unknown.length > 0)
    return [`no area is called ${unknown.join(' or ')}: ${areas.map(({ name }) => name).join(', ')}`]
  const chosen = areas.filter(({ name }) => names.length === 0 || names.includes(name))
  return tryEach(chosen.map((area) => ({ name: area.name, goal: area.goal, parts: pureFilesOf(area) })))
}

/** The mutants of the lines that differ from a commit, and of one file. Returns the names of areas below their goal. */
export function tryChanged(base: string): Promise<string[]> {
  return tryEach(areas.flatMap((area) => changesOf(area, base)))
}

function changesOf(area: Area, base: string): TrialOfArea[] {
  const { name, goal, tests } = area
  const [pure, services] = [pureFilesOf(area), servicesOf(area)]
  const parts = [...changedLines(base, pure), ...(pure.includes(sample) ? [sample] : [])]
  const ofPureCode = { name, goal, parts }
  return tests ? [ofPureCode, { name: `${name}, services`, parts: changedLines(base, services), tests }] : [ofPureCode]
}

async function tryEach(trials: readonly TrialOfArea[]): Promise<string[]> {
  const failed: string[] = []
  const lines: string[] = []
  for (const trial of trials) {
    if (trial.parts.length === 0) continue
    const score = await tryMutants(trial)
    for (const survivor of score.survivors) console.log(`survived: ${survivor}`)
    lines.push(lineOf(trial, score))
    if ((percentOf(score) ?? 100) < (trial.goal ?? 0)) failed.push(trial.name)
  }
  console.log(['| Area | Mutants | Found | Score, % | Goal, % |', '|---|---|---|---|---|', ...lines].join('\n'))
  return failed
}

function lineOf({ name, goal }: TrialOfArea, score: Score): string {
  const all = score.found + score.survivors.length
  return `| ${name} | ${all} | ${score.found} | ${percentOf(score)?.toFixed(1) ?? ''} | ${goal ?? ''} |`
}
