/** The processes of machines, found without asking whoever keeps them. */
import { readdirSync, readFileSync } from 'node:fs'
import { uuidOf } from '../../src/drivers/qemu/command-line.rules.ts'

/** Whether the machine of an instance runs on this computer. */
export function isRunning(id: string): boolean {
  return processesOf(id).length > 0
}

/** Machines outlive their agents, and so a test that failed. */
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
