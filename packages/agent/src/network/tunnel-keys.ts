/**
 * The WireGuard keys of this host, in files that only the agent reads. A private key never leaves the host: the server
 * and other hosts get the public half, and `wg` gets it by standard input.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfThere, writeWhole } from '../files.ts'

/** A key in base64, as WireGuard writes it. */
type TunnelKey = { readonly private_key: string; readonly public_key: string }

/** The keys of this host. */
type TunnelKeys = {
  readonly current: TunnelKey
  /** When the current key was made, in Unix seconds. */
  readonly made_at: number
  /** Peers know it, or will, and this host uses it next. */
  readonly next: TunnelKey | undefined
}

const currentFile = 'tunnel.key'
const nextFile = 'tunnel-next.key'
/** The PKCS #8 prefix of an X25519 key. The 32 bytes of the key follow it. */
const keyHead = Buffer.from('302e020100300506032b656e04220420', 'hex')

/** The keys of the host with this state directory. Makes one if there is none. */
export async function openTunnelKeys(directory: string): Promise<TunnelKeys> {
  const path = join(directory, currentFile)
  const current = (await readKey(path)) ?? (await makeKey(path))
  const { mtimeMs } = await stat(path)
  return { current, made_at: Math.floor(mtimeMs / 1000), next: await readKey(join(directory, nextFile)) }
}

/** Makes the next key, unless there is one. Returns its public half. The agent that runs changes to it. */
export async function makeNextKey(directory: string): Promise<string> {
  const path = join(directory, nextFile)
  return ((await readKey(path)) ?? (await makeKey(path))).public_key
}

/** Makes the next key the current one. The former one is lost. */
export async function useNextKey(directory: string): Promise<void> {
  await rename(join(directory, nextFile), join(directory, currentFile))
}

async function readKey(path: string): Promise<TunnelKey | undefined> {
  const text = (await readIfThere(path))?.trim()
  if (text === undefined) return undefined
  const bytes = Buffer.from(text, 'base64')
  // The text is not printed: part of it may be the key.
  if (bytes.length !== 32 || bytes.toString('base64') !== text) throw new Error(`${path} is not a key of WireGuard.`)
  const key = createPrivateKey({ key: Buffer.concat([keyHead, bytes]), format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return { private_key: text, public_key: Buffer.from(x as string, 'base64url').toString('base64') }
}

async function makeKey(path: string): Promise<TunnelKey> {
  const { d } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
  await writeWhole(path, `${Buffer.from(d as string, 'base64url').toString('base64')}\n`)
  return (await readKey(path)) as TunnelKey
}
