/**
 * The certificate with which a server proves who it is, and its key, from two files that are followed. A pair that
 * cannot be used leaves the one in use as it is.
 */
import { open } from 'node:fs/promises'
import { wallMilliseconds } from '../base/clock.ts'
import { type FileLook, type FollowedFiles, followFiles } from '../base/followed-files.ts'
import type { Log } from '../base/log.ts'
import { startProblem } from '../base/start-problem.ts'
import {
  type CertificatePair,
  isUsable,
  judgePair,
  type PairProblem,
  type PairTexts,
  type TlsSetting,
} from './certificate-pair.rules.ts'

/** The paths of the files. */
export type TlsFiles = { readonly certificate: string; readonly key: string }

/** The pair of a server. */
export type Certificates = FollowedFiles & {
  current(): CertificatePair
  /** Calls with each pair that is taken from now on; returns a function that ends it. */
  follow(use: (pair: CertificatePair) => void): () => void
}

const bytesMax = 256 * 1024

/** Reads the files and follows them. Throws certificate_unusable with the setting that names a file. */
export async function openCertificates(
  files: TlsFiles,
  { log, now = wallMilliseconds }: { readonly log: Log; readonly now?: () => number },
): Promise<Certificates> {
  const seconds = () => Math.floor(now() / 1000)
  let pair = await readPair(files, seconds())
  const followers = new Set<(pair: CertificatePair) => void>()

  function take(next: CertificatePair): void {
    pair = next
    const expires_at = new Date(next.expires_at * 1000).toISOString()
    log.info({ expires_at, subject: next.leaf.subject }, 'New connections get the certificate that the files have now.')
    for (const use of followers) use(next)
  }

  const look = async (): Promise<FileLook<CertificatePair>> => {
    const texts = await readTexts(files)
    if ('message' in texts) return { kind: 'unusable', ...texts }
    if (texts.certificate === pair.certificate && texts.key === pair.key) return { kind: 'same' }
    const judged = judgePair(texts, seconds())
    return isUsable(judged) ? { kind: 'new', value: judged } : { kind: 'unusable', ...judged }
  }
  const followed = followFiles({ log, name: 'certificate is', look, take })
  return {
    ...followed,
    current: () => pair,
    follow: (use) => {
      followers.add(use)
      return () => void followers.delete(use)
    },
  }
}

/** Reads a pair once. Throws certificate_unusable. */
export async function readPair(files: TlsFiles, now: number): Promise<CertificatePair> {
  const texts = await readTexts(files)
  const judged = 'message' in texts ? texts : judgePair(texts, now)
  if (isUsable(judged)) return judged
  const path = judged.setting === 'BOURSE_TLS_CERT_FILE' ? files.certificate : files.key
  throw startProblem('certificate_unusable', `${judged.setting} names ${path}. ${judged.message}`)
}

async function readTexts(files: TlsFiles): Promise<PairTexts | PairProblem> {
  const certificate = await readBounded('BOURSE_TLS_CERT_FILE', files.certificate)
  if (typeof certificate !== 'string') return certificate
  const key = await readBounded('BOURSE_TLS_KEY_FILE', files.key)
  return typeof key === 'string' ? { certificate, key } : key
}

async function readBounded(setting: TlsSetting, path: string): Promise<string | PairProblem> {
  const problem = (message: string): PairProblem => ({ setting, message })
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => error)
  if (file instanceof Error) {
    if (['ENOENT', 'ENOTDIR'].includes(file.code ?? '')) return problem('The file does not exist.')
    return problem(`The file cannot be read by this user (${file.code}).`)
  }
  try {
    const found = await file.stat()
    if (!found.isFile()) return problem('It is not a file.')
    if (found.size > bytesMax) return problem(`The file is longer than ${bytesMax} bytes.`)
    // Group access is allowed, because containers mount secrets that way.
    if (setting === 'BOURSE_TLS_KEY_FILE' && (found.mode & 0o007) !== 0) {
      return problem('The file is accessible to every user. Run `chmod 600` on it.')
    }
    return await file.readFile('utf8')
  } catch (error) {
    return problem(`The file cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  } finally {
    await file.close()
  }
}
