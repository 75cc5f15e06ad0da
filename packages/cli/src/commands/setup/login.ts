/** `bourse login`, `logout` and `whoami`: the person behind the commands. */
import { hostname } from 'node:os'
import { shownName } from '@bourse/api/kit/shown-names.ts'
import { createClient } from '@bourse/sdk/client.ts'
import { ApiError, AuthenticationError } from '@bourse/sdk/errors.ts'
import { pause } from '@bourse/text/time/pause.ts'
import type { Command } from 'commander'
import { checkedName, type ProfileFile, readProfiles } from '../../input/profiles.ts'
import { type CommandContext, type GlobalOptions, openSession } from '../../input/session.ts'
import { isSame, readSettings, requireAddress } from '../../input/settings.ts'
import { outputFor, printObject, requirePrintable } from '../../output/output.ts'
import { printsNoRows } from '../../output/rows/without-rows.ts'
import { usageProblem } from '../../output/usage.ts'
import { profileNameOf, saveProfile } from './profiles.ts'

type LoginClient = ReturnType<typeof createClient>

const loginMembers = ['object', 'profile', 'base_url', 'account', 'user']
const loginShape = { members: loginMembers, columns: loginMembers }
const callerMembers = ['object', 'account', 'user', 'token', 'expires_at', 'workspace', 'mode']
const callerShape = { members: callerMembers, columns: callerMembers }

/** Adds `login`. */
export function addLogin(program: Command, context: CommandContext): void {
  const { terminal, variables } = context
  const command = program
    .command('login')
    .description('Sign in as a person: shows a code, which you approve in a browser. Stores the session in a profile.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ bourse login\n  $ bourse login --base-url https://market.example --profile work',
    )
  command.action(async () => {
    const options = command.optsWithGlobals<GlobalOptions>()
    const output = outputFor(loginShape, options)
    const target = targetOf(context, options)
    const { base_url } = target
    const client = createClient({ baseUrl: base_url, token: '' })
    const client_name = shownName(`The command line on ${hostname()}`).slice(0, 64)
    const codes = await client.deviceLogin.start({ client_name })
    terminal.note(`Open ${codes.verification_uri_complete}`)
    terminal.note(`in a browser that is signed in, and approve the code ${codes.user_code}. Waiting for that.`)
    const { access_token } = await whenApproved(client, codes)
    const { user, id } = await createClient({ baseUrl: base_url, token: access_token }).account.get()
    const file = fileOf(context)
    const before = file.profiles.get(target.name)
    // The session before has no use any more. Where its server is away, it ends by itself.
    if (before?.token) await endSession(before.base_url, before.token).catch(() => {})
    const { workspace, output: format } = before ?? {}
    saveProfile(file, target.name, { base_url, token: access_token, workspace, output: format }, { isCurrent: true })
    const shown = { object: 'login', profile: target.name, base_url, account: id, user: user?.name ?? null }
    if (output.format !== 'table') printObject(terminal, output, shown, loginShape)
    else terminal.note(`Signed in to ${base_url} as ${shown.user} of ${id}. The profile ${target.name} is in use.`)
    if (variables.BOURSE_API_TOKEN) terminal.note('BOURSE_API_TOKEN is set, and goes before this sign-in: unset it.')
  })
}

/** Adds `logout`. */
export function addLogout(program: Command, context: CommandContext): void {
  const { terminal, variables } = context
  const command = printsNoRows(program.command('logout'))
    .description('End the session of `bourse login`, at the server and in its profile.')
    .addHelpText('after', '\nExamples:\n  $ bourse logout\n  $ bourse logout --profile work')
  command.action(async () => {
    const file = fileOf(context)
    const { profile: name = '' } = readSettings(variables, command.optsWithGlobals<GlobalOptions>())
    const profile = file.profiles.get(name)
    if (!profile?.token) throw usageProblem('Nobody is signed in here.', 'Sign in with `bourse login`.', 'access')
    const { base_url, token } = profile
    if (!(await endSession(base_url, token))) {
      const remedy = 'Remove it from here with `bourse profiles remove`, or end it with `bourse tokens delete`.'
      throw usageProblem(`The profile ${name} has a service token, and no session of a person.`, remedy)
    }
    saveProfile(file, name, { ...profile, token: undefined })
    terminal.note(`Signed out of ${base_url}.`)
  })
}

function fileOf({ variables, terminal }: CommandContext): ProfileFile {
  return readProfiles(variables, (text) => terminal.note(text))
}

/** The server to sign in to, and the profile that is to hold the session. */
function targetOf(context: CommandContext, options: GlobalOptions): { base_url: string; name: string } {
  const { profiles } = fileOf(context)
  const { profile: named, ...others } = options
  const isNew = named !== undefined && !profiles.has(checkedName(named))
  const { base_url, profile } = requireAddress(context.variables, isNew ? others : options)
  // The profile in use may be of another server.
  const inUse = profile !== undefined && isSame(profiles.get(profile)?.base_url, base_url) ? profile : undefined
  const name = named ?? inUse ?? profileNameOf(new URL(base_url).host)
  const known = profiles.get(name)
  if (known && !isSame(known.base_url, base_url)) {
    throw usageProblem(`The profile ${name} is of ${known.base_url}.`, 'Name another one with --profile.')
  }
  return { base_url, name }
}

/** Adds `whoami`. */
export function addWhoami(program: Command, context: CommandContext): void {
  const command = program
    .command('whoami')
    .description('Show the person or token, the account and the server of the commands.')
    .addHelpText('after', '\nExample:\n  $ bourse whoami')
  command.action(async () => {
    const { client, terminal, output } = openSession(context, command.optsWithGlobals<GlobalOptions>())
    requirePrintable(output, callerShape)
    const { id, user, token, workspace, server } = await client.account.get()
    const shown = {
      object: 'caller',
      account: id,
      user: user && (user.email ?? user.name),
      token: token.name,
      expires_at: token.expires_at,
      workspace: workspace.name,
      mode: server.mode,
    }
    printObject(terminal, output, shown, callerShape)
  })
}

/** Polls until a person has decided. The interval and its changes are the server's. */
async function whenApproved(client: LoginClient, codes: { device_code: string; interval: number }) {
  for (let { interval } = codes; ; ) {
    await pause(interval * 1000)
    try {
      return await client.deviceLogin.finish({ device_code: codes.device_code })
    } catch (error) {
      const code = error instanceof ApiError ? error.details[0]?.code : undefined
      if (code === 'slow_down') interval += 5
      else if (code !== 'authorization_pending') throw error
    }
  }
}

/** Ends the session of a person. One that has ended already is as good. False for a service token, which stays. */
async function endSession(baseUrl: string, token: string): Promise<boolean> {
  const client = createClient({ baseUrl, token })
  try {
    const account = await client.account.get()
    if (!account.user) return false
    await client.tokens.delete(account.token.id)
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error
  }
  return true
}
