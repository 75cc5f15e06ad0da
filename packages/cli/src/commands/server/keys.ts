/** `bourse keys`: creates the key files of a production installation, and rotates the signing keys. */
import { readdir, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { SigningKeyFile } from '@bourse/server/core/keys/keys.ts'
import type { Command } from 'commander'
import type { CommandContext, GlobalOptions } from '../../input/session.ts'
import { outputFor, printObject } from '../../output/output.ts'
import { printsNoRows } from '../../output/rows/without-rows.ts'
import { usageProblem } from '../../output/usage.ts'

const names = ['signing', 'master', 'cursor'] as const
/** As long as responses are stored under idempotency keys: a replay signs a token again with the same key. */
const leastDays = 7
const dayMilliseconds = 86_400_000

/** Adds the commands. */
export function addKeys(program: Command, context: CommandContext): void {
  const { terminal, variables } = context
  const group = program.command('keys').description('The key files of a production installation.')

  const create = group.command('create')
  create
    .description('Create the three key files that `bourse serve` needs, and print the settings with their paths.')
    .argument('<directory>', 'The directory of the files, new or empty.')
    .addHelpText('after', '\nExample:\n  $ bourse keys create /etc/bourse/keys >> /etc/bourse/env')
    .action(async (typed: string) => {
      const { ensureKeyFiles, keyVariables } = await import('@bourse/server/core/keys/key-files.ts')
      const variableNames = names.map((name) => keyVariables[name])
      const shape = { members: variableNames, columns: variableNames }
      const output = outputFor(shape, create.optsWithGlobals<GlobalOptions>())
      const directory = resolve(typed)
      await refuseUsed(directory)
      const paths = await ensureKeyFiles(directory, 'operator')
      const settings = Object.fromEntries(names.map((name) => [keyVariables[name], paths[name]]))
      terminal.note('Keep an encrypted backup of the files. Without them, all tokens and encrypted secrets are lost.')
      if (output.format === 'table') {
        for (const [name, path] of Object.entries(settings)) terminal.data(`${name}=${path}`)
      } else printObject(terminal, output, settings, shape)
    })

  printsNoRows(group.command('rotate'))
    .description(
      'Make the next key the signing key and publish a new next one. Refused within 7 days of the last rotation.',
    )
    .argument('[file]', 'The signing key file. Default: BOURSE_SIGNING_KEYS_FILE.')
    .option('--force', 'Rotate again within 7 days. Running replicas then refuse tokens of the newest key.')
    .addHelpText(
      'after',
      `
Tokens that were signed before go on to count. Start the replicas again one after the other; each accepts from the
beginning what the others sign.

Example:
  $ bourse keys rotate /etc/bourse/keys/signing-keys.json`,
    )
    .action(async (typed: string | undefined, { force = false }: { force?: boolean }) => {
      const files = await import('@bourse/server/core/keys/key-files.ts')
      const { createCryptoRandom } = await import('@bourse/server/core/base/random.ts')
      const { signing } = files.keyVariables
      const path = typed ?? variables[signing]
      if (!path) throw usageProblem(`Give the file, or set ${signing}.`)
      const before = await files.readSigningKeyFile(path)
      if (!force) await refuseEarly(path, before)
      const after = files.rotateSigningKeys(before, createCryptoRandom())
      await files.replaceKeyFile(path, after)
      terminal.note(`Key ${after.current} replaces ${before.current}. Restart every replica to use it.`)
    })
}

/** A replica that has not restarted since the last rotation does not know the key that was created then. */
async function refuseEarly(path: string, { keys, current, next }: SigningKeyFile): Promise<void> {
  const wasRotated = keys.some(({ kid, d }) => d !== undefined && kid !== current && kid !== next)
  const { mtimeMs } = await stat(path)
  if (!wasRotated || Date.now() - mtimeMs >= leastDays * dayMilliseconds) return
  throw usageProblem(`${path} was rotated less than ${leastDays} days ago.`, 'Wait, or add --force.')
}

/** Refuses to overwrite keys, because everything that they sign and encrypt would be lost. */
async function refuseUsed(directory: string): Promise<void> {
  const held = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw usageProblem(`${directory} cannot be used: ${error.code}.`, 'Give a new directory.')
  })
  if (held.length > 0) throw usageProblem(`${directory} is not empty.`, 'Give a new directory.')
}
