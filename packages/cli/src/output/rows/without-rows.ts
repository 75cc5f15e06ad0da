/** Commands that print no rows: `--columns` is an error there, before anything is sent or changed. */
import type { Command } from 'commander'
import { usageProblem } from '../usage.ts'

const marked = new WeakSet<Command>()

/** Says that a command, or each command of a group, prints no rows. */
export function printsNoRows<C extends Command>(command: C): C {
  marked.add(command)
  return command
}

/** Refuses `--columns` for a command that prints no rows. */
export function refuseColumns(command: Command): void {
  if (command.optsWithGlobals<{ columns?: string }>().columns === undefined) return
  for (let at: Command | null = command; at !== null; at = at.parent) {
    if (marked.has(at)) throw usageProblem('This command prints no rows, so it has no --columns.', 'Leave them out.')
  }
}
