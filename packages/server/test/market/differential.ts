// The differential test of the order book: many small random books, each command on the fast and the naive one. A
// failing stream is shortened until no command can be removed, and printed.

import { createSeededRandom } from '../../src/core/base/random.ts'
import { type BookCommand, type BookStream, randomStream } from './book-commands.ts'
import { type CaseTally, createComparedBooks, emptyTally, step } from './book-reference.ts'

const streamLength = 120

export type DifferentialFailure = {
  readonly seed: string
  readonly message: string
  readonly stream: BookStream
}

export type DifferentialReport = { readonly tally: CaseTally; readonly failure: DifferentialFailure | undefined }

/** Runs `commands` commands, and stops at the first difference. A seed determines the run. */
export function runDifferential(options: { commands: number; seed: number }): DifferentialReport {
  const tally = emptyTally()
  for (let book = 0; tally.commands < options.commands; book += 1) {
    const seed = `${options.seed}/${book}`
    const stream = randomStream(createSeededRandom(seed), streamLength)
    if (problemOf(stream, tally) === undefined) continue
    const shortest = shorten(stream)
    return { tally, failure: { seed, stream: shortest, message: String(problemOf(shortest, emptyTally())) } }
  }
  return { tally, failure: undefined }
}

/** A failure as text: the message, and the commands that reproduce it, one per line. */
export function printFailure({ seed, message, stream }: DifferentialFailure): string {
  const commands = stream.commands.map((command) => `  ${JSON.stringify(command)}`)
  return [`seed ${seed}: ${message}`, `start_minute ${stream.start_minute}`, ...commands].join('\n')
}

/** The tallies that are zero: cases that the run has not tested. */
export function missedBy(tally: CaseTally): string[] {
  return Object.entries(tally).flatMap(([what, times]) => (times === 0 ? [what] : []))
}

function problemOf(stream: BookStream, tally: CaseTally): string | undefined {
  const compared = createComparedBooks(stream.start_minute, tally)
  try {
    for (const command of stream.commands) step(compared, command)
    return undefined
  } catch (problem) {
    return problem instanceof Error ? problem.message : String(problem)
  }
}

/** Removes smaller and smaller parts of the stream while it still fails, until nothing more can be removed. */
function shorten(stream: BookStream): BookStream {
  let shortest = stream
  for (let before = Number.POSITIVE_INFINITY; shortest.commands.length < before; ) {
    before = shortest.commands.length
    for (let size = before; size >= 1; size = Math.floor(size / 2)) shortest = withoutParts(shortest, size)
  }
  return shortest
}

function withoutParts(stream: BookStream, size: number): BookStream {
  let commands: readonly BookCommand[] = stream.commands
  for (let from = 0; from < commands.length; ) {
    const without = [...commands.slice(0, from), ...commands.slice(from + size)]
    if (problemOf({ ...stream, commands: without }, emptyTally()) === undefined) from += size
    else commands = without
  }
  return { ...stream, commands }
}
