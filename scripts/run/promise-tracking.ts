import hooks from 'node:async_hooks'

// Loaded before the test runner (`--import`). The runner follows every promise by async hooks, so that it knows which
// test calls `test` or `after`. That took 13 to 32 % of the processor time of files that send many requests. Here files
// run one after the other, so that it is enough to know the file: its tests and hooks belong to it. Without this
// module the tests run in the same way, and more slowly.

const { createHook, executionAsyncId } = hooks
let file: number | undefined

/** Says that what is called from now on belongs to the test that calls this. */
export function enterFile(): void {
  file = executionAsyncId()
}

/** Ends that: the next file belongs to the run. */
export function leaveFile(): void {
  file = undefined
}

hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
hooks.executionAsyncId = () => file ?? executionAsyncId()
