/** The report of a run of injected faults, and the page that is printed from it. Pure. */
import { type KindName, kindNames, kinds } from '../../packages/server/test/chaos/kinds/all.ts'
import type { RoundFigures } from '../../packages/server/test/chaos/verdict.ts'
import { cutLine, groupLines } from './lines.ts'

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
  /** The first of its failures. */
  readonly failures: readonly string[]
  /** How many more it had. */
  readonly failures_left_out?: number
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

/** So many lines of a round are printed, and so many rounds are named on the page. */
const linesMax = 10
const wrongMax = 20

const columns = [
  'Fault',
  'Rounds',
  'Not kept',
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

/** The same for people: lines that differ only in ids and numbers are one, and there are at most ten. */
export function describeProblems(round: ReportedRound): readonly string[] {
  const { failures_left_out: more = 0 } = round
  const lines = groupLines(problemsOf(round), more > 0 ? linesMax - 1 : linesMax)
  return [...lines, ...(more > 0 ? [`${more} more failures are not in the report`] : [])].map((line) =>
    cutLine(line.replaceAll(/\s+/g, ' ')),
  )
}

/** One line about a round, for a terminal. */
export function describeRound(round: ReportedRound): string {
  const { kind, seed, seconds, figures } = round
  const problems = problemsOf(round).length + (round.failures_left_out ?? 0)
  const outcome = problems === 0 ? 'held' : `${problems} problems`
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
  const kindsTable = met.map((name) =>
    printKind(
      name,
      rounds.filter(({ kind }) => kind === name),
    ),
  )
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
attempts than the SDK makes. "Not kept" counts the rounds that did not keep their promise. Where a fault has several
rounds, figures are the median of a round, with the worst in brackets.

| ${columns.join(' | ')} |
|${'---|'.repeat(columns.length)}
${kindsTable.join('\n')}

## Faults

${met.map(describeKind).join('\n')}
${printLost(rounds)}${printProblems(wrong)}${printLeftOut(left_out)}`
}

function printKind(name: KindName, rounds: readonly ReportedRound[]): string {
  const figures = rounds.flatMap((round) => round.figures ?? [])
  const print = (of: (one: RoundFigures) => number | null, { show = inDigits, worst = Math.max } = {}) => {
    const known = figures.flatMap((one) => of(one) ?? []).toSorted((a, b) => a - b)
    const median = known[known.length >> 1]
    if (median === undefined) return '–'
    return known.length === 1 ? show(median) : `${show(median)} (${show(worst(...known))})`
  }
  const time = (of: (one: RoundFigures) => number | null) => print(of, { show: inSeconds })
  const cells = [
    name,
    rounds.length,
    rounds.filter((round) => problemsOf(round).length > 0).length,
    print((one) => one.acknowledged, { worst: Math.min }),
    print((one) => one.failed_attempts),
    print((one) => one.failed_with_retry),
    print((one) => one.lost),
    print((one) => one.doubled),
    time((one) => one.writes_again),
    time((one) => one.longest_pause),
    `${time((one) => one.p99_before)}, ${time((one) => one.p99_after)}`,
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
  const shown = wrong.slice(0, wrongMax).map((round) => {
    const lines = describeProblems(round).map((one) => `  - ${one.slice(0, 400)}`)
    return `- ${round.kind}, seed ${round.seed}:\n${lines.join('\n')}`
  })
  return `
## Rounds that did not keep their promise

${shown.join('\n')}${wrong.length > wrongMax ? `\n- and ${wrong.length - wrongMax} more rounds, in failover.json` : ''}
`
}

function printLeftOut(left: ChaosReport['left_out']): string {
  const rows = Object.entries(left).map(([kind, reason]) => `- ${kind}: ${reason}`)
  return rows.length === 0 ? '' : `\n## Left out on this machine\n\n${rows.join('\n')}\n`
}

function inDigits(count: number): string {
  return count.toLocaleString('en')
}

function inSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`
}
