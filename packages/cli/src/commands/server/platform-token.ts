/** `bourse tokens create --platform`: creates the first token or person of an installation in its database. */
import { emailLengthMax } from '@bourse/api/iam/users.ts'
import { shownEmailPattern } from '@bourse/api/kit/shown-names.ts'
import type { Command } from 'commander'
import type { CommandContext, GlobalOptions } from '../../input/session.ts'
import { printObject, readOutputOptions, requirePrintable } from '../../output/output.ts'
import { usageProblem } from '../../output/usage.ts'

const shapes = {
  token: { members: ['object', 'account', 'token'], columns: ['account', 'token'] },
  person: { members: ['object', 'account', 'url', 'expires_at'], columns: ['account', 'url', 'expires_at'] },
}

/** Adds the option to `tokens create`. */
export function addPlatformToken(tokens: Command): void {
  const create = tokens.commands.find((command) => command.name() === 'create')
  create?.option(
    '--platform',
    'Create the first admin token of the platform account, directly in the database, with the settings of ' +
      '`bourse serve`. Refused once there is one.',
  )
  create?.option(
    '--person <email>',
    'With --platform: instead of a token, create a link that signs in a person as admin of the platform account.',
  )
}

/** Creates and prints the token, or the link of the first person. */
export async function platformToken(
  { terminal, variables }: CommandContext,
  options: GlobalOptions & { readonly platform?: unknown; readonly person?: unknown },
): Promise<void> {
  const shape = options.person === undefined ? shapes.token : shapes.person
  const output = readOutputOptions(options)
  // There is only one first token, so it must not be created where nobody would see it.
  if (output.format === 'id') throw usageProblem('-o id does not show what is shown only once.', 'Use -o json.')
  requirePrintable(output, shape)
  if (!options.platform) throw usageProblem('--person needs --platform.', 'Other people: `bourse users sign-in-link`.')
  const email = options.person === undefined ? undefined : readEmail(options.person)
  const { readConfig } = await import('@bourse/server/config.ts')
  const config = readConfig('production', variables, { serves: false })
  const { createPlatformPerson, createPlatformToken } = await import('@bourse/server/start/launch.ts')
  const account = config.platform_account
  const shown =
    email === undefined
      ? { object: 'platform_token', account, token: await createPlatformToken(config, terminal.note) }
      : { object: 'sign_in_link', account, ...(await createPlatformPerson(config, email, terminal.note)) }
  printObject(terminal, output, shown, shape)
}

function readEmail(typed: unknown): string {
  const email = String(typed)
  if (email.length <= emailLengthMax && new RegExp(shownEmailPattern).test(email)) return email
  throw usageProblem(`--person takes an e-mail address, not "${email}".`)
}
