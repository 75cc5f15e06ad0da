import { readdirSync, readFileSync } from 'node:fs'

/** A process that runs. `seconds`: its processor time, with that of the processes that it has waited for. */
export type RunningProcess = { readonly pid: number; readonly seconds: number }

/** Linux counts the time of processes in these units, on all architectures that Node runs on. */
const ticksPerSecond = 100

/** The processes below one. Throws where the system has no /proc. */
export function descendantsOf(pid: number): RunningProcess[] {
  const children = new Map<number, RunningProcess[]>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readText(`/proc/${name}/stat`) : undefined
    if (stat === undefined) continue
    const parent = parentFromStat(stat)
    children.set(parent, [...(children.get(parent) ?? []), { pid: Number(name), seconds: secondsFromStat(stat) }])
  }
  const below = (parent: number): RunningProcess[] =>
    (children.get(parent) ?? []).flatMap((child) => [child, ...below(child.pid)])
  return below(pid)
}

/** The command line of a process; empty if it has ended. */
export function commandOf(pid: number): string {
  return (readText(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ').trim()
}

/** Undefined if the process has ended. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** The parent of a process, from a text of /proc/PID/stat (field 4). */
function parentFromStat(text: string): number {
  return Number(fieldsOf(text)[1])
}

/** The sum of utime, stime, cutime and cstime of a text of /proc/PID/stat (proc_pid_stat(5), fields 14 to 17). */
export function secondsFromStat(text: string): number {
  return (
    fieldsOf(text)
      .slice(11, 15)
      .reduce((total, ticks) => total + Number(ticks), 0) / ticksPerSecond
  )
}

/** The fields from the third on. The second, the name in parentheses, can contain spaces and parentheses. */
function fieldsOf(text: string): string[] {
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}
