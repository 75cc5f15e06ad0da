/** Finds the processes of machines without their driver. */
import { readdirSync, readFileSync } from 'node:fs'
import { uuidOf } from '../../src/drivers/qemu/command-line.rules.ts'

/** Whether the machine of an instance runs on this host. */
export function isRunning(id: string): boolean {
  return processesOf(id).length > 0
}

/** Kills the process of a machine. Machines outlive their agents, and therefore a failed test. */
export function endProcess(id: string): void {
  for (const pid of processesOf(id)) process.kill(pid, 'SIGKILL')
}

function processesOf(id: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(uuidOf(id)) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}
