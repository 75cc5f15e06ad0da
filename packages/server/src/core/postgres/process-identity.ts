/**
 * Distinguishes a process from a later one with the same number. Numbers are reused, in containers after every restart,
 * so a lock file with a number alone would either block a start or let two processes in.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

/**
 * A text that identifies a process: boot id and start time on Linux, start time in seconds elsewhere. Undefined where
 * no such process runs (a zombie does not run) or where it is not visible.
 */
export function processIdentity(pid: number): string | undefined {
  const fields = linuxStat(pid)
  if (fields) return fields.state === 'Z' || fields.state === 'X' ? undefined : `${bootId()}:${fields.start_ticks}`
  if (process.platform === 'linux') return undefined
  const started = ps(pid, 'lstart=')
  return started === undefined || ps(pid, 'stat=')?.startsWith('Z') ? undefined : started
}

/** Whether the process of that number still has this identity. Cheap enough for ten calls a second. */
export function isSameProcess(pid: number, identity: string): boolean {
  if (process.platform === 'linux') return processIdentity(pid) === identity
  // `ps` blocks for milliseconds, and the system does not reuse a number this soon.
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether the working directory of a process is this one (a real path), as that of a postmaster is its cluster. */
export function worksIn(pid: number, directory: string): boolean {
  if (process.platform !== 'linux') return ` ${ps(pid, 'command=') ?? ''} `.includes(` ${directory} `)
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === directory
  } catch {
    return false
  }
}

function linuxStat(pid: number): { state: string; start_ticks: string } | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    // The second field, the program's name in brackets, may contain spaces and brackets, so fields count from the last.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', start_ticks: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return 'unknown-boot'
  }
}

function ps(pid: number, column: string): string | undefined {
  try {
    const text = execFileSync('ps', ['-ww', '-o', column, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
    return text === '' ? undefined : text
  } catch {
    return undefined
  }
}
