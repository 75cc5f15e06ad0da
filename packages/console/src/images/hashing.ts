/** Digests of files, computed by a worker. */
import type { HashAnswer, HashRequest } from './hash-worker.ts'
import workerUrl from './hash-worker.ts?worker&url'

type ScriptPolicy = { createScriptURL(url: string): string }
type Policies = { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy }

/**
 * The only policy of the page: browsers with Trusted Types accept the URL of a script from it alone, and it gives this
 * one only.
 */
const policy = (globalThis as { trustedTypes?: Policies }).trustedTypes?.createPolicy('bourse-worker', {
  createScriptURL: () => workerUrl,
})

/** The digest in hexadecimal digits. `onRead` gets the number of bytes read so far. */
export function digestOf(
  request: HashRequest,
  { signal, onRead = () => {} }: { signal: AbortSignal; onRead?: (bytes: number) => void },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(policy?.createScriptURL(workerUrl) ?? workerUrl, { type: 'module' })
    const stop = () => {
      worker.terminate()
      reject(signal.reason)
    }
    const end = () => {
      signal.removeEventListener('abort', stop)
      worker.terminate()
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop)
    worker.onmessage = ({ data }: MessageEvent<HashAnswer>) => {
      if ('read_bytes' in data) return onRead(data.read_bytes)
      end()
      if ('digest' in data) resolve(data.digest)
      else reject(new Error(`The file cannot be read: ${data.problem} Did it change or move? Choose it again.`))
    }
    worker.onerror = ({ message }) => {
      end()
      reject(new Error(`The digest could not be computed: ${message}`))
    }
    worker.postMessage(request)
  })
}
