/** The `agent` commands, for the `bourse` program and for the stand-alone agent. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { addCheckCommand } from './commands/check-command.ts'
import type { AgentCommandContext } from './commands/command-context.ts'
import type { AgentFlags } from './commands/command-flags.ts'
import { addEnrolCommand } from './commands/enrol-command.ts'
import { addRunCommand } from './commands/run-command.ts'
import { addUpdateCommand } from './commands/update-command.ts'

/** Adds `agent enrol`, `agent run`, `agent change-key`, `agent update` and `agent check` to a program. */
export function addAgentCommands(program: Command, context: AgentCommandContext): void {
  const group = program.command('agent').description('The agent of a host: enrol the host and run its machines.')
  const usual = join(homedir(), '.bourse-agent')
  const directory = context.variables.BOURSE_AGENT_DIR || usual
  addEnrolCommand(group, { usual, set: directory }, context)
  addRunCommand(group, directory, context)
  addChangeKeyCommand(group, directory, context)
  addUpdateCommand(group, directory, context)
  addCheckCommand(group, directory, context)
}

function addChangeKeyCommand(group: Command, directory: string, { data }: AgentCommandContext): void {
  group
    .command('change-key')
    .description('Make the next key of the tunnel to other hosts. The agent that runs changes to it, a minute later.')
    .option('--directory <path>', 'Directory of the key, the journal and the images of the agent.', directory)
    .addHelpText('after', '\nExample:\n  $ bourse agent change-key')
    .action(async ({ directory: at }: Pick<AgentFlags, 'directory'>) => {
      const { requireEnrolment } = await import('./identity.ts')
      const { makeNextKey } = await import('./network/tunnel-keys.ts')
      await requireEnrolment(at)
      data(await makeNextKey(at))
    })
}
