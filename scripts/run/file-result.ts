/** What came of one test file, and how long it took. */
export type FileResult = {
  path: string
  passed: number
  failed: number
  seconds: number
  /** Names of tests that did not run, with their reason. */
  left_out: string[]
  /** Each test that failed: its file and name, and below them why. */
  failures: string[]
}

/** What a process that runs test files tells its parent: it is free for the next file, or one has ended. */
export type WorkerMessage = { kind: 'free' } | { kind: 'result'; result: FileResult }

/** What the parent answers: the next file, or null when there is none. */
export type WorkerOrder = { path: string | null }
