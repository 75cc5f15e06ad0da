/**
 * What the machines of this host have of its processors and its memory. It is written to the folder of each machine, so
 * that the next agent knows it too.
 */
import { readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hostReserveBytes } from '@bourse/api/fleet/fit.ts'
import type { GivenDevice } from '../../devices/binding.ts'
import { allowedIn, numbersIn, parseCount, parseMemory } from '../../facts/processors.rules.ts'
import { openTree, type Tree } from '../../facts/tree.ts'
import { isDiskFull, readIfThere, removeAll } from '../../files.ts'
import { startFailure } from '../../problems.ts'
import type { Finding, MachineSpec, SlotNeeds } from '../driver.ts'
import { cpusOf, files, memoryOf } from './command-line.rules.ts'
import { assignResources, type NodeRoom, type Resources } from './resources.rules.ts'

/** The resources of the machines of one driver. */
export type ResourceBook = {
  /** How many processors of this host machines may use. 0: its files do not say. */
  processors(): Promise<number>
  /** Gives a machine its resources, in place of those that it had. Throws a `StartFailure`. */
  assign(spec: MachineSpec): Promise<void>
  /** What a machine has; undefined before it was given anything. */
  of(spec: MachineSpec): Promise<Resources | undefined>
  release(spec: MachineSpec): Promise<void>
}

/** Opens the book of a state directory. `root`: the folder with `sys` and `proc`; the default is the machine itself. */
export function openResources(directory: string, root = '/'): ResourceBook {
  const tree = openTree(root)
  let opened: Promise<Map<string, Resources>> | undefined
  const known = () => {
    opened ??= readAll(join(directory, 'machines'))
    return opened
  }
  return {
    processors: async () => (await readRooms(tree)).reduce((sum, { processors }) => sum + processors.length, 0),
    assign: async (spec) => {
      const { id, size, devices = [] } = spec
      const [book, rooms] = await Promise.all([known(), readRooms(tree)])
      // Nothing waits between here and `set`, so that no other machine gets the same.
      const others = [...book].flatMap(([other, resources]) => (other === id ? [] : [resources]))
      const wanted = { cpus: cpusOf(size), memory_bytes: memoryOf(size), near: nodesOf(devices) }
      const given = assignResources(rooms, others, wanted)
      if ('reason' in given) throw startFailure(given.reason, given.message)
      book.set(id, given)
      await writeResources(spec, given).catch((error) => {
        throw isDiskFull(error) ? startFailure('disk_full', 'The disk of the host is full.') : error
      })
    },
    of: async (spec) => (await known()).get(spec.id) ?? (await readOne(spec.directory)),
    release: async (spec) => {
      ;(await known()).delete(spec.id)
      await removeAll(join(spec.directory, files.resources))
    },
  }
}

function nodesOf(devices: readonly GivenDevice[]): number[] {
  return [...new Set(devices.flatMap(({ numa }) => numa ?? []))].sort((a, b) => a - b)
}

/** What the slots of a host would get if no machine ran, in one finding. */
export async function planSlots(wanted: readonly SlotNeeds[], root = '/'): Promise<Finding> {
  const subject = 'room of slots'
  const rooms = (await readRooms(openTree(root))).map((room) => {
    return { ...room, huge_pages: room.huge_pages.map((pages) => ({ ...pages, free: pages.set_aside })) }
  })
  const given: Resources[] = []
  for (const { cpus, memory_bytes, near } of wanted) {
    const whole = memoryOf({ cpu_count: cpus, memory_bytes, storage_bytes: null })
    const found = assignResources(rooms, given, { cpus, memory_bytes: whole, near })
    if ('reason' in found) {
      const message = `slot ${given.length + 1} of ${wanted.length} gets no memory. ${found.message}`
      return { subject, is_good: false, message: `${message} Set enough huge pages aside for all slots, or none` }
    }
    given.push(found)
  }
  const own = given.filter(({ processors }) => processors.length > 0)
  const local = own.filter((resources) => isLocal(rooms, resources)).length
  const paged = own.filter(({ page_bytes }) => page_bytes !== null).length
  const first = `${own.length} of ${wanted.length} have processors of their own`
  return { subject, is_good: true, message: `${first}, ${local} on one NUMA node, ${paged} with huge pages` }
}

function isLocal(rooms: readonly NodeRoom[], { processors, memory }: Resources): boolean {
  const room = rooms.find(({ processors: there }) => processors.every((one) => there.includes(one)))
  return room !== undefined && memory.every(({ node }) => node === room.node)
}

/** The NUMA nodes of a host, with what this process may use of them. A kernel without NUMA has one. */
export async function readRooms(tree: Tree): Promise<NodeRoom[]> {
  const [status, online, names, meminfo] = await Promise.all([
    tree.text('/proc/self/status'),
    tree.text('/sys/devices/system/cpu/online'),
    tree.names('/sys/devices/system/node'),
    tree.text('/proc/meminfo'),
  ])
  const allowed = new Set(allowedIn(status, 'Cpus') ?? numbersIn(online))
  const nodes = names.flatMap((name) => /^node(\d{1,3})$/.exec(name)?.[1] ?? []).map(Number)
  const usable = new Set(allowedIn(status, 'Mems') ?? nodes)
  const shown = nodes.filter((node) => usable.has(node)).sort((a, b) => a - b)
  if (shown.length === 0) {
    const processors = await inCores(tree, [...allowed])
    const pages = await readPages(tree, '/sys/kernel/mm/hugepages')
    return [{ node: 0, processors, memory_bytes: plainMemory(meminfo, pages, 1), huge_pages: pages }]
  }
  return Promise.all(
    shown.map(async (node) => {
      const folder = `/sys/devices/system/node/node${node}`
      const [list, text, huge_pages] = await Promise.all([
        tree.text(`${folder}/cpulist`),
        tree.text(`${folder}/meminfo`),
        readPages(tree, `${folder}/hugepages`),
      ])
      const processors = await inCores(
        tree,
        numbersIn(list).filter((processor) => allowed.has(processor)),
      )
      // A host with one node counts as in its facts.
      const memory_bytes = plainMemory(nodes.length === 1 ? meminfo : text, huge_pages, shown.length)
      return { node, processors, memory_bytes, huge_pages }
    }),
  )
}

/** Memory outside of huge pages, less what the host keeps for itself. */
function plainMemory(meminfo: string | undefined, pages: NodeRoom['huge_pages'], nodes: number): number {
  const huge = pages.reduce((sum, { page_bytes, set_aside }) => sum + page_bytes * set_aside, 0)
  return Math.max(0, (parseMemory(meminfo) ?? 0) - huge - Math.ceil(hostReserveBytes / nodes))
}

async function readPages(tree: Tree, folder: string): Promise<NodeRoom['huge_pages']> {
  const names = await tree.names(folder)
  const sizes = names.flatMap((name) => /^hugepages-(\d{1,10})kB$/.exec(name)?.[1] ?? [])
  return Promise.all(
    sizes.map(async (kibibytes) => {
      const count = async (name: string) =>
        parseCount(await tree.text(`${folder}/hugepages-${kibibytes}kB/${name}`)) ?? 0
      const [set_aside, free] = await Promise.all([count('nr_hugepages'), count('free_hugepages')])
      return { page_bytes: Number(kibibytes) * 1024, set_aside, free }
    }),
  )
}

/** Processors in the order of their cores, so that a machine with whole cores shares none with another. */
async function inCores(tree: Tree, processors: readonly number[]): Promise<number[]> {
  const placed = await Promise.all(
    processors.map(async (processor) => {
      const siblings = await tree.text(`/sys/devices/system/cpu/cpu${processor}/topology/thread_siblings_list`)
      return { processor, core: Math.min(processor, ...numbersIn(siblings)) }
    }),
  )
  return placed.sort((a, b) => a.core - b.core || a.processor - b.processor).map(({ processor }) => processor)
}

async function writeResources({ directory }: MachineSpec, resources: Resources): Promise<void> {
  const path = join(directory, files.resources)
  await writeFile(`${path}.new`, JSON.stringify(resources), { mode: 0o600 })
  await rename(`${path}.new`, path)
}

async function readAll(root: string): Promise<Map<string, Resources>> {
  const ids = await readdir(root).catch(() => [])
  const found = await Promise.all(ids.map(async (id) => ({ id, resources: await readOne(join(root, id)) })))
  return new Map(found.flatMap(({ id, resources }) => (resources ? [[id, resources]] : [])))
}

async function readOne(directory: string): Promise<Resources | undefined> {
  const text = await readIfThere(join(directory, files.resources))
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Resources)
  } catch {
    // A failure of power cut it off. It has ended the machine too.
    return undefined
  }
}
