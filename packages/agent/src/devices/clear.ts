/** Clears functions of what their machine has left in them. */
import { apply, bind } from './binding.ts'
import type { DeviceTree } from './device-tree.ts'
import { vfioDriver } from './functions.rules.ts'
import { countsOf, type ErrorCounts } from './health.rules.ts'
import { folderOf, idOf } from './read-functions.ts'
import { isAnswering, readFunction, readReset } from './read-host.ts'
import { planReset, resetProblem } from './reset.rules.ts'

/** A function to reset. `was`: what it was; undefined where an older agent did not note it. */
export type ResetParams = { readonly pci: string; readonly was: string | undefined }

/**
 * Resets a function. Returns why it is not clear; undefined if it is, or if another one has its address since the host
 * was started anew: that may be a disk of the host. Its errors count from here on.
 */
export async function clear(
  tree: DeviceTree,
  { pci, was }: ResetParams,
  counts: Map<string, ErrorCounts>,
): Promise<string | undefined> {
  if (!(await tree.exists(folderOf(pci)))) return 'it is gone: it fell off its bus'
  if (was !== undefined && was !== (await idOf(tree, pci))) return undefined
  // A driver of the host that has it since must not see it vanish.
  const driver = (await tree.target(`${folderOf(pci)}/driver`)) ?? null
  if (driver !== null && driver !== vfioDriver) {
    if (was === undefined) return undefined
    const refused = await bind(tree, { pci, driver }).catch((error: Error) => error.message)
    if (refused !== undefined) return refused
  }
  const texts = await readReset(tree, pci)
  const problem = resetProblem(pci, texts)
  if (problem !== undefined) return 'it cannot be reset'
  const failed = await apply(tree, planReset(pci, texts)).then(
    () => undefined,
    (error: Error) => `it could not be reset: ${error.message}`,
  )
  if (failed !== undefined) return failed
  if (!(await isAnswering(tree, pci))) return 'it does not answer after its reset'
  counts.set(pci, countsOf(await readFunction(tree, pci)))
  return undefined
}
