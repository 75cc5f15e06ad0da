/** Whether a certificate and a key can serve TLS: both are PEM, they fit each other, and it is the time of both. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { createSecureContext, type SecureVersion } from 'node:tls'

/** The texts of both files. */
export type PairTexts = { readonly certificate: string; readonly key: string }

/** A pair that can be used. */
export type CertificatePair = PairTexts & {
  /** The certificate of the server, which is the first one of its file. */
  readonly leaf: X509Certificate
  /** When the first certificate of the chain ends, in Unix seconds. */
  readonly expires_at: number
}

/** Why a pair cannot be used, and the setting of the file that is wrong. */
export type PairProblem = { readonly setting: TlsSetting; readonly message: string }

/** The settings of the two files. */
export type TlsSetting = 'BOURSE_TLS_CERT_FILE' | 'BOURSE_TLS_KEY_FILE'

/** What both sides of a connection agree on. Older versions of TLS are refused. */
export const oldestVersion: SecureVersion = 'TLSv1.2'

const block = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

const ofCertificate = (message: string): PairProblem => ({ setting: 'BOURSE_TLS_CERT_FILE', message })
const ofKey = (message: string): PairProblem => ({ setting: 'BOURSE_TLS_KEY_FILE', message })

/** Judges a pair at a moment in Unix seconds. */
export function judgePair({ certificate, key }: PairTexts, now: number): CertificatePair | PairProblem {
  const chain = readChain(certificate)
  if ('message' in chain) return chain
  const secret = readKey(key)
  if ('message' in secret) return secret
  const [leaf] = chain
  if (!leaf.checkPrivateKey(secret)) {
    return ofKey(
      'The key does not belong to the first certificate of BOURSE_TLS_CERT_FILE, which must be the server’s.',
    )
  }
  const untimely = chain.map((one) => judgeTime(one, now)).find((problem) => problem !== undefined)
  if (untimely) return untimely
  try {
    createSecureContext({ cert: certificate, key, minVersion: oldestVersion })
  } catch (error) {
    return ofCertificate(`OpenSSL refuses the pair: ${(error as Error).message}.`)
  }
  return { certificate, key, leaf, expires_at: Math.min(...chain.map((one) => secondsOf(one.validTo))) }
}

/** Whether a pair is one that can be used. */
export function isUsable(judged: CertificatePair | PairProblem): judged is CertificatePair {
  return 'leaf' in judged
}

/** Whether a certificate is one of a host, which is a name or an address. */
export function isCertificateOf(leaf: X509Certificate, host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '')
  return (isIP(address) ? leaf.checkIP(address) : leaf.checkHost(host)) !== undefined
}

/** Where the host of a public URL is none of the certificate: a sentence that says so, without its end. */
export function foreignHost(leaf: X509Certificate, publicUrl: string | undefined): string | undefined {
  const host = publicUrl === undefined ? undefined : new URL(publicUrl).hostname
  if (host === undefined || isCertificateOf(leaf, host)) return undefined
  return `the certificate is not one of ${host}, the host of BOURSE_PUBLIC_URL, but of ${namesOf(leaf)}`
}

/** The names and addresses of a certificate, for people. */
export function namesOf({ subjectAltName, subject }: X509Certificate): string {
  return subjectAltName?.replaceAll(/DNS:|IP Address:/g, '') ?? subject
}

type Chain = readonly [X509Certificate, ...X509Certificate[]]

function readChain(text: string): Chain | PairProblem {
  try {
    const [leaf, ...rest] = (text.match(block) ?? []).map((one) => new X509Certificate(one))
    if (leaf) return [leaf, ...rest]
  } catch {
    return ofCertificate('A certificate in the file cannot be read: it must be X.509 in PEM.')
  }
  return ofCertificate('The file has no certificate in PEM, which begins with -----BEGIN CERTIFICATE-----.')
}

/** The messages of the parser may quote the file, so they are not shown. */
function readKey(text: string): KeyObject | PairProblem {
  if (/BEGIN ENCRYPTED PRIVATE KEY|Proc-Type: 4,ENCRYPTED/.test(text)) {
    return ofKey('The key is encrypted. Store it without a passphrase, readable by its owner only.')
  }
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    return ofKey('The file has no private key in PEM, which begins with -----BEGIN PRIVATE KEY-----.')
  }
  try {
    return createPrivateKey(text)
  } catch {
    return ofKey('The private key in the file cannot be read.')
  }
}

function judgeTime({ validFrom, validTo, subject }: X509Certificate, now: number): PairProblem | undefined {
  const [from, to] = [secondsOf(validFrom), secondsOf(validTo)]
  const which = `The certificate of ${subject.replaceAll('\n', ', ') || 'an unnamed subject'}`
  if (now >= to) return ofCertificate(`${which} expired at ${timeOf(to)}.`)
  if (now < from) return ofCertificate(`${which} is not valid before ${timeOf(from)}.`)
  return undefined
}

function secondsOf(date: string): number {
  return Math.floor(Date.parse(date) / 1000)
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
