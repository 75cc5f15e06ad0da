import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** A process that runs. `seconds`: its processor time, with that of the processes that it has waited for. */
export type RunningProcess = { readonly pid: number; readonly parent: number; readonly seconds: number }

/** Linux counts the time of processes in these units, on all architectures that Node.js runs on. */
const ticksPerSecond = 100

/** All processes. Empty where the system has no /proc. */
export function runningProcesses(): RunningProcess[] {
  if (!existsSync('/proc/self/stat')) return []
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    const text = readText(`/proc/${pid}/stat`)
    return text === '' ? [] : [processFromStat(Number(pid), text)]
  })
}

/** The processes below one. */
export function descendantsOf(pid: number, all = runningProcesses()): RunningProcess[] {
  return all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...descendantsOf(child.pid, all)])
}

/** The command line of a process; empty if it has ended. */
export function commandOf(pid: number): string {
  return readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()
}

/** A variable of the environment with which a process was started; undefined if it had none or has ended. */
export function variableOf(pid: number, name: string): string | undefined {
  const line = readText(`/proc/${pid}/environ`)
    .split('\0')
    .find((line) => line.startsWith(`${name}=`))
  return line?.slice(name.length + 1)
}

/**
 * A process from its text in /proc/PID/stat (proc_pid_stat(5)): field 4 is the parent, fields 14 to 17 are the times.
 * Field 2, the name in parentheses, can contain spaces and parentheses.
 */
export function processFromStat(pid: number, text: string): RunningProcess {
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const ticks = fields.slice(11, 15).reduce((total, time) => total + time, 0)
  return { pid, parent: fields[1] as number, seconds: ticks / ticksPerSecond }
}

/** Empty if the process has ended or belongs to another user. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
