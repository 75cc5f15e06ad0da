import { posix } from 'node:path'
import { decisionAreas } from './decision-areas.ts'
import { markdownTable } from './page-links.ts'

const folder = 'docs/decisions/'
const indexPath = `${folder}README.md`
const isDecision = /^docs\/decisions\/\d{3}-[\w-]+\.md$/

type Decision = {
  readonly number: string
  readonly file: string
  readonly title: string
  readonly date: string
  /** What stands between the heading and the first section: the date, and what the decision does to others. */
  readonly head: string
}

/** A decision whose text is part of another one now. */
type Merged = Pick<Decision, 'number' | 'title' | 'date'> & { readonly into: Decision }

const introduction = `# Decisions

Generated from the heads of the decisions by \`npm run gen\`; change the head of a decision instead.

Why is the program built as it is, and what was refused? Each decision says its context, the choice, the consequences
and what was rejected. It is a record of its day: figures and names in it may be older than the program. *Status* says
what is still so. \`amended by\`: a later decision adds to it or changes a part, so read both. \`superseded by\`: the
later one holds. \`merged into\`: its text is part of the other one. A missing number has no decision.
`

/** The index of the decisions of a repository, whose files are given by path. */
export function printDecisions(texts: ReadonlyMap<string, string>): Map<string, string> {
  const decisions = [...texts]
    .filter(([path]) => isDecision.test(path))
    .map(([path, text]) => readDecision(path, text))
    .sort((a, b) => a.number.localeCompare(b.number))
  const merged = decisions.flatMap(mergedInto)
  const rows = [
    ...decisions.map((one) => [one.number, rowOf(one, statusOf(one, decisions))] as const),
    ...merged.map((one) => [one.number, rowOfMerged(one)] as const),
  ].sort(([a], [b]) => a.localeCompare(b))
  const table = markdownTable(
    ['Number', 'Decision', 'Area', 'Status', 'Date'],
    rows.map(([, row]) => row),
  )
  return new Map([[indexPath, `${introduction}\n${table}`]])
}

function readDecision(path: string, text: string): Decision {
  const [, number, title] = /^# (\d{3}): (.+)$/m.exec(text) ?? []
  if (!number || !title) throw new Error(`${path} has to begin with "# NNN: title".`)
  const head = (text.slice(text.indexOf('\n')).split(/^## /m)[0] as string).replaceAll(/\s+/g, ' ').trim()
  const [, date] = /^(\d{4}-\d{2}-\d{2})\b/.exec(head) ?? []
  if (!date) throw new Error(`${path} has to have its date below the heading, as in 2026-11-29.`)
  return { number, title, date, head, file: posix.basename(path) }
}

/** `Contains 001 ("Its title", 2026-11-20)` in a head says which decisions were merged into this one. */
function mergedInto(into: Decision): Merged[] {
  return [...into.head.matchAll(/\b(\d{3}) \("([^"]+)", (\d{4}-\d{2}-\d{2})\)/g)].map(
    ([, number = '', title = '', date = '']) => ({ number, title, date, into }),
  )
}

/** A head that names another decision means, whichever of the two names it, that the later one amends the earlier. */
function statusOf(decision: Decision, all: readonly Decision[]): string {
  const own = linkedIn(decision).filter((number) => number > decision.number)
  const others = all.filter((one) => one.number > decision.number && linkedIn(one).includes(decision.number))
  const later = [...new Set([...own, ...others.map(({ number }) => number)])]
    .sort()
    .map((number) => linkTo(number, all))
  if (later.length === 0) return 'in force'
  return /\bSuperseded by\b/.test(decision.head)
    ? `superseded by ${later.join(', ')}`
    : `amended by ${later.join(', ')}`
}

function linkedIn({ head }: Decision): string[] {
  return [...head.matchAll(/\]\((\d{3})-[\w-]+\.md\)/g)].map(([, number]) => number as string)
}

function linkTo(number: string, all: readonly Decision[]): string {
  const there = all.find((one) => one.number === number)
  if (!there) throw new Error(`A head in ${folder} links to decision ${number}, which is not there.`)
  return `[${number}](${there.file})`
}

function rowOf(decision: Decision, status: string): string[] {
  return [decision.number, `[${decision.title}](${decision.file})`, areaOf(decision), status, decision.date]
}

function rowOfMerged({ number, title, date, into }: Merged): string[] {
  return [number, title, areaOf(into), `merged into [${into.number}](${into.file})`, date]
}

/** `Area: Market.` in the head, or for the decisions that are older than this index, the table beside. */
function areaOf({ number, head, file }: Decision): string {
  const [, named] = /\bArea: ([^.]+)\./.exec(head) ?? []
  const [known] = Object.entries(decisionAreas).find(([, numbers]) => numbers.includes(Number(number))) ?? []
  const area = named ?? known
  const names = Object.keys(decisionAreas).join(', ')
  if (area === undefined || !(area in decisionAreas))
    throw new Error(`${folder}${file} has to name its area after the date, as in "Area: Market.": one of ${names}.`)
  return area
}
