import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { FileResult, WorkerMessage, WorkerOrder } from './file-result.ts'
import { describeProcess, reportFlags, reportPath } from './stuck-process.ts'
import type { FilesMessage, FilesOrder, Worker } from './test-files.ts'
import { reporterPath } from './worker-reporter.ts'

// Runs test files in workers, each one process at a time. This process leads their process group, so that its parent
// can kill the whole group, including everything that the tests started.

const execArgv = [
  ...['--import', import.meta.resolve('./promise-tracking.ts')],
  ...['--test-reporter', reporterPath],
  ...['--test-reporter-destination', 'stdout'],
]

/** A process with the files that it runs. */
type Running = {
  readonly worker: ChildProcess
  readonly report: string
  readonly unfinished: Set<string>
  isStuck: boolean
}

const running = new Set<Running>()
let started = 0
/** Starts again whenever a file ends. */
let watchdog: NodeJS.Timeout | undefined

process.once('message', async (order: FilesOrder) => {
  watchdog = setTimeout(() => void endStuck(order), order.stuck_seconds * 1000)
  await Promise.all(order.workers.map((worker) => runWorker(worker, order)))
  clearTimeout(watchdog)
  process.disconnect()
})

/** Ends all processes because no file has ended for long. What is left does not run. */
async function endStuck({ queues, stuck_seconds }: FilesOrder): Promise<void> {
  for (const queue of Object.values(queues)) queue.files.length = 0
  for (const entry of running) {
    const { worker, report, unfinished } = entry
    entry.isStuck = true
    const held = await describeProcess(worker.pid as number, report)
    const message = `No file has ended for ${stuck_seconds} s. The process of this one, which was ended, held:\n${held}`
    for (const path of unfinished) sendFailure(path, message, { is_stuck: true })
    unfinished.clear()
    worker.kill('SIGKILL')
  }
}

/** Takes files from its queues, the first queue first, until all are empty. */
async function runWorker({ takes_from }: Worker, order: FilesOrder): Promise<void> {
  for (;;) {
    const queues = takes_from.map((name) => order.queues[name])
    const queue = queues.find((queue) => queue !== undefined && queue.files.length > 0)
    if (!queue) return
    // A shared process takes files of this queue only. Then the worker begins again with its first queue.
    await runProcess(queue.files, { at_most: queue.is_shared ? Number.POSITIVE_INFINITY : 1, ...order })
  }
}

/** Runs at most `at_most` files in one process. A file that ends the process has failed. */
async function runProcess(
  files: string[],
  { at_most, exit_seconds }: Pick<FilesOrder, 'exit_seconds'> & { at_most: number },
): Promise<void> {
  const report = reportPath(String(started++))
  const worker = fork(join(import.meta.dirname, 'worker-process.ts'), [], {
    execArgv: [...reportFlags(report), ...execArgv],
  })
  const unfinished = new Set<string>()
  const entry: Running = { worker, report, unfinished, isStuck: false }
  running.add(entry)
  const given: string[] = []
  let failed = 0
  let isOver = false
  let held: Promise<string> | undefined
  let ending: NodeJS.Timeout | undefined
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'result') {
      unfinished.delete(message.result.path)
      failed += message.result.failed
      sendResult(message.result)
    } else {
      const path = given.length < at_most ? (files.shift() ?? null) : null
      if (path === null) isOver = true
      else {
        given.push(path)
        unfinished.add(path)
      }
      worker.send({ path } satisfies WorkerOrder)
    }
    // The result of a file may arrive after the request for the next file.
    if (!isOver || unfinished.size > 0) return
    ending = setTimeout(() => {
      held = describeProcess(worker.pid as number, report)
      void held.finally(() => worker.kill('SIGKILL'))
    }, exit_seconds * 1000)
    worker.disconnect()
  })
  const code = await exitOf(worker)
  clearTimeout(ending)
  running.delete(entry)
  for (const path of unfinished) sendFailure(path, `The process exited in this file with ${code}.`)
  const heldAtEnd = await held
  if (heldAtEnd !== undefined) {
    const message = `After its last file it did not exit for ${exit_seconds} s. It held:\n${heldAtEnd}`
    sendFailure('a test process', `${message}\n  It had run: ${given.join(', ')}`)
  } else if (code !== 0 && failed === 0 && unfinished.size === 0 && !entry.isStuck) {
    sendFailure('a test process', `After its last file it exited with ${code}. It had run: ${given.join(', ')}`)
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
  watchdog?.refresh()
  process.send?.({ result } satisfies FilesMessage)
}

function sendFailure(path: string, message: string, { is_stuck = false } = {}): void {
  sendResult({
    path,
    passed: 0,
    failed: 1,
    seconds: 0,
    processor_seconds: 0,
    left_out: [],
    failures: [`${path}: ${message}`],
    is_stuck,
  })
}
