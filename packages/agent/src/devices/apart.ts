/**
 * Reads and writes of files of the kernel that may never end, in processes of their own. In this process each would
 * hold a thread of a small pool, and as many devices that hang as it has threads would end all work with files. None
 * of them is ended: half a change of a driver is worse than a late one, a read that was ended would look like a file
 * that cannot be read, and the kernel lets no process end that waits for a device. None keeps this program from its
 * end.
 */
import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { programPath } from '../program-path.ts'

type Ended = { readonly status: number | null; readonly output: Buffer; readonly errors: string }

/** Errors of the programs are read, so they are in English. */
const env = { PATH: programPath, LC_ALL: 'C' }
const errorBytesMax = 1024
/** The reads that have not ended. */
const reads = new Map<string, Promise<Buffer>>()

/** The first bytes of a file, by one read. Whoever asks while a read of it waits gets what that reads. */
export function readApart(path: string, count: number): Promise<Buffer> {
  return once(`${count} ${path}`, async () => {
    // A process for a file that is not there would be one too many.
    await stat(path)
    return outputOf(await run('dd', [`if=${path}`, `bs=${count}`, 'count=1']))
  })
}

/** The lines of several files by one process, each after the path of its file and a colon. Files may be missing. */
export function readLinesApart(paths: readonly string[]): Promise<Buffer> {
  return once(paths.join(), async () => (await run('grep', ['-aHs', '', ...paths])).output)
}

function once(key: string, read: () => Promise<Buffer>): Promise<Buffer> {
  const begun = reads.get(key) ?? read().finally(() => reads.delete(key))
  reads.set(key, begun)
  return begun
}

/** Writes to a file that exists. Throws the error of the kernel. */
export async function writeApart(path: string, text: string): Promise<void> {
  await stat(path)
  outputOf(await run('dd', [`of=${path}`, 'conv=notrunc', 'bs=4096'], text))
}

function outputOf({ status, output, errors }: Ended): Buffer {
  if (status === 0) return output
  throw new Error(/^dd: .*: ([^:\n]+)$/m.exec(errors)?.[1] ?? 'it was ended')
}

/** Runs a program that every host has. */
function run(program: string, words: readonly string[], input = ''): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { env })
    child.on('error', reject)
    // Without files that it could open it has none, whatever its type says.
    if (!child.stdout) return
    const output: Buffer[] = []
    let errors = ''
    child.stdout.on('data', (bytes: Buffer) => output.push(bytes))
    child.stderr.on('data', (bytes: Buffer) => {
      errors = `${errors}${bytes}`.slice(0, errorBytesMax)
    })
    child.stdin.on('error', () => {})
    child.on('close', (status) => resolve({ status, output: Buffer.concat(output), errors }))
    child.stdin.end(input)
    child.unref()
    for (const stream of child.stdio) (stream as { unref?: () => void } | null)?.unref?.()
  })
}
