/** The result of one test file, and its time. */
export type FileResult = {
  path: string
  passed: number
  failed: number
  seconds: number
  /** The processor time of its process, and of the processes that this one has waited for. */
  processor_seconds: number
  /** The names of skipped tests, with the reason. */
  left_out: string[]
  /** Each failed test: its file and name, followed by the error. */
  failures: string[]
}

/** A message from a worker process to its parent: it is free for the next file, or a file has ended. */
export type WorkerMessage = { kind: 'free' } | { kind: 'result'; result: FileResult }

/** The response of the parent: the next file, or null if there is none. */
export type WorkerOrder = { path: string | null }
