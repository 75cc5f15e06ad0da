/** Handles the signals that stop the program. */
import { exitCodes } from '../output/exit-codes.ts'

/**
 * A second signal ends the process at once. One that follows the first within this time is a duplicate: npm forwards a
 * signal that the terminal has already sent to the whole process group. Milliseconds.
 */
const echoMilliseconds = 1_000

/** Makes Ctrl-C end the program with its documented exit code. */
export function exitOnInterrupt(): void {
  process.on('SIGINT', exitAsInterrupted)
}

function exitAsInterrupted(): void {
  process.exit(exitCodes.interrupted)
}

/** Resolves at SIGINT or SIGTERM, with its name. A further signal then ends the process at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  process.off('SIGINT', exitAsInterrupted)
  return new Promise((resolve) => {
    let first: number | undefined
    const listen = (signal: NodeJS.Signals) => {
      if (first !== undefined && performance.now() - first < echoMilliseconds) return
      if (first !== undefined) process.exit(signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated)
      first = performance.now()
      resolve(signal)
    }
    process.on('SIGINT', listen)
    process.on('SIGTERM', listen)
  })
}
