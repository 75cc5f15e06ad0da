/** `bourse profiles`: named servers with their tokens. */
import { isUnencryptedUrl } from '@bourse/api/kit/loopback.ts'
import type { Command } from 'commander'
import { confirm } from '../../input/confirmation.ts'
import {
  checkedName,
  checkedOutput,
  type Profile,
  type ProfileFile,
  readProfiles,
  requireProfile,
  writeProfiles,
} from '../../input/profiles.ts'
import type { CommandContext, GlobalOptions } from '../../input/session.ts'
import { acceptsHttp, httpRemedy, isSame, readSandboxFile, readSettings } from '../../input/settings.ts'
import { outputFor, printList, printObject } from '../../output/output.ts'
import { printsNoRows } from '../../output/rows/without-rows.ts'
import { usageProblem } from '../../output/usage.ts'
import { addTokenInput, readToken, type TokenOptions } from './tokens.ts'

type AddOptions = TokenOptions & {
  readonly workspace?: string
  readonly format?: string
  readonly fromSandbox?: boolean
  readonly replace?: boolean
  readonly use?: boolean
}

const members = ['name', 'base_url', 'token', 'workspace', 'output', 'current']

/** Adds the commands. */
export function addProfiles(program: Command, context: CommandContext): void {
  const group = program.command('profiles').description('Named servers with their tokens, workspaces and formats.')
  addAdd(group, context)
  addList(group, context)
  addUse(group, context)
  addShow(group, context)
  addRemove(group, context)
}

function fileOf({ variables, terminal }: CommandContext): ProfileFile {
  return readProfiles(variables, (text) => terminal.note(text))
}

/** The name of a profile that nobody has named: the host of its server, without what a name may not have. */
export function profileNameOf(host: string): string {
  return host.replaceAll(/[^A-Za-z0-9.-]/g, '-').replace(/^[.-]+/, '')
}

/** A profile as it is shown: never with its token. */
export function shownProfile(name: string, { token, ...profile }: Profile, current: string | undefined) {
  const { base_url, workspace = null, output = null } = profile
  return {
    object: 'profile',
    name,
    base_url,
    token: token ? 'set' : null,
    workspace,
    output,
    current: name === current,
  }
}

/** Checks a profile. Throws where its address is invalid, or would get its token unencrypted. */
export function checkedAddress(context: CommandContext, options: GlobalOptions, address: string): string {
  if (!/^https?:$/.test(URL.canParse(address) ? new URL(address).protocol : '')) {
    throw usageProblem(`"${address}" is not an http or https URL.`, 'Write https://bourse.example.')
  }
  if (isUnencryptedUrl(address) && !acceptsHttp(context.variables, options)) {
    throw usageProblem(`${address} is not encrypted: anyone in between can read the token.`, httpRemedy)
  }
  return address.replace(/\/+$/, '')
}

/** Adds a profile to the file. */
export function saveProfile(file: ProfileFile, name: string, profile: Profile, { isCurrent = false } = {}): void {
  const profiles = new Map(file.profiles).set(name, profile)
  // The first profile is used at once: there is no other.
  writeProfiles({ ...file, profiles, current: isCurrent || profiles.size === 1 ? name : file.current })
}

function addAdd(group: Command, context: CommandContext): void {
  const { terminal, variables } = context
  const command = printsNoRows(group.command('add'))
    .description('Add a profile. Its token comes from the standard input or a hidden prompt, never from an argument.')
    .argument('<name>', 'Name of the profile.')
    .option('--workspace <name>', 'The workspace of bare names and of new resources.')
    .option('--format <format>', 'The output format, as -o takes it.')
    .option('--from-sandbox', 'Take address and token from sandbox.env in BOURSE_DATA_DIR (./data).')
    .option('--replace', 'Replace a profile of this name.')
    .option('--use', 'Use it from now on. The first profile is used at once.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ bourse profiles add acme --base-url https://bourse.example --token-stdin < token-file\n' +
        '  $ bourse profiles add here --from-sandbox --use',
    )
  addTokenInput(command)
  command.action(async (name: string) => {
    const options = command.optsWithGlobals<AddOptions>()
    const file = fileOf(context)
    checkedName(name)
    if (file.profiles.has(name) && !options.replace) {
      throw usageProblem(`There is already a profile ${name}.`, 'Give another name, or --replace.')
    }
    const sandbox = options.fromSandbox ? readSandboxFile(variables) : undefined
    if (sandbox && (!sandbox.base_url || !sandbox.token)) {
      throw usageProblem(
        `${sandbox.file} has no address and token.`,
        'Start a sandbox with `bourse start`.',
        'not_found',
      )
    }
    const address = options.baseUrl ?? sandbox?.base_url
    if (address === undefined)
      throw usageProblem('Missing --base-url.', 'Give the URL of the server, or --from-sandbox.')
    if (sandbox && !isSame(address, sandbox.base_url)) {
      throw usageProblem(`The sandbox is not at ${address}.`, 'Give either --base-url or --from-sandbox.')
    }
    const profile: Profile = {
      base_url: checkedAddress(context, options, address),
      workspace: options.workspace,
      output: checkedOutput(options.format),
      token: sandbox?.token ?? (await readToken(terminal, options)),
    }
    saveProfile(file, name, profile, { isCurrent: options.use ?? false })
    terminal.note(`Profile ${name} added to ${file.path}.`)
  })
}

function addList(group: Command, context: CommandContext): void {
  const command = group
    .command('list')
    .alias('ls')
    .description('List the profiles.')
    .addHelpText('after', '\nExample:\n  $ bourse profiles list')
  command.action(() => {
    const output = outputFor({ members, columns: members }, command.optsWithGlobals<GlobalOptions>())
    const { profiles, current } = fileOf(context)
    const data = [...profiles].map(([name, profile]) => shownProfile(name, profile, current))
    const columns = ['name', 'base_url', 'workspace', 'output', 'current']
    const list = { object: 'list', data, has_more: false } as const
    printList(context.terminal, output, list, { members, columns })
  })
}

function addUse(group: Command, context: CommandContext): void {
  const command = printsNoRows(group.command('use'))
    .description('Use a profile from now on, unless --profile or BOURSE_PROFILE names another.')
    .argument('<name>', 'Name of the profile.')
    .addHelpText('after', '\nExample:\n  $ bourse profiles use acme')
  command.action((name: string) => {
    const file = fileOf(context)
    requireProfile(file, name)
    writeProfiles({ ...file, current: name })
    context.terminal.note(`Using the profile ${name}.`)
  })
}

function addShow(group: Command, context: CommandContext): void {
  const command = group
    .command('show')
    .description('Show a profile, without its token.')
    .argument('[name]', 'Name of the profile. Default: the one in use.')
    .addHelpText('after', '\nExample:\n  $ bourse profiles show acme')
  command.action((typed: string | undefined) => {
    const options = command.optsWithGlobals<GlobalOptions>()
    const output = outputFor({ members, columns: members }, options)
    const file = fileOf(context)
    const name = typed ?? readSettings(context.variables, options).profile
    if (name === undefined) throw usageProblem('No profile is in use.', 'Give a name: see `bourse profiles list`.')
    const shown = shownProfile(name, requireProfile(file, name), file.current)
    printObject(context.terminal, output, shown, { members, columns: members })
  })
}

function addRemove(group: Command, context: CommandContext): void {
  const { terminal } = context
  const command = printsNoRows(group.command('remove'))
    .alias('rm')
    .description('Remove a profile and its token from the file. The token itself stays valid.')
    .argument('<name>', 'Name of the profile.')
    .addHelpText('after', '\nExample:\n  $ bourse profiles remove acme')
  command.action(async (name: string) => {
    const options = command.optsWithGlobals<GlobalOptions>()
    const file = fileOf(context)
    requireProfile(file, name)
    await confirm({ terminal, options }, `Remove the profile ${name} with its token from ${file.path}?`)
    const profiles = new Map([...file.profiles].filter(([one]) => one !== name))
    writeProfiles({ ...file, profiles, current: file.current === name ? undefined : file.current })
    terminal.note(`Removed: the profile ${name}. End its token with \`bourse tokens delete\` where it is not needed.`)
  })
}
