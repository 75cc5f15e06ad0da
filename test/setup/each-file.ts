import { afterAll, beforeEach, expect, type TaskMeta } from 'vitest'
import { processorSecondsSinceLast } from '../../scripts/run/processor-time.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What a file has cost, with the start of its process if it is the first one there. */
    processor_seconds?: number
  }
}

// Vitest evaluates this before each file. The process has the name of its file, and what the file starts inherits it.
const path = expect.getState().testPath ?? ''
process.title = `vitest ${path}`
process.env.BOURSE_TEST_FILE = path

let meta: TaskMeta | undefined
beforeEach(({ task }) => {
  meta = task.file.meta
})
// The hooks of the file itself run before this one.
afterAll(() => {
  if (meta) meta.processor_seconds = processorSecondsSinceLast()
})
