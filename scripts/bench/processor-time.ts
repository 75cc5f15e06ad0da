// How much processor time programs have used so far, where the system tells.

import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

/** Milliseconds that a process has used, with those of its children that have ended; undefined where nobody tells. */
export function processorMilliseconds(pid: number): number | undefined {
  const stat = statOf(pid)
  return stat && (1000 * (stat.own + stat.ended)) / ticksPerSecond
}

/** The same of a process and all that it has started and that still run. */
export function familyMilliseconds(pid: number): number | undefined {
  const first = processorMilliseconds(pid)
  if (first === undefined) return undefined
  let sum = first
  for (const name of readdirSync('/proc')) {
    const child = /^\d+$/.test(name) ? statOf(Number(name)) : undefined
    if (child?.parent === pid) sum += (1000 * child.own) / ticksPerSecond
  }
  return sum
}

type Stat = { readonly parent: number; readonly own: number; readonly ended: number }

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Behind the name, which may hold blanks and brackets itself.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15) as [number, number, number, number]
    return { parent: fields[1] as number, own: user + system, ended: endedUser + endedSystem }
  } catch {
    return undefined
  }
}
