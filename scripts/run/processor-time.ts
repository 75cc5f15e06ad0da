import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts the time of processes in these units, on all architectures that Node runs on. */
const ticksPerSecond = 100

/**
 * The processor time of this process so far in seconds. On Linux also that of the processes that it has waited for and
 * of those below it that still run, such as a browser; elsewhere Node does not know theirs.
 */
export function processorSeconds(): number {
  try {
    return fromStat(readFileSync('/proc/self/stat', 'utf8')) + livingSeconds()
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
}

/** The time of the running descendants of this process, with that of the processes that they have waited for. */
function livingSeconds(): number {
  const children = new Map<number, { pid: number; seconds: number }[]>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(name) : undefined
    if (stat === undefined) continue
    const parent = parentFromStat(stat)
    children.set(parent, [...(children.get(parent) ?? []), { pid: Number(name), seconds: fromStat(stat) }])
  }
  const sum = (pid: number): number =>
    (children.get(pid) ?? []).reduce((total, child) => total + child.seconds + sum(child.pid), 0)
  return sum(process.pid)
}

/** The text of a process; undefined if it has ended. */
function readStat(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
}

/** The parent of a process, from a text of /proc/PID/stat (field 4). */
function parentFromStat(text: string): number {
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
}

/** The sum of utime, stime, cutime and cstime of a text of /proc/PID/stat (proc_pid_stat(5), fields 14 to 17). */
export function fromStat(text: string): number {
  // The name of the program, in parentheses, can contain spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((total, ticks) => total + Number(ticks), 0) / ticksPerSecond
}
