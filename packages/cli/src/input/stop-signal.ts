/** Waits for the wish that the program ends. */
import { exitCodes } from '../output/exit-codes.ts'

/**
 * A second signal ends the process at once; one this soon after the first is its echo: npm passes on what the terminal
 * has sent to the whole group already. Milliseconds.
 */
const echoMilliseconds = 1_000

/** Lets Ctrl-C end the program with the exit code that the help names. */
export function exitOnInterrupt(): void {
  process.on('SIGINT', exitAsInterrupted)
}

function exitAsInterrupted(): void {
  process.exit(exitCodes.interrupted)
}

/** Resolves at SIGINT or SIGTERM, with its name. From then on another one ends the process at once. */
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
