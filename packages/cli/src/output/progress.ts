/** Shows the progress of long transfers on a terminal. */
import { monotonic } from '@bourse/sdk/timing.ts'
import type { Terminal } from './terminal.ts'

/** The progress in bytes. */
export type Progress = {
  add(bytes: number): void
  /** Bytes that were transferred before: they count for the progress, but not for the speed. */
  skip(bytes: number): void
  end(): void
}

const intervalMilliseconds = 200
const mebibyte = 2 ** 20

/** Starts showing progress. */
export function openProgress(terminal: Terminal, verb: string, size_bytes: number): Progress {
  const began = monotonic()
  let [done, skipped, shown] = [0, 0, 0]
  const line = () => {
    const seconds = Math.max(0.001, (monotonic() - began) / 1000)
    const speed = Math.max(0, done - skipped) / mebibyte / seconds
    const percent = size_bytes === 0 ? 100 : Math.floor((done / size_bytes) * 100)
    const amounts = `${(done / mebibyte).toFixed(1)} of ${(size_bytes / mebibyte).toFixed(1)} MiB`
    return `${verb}: ${String(percent).padStart(3)} % (${amounts}, ${speed.toFixed(1)} MiB/s)`
  }
  const show = () => {
    if (monotonic() - shown < intervalMilliseconds) return
    shown = monotonic()
    terminal.progress?.(line())
  }
  return {
    add: (bytes) => {
      done += bytes
      show()
    },
    skip: (bytes) => {
      done += bytes
      skipped += bytes
      show()
    },
    end: () => {
      terminal.progress?.('')
      terminal.note(line())
    },
  }
}
