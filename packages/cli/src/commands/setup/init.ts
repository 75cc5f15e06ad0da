/** `bourse init`: three questions, and the command line knows its server. */
import { createClient } from '@bourse/sdk/client.ts'
import { AuthenticationError } from '@bourse/sdk/errors.ts'
import type { Command } from 'commander'
import { checkedName, checkedOutput, type Profile, readProfiles } from '../../input/profiles.ts'
import type { CommandContext } from '../../input/session.ts'
import { isSame, readSandboxFile } from '../../input/settings.ts'
import { printsNoRows } from '../../output/rows/without-rows.ts'
import { usageProblem } from '../../output/usage.ts'
import { checkedAddress, profileNameOf, saveProfile } from './profiles.ts'
import { addTokenInput, readToken, type TokenOptions } from './tokens.ts'

type InitOptions = TokenOptions & { readonly name?: string; readonly format?: string; readonly workspace?: string }

const checkMilliseconds = 10_000

/** Adds the command. */
export function addInit(program: Command, context: CommandContext): void {
  const command = printsNoRows(program.command('init'))
    .description('Set up this program: asks for the server and the token, checks the connection, and asks for a name.')
    .option(
      '--name <name>',
      'Name of the profile. Default: sandbox for the one of BOURSE_DATA_DIR, else the host of the server.',
    )
    .option('--workspace <name>', 'The workspace of bare names and of new resources.')
    .option('--format <format>', 'The output format, as -o takes it.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ bourse init\n  $ bourse init --yes --base-url https://bourse.example --name acme --token-stdin < token-file',
    )
  addTokenInput(command)
  command.action(() => init(context, command.optsWithGlobals<InitOptions>()))
}

async function init(context: CommandContext, options: InitOptions): Promise<void> {
  const { terminal, variables } = context
  const file = readProfiles(variables, (text) => terminal.note(text))
  const sandbox = readSandboxFile(variables)
  const base_url = checkedAddress(context, options, await askAddress(context, options, sandbox.base_url))
  const ofSandbox = isSame(base_url, sandbox.base_url) ? sandbox.token : undefined
  const token = await readToken(terminal, options, () => {
    if (ofSandbox) terminal.note(`The token comes from ${sandbox.file}.`)
    return ofSandbox
  })
  const profile: Profile = { base_url, token, workspace: options.workspace, output: checkedOutput(options.format) }
  const { account, mode } = await check(profile)
  // Another server may be where the sandbox was.
  const usual = ofSandbox && mode === 'sandbox' ? 'sandbox' : profileNameOf(new URL(base_url).hostname)
  const name = checkedName(await askName(context, options, usual))
  if (file.profiles.has(name) && !isSame(file.profiles.get(name)?.base_url, base_url) && !(await mayReplace())) {
    throw usageProblem(`There is already a profile ${name} of another server.`, 'Give another --name, or --yes.')
  }
  saveProfile(file, name, profile, { isCurrent: true })
  terminal.note(`Connected to ${base_url} as the account ${account}. Profile ${name} saved to ${file.path}.`)
  terminal.data(['Try:', '  bourse skus list', '  bourse book show --help', '  bourse instances list'].join('\n'))

  async function mayReplace(): Promise<boolean> {
    if (options.yes || options.input === false) return options.yes === true
    return (await terminal.ask(`Replace the profile ${name}?`)) === true
  }
}

async function askAddress(
  { terminal }: CommandContext,
  { baseUrl, yes, input }: InitOptions,
  sandbox: string | undefined,
): Promise<string> {
  if (baseUrl !== undefined) return baseUrl
  if (yes && sandbox) return sandbox
  const offer = sandbox ? ` [the sandbox at ${sandbox}]` : ''
  const typed = yes || input === false ? undefined : await terminal.prompt?.(`URL of the server${offer}: `)
  if (typed === undefined) {
    throw usageProblem(
      'There is no terminal to ask for the server.',
      'Give --base-url and the token on the standard input; --name, --workspace and --format if you like.',
    )
  }
  const address = typed.trim() || sandbox
  if (address) return address
  throw usageProblem('No server was given.', 'Start a sandbox with `bourse start`, or give the URL of a server.')
}

async function askName(
  { terminal }: CommandContext,
  { name, yes, input }: InitOptions,
  usual: string,
): Promise<string> {
  if (name !== undefined) return name
  const typed = yes || input === false ? undefined : await terminal.prompt?.(`Name of this profile [${usual}]: `)
  return typed?.trim() || usual
}

/** Reads the account of a token. Throws where the server or the token is wrong, so that nothing is saved. */
async function check({ base_url: baseUrl, token }: Profile): Promise<{ account: string; mode: string }> {
  const options = { baseUrl, token, timeout: checkMilliseconds, maxRetries: 0 }
  try {
    const { id: account, server } = await createClient(options).account.get()
    return { account, mode: server.mode }
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error
    throw usageProblem(`${baseUrl} does not accept this token.`, 'Nothing was saved. Check the token.', 'access')
  }
}
