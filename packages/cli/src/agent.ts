/** `bourse agent`: what runs on each host. */
import { addAgentCommands } from '@bourse/agent/commands.ts'
import type { Command } from 'commander'
import type { Surroundings } from './session.ts'
import { stopSignal } from './stop-signal.ts'

/** Adds the commands. */
export function addAgent(program: Command, { terminal, variables }: Surroundings): void {
  addAgentCommands(program, {
    variables,
    data: terminal.data,
    note: terminal.note,
    stopSignal,
    random: Math.random,
  })
}
