// Measures the memory of the server during an upload: a sparse file of 4 GiB by the CLI, into the local store.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addPartition } from '../../packages/server/test/support/fixtures/images.ts'
import { pause } from '../../packages/text/src/time/pause.ts'
import { bench } from './bench.ts'
import { freePort, untilAnswers } from './prism.ts'
import { atMost } from './row.ts'

const program = join(import.meta.dirname, '../../packages/cli/src/main.ts')
const firstBytes = 2 ** 20
const goal = 64

/** The maximum growth of the server during the upload, in megabytes. */
export const imageBench = bench({
  rows: ['image_upload_memory_mb'],
  sizes: { usual: { bytes: 4 * 2 ** 30 }, tiny: { bytes: 8 * 2 ** 20 } },
  measure: async function* ({ bytes }) {
    yield atMost('image_upload_memory_mb', await measureUpload(bytes), goal)
  },
})

async function measureUpload(bytes: number): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'bourse-bench-images-'))
  // Apart from the file, so that a user for PostgreSQL can reach it.
  const data = await mkdtemp(join(tmpdir(), 'bourse-bench-data-'))
  for (const own of [directory, data]) stack.defer(() => rm(own, { recursive: true, force: true }))
  const file = join(directory, 'sparse.img')
  await using handle = await open(file, 'w')
  await handle.truncate(bytes)
  // Other bytes are refused before they are sent.
  await handle.write(addPartition(Buffer.alloc(firstBytes)))
  const port = await freePort()
  const env = { ...process.env, BOURSE_DATA_DIR: data, BOURSE_PORT: String(port) }
  const server = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  stack.defer(() => stop(server))
  const pid = server.pid as number
  await untilAnswers(`http://127.0.0.1:${port}/readyz`, (status) => status === 200)
  // The server is ready before its world is loaded. The token is written after that.
  const tokens = join(data, 'sandbox.env')
  while (!(await readFile(tokens, 'utf8').catch(() => '')).includes('BOURSE_API_TOKEN')) await pause(100)
  const before = await memoryOf(pid, 'VmRSS')
  // Resets the peak value that the kernel records.
  await writeFile(`/proc/${pid}/clear_refs`, '5')
  await upload(file, env)
  return (await memoryOf(pid, 'VmHWM')) - before
}

async function upload(file: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [program, 'images', 'upload', file, '-o', 'id'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`bourse images upload exited with ${code}.`)
}

async function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): Promise<number> {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

async function stop(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGINT')
  await exit
}
