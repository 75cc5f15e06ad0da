/**
 * Key files: three JSON files, readable by their owner only. `bourse start` creates the missing ones and marks them as
 * created by a sandbox. Production refuses such files, so that no key of a demonstration protects real data.
 */
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import { chmod, chown, link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createCryptoRandom, type Random } from '../base/random.ts'
import { startProblem } from '../base/start-problem.ts'
import { type JwkKey, type KeyFiles, type KeyOrigin, type Keys, loadKeys, type SigningKeyFile } from './keys.ts'

/** The paths of the three key files. */
export type KeyPaths = { readonly [Name in keyof KeyFiles]: string }

/** The environment variables with the paths of the files. */
export const keyVariables: KeyPaths = {
  signing: 'BOURSE_SIGNING_KEYS_FILE',
  master: 'BOURSE_MASTER_KEY_FILE',
  cursor: 'BOURSE_CURSOR_KEYS_FILE',
}
const ownerOnly = 0o600
const remedy = '`bourse keys create` creates all three.'
// The bytes before the 32 bytes of an Ed25519 seed in PKCS #8 (RFC 8410).
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

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

/**
 * Rotates the signing key file: the key that was published as `next` becomes current, and a new `next` is published.
 * The former current key keeps its private half for replays (7 days); older keys only verify. So rotate at most once in
 * 7 days. A key may be removed from the file when all tokens that it signed have expired.
 */
export function rotateSigningKeys(file: SigningKeyFile, random: Random): SigningKeyFile {
  const next = makeSigningKey(random)
  const keep = new Set([file.current, file.next])
  const keys = file.keys.map(({ kid, x, d }) => (d !== undefined && keep.has(kid) ? { kid, x, d } : { kid, x }))
  return { origin: file.origin, current: file.next, next: next.kid, keys: [...keys, next] }
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
  const signing = await readKeyFile('signing', paths.signing, production)
  const master = await readKeyFile('master', paths.master, production)
  const cursor = await readKeyFile('cursor', paths.cursor, production)
  const files = { signing, master, cursor } as KeyFiles
  try {
    return loadKeys(files)
  } catch (error) {
    throw startProblem('keys_invalid', `The key files are inconsistent: ${(error as Error).message}.`)
  }
}

/** Reads only the signing key file, to rotate it. Throws as `readKeyFiles` does in production. */
export async function readSigningKeyFile(path: string): Promise<SigningKeyFile> {
  return (await readKeyFile('signing', path, true)) as SigningKeyFile
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

function makeSigningKey(random: Random): JwkKey {
  const der = Buffer.concat([pkcs8Head, random.bytes(32)])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const { x, d } = privateKey.export({ format: 'jwk' }) as { x: string; d: string }
  const kid = createHash('sha256').update(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }))
  return { kid: kid.digest('base64url').slice(0, 16), x, d }
}

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
    if (((await stat(path)).mode & 0o007) !== 0) {
      throw startProblem('keys_unsafe', `The key file ${path} is accessible to every user. Run \`chmod 600\` on it.`)
    }
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw startProblem('keys_missing', `The key file ${path} (${keyVariables[name]}) does not exist.`)
    }
    if (code === 'EACCES' || code === 'EPERM' || code === 'EISDIR') {
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
      keys: listOf({ kid: isText, x: isText, d: isTextOrAbsent }),
    }),
  master: (content) =>
    hasFields(content, {
      origin: isOrigin,
      current: Number.isSafeInteger,
      keys: listOf({ key_id: Number.isSafeInteger, secret: isText }),
      fingerprint_key: isText,
    }),
  cursor: (content) =>
    hasFields(content, { origin: isOrigin, roots: listOf({ first_key_id: Number.isSafeInteger, secret: isText }) }),
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

function isOrigin(value: unknown): boolean {
  return value === 'sandbox' || value === 'operator'
}
