/** Reads the secret of a permit from where other users of the host cannot see it. */
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { hostProblem } from './problems.ts'

const variable = 'BOURSE_ENROL_TOKEN'

/** The secret of a permit: from a file, from standard input for `-`, or from the environment. */
export async function readPermit(
  path: string | undefined,
  variables: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const secret = (path === undefined ? variables[variable] : await readSource(path))?.trim()
  if (secret) return secret
  throw hostProblem(`There is no permit. Name its file with --token-file, or set ${variable}.`)
}

function readSource(path: string): Promise<string> {
  if (path === '-') return text(process.stdin)
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw hostProblem(`The permit ${path} cannot be read: ${error.code}.`)
  })
}
