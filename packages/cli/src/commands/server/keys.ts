/** `bourse keys`: creates the key files of a production installation, and rotates what is in them. */
import { readdir, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { KeyFiles } from '@bourse/server/core/keys/keys.ts'
import type { Command } from 'commander'
import type { CommandContext, GlobalOptions } from '../../input/session.ts'
import { outputFor, printList, printObject } from '../../output/output.ts'
import { printsNoRows } from '../../output/rows/without-rows.ts'
import { usageProblem } from '../../output/usage.ts'

const names = ['signing', 'master', 'cursor'] as const
type KeyName = (typeof names)[number]
type RotateOptions = { readonly kind: string; readonly after: string; readonly force?: boolean }

/** Seconds until every replica has read a file: each looks every five, and clusters take two minutes to spread it. */
const spreadSeconds = 600
const leastSeconds = 15
const mostSeconds = 7 * 86_400
const uses = { members: ['object', 'key_id', 'kind', 'count'], columns: ['key_id', 'kind', 'count'] }

/** Adds the commands. */
export function addKeys(program: Command, context: CommandContext): void {
  const group = program.command('keys').description('The key files of a production installation.')
  addCreate(group, context)
  addRotate(group, context)
  addReencrypt(group, context)
}

function addCreate(group: Command, { terminal }: CommandContext): void {
  const create = group.command('create')
  create
    .description('Create the three key files that `bourse serve` needs, and print the settings with their paths.')
    .argument('<directory>', 'The directory of the files, new or empty.')
    .addHelpText('after', '\nExample:\n  $ bourse keys create /etc/bourse/keys >> /etc/bourse/bourse.env')
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
}

function addRotate(group: Command, context: CommandContext): void {
  printsNoRows(group.command('rotate'))
    .description(
      'Put a new key into a key file. Running servers read it, and still accept what older keys signed or encrypted.',
    )
    .argument('[file]', 'The key file. Default: that of BOURSE_SIGNING_KEYS_FILE, or of the setting of its kind.')
    .option('--kind <kind>', 'Kind of the key file: signing, master or cursor.', 'signing')
    .option(
      '--after <seconds>',
      'Seconds until a new master key or cursor root is used. Every server must have read it by then.',
      `${spreadSeconds}`,
    )
    .option('--force', 'Rotate although the last rotation may not have reached every server.')
    .addHelpText(
      'after',
      `
Servers look at the files every five seconds, and at once after SIGHUP. They need no restart.

signing  The published next key signs new tokens at once, and a new next key is published. Refused for ten minutes
         after a rotation, until every server and client knows the next key.
master   A key encrypts new secrets after some time. \`bourse keys reencrypt\` then encrypts the old ones again.
cursor   A root makes new cursors after some time; the others go on. It needs BOURSE_DATABASE_URL for the number.

Examples:
  $ bourse keys rotate /etc/bourse/keys/signing-keys.json
  $ bourse keys rotate --kind master`,
    )
    .action((typed: string | undefined, options: RotateOptions) => rotate(context, typed, options))
}

async function rotate({ terminal, variables }: CommandContext, typed: string | undefined, options: RotateOptions) {
  const { force = false, kind } = options
  const name = names.find((one) => one === kind)
  if (name === undefined) throw usageProblem(`--kind takes signing, master or cursor, not "${kind}".`)
  const after = readAfter(options.after)
  const files = await import('@bourse/server/core/keys/key-files.ts')
  const rules = await import('@bourse/server/core/keys/key-rotation.rules.ts')
  const { createCryptoRandom } = await import('@bourse/server/core/base/random.ts')
  const path = typed ?? variables[files.keyVariables[name]]
  if (!path) throw usageProblem(`Give the file, or set ${files.keyVariables[name]}.`)
  const now = Math.floor(Date.now() / 1000)
  const random = createCryptoRandom()
  const from = now + after
  const change: { readonly [Name in KeyName]: () => Promise<[KeyFiles[Name], string]> } = {
    signing: async () => {
      const before = await files.readOneKeyFile('signing', path)
      if (!force) refuseEarly(path, await signingSince(path, before), now)
      const next = rules.rotateSigningKeys(before, { now, random })
      return [next, `Key ${next.current} replaces ${before.current}. Servers sign with it within five seconds.`]
    },
    master: async () => {
      const before = await files.readOneKeyFile('master', path)
      if (!force) refusePending(path, rules.pendingUntil(before.keys, now))
      const next = rules.rotateMasterKeys(before, { from, random })
      const { key_id } = next.keys.at(-1) as { key_id: number }
      return [next, `Master key ${key_id} encrypts from ${timeOf(from)} on. Run \`bourse keys reencrypt\` after that.`]
    },
    cursor: async () => {
      const before = await files.readOneKeyFile('cursor', path)
      if (!force) refusePending(path, rules.pendingUntil(before.roots, now))
      const { readNewestCursorKey } = await import('@bourse/server/start/newest-cursor-key.ts')
      const newest_key_id = await readNewestCursorKey(variables)
      const next = rules.rotateCursorRoots(before, { from, random, newest_key_id })
      return [next, `New cursors are made with a new root from ${timeOf(from)} on. Older cursors stay valid.`]
    },
  }
  await using _claim = await files.claimKeyFile(path)
  const [next, message] = await change[name]()
  await files.replaceKeyFile(path, next)
  terminal.note(message)
}

function addReencrypt(group: Command, { terminal, variables }: CommandContext): void {
  const command = group.command('reencrypt')
  command
    .description('Encrypt all secrets again that an older master key has encrypted, while servers run.')
    .addHelpText(
      'after',
      `
It encrypts some rows at a time, and can be interrupted and run again. Afterwards it lists the keys in use, and the
kinds of secrets that need each. An unused key may be removed from the file eight days after the rotation: until then
retried requests and links to images need it. Permits for hosts (host_enrolments) keep their key until they end.

Example:
  $ bourse keys reencrypt`,
    )
    .action(async () => {
      const output = outputFor(uses, command.optsWithGlobals<GlobalOptions>())
      const { reencryptSecrets } = await import('@bourse/server/start/master-key-rows.ts')
      const found = await reencryptSecrets(variables)
      terminal.note(`Secrets are encrypted with master key ${found.current}.`)
      const data = found.uses.map((use) => ({ object: 'key_use', ...use }))
      printList(terminal, output, { object: 'list', data, has_more: false }, uses)
    })
}

function readAfter(typed: string): number {
  const seconds = Number(typed)
  if (/^\d{1,7}$/.test(typed) && seconds >= leastSeconds && seconds <= mostSeconds) return seconds
  throw usageProblem(`--after takes ${leastSeconds} to ${mostSeconds} seconds, not "${typed}".`)
}

/** When a file was last rotated. One of an older program does not say, so its own time counts. */
async function signingSince(
  path: string,
  { keys, current, next, rotated_at }: KeyFiles['signing'],
): Promise<number | undefined> {
  if (rotated_at !== undefined) return rotated_at
  const wasRotated = keys.some(({ kid }) => kid !== current && kid !== next)
  return wasRotated ? Math.floor((await stat(path)).mtimeMs / 1000) : undefined
}

function refuseEarly(path: string, since: number | undefined, now: number): void {
  if (since === undefined || now - since >= spreadSeconds) return
  const minutes = spreadSeconds / 60
  const message = `${path} was rotated less than ${minutes} minutes ago. Servers may not know its next key.`
  throw usageProblem(message, `Wait until ${timeOf(since + spreadSeconds)}, or add --force.`)
}

function refusePending(path: string, until: number | undefined): void {
  if (until === undefined) return
  throw usageProblem(`The newest key of ${path} is not used before ${timeOf(until)}.`, 'Wait, or add --force.')
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

/** Refuses to overwrite keys, because everything that they sign and encrypt would be lost. */
async function refuseUsed(directory: string): Promise<void> {
  const held = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw usageProblem(`${directory} cannot be used: ${error.code}.`, 'Give a new directory.')
  })
  if (held.length > 0) throw usageProblem(`${directory} is not empty.`, 'Give a new directory.')
}
