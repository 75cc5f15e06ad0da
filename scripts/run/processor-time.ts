import { descendantsOf, runningProcesses } from './process-tree.ts'

let counted = 0

/**
 * The processor time in seconds since the last call, of this process, of those below it that still run, such as a
 * browser, and of those that it has waited for. Where the system has no /proc, of this process alone.
 */
export function processorSecondsSinceLast(): number {
  const before = counted
  const all = runningProcesses()
  const own = all.filter(({ pid }) => pid === process.pid)
  const { user, system } = process.cpuUsage()
  const spent = [...own, ...descendantsOf(process.pid, all)].reduce((total, { seconds }) => total + seconds, 0)
  counted = own.length > 0 ? spent : (user + system) / 1e6
  return Math.max(0, counted - before)
}
