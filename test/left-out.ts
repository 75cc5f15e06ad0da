declare module 'vitest' {
  interface TaskMeta {
    /** Why a test does not run. */
    left_out?: string
  }
}

/** Options of a test that is skipped where there is a reason. The report of the run names the reason. */
export function leftOut(reason: string | false | undefined) {
  return reason ? { skip: true, meta: { left_out: reason } } : {}
}
