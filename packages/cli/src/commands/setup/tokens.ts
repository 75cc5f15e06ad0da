/** Reads the token of a profile: from the standard input, a hidden prompt or a sandbox, never from an argument. */
import type { Command } from 'commander'
import type { GlobalOptions } from '../../input/session.ts'
import { isToken } from '../../input/settings.ts'
import type { Terminal } from '../../output/terminal.ts'
import { usageProblem } from '../../output/usage.ts'

const remedy = 'Give it on the standard input: `bourse profiles add acme --base-url URL --token-stdin < token-file`.'

/** The option of a command that reads a token. */
export type TokenOptions = GlobalOptions & { readonly tokenStdin?: boolean }

/** Adds the option. */
export function addTokenInput(command: Command): void {
  command.option('--token-stdin', 'Read the token from the standard input, and wait for it.')
}

/**
 * Reads a token: the one on the standard input, else the offered one, else one that is typed. Without `--token-stdin`,
 * an input on which nothing arrives is none: a program without a terminal may have one that nobody writes to. Throws
 * where there is neither an input nor an offer nor a terminal.
 */
export async function readToken(
  terminal: Terminal,
  { input = true, tokenStdin = false }: TokenOptions,
  offer?: () => string | undefined,
): Promise<string> {
  const given = (await terminal.input?.({ isAwaited: tokenStdin }))?.trim() ?? ''
  if (given !== '' || tokenStdin) return checked(given)
  const offered = offer?.()
  if (offered !== undefined) return offered
  const typed = input ? await terminal.prompt?.('Token (not shown): ', { isSecret: true }) : undefined
  return checked(typed?.trim() ?? '')
}

function checked(token: string): string {
  if (token === '') throw usageProblem('There is no token.', remedy, 'access')
  // The message omits the text, which may be a part of a secret.
  if (!isToken(token)) throw usageProblem('The token contains invalid characters.', remedy, 'access')
  return token
}
