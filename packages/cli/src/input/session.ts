/** The session of one command: a client of the chosen server, the terminal, the output format. */
import { type Client, createClient } from '@bourse/sdk/client.ts'
import type { ClientOptions } from '@bourse/sdk/plain-client.ts'
import type { Environment } from '@bourse/text/program.ts'
import { curlFetch } from '../output/curl.ts'
import { type GivenOptions, type OutputOptions, readOutputOptions } from '../output/output.ts'
import type { Terminal } from '../output/terminal.ts'
import { usageProblem } from '../output/usage.ts'
import { callWaits } from '../output/waits.ts'
import type { LookupClient } from './references.ts'
import { requireSettings } from './settings.ts'

/** The environment of a run of the program. */
export type CommandContext = { readonly terminal: Terminal; readonly variables: Environment }

/** The options of every command. */
export type GlobalOptions = GivenOptions & {
  readonly debug?: boolean
  readonly curl?: boolean
  readonly showToken?: boolean
  readonly baseUrl?: string
  readonly profile?: string
  readonly insecureHttp?: boolean
  readonly yes?: boolean
  readonly input?: boolean
  readonly dryRun?: boolean
  /** Of lists: ids in tables in place of names. */
  readonly ids?: boolean | readonly string[]
}

export type Session = {
  /** The client for the command's own call, which `--curl` prints instead of sending. */
  readonly client: Client
  /** The client for preceding look-ups, which also resolves names. */
  readonly lookup: LookupClient
  readonly terminal: Terminal
  readonly output: OutputOptions
  readonly options: GlobalOptions
}

/** Opens a session. Throws a usage problem where the server or the token is not set. */
export function openSession({ terminal, variables }: CommandContext, options: GlobalOptions): Session {
  const settings = requireSettings(variables, options, (text) => terminal.note(text))
  const { base_url: baseUrl, token, workspace } = settings
  const output = readOutputOptions({ ...options, ...(settings.output ? { output: settings.output } : {}) })
  const waits = callWaits(terminal)
  const logger = options.debug ? debugLogger(terminal) : {}
  const plain = openClient({ baseUrl, token, fetch: waits.fetch, logger: { ...logger, warn: waits.retry } })
  const fetch = curlFetch({ token, showToken: options.showToken ?? false })
  const client = options.curl ? openClient({ baseUrl, token, fetch, maxRetries: 0 }) : plain
  const lookup = { ...plain, naming: { workspace, note: (text: string) => terminal.note(text) } }
  return { client, lookup, terminal, output, options }
}

/** Creates a client. An invalid address is a usage problem. */
function openClient(options: ClientOptions): Client {
  try {
    return createClient(options)
  } catch (error) {
    throw usageProblem((error as Error).message, 'It comes from --base-url, BOURSE_BASE_URL, a profile or sandbox.env.')
  }
}

/**
 * Logs requests and their results to standard error. Retries are shown without it (waits.ts). The client passes neither
 * tokens nor bodies to it.
 */
function debugLogger(terminal: Terminal) {
  return {
    debug: (_: string, { method, path, status, failure, milliseconds, requestId }: Record<string, unknown>) =>
      terminal.note(`[debug] ${method} ${path} ${status ?? failure} ${milliseconds} ms ${requestId}`),
  }
}
