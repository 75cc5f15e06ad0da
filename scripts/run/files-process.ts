import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { FileResult, WorkerMessage, WorkerOrder } from './file-result.ts'
import type { FilesMessage, FilesOrder, Worker } from './test-files.ts'
import { reporterPath } from './worker-reporter.ts'

// Runs test files in workers, each a process at a time. This process leads their group: whoever started it can end it
// with everything that the tests started.

/** A process that goes on for longer after its last file holds something open, as the test runner itself would. */
const endMilliseconds = 10_000
const execArgv = [...['--test-reporter', reporterPath], ...['--test-reporter-destination', 'stdout']]

process.once('message', async ({ queues, workers }: FilesOrder) => {
  await Promise.all(workers.map((worker) => runWorker(worker, queues)))
  process.disconnect()
})

/** Takes files from its queues, the first queue first, until all are empty. */
async function runWorker({ takes_from }: Worker, queues: FilesOrder['queues']): Promise<void> {
  for (;;) {
    const queue = takes_from.map((name) => queues[name]).find((queue) => queue !== undefined && queue.files.length > 0)
    if (!queue) return
    // A process that is shared takes files of this queue alone, so that the worker looks at its first queue again.
    await runProcess(queue.files, queue.is_shared ? Number.POSITIVE_INFINITY : 1)
  }
}

/** Runs files in a process of their own, at most so many. A file that ends the process has failed. */
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
    // The result of a file may come after its process has asked for the next one.
    if (!isOver || unfinished.size > 0) return
    ending = setTimeout(() => worker.kill('SIGKILL'), endMilliseconds)
    worker.disconnect()
  })
  const code = await exitOf(worker)
  clearTimeout(ending)
  for (const path of unfinished) sendFailure(path, `The process ended in this file with ${code}.`)
  if (code !== 0 && failed === 0 && unfinished.size === 0) {
    sendFailure('a process of tests', `After its last file it ended with ${code}, or did not end by itself.`)
  }
}

/** How a process ended, once everything that it sent has arrived. */
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
  sendResult({ path, passed: 0, failed: 1, seconds: 0, left_out: [], failures: [`${path}: ${message}`] })
}
