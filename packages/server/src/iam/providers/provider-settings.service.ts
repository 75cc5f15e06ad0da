/** Reads the file of the providers and their secrets when the server starts. */
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { startProblem } from '../../core/base/start-problem.ts'
import { checkOf } from '../../core/base/validate.ts'
import { entry, type ProviderFacts, readProviderSettings, type SignInProvider } from './provider-settings.rules.ts'

const variable = 'BOURSE_OIDC_FILE'
const fileBytesMax = 1024 * 1024

/** The providers of a file; none without one. Throws a start problem that names what to change. */
export async function readProviders(path: string | undefined): Promise<SignInProvider[]> {
  if (path === undefined) return []
  const outcome = readProviderSettings(await readText(path, `${variable} names ${path}, which`), checkOf(entry))
  if ('problem' in outcome) throw startProblem('bad_configuration', `${variable} (${path}): ${outcome.problem}`)
  return Promise.all(outcome.providers.map((facts) => withSecret(facts, path)))
}

async function withSecret(facts: ProviderFacts, path: string): Promise<SignInProvider> {
  const { client_secret_file, name } = facts
  if (client_secret_file === undefined) return { ...facts, client_secret: undefined }
  const file = resolve(dirname(path), client_secret_file)
  const text = await readText(
    file,
    `${variable} (${path}): client_secret_file of the provider ${name} is ${file}, which`,
  )
  const client_secret = text.trim()
  if (client_secret === '') throw startProblem('bad_configuration', `${variable} (${path}): ${file} is empty.`)
  return { ...facts, client_secret }
}

async function readText(path: string, subject: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`
    throw startProblem('bad_configuration', `${subject} ${why}.`, error)
  })
  if (bytes.length > fileBytesMax) throw startProblem('bad_configuration', `${subject} is longer than 1 MiB.`)
  return bytes.toString('utf8')
}
