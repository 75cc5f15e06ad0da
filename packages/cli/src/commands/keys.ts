/** `bourse keys`: makes the key files of a production system, and rotates the keys that sign tokens. */
import { readdir, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { wallMilliseconds } from '@bourse/server/core/base/clock.ts'
import { createCryptoRandom } from '@bourse/server/core/base/random.ts'
import {
  ensureKeyFiles,
  keyVariables,
  readSigningKeyFile,
  replaceKeyFile,
  rotateSigningKeys,
} from '@bourse/server/core/keys/key-files.ts'
import type { SigningKeyFile } from '@bourse/server/core/keys/keys.ts'
import type { Command } from 'commander'
import type { GlobalOptions, Surroundings } from '../input/session.ts'
import { printObject, readLook } from '../output/output.ts'
import { usageProblem } from '../output/usage.ts'

const names = ['signing', 'master', 'cursor'] as const
/** As long as an answer is kept under its key: what it holds is made anew by the key that signed it. */
const leastDays = 7
const dayMilliseconds = 86_400_000

/** Adds the commands. */
export function addKeys(program: Command, surroundings: Surroundings): void {
  const { terminal, variables } = surroundings
  const group = program.command('keys').description('The key files of a production system.')

  const create = group.command('create')
  create
    .description('Make the three key files that `bourse serve` needs, and print the settings that name them.')
    .argument('<directory>', 'Where they go: a new directory, or an empty one.')
    .addHelpText('after', '\nExample:\n  $ bourse keys create /etc/bourse/keys >> /etc/bourse/env')
    .action(async (typed: string) => {
      const look = readLook(create.optsWithGlobals<GlobalOptions>())
      const directory = resolve(typed)
      await refuseUsed(directory)
      const paths = await ensureKeyFiles(directory, 'operator')
      const settings = Object.fromEntries(names.map((name) => [keyVariables[name], paths[name]]))
      terminal.note('Back them up, encrypted: what they sign and encrypt is lost with them.')
      if (look.format === 'table') {
        for (const [name, path] of Object.entries(settings)) terminal.data(`${name}=${path}`)
      } else printObject(terminal, look, settings, { members: Object.keys(settings), columns: Object.keys(settings) })
    })

  group
    .command('rotate')
    .description('Let the next key sign tokens and publish one after it. Refused within 7 days of the last time.')
    .argument('[file]', 'The file of signing keys. Default: BOURSE_SIGNING_KEYS_FILE.')
    .option('--force', 'Rotate again within 7 days: replicas that run refuse what the newest key signs.')
    .addHelpText(
      'after',
      `
Tokens that were signed before go on to count. Start the replicas again one after the other; each accepts from the
beginning what the others sign.

Example:
  $ bourse keys rotate /etc/bourse/keys/signing-keys.json`,
    )
    .action(async (typed: string | undefined, { force = false }: { force?: boolean }) => {
      const path = typed ?? variables[keyVariables.signing]
      if (!path) throw usageProblem(`Name the file, or set ${keyVariables.signing}.`)
      const before = await readSigningKeyFile(path)
      if (!force) await refuseEarly(path, before)
      const after = rotateSigningKeys(before, createCryptoRandom())
      await replaceKeyFile(path, after)
      terminal.note(`Key ${after.current} signs in place of ${before.current}, once each replica was started again.`)
    })
}

/** A replica that was not started again since the last time knows nothing of a key that was made then. */
async function refuseEarly(path: string, { keys, current, next }: SigningKeyFile): Promise<void> {
  const wasRotated = keys.some(({ kid, d }) => d !== undefined && kid !== current && kid !== next)
  const { mtimeMs } = await stat(path)
  if (!wasRotated || wallMilliseconds() - mtimeMs >= leastDays * dayMilliseconds) return
  throw usageProblem(`${path} was rotated less than ${leastDays} days ago.`, 'Wait, or add --force.')
}

/** Keys are never written over: what they sign and encrypt would be lost. */
async function refuseUsed(directory: string): Promise<void> {
  const held = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw usageProblem(`${directory} cannot be used: ${error.code}.`, 'Name a new directory.')
  })
  if (held.length > 0) throw usageProblem(`${directory} is not empty.`, 'Name a new directory.')
}
