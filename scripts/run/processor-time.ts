import { readFileSync } from 'node:fs'
import { descendantsOf, secondsFromStat } from './process-tree.ts'

/**
 * The processor time of this process so far in seconds. On Linux also that of the processes that it has waited for and
 * of those below it that still run, such as a browser; elsewhere Node does not know theirs.
 */
export function processorSeconds(): number {
  try {
    const own = secondsFromStat(readFileSync('/proc/self/stat', 'utf8'))
    return descendantsOf(process.pid).reduce((total, { seconds }) => total + seconds, own)
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
}
