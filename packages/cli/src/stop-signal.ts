/** Waits for the wish that the program ends. */

/**
 * A second signal ends the process at once; one this soon after the first is its echo: npm passes on what the terminal
 * has sent to the whole group already. Milliseconds.
 */
const echoMilliseconds = 1_000

/** Resolves at SIGINT or SIGTERM, with its name. From then on another one ends the process at once. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined
    const listen = (signal: NodeJS.Signals) => {
      if (first !== undefined && performance.now() - first < echoMilliseconds) return
      if (first !== undefined) process.exit(signal === 'SIGINT' ? 130 : 143)
      first = performance.now()
      resolve(signal)
    }
    process.on('SIGINT', listen)
    process.on('SIGTERM', listen)
  })
}
