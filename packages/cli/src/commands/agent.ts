/** `bourse agent`: the agent of a host. */
import { checkLine } from '@bourse/agent/checks.ts'
import { addAgentCommands } from '@bourse/agent/commands.ts'
import type { Command } from 'commander'
import { resolveReference } from '../input/references.ts'
import { type CommandContext, openSession } from '../input/session.ts'
import { stopSignal } from '../input/stop-signal.ts'
import { outputFor, printList } from '../output/output.ts'
import { printsNoRows } from '../output/rows/without-rows.ts'

const columns = ['status', 'name', 'message']
const members = ['object', ...columns]

/** Adds the commands. */
export function addAgent(program: Command, context: CommandContext): void {
  const { terminal, variables } = context
  addAgentCommands(program, {
    program: variables.npm_lifecycle_event ? 'npx bourse' : 'bourse',
    variables,
    data: terminal.data,
    note: terminal.note,
    printChecks: (checks, options) => {
      const output = outputFor({ members, columns }, options)
      // No table: it would be cut to the terminal's width, and the remedy is at the end of a line.
      if (output.format === 'table') return void checks.map(checkLine).forEach(terminal.data)
      printList(terminal, output, { object: 'list', data: checks, has_more: false }, { members, columns })
    },
    stopSignal,
    readSku: async (name, options) => {
      const { client, lookup } = openSession(context, options)
      return client.skus.get((await resolveReference(lookup, 'sku', name)) as `sku_${string}`)
    },
    random: Math.random,
  })
  const group = program.commands.find((command) => command.name() === 'agent')
  for (const command of group?.commands ?? []) if (command.name() !== 'check') printsNoRows(command)
}
