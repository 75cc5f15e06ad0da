/**
 * Computes the SHA-256 and the size of stored bytes as a stream. `readDigest` works on the calling thread, for few
 * bytes; `readDigestInThread` on a thread of its own, because hashing is work of the processor and requests would wait.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Worker } from 'node:worker_threads'

/** Where bytes are: in files, in sequence, or behind a URL. */
export type DigestSource =
  | { readonly kind: 'files'; readonly paths: readonly string[] }
  | { readonly kind: 'url'; readonly url: string }

/** What bytes are. */
export type BlobDigest = { readonly sha256: string; readonly size_bytes: number }

const chunkBytes = 256 * 1024

/** Reads and hashes bytes. Throws where they cannot be read. */
export async function readDigest(source: DigestSource): Promise<BlobDigest> {
  const hash = createHash('sha256')
  let size_bytes = 0
  for await (const chunk of source.kind === 'files' ? readFiles(source.paths) : readUrl(source.url)) {
    hash.update(chunk)
    size_bytes += chunk.length
  }
  return { sha256: hash.digest('hex'), size_bytes }
}

/** Reads and hashes bytes on another thread. Ends the thread and throws when the signal is aborted. */
export function readDigestInThread(source: DigestSource, signal: AbortSignal): Promise<BlobDigest> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const thread = new Worker(new URL('./digest-thread.ts', import.meta.url), { workerData: source })
    const stop = () => {
      reject(signal.reason)
      void thread.terminate()
    }
    signal.addEventListener('abort', stop, { once: true })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', () => {
      signal.removeEventListener('abort', stop)
      // Without effect after a message or an error.
      reject(new Error('The thread ended without a digest.'))
    })
  })
}

async function* readFiles(paths: readonly string[]): AsyncGenerator<Buffer> {
  for (const path of paths) yield* createReadStream(path, { highWaterMark: chunkBytes })
}

async function* readUrl(url: string): AsyncGenerator<Uint8Array> {
  const response = await fetch(url, { redirect: 'error' })
  if (!response.ok || !response.body) {
    await response.body?.cancel()
    throw new Error(`The store answered ${response.status}.`)
  }
  yield* response.body
}
