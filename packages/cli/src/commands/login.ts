/** `bourse login`, `logout` and `whoami`: the person behind the commands. */
import { hostname } from 'node:os'
import { createClient } from '@bourse/sdk/client.ts'
import { ApiError, AuthenticationError } from '@bourse/sdk/errors.ts'
import { pause } from '@bourse/server/core/base/clock.ts'
import type { Command } from 'commander'
import { readLogin, removeLogin, requireLoginFile, storeLogin } from '../input/logins.ts'
import { type CommandContext, type GlobalOptions, openSession } from '../input/session.ts'
import { requireAddress } from '../input/settings.ts'
import { printObject, readOutputOptions } from '../output/output.ts'
import { usageProblem } from '../output/usage.ts'

type Client = ReturnType<typeof createClient>

/** Adds `login`. */
export function addLogin(program: Command, { terminal, variables }: CommandContext): void {
  const command = program
    .command('login')
    .description('Sign in as a person: shows a code, which you approve in a browser that is signed in.')
    .addHelpText('after', '\nExamples:\n  $ bourse login\n  $ bourse login --base-url https://market.example')
  command.action(async () => {
    const options = command.optsWithGlobals<GlobalOptions>()
    const baseUrl = requireAddress(variables, options)
    requireLoginFile(variables)
    const client = createClient({ baseUrl, token: '' })
    const client_name = `The command line on ${hostname()}`.replaceAll(/\p{C}/gu, '').slice(0, 64)
    const codes = await client.deviceLogin.start({ client_name })
    terminal.note(`Open ${codes.verification_uri_complete}`)
    terminal.note(`in a browser that is signed in, and approve the code ${codes.user_code}. Waiting for that.`)
    const { access_token } = await whenApproved(client, codes)
    const { user, id } = await createClient({ baseUrl, token: access_token }).account.get()
    // The session before has no use any more. Where its server is away, it ends by itself.
    await endStored(variables).catch(() => {})
    storeLogin(variables, { base_url: baseUrl, token: access_token })
    const shown = { object: 'login', base_url: baseUrl, account: id, user: user?.name ?? null }
    const output = readOutputOptions(options)
    if (output.format !== 'table') printObject(terminal, output, shown, { members: Object.keys(shown), columns: [] })
    else terminal.note(`Signed in to ${baseUrl} as ${shown.user} of ${id}.`)
    if (variables.BOURSE_API_TOKEN) terminal.note('BOURSE_API_TOKEN is set, and goes before this sign-in: unset it.')
  })
}

/** Adds `logout`. */
export function addLogout(program: Command, { terminal, variables }: CommandContext): void {
  program
    .command('logout')
    .description('End the session of `bourse login`, here and at the server.')
    .addHelpText('after', '\nExample:\n  $ bourse logout')
    .action(async () => {
      const stored = readLogin(variables)
      if (!stored) throw usageProblem('Nobody is signed in here.', 'Sign in with `bourse login`.', 'access')
      await endStored(variables)
      terminal.note(`Signed out of ${stored.base_url}.`)
    })
}

/** Adds `whoami`. */
export function addWhoami(program: Command, context: CommandContext): void {
  const command = program
    .command('whoami')
    .description('Show the person or token, the account and the server of the commands.')
    .addHelpText('after', '\nExample:\n  $ bourse whoami')
  command.action(async () => {
    const { client, terminal, output } = openSession(context, command.optsWithGlobals<GlobalOptions>())
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
    const members = Object.keys(shown)
    printObject(terminal, output, shown, { members, columns: members })
  })
}

/** Polls until a person has decided. The interval and its changes are the server's. */
async function whenApproved(client: Client, codes: { device_code: string; interval: number }) {
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

/** Ends the stored session. One that has ended already is as good. */
async function endStored(variables: CommandContext['variables']): Promise<void> {
  const stored = readLogin(variables)
  if (!stored) return
  try {
    const client = createClient({ baseUrl: stored.base_url, token: stored.token })
    const { token } = await client.account.get()
    await client.tokens.delete(token.id)
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error
  }
  removeLogin(variables)
}
