/** Which server the command line talks to, and as whom. */
import { readFileSync } from 'node:fs'
import { dataDirectory, type Environment, sandboxFile } from '@bourse/server/config.ts'
import { tokenRemedy } from '../output/failure.ts'
import { usageProblem } from '../output/usage.ts'

/** An address and a token, each where something names one, and the file that was read. */
export type Settings = {
  readonly base_url: string | undefined
  readonly token: string | undefined
  readonly file: string
}

/**
 * Reads the environment, then the file that a sandbox leaves in its data directory. The file's token goes to the
 * file's own address and nowhere else.
 */
export function readSettings(variables: Environment, base_url?: string): Settings {
  const file = sandboxFile(dataDirectory(variables))
  const left = readEnvironmentFile(file)
  const address = base_url || variables.BOURSE_BASE_URL || left.BOURSE_BASE_URL
  const isFiles = address !== undefined && address.replace(/\/+$/, '') === left.BOURSE_BASE_URL
  return {
    base_url: address,
    token: variables.BOURSE_API_TOKEN || (isFiles ? left.BOURSE_API_TOKEN : undefined),
    file,
  }
}

/** Settings that are enough to call the API. */
export function requireSettings(variables: Environment, base_url?: string): { base_url: string; token: string } {
  const settings = readSettings(variables, base_url)
  const remedy = 'Start a sandbox with `bourse start`, or set BOURSE_BASE_URL and BOURSE_API_TOKEN.'
  if (!settings.base_url) {
    throw usageProblem(
      `No server is named: BOURSE_BASE_URL is not set, and there is no ${settings.file}.`,
      remedy,
      'access',
    )
  }
  if (!settings.token) throw usageProblem(`There is no token for ${settings.base_url}.`, remedy, 'access')
  // The text is not shown: it may be a secret that was cut or pasted wrongly.
  if (!/^[\x21-\x7e]+$/.test(settings.token)) {
    throw usageProblem('The API token holds characters that no token has.', tokenRemedy, 'access')
  }
  return { base_url: settings.base_url, token: settings.token }
}

function readEnvironmentFile(file: string): Readonly<Record<string, string>> {
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    const pairs = lines.map((line) => /^([A-Z_]+)=(.*)$/.exec(line)).filter((found) => found !== null)
    return Object.fromEntries(pairs.map(([, name, value]) => [name, value]))
  } catch {
    // No sandbox has run here, or it belongs to somebody else.
    return {}
  }
}
