/** `bourse start`: starts a complete sandbox. */
import { dirname } from 'node:path'
import type { Config } from '@bourse/server/config.ts'
import type { LaunchedSandbox } from '@bourse/server/start/launch.ts'
import type { Environment } from '@bourse/text/program.ts'
import type { Command } from 'commander'
import type { CommandContext, GlobalOptions } from '../../input/session.ts'
import { stopSignal } from '../../input/stop-signal.ts'
import { readOutputOptions } from '../../output/output.ts'
import { printsNoRows } from '../../output/rows/without-rows.ts'
import { usageProblem } from '../../output/usage.ts'
import { type SandboxCall, sandboxCalls } from '../sandbox-calls.ts'
import { openBrowser } from './browser.ts'

type StartOptions = GlobalOptions & { port?: string; host?: string; dataDir?: string; open?: boolean }

/** Adds the command. */
export function addStart(program: Command, { terminal, variables }: CommandContext): void {
  const command = printsNoRows(program.command('start'))
    .description('Start a sandbox: a database, the API, a small market with simulated hosts, and an API token.')
    .option('--port <number>', 'Port to listen on. Overrides BOURSE_PORT. Default 8080.')
    .option('--host <address>', 'Address to listen on. Overrides BOURSE_HOST. Default 127.0.0.1.')
    .option('--data-dir <path>', 'Data directory. Overrides BOURSE_DATA_DIR. Default ./data.')
    .option('--open', 'Open the first sign-in link in the browser of this computer.')
    .addHelpText(
      'after',
      '\nEach start prints two new sign-in links and ends the earlier links. `bourse users sign-in-link` makes ' +
        'more.\n\nExamples:\n  $ bourse start --open\n  $ bourse start --port 8081 --data-dir ./second',
    )
  command.action(async () => {
    const options = command.optsWithGlobals<StartOptions>()
    const output = readOutputOptions(options)
    if (options.port !== undefined && !(/^\d{1,5}$/.test(options.port) && Number(options.port) <= 65_535)) {
      throw usageProblem(`--port takes a number from 0 to 65535, not "${options.port}".`)
    }
    const { readConfig } = await import('@bourse/server/config.ts')
    const config = readConfig('sandbox', {
      ...variables,
      ...(options.port === undefined ? {} : { BOURSE_PORT: options.port }),
      ...(options.host === undefined ? {} : { BOURSE_HOST: options.host }),
      ...(options.dataDir === undefined ? {} : { BOURSE_DATA_DIR: options.dataDir }),
    })
    const asJson = ['json', 'jsonl', 'yaml'].includes(output.format)
    const given = options.dataDir === undefined ? variables : { ...variables, BOURSE_DATA_DIR: options.dataDir }
    await runSandbox(config, { terminal, variables: given }, { asJson, opens: options.open ?? false })
  })
}

async function runSandbox(
  config: Config,
  { terminal, variables }: CommandContext,
  { asJson, opens }: { asJson: boolean; opens: boolean },
): Promise<void> {
  const stopped = stopSignal()
  // Imported only here, because loading the server takes long.
  const { launchSandbox } = await import('@bourse/server/start/launch.ts')
  let calls: SandboxCall[] = []
  await using sandbox = await launchSandbox(config, terminal.note, async ({ url, access }) => {
    calls = await sandboxCalls({ url, ...access })
    return calls.flatMap(({ title, command }) => [title, command])
  })
  terminal.data(asJson ? JSON.stringify(facts(sandbox, calls)) : greeting(sandbox, variables))
  if (opens) openBrowser(sandbox.sign_in_urls.customer, terminal.note)
  const signal = await stopped
  terminal.note(`${signal}: stopping. A second signal ends it at once.`)
}

function facts({ server, access, file, sign_in_urls }: LaunchedSandbox, calls: readonly SandboxCall[]) {
  const { token, platform_token } = access
  const links = { sign_in_url: sign_in_urls.customer, operator_sign_in_url: sign_in_urls.operator }
  const accessTo = { base_url: server.url, ...links, api_token: token, platform_token, settings_file: file }
  return { object: 'sandbox', ...accessTo, calls }
}

/**
 * What a person needs next. The tokens are only in the file, whose mode is 0600: terminals are recorded and shared. A
 * link works once, for a quarter of an hour.
 */
function greeting(
  { server: { url }, file, sign_in_urls }: LaunchedSandbox,
  { npm_lifecycle_event, BOURSE_DATA_DIR }: Environment,
): string {
  const directory = BOURSE_DATA_DIR ? `BOURSE_DATA_DIR=${dirname(file)} ` : ''
  const program = `${directory}${npm_lifecycle_event ? 'npx bourse' : 'bourse'}`
  return `The sandbox is ready.

  Address    ${url}
  Reference  ${url}/docs
  Sign in    ${sign_in_urls.customer}
  Operator   ${sign_in_urls.operator}
  Tokens     ${file} (the command line reads it)

Try in another shell:
  ${program} book show h100-west
  ${program} instances list
  ${program} events list --limit 10
Stop it with Ctrl-C.`
}
