/** The report of a run of injected faults, and the page that is printed from it. Pure. */
import { type KindName, kindNames, kinds } from '../../packages/server/test/chaos/kinds/all.ts'
import type { RoundFigures } from '../../packages/server/test/chaos/verdict.ts'

export const reportPath = 'docs/benchmarks/failover.json'
export const pagePath = 'docs/benchmarks/failover.md'

/** What one round came to. `problem`: why it could not be carried out. */
export type ReportedRound = {
  readonly kind: KindName
  readonly seed: number
  readonly seconds: number
  readonly notes: readonly string[]
  readonly figures?: RoundFigures | undefined
  /** Some of the acknowledged writes that were lost, as a method and a path. */
  readonly lost: readonly string[]
  readonly failures: readonly string[]
  readonly late: readonly string[]
  readonly problem?: string
}

export type ChaosReport = {
  readonly object: 'chaos_report'
  readonly date: string
  readonly commit: string
  readonly machine: { readonly processors: number; readonly memory_gib: number; readonly node: string }
  readonly command: string
  /** How long all rounds took. */
  readonly minutes: number
  /** Kinds that this machine could not inject, and why. */
  readonly left_out: Readonly<Partial<Record<KindName, string>>>
  readonly rounds: readonly ReportedRound[]
}

const columns = [
  'Fault',
  'Rounds',
  'Acknowledged',
  'Failed attempts',
  'Failed calls with retries',
  'Lost',
  'Doubled',
  'Writes again',
  'Longest pause',
  'p99 before, after',
]

/** What is wrong with a round, late answers included. */
export function problemsOf({ failures, late, problem }: ReportedRound): readonly string[] {
  return [...failures, ...late, ...(problem === undefined ? [] : [problem])]
}

/** One line about a round, for a terminal. */
export function describeRound(round: ReportedRound): string {
  const { kind, seed, seconds, figures } = round
  const problems = problemsOf(round)
  const outcome = problems.length === 0 ? 'held' : `${problems.length} problems`
  const head = `${kind.padEnd(22)} seed ${seed}  ${seconds} s  ${outcome}`
  if (figures === undefined) return head
  const { acknowledged, failed_attempts, lost, writes_again } = figures
  const again = writes_again === null ? 'no write again' : `writes again after ${inSeconds(writes_again)}`
  return `${head}: ${acknowledged} acknowledged, ${failed_attempts} attempts failed, ${lost} lost, ${again}`
}

/** The page of a report. */
export function printFailoverPage(report: ChaosReport): string {
  const { date, commit, machine, command, minutes, rounds, left_out } = report
  const met = kindNames.filter((name) => rounds.some(({ kind }) => kind === name))
  const wrong = rounds.filter((round) => problemsOf(round).length > 0)
  const { processors, memory_gib, node } = machine
  const outcome =
    wrong.length === 0 ? 'every round kept its promise' : `${wrong.length} rounds did not keep their promise: see below`
  const kindsTable = met.map((name) => printKind(name, ofKind(report, name)))
  return `# Failover and other injected faults

What clients saw while replicas, databases and networks failed under load. The page is printed from
[failover.json](failover.json), which \`npm run chaos -- --publish\` writes; nobody edits it.

| | |
|---|---|
| Run | ${date}, commit ${commit}, \`${command}\` |
| Machine | ${processors} processor cores, ${memory_gib} GiB of memory, Node.js ${node}; all parts on it |
| Size | ${rounds.length} rounds in ${minutes} minutes |
| Outcome | ${outcome} |

Each round has three replicas behind a balancer, a primary and a standby of PostgreSQL, and proxies between all of
them. Ten accounts create and remove firewalls, orders and deployments with idempotency keys and the retries of the SDK,
and follow their event logs. Once the fault has passed and every call has an answer, everything is compared with the
database: each acknowledged write exists once, nothing exists that nobody was told of, every event was read once and in
order, no replica shows anything else than one that has only just started, and \`bourse doctor\` finds nothing.

## Figures

Attempts and calls are those that had no answer when the fault began. "With retries" counts the calls that took more
attempts than the SDK makes. Times are medians of the rounds, with the longest in brackets.

| ${columns.join(' | ')} |
|${'---|'.repeat(columns.length)}
${kindsTable.join('\n')}

## Faults

${met.map(describeKind).join('\n')}
${printLost(rounds)}${printProblems(wrong)}${printLeftOut(left_out)}`
}

function ofKind({ rounds }: ChaosReport, name: KindName): readonly RoundFigures[] {
  return rounds.flatMap(({ kind, figures }) => (kind === name && figures ? [figures] : []))
}

function printKind(name: KindName, figures: readonly RoundFigures[]): string {
  const sum = (of: (one: RoundFigures) => number) => figures.reduce((all, one) => all + of(one), 0).toLocaleString('en')
  const times = (of: (one: RoundFigures) => number | null) => {
    const known = figures.flatMap((one) => of(one) ?? []).toSorted((a, b) => a - b)
    const [median, longest] = [known[known.length >> 1], known.at(-1)]
    return median === undefined || longest === undefined ? '–' : `${inSeconds(median)} (${inSeconds(longest)})`
  }
  const p99 = `${times((one) => one.p99_before)}, ${times((one) => one.p99_after)}`
  const cells = [
    name,
    figures.length,
    sum((one) => one.acknowledged),
    sum((one) => one.failed_attempts),
    sum((one) => one.failed_with_retry),
    sum((one) => one.lost),
    sum((one) => one.doubled),
    times((one) => one.writes_again),
    times((one) => one.longest_pause),
    p99,
  ]
  return `| ${cells.join(' | ')} |`
}

function describeKind(name: KindName): string {
  const { what, promise } = kinds[name]
  return `- **${name}**: ${what} ${promise}`
}

/** Writes that were lost on purpose: which, and that clients learned of it. */
function printLost(rounds: readonly ReportedRound[]): string {
  const found = rounds.find(({ lost, failures }) => lost.length > 0 && failures.length === 0)
  if (found?.figures === undefined) return ''
  const { kind, seed, lost, figures } = found
  const shown = lost.map((one) => `- \`${one}\``).join('\n')
  return `
## Writes that were lost on purpose

An asynchronous standby loses what it did not have when it was promoted. In the round ${kind} of seed ${seed},
${figures.lost} acknowledged writes were lost; below are ${lost.length} of them. After the promotion no replica showed
one, and ${figures.cursors_ended} cursors that had passed lost events got 410.

${shown}
`
}

function printProblems(wrong: readonly ReportedRound[]): string {
  if (wrong.length === 0) return ''
  const shown = wrong.map((round) => {
    const lines = problemsOf(round).map((one) => `  - ${one.replaceAll('\n', ' ').slice(0, 400)}`)
    return `- ${round.kind}, seed ${round.seed}:\n${lines.join('\n')}`
  })
  return `
## Rounds that did not keep their promise

${shown.join('\n')}
`
}

function printLeftOut(left: ChaosReport['left_out']): string {
  const rows = Object.entries(left).map(([kind, reason]) => `- ${kind}: ${reason}`)
  return rows.length === 0 ? '' : `\n## Left out on this machine\n\n${rows.join('\n')}\n`
}

function inSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`
}
