/**
 * The script of the API reference (Scalar) as bytes to serve. npm has it as a plugin of another web framework, which
 * brings it as text in a module of 4 MB. A thread loads that module and compresses the text, because both would
 * stop the server for most of a second, and ends with the memory that this took.
 */
import { Worker } from 'node:worker_threads'
import { createStaticContent, type Encoding, type StaticContent } from '../http/static-content.ts'

/** What the thread sends: the script, plain and compressed. */
export type ReferenceScript = { readonly body: Uint8Array } & Readonly<Record<Encoding, Uint8Array>>

/** Loads the script. */
export function loadReferenceScript(): Promise<StaticContent> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./reference-script-thread.ts', import.meta.url))
    thread.once('message', ({ body, br, gzip }: ReferenceScript) => {
      const packed = { br: Buffer.from(br), gzip: Buffer.from(gzip) }
      const options = { cache_control: 'max-age=3600', packed }
      resolve(createStaticContent(Buffer.from(body), 'text/javascript; charset=utf-8', options))
    })
    thread.once('error', reject)
    // Without effect after a message or an error.
    thread.once('exit', () => reject(new Error('The thread ended without the script of the reference.')))
  })
}
