/**
 * SSH public keys in the one-line form of OpenSSH: `ssh-ed25519 AAAA… ada@laptop`. Pure, for the server, which stores
 * them, and for programs that look at a file before they send it. What is refused is never part of a message: it may
 * be a private key.
 */
import { decodeBase64, encodeBase64 } from '../base64.ts'
import { hiddenClass } from '../plain-text.ts'
import { bigEndian, curveBits, isPointOf } from './curves.ts'

/** The kinds of keys that are accepted. */
export const sshKeyTypes = [
  'ssh-ed25519',
  'ssh-rsa',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
] as const
export type SshKeyType = (typeof sshKeyTypes)[number]

/** The longest line that is read, in characters. An RSA key of 16,384 bits has 2,800. */
export const sshKeyCharactersMax = 8192
/** The least bits of an RSA key. */
export const rsaBitsMin = 3072
/** The most that OpenSSH reads. */
const rsaBitsMax = 16_384
/** The longest comment that becomes a name, in characters. */
export const sshKeyNameMax = 128

/** A key that was read. */
export type SshPublicKey = {
  readonly type: SshKeyType
  /** The key itself (RFC 4253, section 6.6), of which the fingerprint is made. */
  readonly blob: Uint8Array
  /** The blob in base64. */
  readonly base64: string
  readonly bits: number
  /** The comment behind the key, without spaces around it. Empty: it has none. */
  readonly comment: string
}

/** Why a text is not a key. */
export type SshKeyProblem = {
  readonly code: 'invalid_value' | 'invalid_base64' | 'too_long'
  readonly message: string
}

/** PEM and OpenSSH's own form, which also goes about without its first line, and that of PuTTY. */
const privateKey = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY|b3BlbnNzaC1rZXktdjE|PuTTY-User-Key-File/
const certificate = /^\S+-cert-v0[01]@openssh\.com$/
const hidden = new RegExp(`[${hiddenClass}]`, 'u')
const someType = /(?:^|[\s,"])(?:ssh-(?:ed25519|rsa|dss)|ecdsa-sha2-nistp\d+|sk-(?:ssh|ecdsa)-\S+)[ \t]/

const accepted = 'Ed25519, RSA with at least 3,072 bits, ECDSA, or one on a security key (sk)'

/** Reads a public key of one line, or says why it is none. */
export function readSshPublicKey(text: string): SshPublicKey | SshKeyProblem {
  return findWrongText(text) ?? readLine(text.trim())
}

/** Whether a key was read. */
export function isSshPublicKey(read: SshPublicKey | SshKeyProblem): read is SshPublicKey {
  return 'blob' in read
}

/** What is wrong before the text is taken apart. A private key goes first, whatever else is wrong. */
function findWrongText(text: string): SshKeyProblem | undefined {
  if (privateKey.test(text)) {
    return invalid(
      'This is a private key. It was not stored. Send the public key, from the file that ends in .pub. A private key ' +
        'that others may have seen is replaced by a new one.',
    )
  }
  if (text.length > sshKeyCharactersMax) {
    return { code: 'too_long', message: 'A public key has one line of at most 8,192 characters. This is longer.' }
  }
  if (/^\s*-{4,5} ?BEGIN /.test(text)) {
    return invalid('This is a public key in another form. `ssh-keygen -i -f FILE` writes the one-line form of OpenSSH.')
  }
  const lines = text.trim().split(/\r?\n/)
  if (lines.filter((line) => line.trim() !== '').length > 1) {
    return invalid('This has several lines. Add one key at a time, each as one line.')
  }
  if (text.trim() === '') return invalid('This is empty. Send one line: the type, the key in base64 and a comment.')
  return undefined
}

function readLine(line: string): SshPublicKey | SshKeyProblem {
  const [, type = '', base64 = '', comment = ''] = /^(\S+)[ \t]*(\S*)[ \t]*(.*)$/s.exec(line) ?? []
  if (!isAccepted(type)) return invalid(whyNoType(line, type))
  if (hidden.test(comment)) {
    return invalid('The comment has control or invisible characters, which act on terminals. Remove them.')
  }
  if (hidden.test(line.replaceAll('\t', ' '))) return invalid('The key has control or invisible characters in it.')
  if (base64 === '') return invalid('The key is missing: behind its type there is nothing.')
  const blob = decodeBase64(base64)
  if (!blob || encodeBase64(blob) !== base64) {
    return { code: 'invalid_base64', message: 'The key is not correct base64. It may have been cut or wrapped.' }
  }
  const bits = readBlob(type, blob)
  return typeof bits === 'number' ? { type, blob, base64, bits, comment: comment.trim() } : bits
}

function whyNoType(line: string, type: string): string {
  if (certificate.test(type)) {
    return 'This is a certificate, which ends by itself. Send the public key that it certifies.'
  }
  if (type === 'ssh-dss') return `DSA keys are too weak, and OpenSSH has given them up. Use ${accepted}.`
  if (/^AAAA[A-Za-z0-9+/]/.test(type)) return 'The type is missing in front of the key, such as ssh-ed25519.'
  if (someType.test(line)) {
    return 'There are options in front of the key, as in a file authorized_keys. Send the key without them.'
  }
  return `This is not a public key in the one-line form of OpenSSH, of a type that is accepted: ${accepted}.`
}

function isAccepted(type: string): type is SshKeyType {
  return (sshKeyTypes as readonly string[]).includes(type)
}

/** Reads the fields of a blob one after the other. */
type FieldReader = { next(): Uint8Array | undefined; isAtEnd(): boolean }

function fieldsOf(blob: Uint8Array): FieldReader {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.length)
  let at = 0
  return {
    next: () => {
      if (at + 4 > blob.length) return undefined
      const length = view.getUint32(at)
      const end = at + 4 + length
      if (end > blob.length) return undefined
      const field = blob.subarray(at + 4, end)
      at = end
      return field
    },
    isAtEnd: () => at === blob.length,
  }
}

/** The bits of the key in a blob, or what is wrong with it. */
function readBlob(type: SshKeyType, blob: Uint8Array): number | SshKeyProblem {
  const fields = fieldsOf(blob)
  const inner = fields.next()
  if (!inner) return invalid(cutShort)
  if (textOf(inner) !== type) return invalid('The key says another type inside than in front. It may have been edited.')
  const bits = readFields(type, fields)
  if (typeof bits !== 'number') return bits
  return fields.isAtEnd() ? bits : invalid('The key has more bytes behind its end. It may be two keys joined.')
}

const cutShort = 'The key ends too early. It may have been cut.'

function readFields(type: SshKeyType, fields: FieldReader): number | SshKeyProblem {
  switch (type) {
    case 'ssh-ed25519':
      return readEd25519(fields)
    case 'sk-ssh-ed25519@openssh.com':
      return withApplication(readEd25519(fields), fields)
    case 'ssh-rsa':
      return readRsa(fields)
    case 'sk-ecdsa-sha2-nistp256@openssh.com':
      return withApplication(readEcdsa('nistp256', fields), fields)
    default:
      return readEcdsa(type.slice('ecdsa-sha2-'.length), fields)
  }
}

function readEd25519(fields: FieldReader): number | SshKeyProblem {
  const key = fields.next()
  if (!key) return invalid(cutShort)
  return key.length === 32 ? 256 : invalid('An Ed25519 key has 32 bytes. This one has another number.')
}

function readEcdsa(curve: string, fields: FieldReader): number | SshKeyProblem {
  const [name, point] = [fields.next(), fields.next()]
  if (!name || !point) return invalid(cutShort)
  if (textOf(name) !== curve) return invalid('The key is of another curve than its type says.')
  return isPointOf(curve, point)
    ? curveBits(curve)
    : invalid('The key is not a point of its curve, so it opens nothing.')
}

function readRsa(fields: FieldReader): number | SshKeyProblem {
  const [exponent, modulus] = [fields.next(), fields.next()]
  if (!exponent || !modulus) return invalid(cutShort)
  if (!isPositive(exponent) || !isPositive(modulus)) return invalid('The numbers of this RSA key are not well-formed.')
  const [e, n] = [bigEndian(exponent), bigEndian(modulus)]
  if (e < 3n || e % 2n === 0n || n % 2n === 0n) return invalid('The numbers of this RSA key are not those of a key.')
  const bits = n.toString(2).length
  if (bits < rsaBitsMin) {
    return invalid(`This RSA key has ${bits} bits, which is too weak. Use at least 3,072, or an Ed25519 key.`)
  }
  return bits > rsaBitsMax ? invalid(`This RSA key has ${bits} bits. OpenSSH reads at most 16,384.`) : bits
}

/** A key on a security key names what it is for, such as `ssh:`. */
function withApplication(bits: number | SshKeyProblem, fields: FieldReader): number | SshKeyProblem {
  if (typeof bits !== 'number') return bits
  const application = fields.next()
  if (!application) return invalid(cutShort)
  const isNamed = application.length > 0 && application.every((byte) => byte > 0x20 && byte < 0x7f)
  return isNamed ? bits : invalid('The application of this security key is not a plain name.')
}

/** Whether a number is positive, and in its shortest form (RFC 4251, section 5). */
function isPositive(number: Uint8Array): boolean {
  const [first = 0, second = 0] = number
  return number.length > 0 && first < 0x80 && (first > 0 || second >= 0x80)
}

function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

function invalid(message: string): SshKeyProblem {
  return { code: 'invalid_value', message }
}
