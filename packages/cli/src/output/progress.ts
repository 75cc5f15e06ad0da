/** Shows the progress of long transfers: in place on a terminal, otherwise by a line now and then. */
import { monotonic } from '@bourse/sdk/timing.ts'
import type { Terminal } from './terminal.ts'

/** The progress in bytes. */
export type Progress = {
  add(bytes: number): void
  /** Bytes that were transferred before: they count for the progress, but not for the speed. */
  skip(bytes: number): void
  end(): void
}

/** Between two lines on a terminal, and in other output, where each is a line of its own. Milliseconds. */
const intervals = { terminal: 200, lines: 4_000 }
const mebibyte = 2 ** 20

/** Starts showing progress. */
export function openProgress(terminal: Terminal, verb: string, sizeBytes: number): Progress {
  const began = monotonic()
  const interval = terminal.progress ? intervals.terminal : intervals.lines
  let [done, skipped, shown] = [0, 0, began]
  const line = () => {
    const seconds = Math.max(0.001, (monotonic() - began) / 1000)
    const speed = Math.max(0, done - skipped) / mebibyte / seconds
    const percent = sizeBytes === 0 ? 100 : Math.floor((done / sizeBytes) * 100)
    const amounts = `${(done / mebibyte).toFixed(1)} of ${(sizeBytes / mebibyte).toFixed(1)} MiB`
    return `${verb}: ${String(percent).padStart(3)} % (${amounts}, ${speed.toFixed(1)} MiB/s)`
  }
  const show = () => {
    if (monotonic() - shown < interval) return
    shown = monotonic()
    if (terminal.progress) terminal.progress(line())
    else terminal.note(line())
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
