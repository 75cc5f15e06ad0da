/** Computes digests of files outside of the page's own thread, so that the page stays responsive. */
import { md5 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** Asks for the digest of a file or a part of one. */
export type HashRequest = { readonly algorithm: 'sha256' | 'md5'; readonly blob: Blob }
/** How far it is, the digest in hexadecimal digits, or why the file cannot be read. */
export type HashAnswer = { readonly read_bytes: number } | { readonly digest: string } | { readonly problem: string }

/** Bytes that are read at once. */
const chunkBytes = 4 * 2 ** 20

const answer = (message: HashAnswer) => self.postMessage(message)

self.onmessage = async ({ data: { algorithm, blob } }: MessageEvent<HashRequest>) => {
  const hash = (algorithm === 'md5' ? md5 : sha256).create()
  try {
    for (let start = 0; start < blob.size; start += chunkBytes) {
      const chunk = await blob.slice(start, start + chunkBytes).arrayBuffer()
      hash.update(new Uint8Array(chunk))
      answer({ read_bytes: start + chunk.byteLength })
    }
    answer({ digest: bytesToHex(hash.digest()) })
  } catch (error) {
    answer({ problem: error instanceof Error ? error.message : String(error) })
  }
}
