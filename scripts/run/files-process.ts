import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { FileResult, WorkerMessage, WorkerOrder } from './file-result.ts'
import type { FilesMessage, FilesOrder, Worker } from './test-files.ts'
import { reporterPath } from './worker-reporter.ts'

// Runs test files in workers, each one process at a time. This process leads their process group, so that its parent
// can kill the whole group, including everything that the tests started.

/** The time for a process to exit after its last file. A longer one has an open handle, so it is killed. */
const endMilliseconds = 60_000
const execArgv = [
  ...['--import', import.meta.resolve('./promise-tracking.ts')],
  ...['--test-reporter', reporterPath],
  ...['--test-reporter-destination', 'stdout'],
]

process.once('message', async ({ queues, workers }: FilesOrder) => {
  await Promise.all(workers.map((worker) => runWorker(worker, queues)))
  process.disconnect()
})

/** Takes files from its queues, the first queue first, until all are empty. */
async function runWorker({ takes_from }: Worker, queues: FilesOrder['queues']): Promise<void> {
  for (;;) {
    const queue = takes_from.map((name) => queues[name]).find((queue) => queue !== undefined && queue.files.length > 0)
    if (!queue) return
    // A shared process takes files of this queue only. Then the worker begins again with its first queue.
    await runProcess(queue.files, queue.is_shared ? Number.POSITIVE_INFINITY : 1)
  }
}

/** Runs at most `at_most` files in one process. A file that ends the process has failed. */
async function runProcess(files: string[], at_most: number): Promise<void> {
  const worker = fork(join(import.meta.dirname, 'worker-process.ts'), [], { execArgv })
  const unfinished = new Set<string>()
  let failed = 0
  let given = 0
  let isOver = false
  let ending: NodeJS.Timeout | undefined
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'result') {
      unfinished.delete(message.result.path)
      failed += message.result.failed
      sendResult(message.result)
    } else {
      const path = given < at_most ? (files.shift() ?? null) : null
      given++
      if (path === null) isOver = true
      else unfinished.add(path)
      worker.send({ path } satisfies WorkerOrder)
    }
    // The result of a file may arrive after the request for the next file.
    if (!isOver || unfinished.size > 0) return
    ending = setTimeout(() => worker.kill('SIGKILL'), endMilliseconds)
    worker.disconnect()
  })
  const code = await exitOf(worker)
  clearTimeout(ending)
  for (const path of unfinished) sendFailure(path, `The process exited in this file with ${code}.`)
  if (code !== 0 && failed === 0 && unfinished.size === 0) {
    sendFailure('a test process', `After its last file it exited with ${code}, or was killed because it did not exit.`)
  }
}

/** The exit code or signal of a process, after all its messages have arrived. */
async function exitOf(child: ChildProcess): Promise<number | string> {
  const exit = new Promise<number | string>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'no code'))
  })
  const disconnect = new Promise<void>((resolve) => {
    child.once('disconnect', resolve)
  })
  const [code] = await Promise.all([exit, disconnect])
  return code
}

function sendResult(result: FileResult): void {
  process.send?.({ result } satisfies FilesMessage)
}

function sendFailure(path: string, message: string): void {
  sendResult({
    path,
    passed: 0,
    failed: 1,
    seconds: 0,
    processor_seconds: 0,
    left_out: [],
    failures: [`${path}: ${message}`],
  })
}
