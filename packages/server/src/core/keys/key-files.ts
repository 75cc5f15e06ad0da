/**
 * Key files: three JSON files, readable by their owner only. `bourse start` creates the missing ones and marks them as
 * created by a sandbox. Production refuses such files, so that no key of a demonstration protects real data.
 */
import { chmod, chown, link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createCryptoRandom, type Random } from '../base/random.ts'
import { startProblem } from '../base/start-problem.ts'
import { type KeyFiles, type KeyOrigin, type Keys, loadKeys } from './keys.ts'
import { makeSigningKey } from './signing-key.ts'

/** The paths of the three key files. */
export type KeyPaths = { readonly [Name in keyof KeyFiles]: string }

/** The environment variables with the paths of the files. */
export const keyVariables: KeyPaths = {
  signing: 'BOURSE_SIGNING_KEYS_FILE',
  master: 'BOURSE_MASTER_KEY_FILE',
  cursor: 'BOURSE_CURSOR_KEYS_FILE',
}
const ownerOnly = 0o600
/** A key takes some 150 bytes. */
const bytesMax = 1024 * 1024
const remedy = '`bourse keys create` creates all three.'

/** Generates the contents of all three files. A seeded `random` gives the reproducible keys of a simulation. */
export function makeKeys(origin: KeyOrigin, random: Random): KeyFiles {
  const secret = () => random.bytes(32).toString('base64url')
  const current = makeSigningKey(random)
  const next = makeSigningKey(random)
  return {
    signing: { origin, current: current.kid, next: next.kid, keys: [current, next] },
    master: { origin, current: 1, keys: [{ key_id: 1, secret: secret() }], fingerprint_key: secret() },
    cursor: { origin, roots: [{ first_key_id: 0, secret: secret() }] },
  }
}

/** Creates the key files that are missing in a directory; returns the paths of all three. */
export async function ensureKeyFiles(directory: string, origin: KeyOrigin = 'sandbox'): Promise<KeyPaths> {
  const paths = keyPaths(directory)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const made = makeKeys(origin, createCryptoRandom())
  for (const name of keyNames) await writeIfMissing(paths[name], made[name])
  return paths
}

/** The paths that `ensureKeyFiles` uses in a directory. */
export function keyPaths(directory: string): KeyPaths {
  return {
    signing: join(directory, 'signing-keys.json'),
    master: join(directory, 'master-key.json'),
    cursor: join(directory, 'cursor-keys.json'),
  }
}

/**
 * Reads the three key files. Throws a start problem (`keys_missing`, `keys_unsafe`, `keys_invalid`) that names the
 * file and the remedy, and contains nothing of its contents. In production, files created by a sandbox are unsafe.
 */
export async function readKeyFiles(paths: Partial<KeyPaths>, { production }: { production: boolean }): Promise<Keys> {
  return loadKeyContents(await readKeyContents(paths, { production }))
}

/** Reads the contents of the three key files. Throws as `readKeyFiles` does, and does not compare them. */
export async function readKeyContents(
  paths: Partial<KeyPaths>,
  { production }: { production: boolean },
): Promise<KeyFiles> {
  const signing = await readKeyFile('signing', paths.signing, production)
  const master = await readKeyFile('master', paths.master, production)
  const cursor = await readKeyFile('cursor', paths.cursor, production)
  return { signing, master, cursor } as KeyFiles
}

/** Converts what was read to keys. Throws a start problem where the files are inconsistent. */
export function loadKeyContents(files: KeyFiles, now?: () => number): Keys {
  try {
    return loadKeys(files, now)
  } catch (error) {
    throw startProblem('keys_invalid', `The key files are inconsistent: ${(error as Error).message}.`)
  }
}

/** Reads one key file, to rotate it. Throws as `readKeyFiles` does in production. */
export async function readOneKeyFile<Name extends keyof KeyFiles>(name: Name, path: string): Promise<KeyFiles[Name]> {
  return (await readKeyFile(name, path, true)) as KeyFiles[Name]
}

/**
 * Claims a key file for as long as a program changes it. Of two rotations at once the later one would replace the key
 * of the earlier one, which servers may have begun to use. Throws `keys_claimed`, and what `readKeyFiles` throws.
 */
export async function claimKeyFile(path: string): Promise<AsyncDisposable> {
  const claim = `${path}.lock`
  try {
    await (await open(claim, 'wx', ownerOnly)).close()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') {
      const why = `${claim} exists: another program changes ${path}, or one was interrupted.`
      throw startProblem('keys_claimed', `${why} Remove the lock if no such program runs.`)
    }
    throw startProblem('keys_missing', `The directory of the key file ${path} cannot be written: ${code}.`, error)
  }
  return { [Symbol.asyncDispose]: () => rm(claim, { force: true }) }
}

/** Replaces one key file atomically. It keeps the owner and mode of the former file; a new file has mode 0600. */
export async function replaceKeyFile(path: string, content: KeyFiles[keyof KeyFiles]): Promise<void> {
  const draft = await writeDraft(path, content)
  try {
    const former = await stat(path).catch(() => undefined)
    if (former) {
      // A rotation as root must leave the file readable for the user that runs the server.
      await chown(draft, former.uid, former.gid)
      await chmod(draft, former.mode & 0o770)
    }
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

const keyNames = ['signing', 'master', 'cursor'] as const

async function readKeyFile(name: keyof KeyFiles, path: string | undefined, production: boolean): Promise<unknown> {
  if (!path) throw startProblem('keys_missing', `Set ${keyVariables[name]} to the path of the key file. ${remedy}`)
  const text = await readPrivateFile(name, path)
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    // The parser's message quotes the text, which contains a key, so the message is neither shown nor kept as a cause.
    throw startProblem('keys_invalid', `The key file ${path} is not JSON.`)
  }
  if (!shapes[name](content)) throw startProblem('keys_invalid', `The key file ${path} has missing or invalid fields.`)
  if (production && (content as { origin: unknown }).origin === 'sandbox') {
    throw startProblem(
      'keys_unsafe',
      `The key file ${path} was created by a sandbox. Production needs its own keys. ${remedy}`,
    )
  }
  return content
}

async function readPrivateFile(name: keyof KeyFiles, path: string): Promise<string> {
  try {
    // Group access is allowed, because containers mount secrets that way.
    const found = await stat(path)
    const { mode, size } = found
    // To read a pipe would wait for a writer.
    if (!found.isFile()) throw startProblem('keys_invalid', `The key file ${path} is no regular file.`)
    if (size > bytesMax) throw startProblem('keys_invalid', `The key file ${path} is longer than ${bytesMax} bytes.`)
    if ((mode & 0o007) !== 0) {
      throw startProblem('keys_unsafe', `The key file ${path} is accessible to every user. Run \`chmod 600\` on it.`)
    }
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw startProblem('keys_missing', `The key file ${path} (${keyVariables[name]}) does not exist.`)
    }
    if (code === 'EACCES' || code === 'EPERM') {
      throw startProblem('keys_missing', `The key file ${path} (${keyVariables[name]}) cannot be read by this user.`)
    }
    throw error
  }
}

async function writeIfMissing(path: string, content: unknown): Promise<void> {
  const draft = await writeDraft(path, content)
  try {
    // Of two programs that start at once, only one creates the keys: a link fails where a rename would replace.
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function writeDraft(path: string, content: unknown): Promise<string> {
  const draft = join(dirname(path), `.${createCryptoRandom().bytes(9).toString('hex')}.new`)
  const file = await open(draft, 'wx', ownerOnly)
  try {
    await file.writeFile(`${JSON.stringify(content, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  return draft
}

const shapes: { readonly [Name in keyof KeyFiles]: (content: unknown) => boolean } = {
  signing: (content) =>
    hasFields(content, {
      origin: isOrigin,
      current: isText,
      next: isText,
      keys: listOf({ kid: isText, x: isText, d: isTextOrAbsent, replaced_at: isTimeOrAbsent }),
      rotated_at: isTimeOrAbsent,
    }),
  master: (content) =>
    hasFields(content, {
      origin: isOrigin,
      current: Number.isSafeInteger,
      keys: listOf({ key_id: Number.isSafeInteger, secret: isText, from: isTimeOrAbsent }),
      fingerprint_key: isText,
    }),
  cursor: (content) =>
    hasFields(content, {
      origin: isOrigin,
      roots: listOf({ first_key_id: Number.isSafeInteger, secret: isText, from: isTimeOrAbsent }),
    }),
}

type Checks = { readonly [field: string]: (value: unknown) => boolean }

function hasFields(value: unknown, checks: Checks): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(checks).every(([field, check]) => check((value as Record<string, unknown>)[field]))
}

function listOf(checks: Checks): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.length > 0 && value.every((entry) => hasFields(entry, checks))
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || isText(value)
}

function isTimeOrAbsent(value: unknown): boolean {
  return value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0)
}

function isOrigin(value: unknown): boolean {
  return value === 'sandbox' || value === 'operator'
}
