/** The limits of a token, from what is typed. Pure. */
import type { CreateTokenBody } from '@bourse/sdk'
import { shellWord } from '@bourse/text/shell.ts'

/** What is typed: entries divided by commas, blanks or lines. */
export type TokenLimits = { readonly networks: string; readonly resources: string }

/** The members of the request. A list without entries is left out: then the token is not limited by it. */
export function limitsOf({ networks, resources }: TokenLimits): Pick<CreateTokenBody, 'allowed_cidrs' | 'resources'> {
  const [cidrs, paths] = [entriesOf(networks), entriesOf(resources)]
  return {
    ...(cidrs.length > 0 ? { allowed_cidrs: cidrs } : {}),
    ...(paths.length > 0 ? { resources: paths } : {}),
  }
}

/** The same as options of the command line. */
export function limitFlags({ networks, resources }: TokenLimits): string {
  const flags = [
    ...entriesOf(networks).map((entry) => ` --allowed-cidrs ${shellWord(entry)}`),
    ...entriesOf(resources).map((entry) => ` --resources ${shellWord(entry)}`),
  ]
  return flags.join('')
}

function entriesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((entry) => entry !== '')
}
