/**
 * Signatures of OpenSSH (`ssh-keygen -Y sign`) by Ed25519 keys, as server and hosts verify them. The format is that of
 * PROTOCOL.sshsig of OpenSSH.
 */

/** What the signature of the manifest of an agent bundle is for: one for another purpose is refused. */
export const agentSignatureNamespace = 'bourse-agent'

/** The longest signature and the longest line with a key, in characters. */
export const signatureLengthMax = 2048
export const signerLengthMax = 1024

/** What a signature says about itself. Nothing of it is trusted before it is verified. */
type SshSignature = {
  /** The public key as OpenSSH writes it: `ssh-ed25519 AAAA…`. */
  readonly signer: string
  readonly key: Uint8Array<ArrayBuffer>
  readonly namespace: string
  readonly hash: 'SHA-256' | 'SHA-512'
  readonly hash_name: string
  readonly signature: Uint8Array<ArrayBuffer>
}

/** A signature that is good, or why it is not. */
export type VerifiedSignature = { readonly signer: string } | { readonly problem: string }

const hashes: Readonly<Record<string, SshSignature['hash']>> = { sha256: 'SHA-256', sha512: 'SHA-512' }
const keyType = 'ssh-ed25519'
/** In base64: the length and the name of the kind, the length of the key, and 32 bytes. */
const keyForm = /^AAAAC3NzaC1lZDI1NTE5AAAAI[A-Za-z0-9+/]{43}$/

/** Verifies the signature of a text. The result names the key: whether that key is trusted is for the caller to say. */
export async function verifySshSignature(text: string, armored: string, namespace: string): Promise<VerifiedSignature> {
  const read = readSignature(armored)
  if (read === undefined) return { problem: 'This is no signature of `ssh-keygen -Y sign` by an Ed25519 key.' }
  if (read.namespace !== namespace) {
    return { problem: `The signature is for ${JSON.stringify(read.namespace)}, not for ${namespace}.` }
  }
  const digest = new Uint8Array(await crypto.subtle.digest(read.hash, bytesOf(text)))
  const signed = joined([
    bytesOf('SSHSIG'),
    ...[bytesOf(namespace), bytesOf(''), bytesOf(read.hash_name), digest].map(lengthFirst),
  ])
  const key = await crypto.subtle.importKey('raw', read.key, 'Ed25519', false, ['verify']).catch(() => undefined)
  if (!key || !(await crypto.subtle.verify('Ed25519', key, read.signature, signed))) {
    return { problem: 'The signature does not fit the manifest.' }
  }
  return { signer: read.signer }
}

/**
 * The keys in a file: one a line, as in `authorized_keys` and `allowed_signers`, whose names and options are skipped.
 * Lines that are empty, comments, keys of other kinds, or keys that are damaged are left out.
 */
export function readSigners(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const words = line.trim().split(/\s+/)
    const at = words.indexOf(keyType)
    const key = words[at + 1]
    if (line.trim().startsWith('#') || at < 0 || key === undefined) return []
    return keyForm.test(key) ? [`${keyType} ${key}`] : []
  })
}

function readSignature(armored: string): SshSignature | undefined {
  if (armored.length > signatureLengthMax) return undefined
  const form = /^-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=\n]+)\n-----END SSH SIGNATURE-----\s*$/
  const [, body] = form.exec(armored.replaceAll('\r\n', '\n')) ?? []
  const bytes = body === undefined ? undefined : bytesOfBase64(body.replaceAll('\n', ''))
  if (bytes === undefined || latin(bytes.subarray(0, 6)) !== 'SSHSIG') return undefined
  const parts = readParts(bytes.subarray(10), 5)
  if (parts === undefined || new DataView(bytes.buffer).getUint32(6) !== 1) return undefined
  const [publicKey, namespace, , hash, signature] = parts as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ]
  const [type, key] = readParts(publicKey, 2) ?? []
  const [algorithm, raw] = readParts(signature, 2) ?? []
  const hash_name = latin(hash)
  if (!type || !key || !algorithm || !raw || hashes[hash_name] === undefined) return undefined
  if (latin(type) !== keyType || latin(algorithm) !== keyType || key.length !== 32 || raw.length !== 64)
    return undefined
  return {
    signer: `${keyType} ${base64Of(publicKey)}`,
    key: new Uint8Array(key),
    namespace: latin(namespace),
    hash: hashes[hash_name],
    hash_name,
    signature: new Uint8Array(raw),
  }
}

/** Reads so many strings, each after its length; undefined unless the bytes are exactly these. */
function readParts(bytes: Uint8Array, count: number): Uint8Array[] | undefined {
  const parts: Uint8Array[] = []
  let at = 0
  while (parts.length < count) {
    if (at + 4 > bytes.length) return undefined
    const length = new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0)
    at += 4
    if (at + length > bytes.length) return undefined
    parts.push(bytes.subarray(at, at + length))
    at += length
  }
  return at === bytes.length ? parts : undefined
}

function lengthFirst(bytes: Uint8Array): Uint8Array {
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, bytes.length)
  return joined([length, bytes])
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

function latin(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

function base64Of(bytes: Uint8Array): string {
  return btoa(latin(bytes))
}
