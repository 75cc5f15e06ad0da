/** Downloads the archive of a version, again where what went wrong may pass. */
import { createHash } from 'node:crypto'
import type { BundleManifest } from '@bourse/api/fleet/agent-bundles.ts'
import { pause } from '@bourse/text/time/pause.ts'
import { monotonic } from '../clock.ts'
import { isServerRefusal, serverRefusal } from '../problems.ts'
import { openArchive } from '../server-calls.ts'
import { downloadMilliseconds, pauseAfter } from './download.rules.ts'
import { bundleProblem } from './problem.ts'

type DownloadOptions = {
  readonly server: string
  /** The pause after the first attempt that failed; each further one is twice as long. */
  readonly pause_milliseconds: number
  readonly signal: AbortSignal
  readonly log: (message: string, fields: object) => void
}

/** A server that sends nothing for so long is asked again. */
const attemptMilliseconds = 60_000

/**
 * Returns the archive of a manifest. Throws a `BundleProblem` for another archive, and the `ServerRefusal` of the last
 * attempt where the server refuses it or gave no whole answer to any.
 */
export async function downloadArchive(manifest: BundleManifest, options: DownloadOptions): Promise<Buffer> {
  const { signal, log, pause_milliseconds } = options
  const begun = monotonic()
  for (let attempt = 1; ; attempt++) {
    try {
      return await download(manifest, options, begun + downloadMilliseconds - monotonic())
    } catch (error) {
      signal.throwIfAborted()
      if (!isServerRefusal(error)) throw error
      const failed = { attempt, status: error.status, spent_milliseconds: monotonic() - begun }
      const wait = pauseAfter(failed, pause_milliseconds)
      if (wait === undefined) throw attempt === 1 ? error : afterAll(error, attempt)
      log('The download failed and is tried again.', { attempt, wait_milliseconds: wait, error: error.message })
      await pause(wait, signal)
      signal.throwIfAborted()
    }
  }
}

function afterAll(error: Error & { status: number }, attempts: number): Error {
  const message = `The archive could not be downloaded in ${attempts} attempts. ${error.message}`
  return serverRefusal(message, error.status)
}

/** Reads no more than the signed size, and checks the digest before anything is done with the bytes. */
async function download(
  { sha256, size_bytes }: BundleManifest,
  { server, signal }: DownloadOptions,
  milliseconds: number,
): Promise<Buffer> {
  const limit = AbortSignal.timeout(Math.max(1, Math.min(attemptMilliseconds, Math.ceil(milliseconds))))
  const pieces: Uint8Array[] = []
  let received = 0
  for await (const piece of openArchive(server, sha256, AbortSignal.any([signal, limit]))) {
    received += piece.length
    if (received > size_bytes) throw bundleProblem('The archive is larger than its manifest says.')
    pieces.push(piece)
  }
  if (received < size_bytes) throw serverRefusal(`The archive ended after ${received} of ${size_bytes} bytes.`, 0)
  const archive = Buffer.concat(pieces)
  const digest = createHash('sha256').update(archive).digest('hex')
  if (digest !== sha256) throw bundleProblem('The archive is not that of the manifest.')
  return archive
}
