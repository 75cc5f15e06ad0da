/**
 * SHA256SUMS of what was packed, as `sha256sum --check` reads it, and its signature, as `ssh-keygen -Y verify` does:
 * both programs are part of every distribution.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { runProgram } from './program.ts'

/** The name of the file of digests. */
export const sumsName = 'SHA256SUMS'
/** What the signature is for: one for another purpose is refused. */
export const signatureNamespace = 'bourse-release'

/** Writes the digests of all files of a directory. Returns the path. */
export async function writeSums(directory: string): Promise<string> {
  const path = join(directory, sumsName)
  const names = (await readdir(directory)).filter((name) => !name.startsWith(sumsName)).sort()
  const lines = []
  for (const name of names) lines.push(`${await digestOf(join(directory, name))}  ${name}\n`)
  await writeFile(path, lines.join(''))
  return path
}

/** The SHA-256 of a file. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Refuses a key that cannot sign without a person: one that is missing, no key, or has a passphrase. */
export async function checkKey(key: string): Promise<void> {
  await access(key).catch(() => {
    throw new Error(`There is no signing key at ${key}. \`ssh-keygen -t ed25519 -N '' -f ${key}\` makes one.`)
  })
  await publicKeyOf(key)
}

/** The public key of a signing key, as a line of `allowed_signers` needs it. */
export async function publicKeyOf(key: string): Promise<string> {
  const printed = await runProgram('ssh-keygen', ['-y', '-P', '', '-f', key]).catch((error: Error) => {
    throw new Error(reasonOf(key, error.message))
  })
  return printed.trim().split(' ').slice(0, 2).join(' ')
}

function reasonOf(key: string, printed: string): string {
  if (/ENOENT/.test(printed)) return 'ssh-keygen is missing: install the Debian package openssh-client.'
  if (/incorrect passphrase/i.test(printed)) {
    return `${key} has a passphrase. Sign with a key without one, or without \`--sign\` and then by hand.`
  }
  if (/UNPROTECTED|bad permissions/i.test(printed)) return `${key} can be read by others. Run \`chmod 600\` on it.`
  return `${key} is no private key of OpenSSH.`
}

/** Signs the file of digests. Returns the path of the signature. */
export function signSums(directory: string, key: string): Promise<string> {
  return signFile(join(directory, sumsName), key, signatureNamespace)
}

/** Signs a file for a purpose. Returns the path of the signature, which lies beside it. */
export async function signFile(path: string, key: string, namespace: string): Promise<string> {
  await checkKey(key)
  const signature = `${path}.sig`
  // ssh-keygen asks before it replaces a signature.
  await rm(signature, { force: true })
  await runProgram('ssh-keygen', ['-Y', 'sign', '-f', key, '-n', namespace, path])
  return signature
}
