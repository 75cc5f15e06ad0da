// Resets between machines: what a function keeps would pass from one customer to the next.

import type { SysfsWrite } from './binding.rules.ts'

/** A change of the power state. A function may keep its memory and its registers through it. */
const insufficient = ['pm']

/** What sysfs says about the resets of a function. */
export type ResetTexts = {
  /** `reset_method`, such as `flr bus`. Undefined: the kernel is older than 5.15. */
  readonly methods: string | undefined
  /** Whether it has a file `reset`. */
  readonly has_reset: boolean
}

/** The methods that clear a function, in the order of the kernel; undefined if the kernel does not name them. */
export function resetMethods({ methods }: Pick<ResetTexts, 'methods'>): string[] | undefined {
  return methods?.split(/\s+/).filter((name) => /^[a-z_]{1,32}$/.test(name) && !insufficient.includes(name))
}

/** Why a function cannot be cleared for the next machine; undefined if it can. */
export function resetProblem(pci: string, { methods, has_reset }: ResetTexts): string | undefined {
  const clearing = resetMethods({ methods })
  if (clearing === undefined)
    return has_reset ? undefined : `${pci} cannot be reset: it has neither FLR nor a bus of its own`
  if (clearing.length > 0) return undefined
  const only = methods?.trim() ? `only by ${methods.trim()}, which clears nothing` : 'by no method'
  return `${pci} can be reset ${only}`
}

/** The writes that reset a function. */
export function planReset(pci: string, { methods }: Pick<ResetTexts, 'methods'>): SysfsWrite[] {
  const folder = `/sys/bus/pci/devices/${pci}`
  const clearing = resetMethods({ methods })
  const isLimited = clearing !== undefined && clearing.join(' ') !== methods?.trim()
  return [
    ...(isLimited ? [{ path: `${folder}/reset_method`, text: clearing.join(' ') }] : []),
    { path: `${folder}/reset`, text: '1' },
  ]
}

/**
 * Whether the first bytes of a configuration space are those of a function that answers. All ones mean that nobody
 * does. A virtual function has all ones in place of its ids, so the command and the status decide.
 */
export function answers(config: Buffer): boolean {
  return config.length < 8 || config.readUInt32LE(4) !== 0xffff_ffff
}
