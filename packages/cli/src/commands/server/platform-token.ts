/** `bourse tokens create --platform`: creates the first token of a production installation in its database. */
import { readConfig } from '@bourse/server/config.ts'
import type { Command } from 'commander'
import type { CommandContext, GlobalOptions } from '../../input/session.ts'
import { printObject, readOutputOptions } from '../../output/output.ts'

/** Adds the option to `tokens create`. */
export function addPlatformToken(tokens: Command): void {
  const create = tokens.commands.find((command) => command.name() === 'create')
  create?.option(
    '--platform',
    'Create the first admin token of the platform account, directly in the database, with the settings of ' +
      '`bourse serve`. Refused once there is one.',
  )
}

/** Creates and prints the token. */
export async function platformToken({ terminal, variables }: CommandContext, options: GlobalOptions): Promise<void> {
  const output = readOutputOptions(options)
  const config = readConfig('production', variables)
  const { createPlatformToken } = await import('@bourse/server/launch.ts')
  const token = await createPlatformToken(config, terminal.note)
  const shown = { object: 'platform_token', account: config.platform_account, token }
  printObject(terminal, output, shown, { members: Object.keys(shown), columns: ['account', 'token'] })
}
