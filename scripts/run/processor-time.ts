import { readFileSync } from 'node:fs'

/** Linux counts the time of processes in these units, on all architectures that Node runs on. */
const ticksPerSecond = 100

/**
 * The processor time of this process so far in seconds. On Linux also that of the processes that it has waited for;
 * elsewhere Node does not know theirs.
 */
export function processorSeconds(): number {
  try {
    return fromStat(readFileSync('/proc/self/stat', 'utf8'))
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
}

/** The sum of utime, stime, cutime and cstime of a text of /proc/PID/stat (proc_pid_stat(5), fields 14 to 17). */
export function fromStat(text: string): number {
  // The name of the program, in parentheses, can contain spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((total, ticks) => total + Number(ticks), 0) / ticksPerSecond
}
