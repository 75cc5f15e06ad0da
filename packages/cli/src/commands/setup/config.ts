/** `bourse config show`: the settings of the command line, and where each comes from. */
import type { Command } from 'commander'
import type { CommandContext, GlobalOptions } from '../../input/session.ts'
import { readSettings } from '../../input/settings.ts'
import { outputFor, printList } from '../../output/output.ts'

const columns = ['setting', 'value', 'origin']

/** Adds the command. */
export function addConfig(program: Command, context: CommandContext): void {
  const group = program.command('config').description('The settings of this program.')
  const command = group
    .command('show')
    .description('Show each setting in use and where it comes from: a flag, the environment, a profile or a sandbox.')
    .addHelpText('after', '\nExamples:\n  $ bourse config show\n  $ bourse config show --profile acme -o json')
  command.action(() => {
    const { terminal, variables } = context
    const options = command.optsWithGlobals<GlobalOptions>()
    const shown = outputFor({ members: columns, columns }, options)
    const settings = readSettings(variables, options, (text) => terminal.note(text))
    const { origins, profile, base_url, token, workspace, output } = settings
    const values = { profile, base_url, token: token && 'set', workspace, output }
    const data = Object.entries(values).map(([setting, value]) => ({
      object: 'setting',
      setting,
      value: value ?? null,
      origin: origins[setting as keyof typeof origins] ?? null,
    }))
    const list = { object: 'list', data, has_more: false } as const
    printList(terminal, shown, list, { members: columns, columns })
  })
}
