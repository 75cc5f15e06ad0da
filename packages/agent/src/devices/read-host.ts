/** Reads what the kernel says about functions and about the health of a host. */

import { waitFor } from '@bourse/text/time/pause.ts'
import { monotonic } from '../clock.ts'
import { parseCount } from '../facts/processors.rules.ts'
import type { Tree } from '../facts/tree.ts'
import type { DeviceTree } from './device-tree.ts'
import { errorTotal, type FunctionReading, type HostReading } from './health.rules.ts'
import { folderOf } from './read-functions.ts'
import { answers, type ResetTexts } from './reset.rules.ts'

const configBytes = 64
const silence = { every: 250, at_most: 1_000 }
const controllersMax = 64
const processorsMax = 4096

/** How a function can be reset. */
export async function readReset(tree: DeviceTree, pci: string): Promise<ResetTexts> {
  const [methods, has_reset] = await Promise.all([
    tree.text(`${folderOf(pci)}/reset_method`),
    tree.exists(`${folderOf(pci)}/reset`),
  ])
  return { methods, has_reset }
}

/** Whether a function answers. True if that cannot be read. One that its guest resets is silent for a moment. */
export async function isAnswering(tree: Tree, pci: string): Promise<boolean> {
  const look = async () => answers((await tree.bytes(`${folderOf(pci)}/config`, configBytes)) ?? Buffer.alloc(0))
  return (await waitFor(look, silence)) ?? false
}

/** The counters of the host, beside those of its functions. */
export async function readHealth(
  tree: DeviceTree,
  readings: readonly Promise<FunctionReading>[],
): Promise<HostReading> {
  const [functions, memory_errors, throttled] = await Promise.all([
    Promise.all(readings),
    readMemoryErrors(tree),
    readThrottled(tree),
  ])
  return { at: monotonic(), functions, memory_errors, throttled }
}

/** The counters of a function. One file after the other: a device that hangs takes one process. */
export async function readFunction(tree: DeviceTree, pci: string): Promise<FunctionReading> {
  const folder = folderOf(pci)
  const is_there = await tree.exists(folder)
  const isUp = await isAnswering(tree, pci)
  const fatal = await tree.text(`${folder}/aer_dev_fatal`)
  const nonfatal = await tree.text(`${folder}/aer_dev_nonfatal`)
  return { pci, is_there, answers: isUp, fatal_errors: errorTotal(fatal), nonfatal_errors: errorTotal(nonfatal) }
}

async function readMemoryErrors(tree: DeviceTree): Promise<Map<string, number>> {
  const folder = '/sys/devices/system/edac/mc'
  const names = (await tree.names(folder)).filter((name) => /^mc\d{1,3}$/.test(name)).slice(0, controllersMax)
  const counts = await Promise.all(names.map((name) => tree.text(`${folder}/${name}/ue_count`)))
  return new Map(names.map((name, index) => [name, parseCount(counts[index]) ?? 0]))
}

async function readThrottled(tree: DeviceTree): Promise<number | null> {
  const folder = '/sys/devices/system/cpu'
  const names = (await tree.names(folder)).filter((name) => /^cpu\d{1,4}$/.test(name)).slice(0, processorsMax)
  const texts = await Promise.all(
    names.map((name) => tree.text(`${folder}/${name}/thermal_throttle/package_throttle_total_time_ms`)),
  )
  const times = texts.flatMap((text) => parseCount(text) ?? [])
  return times.length === 0 ? null : Math.max(...times)
}
