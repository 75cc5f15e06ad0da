/** Prints RELIABILITY.md and docs/reliability/track-record.md. */
import { isInRun, levelOf } from '../run/levels.ts'
import { type Fault, type Finder, faultGroups, faults } from './faults.ts'
import { type Evidence, promiseGroups, type ReliabilityPromise } from './promises.ts'
import type { RecordedResult, Results } from './results.ts'

export const reliabilityPath = 'RELIABILITY.md'
export const trackRecordPath = 'docs/reliability/track-record.md'

/** The command that tries a piece of evidence. */
export function commandOf(evidence: Evidence): string {
  return 'file' in evidence ? `npx vitest run ${evidence.file}` : `npm run ${evidence.script}`
}

/** The page of promises with the last recorded result of each test. */
export function printReliability(results: Results): string {
  const promises = promiseGroups.flatMap((group) => group.promises)
  const commands = promises.flatMap(({ evidence }) => evidence.map(commandOf))
  const recorded = new Set(commands.filter((command) => command in results)).size
  const groups = promiseGroups.map(
    ({ title, promises }) => `## ${title}\n\n${promises.map((one) => printPromise(one, results)).join('\n\n')}`,
  )
  return `# Reliability

What Bourse promises, how each promise is tested, at which size, what the last recorded run came to, and the command
that repeats it. What failed before is in the [track record](${trackRecordPath}).

- \`npm run reliability -- G3\` runs the commands of a promise and records what they came to, with date and commit.
  \`npm run reliability\` prints this page anew. It is generated: change \`scripts/reliability/promises.ts\`.
- A result is of the commit that it names, and of no other. Of ${new Set(commands).size} commands ${recorded} have one.
  "Not recorded" says only that: each test of \`npm test\` passes before each commit lands, and \`npm run deep\` runs
  all but those of an hour. The last whole run with figures is of 2026-11-27: 4,911 tests passed
  ([tests](docs/internals/tests.md)).
- Tests use a real PostgreSQL, real HTTP and real processes, on one machine. No outsider has tested Bourse.

${groups.join('\n\n')}
`
}

function printPromise({ id, promise, method, evidence, gap }: ReliabilityPromise, results: Results): string {
  const rows = evidence.map((one) => {
    const command = commandOf(one)
    return `| \`${command}\` | ${one.size} | ${runOf(one)} | ${resultOf(results[command])} |`
  })
  const table = ['| Command | Size | Runs with | Last recorded result |', '|---|---|---|---|', ...rows].join('\n')
  const parts = [
    `### ${id}: ${promise}`,
    method,
    ...(evidence.length > 0 ? [table] : []),
    ...(gap === undefined ? [] : [`**Not shown**: ${gap}`]),
  ]
  return parts.join('\n\n')
}

/** Which run has a piece of evidence. */
function runOf(evidence: Evidence): string {
  if ('script' in evidence) return 'itself'
  const level = levelOf(evidence.file)
  if (level === undefined) throw new Error(`${evidence.file} belongs to no level of tests.`)
  return isInRun('test', level, evidence.file) ? '`npm test`' : `\`npm run deep -- ${level.name}\``
}

function resultOf(result: RecordedResult | undefined): string {
  if (result === undefined) return 'not recorded'
  const { date, commit, passed, tests, figures } = result
  const outcome = passed ? 'passed' : '**failed**'
  const count = tests && `${tests.passed} passed, ${tests.failed} failed`
  const left = tests && tests.left_out > 0 ? `, ${tests.left_out} left out` : ''
  const counted = count === undefined ? outcome : count + left
  return `${date}, ${commit}: ${counted}${figures === undefined ? '' : `; ${figures}`}`
}

/** What the column "Found by" of the track record means. */
const finders: Readonly<Record<Finder, string>> = {
  simulation: 'a seed of `npm run sim`',
  fuzzer: 'random requests made from the contract',
  soak: 'an hour under load, with what memory held afterwards',
  test: 'another test that failed, or failed at times',
  attack: 'somebody asked what a caller could do on purpose to harm others',
  operation: 'somebody asked what a failover, a full disk, a restart or an upgrade does',
  'first use': 'somebody followed the documents as a newcomer',
  review: 'somebody read the code or tried the program; the commit does not say more',
}

/** The page of faults with the test that holds each. */
export function printTrackRecord(): string {
  const found = Object.entries(finders).map(([name, text]) => {
    const count = faults.filter(({ found_by }) => found_by === name).length
    return `| ${name} | ${text} | ${count} |`
  })
  let at = 0
  const groups = faultGroups.map(({ title, faults: own }) => {
    const rows = own.map((fault) => printFault(`F${++at}`, fault))
    return `## ${title}

| | Fault | Part | Found by | Mended | Test that finds it now |
|---|---|---|---|---|---|
${rows.join('\n')}`
  })
  return `# Track record

Faults that were found in Bourse, each with the test that fails where it comes back. All were found and mended before
the first release, so nobody ran a released program with them.

\`npm run reliability -- F3\` runs the test of a row. This page is generated from \`scripts/reliability/faults.ts\`.
It has ${faults.length} faults that users or operators would have met; the log of git has more. A test checks that
each named file, title and commit exists. When a fault began is not recorded: most are as old as their part.

| Found by | Means | Faults |
|---|---|---|
${found.join('\n')}

${groups.join('\n\n')}

## Mutants

Beside these, \`npm run mutants -- written\` puts in one small fault at a time that a named test has to find. The
list is in \`scripts/mutants\`.
`
}

function printFault(id: string, { what, area, found_by, mended, file, title }: Fault): string {
  const shown = title.replaceAll('|', '\\|')
  return `| ${id} | ${what.replaceAll('|', '\\|')} | ${area} | ${found_by} | ${mended} | \`${file}\`: ${shown} |`
}
