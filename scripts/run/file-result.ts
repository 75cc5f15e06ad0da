/** The result of one test file, and its time. */
export type FileResult = {
  path: string
  passed: number
  failed: number
  seconds: number
  /** The processor time of its process, and of the processes that this one has waited for. */
  processor_seconds: number
  left_out: SkippedTest[]
  /** Each failed test: its file and name in one line, then the error. */
  failures: string[]
  /** Whether it was ended because no file ended for long. */
  is_stuck: boolean
}

/** A test that was skipped. */
export type SkippedTest = { readonly title: string; readonly reason: string }

/** A message from a worker process to its parent: it is free for the next file, or a file has ended. */
export type WorkerMessage = { kind: 'free' } | { kind: 'result'; result: FileResult }

/** The response of the parent: the next file, or null if there is none. */
export type WorkerOrder = { path: string | null }
