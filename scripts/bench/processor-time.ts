// Reads the processor time that programs have used so far, from /proc.

import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100
/** The milliseconds of the smallest time that is counted. */
export const processorTick = 1000 / ticksPerSecond

/** Milliseconds of a process and its ended children; undefined if there is no such process or no /proc. */
export function processorMilliseconds(pid: number): number | undefined {
  const stat = statOf(pid)
  return stat && (1000 * (stat.own + stat.ended)) / ticksPerSecond
}

/** Milliseconds of a process, its ended children and its running children; undefined as above. */
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
    // The fields begin after the name, which may contain spaces and parentheses.
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
