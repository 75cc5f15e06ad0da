// Which processors a machine runs on, and where its memory is. No two machines share a processor, and a machine is on
// one NUMA node if it fits there.

import { bytesText } from '@bourse/api/fleet/fit.ts'
import type { SlotNeeds } from '../driver.ts'

/** What a NUMA node of this host has for machines. */
export type NodeRoom = {
  readonly node: number
  /** The threads of one core follow each other. */
  readonly processors: readonly number[]
  /** Outside of huge pages. */
  readonly memory_bytes: number
  readonly huge_pages: readonly HugePages[]
}

/** The huge pages of one size: how many the operator set aside, and how many nothing uses. */
type HugePages = { readonly page_bytes: number; readonly set_aside: number; readonly free: number }

/** What a machine has. No processors: it runs on any. No memory: it has its memory on any nodes. */
export type Resources = {
  readonly processors: readonly number[]
  readonly memory: readonly { readonly node: number; readonly bytes: number }[]
  readonly page_bytes: number | null
  /** Whether the nodes are prescribed. A host with one node has no other. */
  readonly is_bound: boolean
}

/** Why a machine gets nothing. */
type NoRoom = { readonly reason: 'too_little_memory'; readonly message: string }

type MachineResources = Omit<Resources, 'is_bound'>
type FreeRoom = { readonly node: number; readonly processors: number[]; memoryIn(page_bytes: number | null): number }

/**
 * Gives a machine processors and memory that the others do not have. Where this host has fewer processors left than it
 * must have, which only machines of simulated SKUs meet, it runs on any.
 */
export function assignResources(
  rooms: readonly NodeRoom[],
  others: readonly Resources[],
  wanted: SlotNeeds,
): Resources | NoRoom {
  const free = rooms.map((room) => freeRoom(room, others))
  const pages = pageSizes(rooms, wanted.memory_bytes)
  const near = free.filter(({ node }) => wanted.near.includes(node))
  for (const page_bytes of pages) {
    for (const room of near.length > 0 ? near : free) {
      const found = near.length > 1 ? undefined : within([room], wanted, page_bytes)
      if (found) return { ...found, is_bound: rooms.length > 1 }
    }
  }
  const found = spanning(near, free, wanted, pages)
  return found ? { ...found, is_bound: rooms.length > 1 } : shared(rooms, free, wanted)
}

/** On several nodes: those of its devices, and as few others as possible, in their order. */
function spanning(
  near: readonly FreeRoom[],
  free: readonly FreeRoom[],
  wanted: SlotNeeds,
  pages: readonly (number | null)[],
): MachineResources | undefined {
  const rest = free.filter((room) => !near.includes(room))
  const others = rest.toSorted((a, b) => Math.sign(b.processors.length) - Math.sign(a.processors.length))
  for (let more = 0; more <= others.length; more++) {
    const group = [...near, ...others.slice(0, more)]
    for (const page_bytes of group.length === 0 ? [] : pages) {
      const found = within(group, wanted, page_bytes)
      if (found) return found
    }
  }
  return undefined
}

/** What a machine gets on some nodes; undefined if they have too little. */
function within(
  group: readonly FreeRoom[],
  { cpus, memory_bytes }: SlotNeeds,
  page_bytes: number | null,
): MachineResources | undefined {
  const all = group.map((room) => ({ room, cpus: room.processors.length, bytes: room.memoryIn(page_bytes) }))
  const shares = evenly(
    all.map(({ cpus: free }) => free),
    cpus,
    1,
  )
  const amounts = evenly(
    all.map(({ bytes }) => bytes),
    memory_bytes,
    page_bytes ?? 1,
  )
  if (!shares || !amounts) return undefined
  const processors = all.flatMap(({ room }, index) => room.processors.slice(0, shares[index]))
  const memory = all.map(({ room: { node } }, index) => ({ node, bytes: amounts[index] as number }))
  return {
    processors: processors.sort((a, b) => a - b),
    memory: memory.filter(({ bytes }) => bytes > 0).sort((a, b) => a.node - b.node),
    page_bytes,
  }
}

/** Divides an amount over places with so much each, in whole units; undefined if they have too little. */
function evenly(places: readonly number[], amount: number, unit: number): number[] | undefined {
  const shares = places.map(() => 0)
  let left = amount
  const smallestFirst = [...places.keys()].sort((a, b) => (places[a] as number) - (places[b] as number))
  for (const [index, place] of smallestFirst.entries()) {
    const share = Math.ceil(left / (places.length - index) / unit) * unit
    shares[place] = Math.min(places[place] as number, share, left)
    left -= shares[place]
  }
  return left > 0 ? undefined : shares
}

/** Without processors or nodes of its own. Only ordinary memory can be promised to several machines. */
function shared(
  rooms: readonly NodeRoom[],
  free: readonly FreeRoom[],
  { memory_bytes }: SlotNeeds,
): Resources | NoRoom {
  const plain = rooms.reduce((sum, room) => sum + room.memory_bytes, 0)
  const hasHuge = rooms.some(({ huge_pages }) => huge_pages.some(({ set_aside }) => set_aside > 0))
  const leftPlain = free.reduce((sum, room) => sum + room.memoryIn(null), 0)
  if (hasHuge && leftPlain < memory_bytes) {
    const inHuge = pageSizes(rooms, 0).flatMap((page) => {
      const left = page === null ? 0 : free.reduce((sum, room) => sum + room.memoryIn(page), 0)
      return left === 0 ? [] : `${bytesText(left)} in huge pages of ${bytesText(page as number)}`
    })
    const has = [`${bytesText(leftPlain)} of ${bytesText(plain)} outside of huge pages`, ...inHuge].join(', ')
    const message = `It must have ${bytesText(memory_bytes)} of memory, the host has ${has} left.`
    return { reason: 'too_little_memory', message }
  }
  return { processors: [], memory: [], page_bytes: null, is_bound: false }
}

function freeRoom({ node, processors, memory_bytes, huge_pages }: NodeRoom, others: readonly Resources[]): FreeRoom {
  const used = new Set(others.flatMap((other) => other.processors))
  const usedIn = (page_bytes: number | null) => {
    const own = others.filter((other) => other.page_bytes === page_bytes).flatMap(({ memory }) => memory)
    return own.reduce((sum, part) => sum + (part.node === node ? part.bytes : 0), 0)
  }
  return {
    node,
    processors: processors.filter((processor) => !used.has(processor)),
    memoryIn: (page_bytes) => {
      if (page_bytes === null) return Math.max(0, memory_bytes - usedIn(null))
      const pages = huge_pages.find((one) => one.page_bytes === page_bytes)
      if (!pages) return 0
      // A machine that is being started has not taken its pages yet, and another program may have taken some.
      return Math.max(0, Math.min(pages.free * page_bytes, pages.set_aside * page_bytes - usedIn(page_bytes)))
    },
  }
}

/** The sizes of pages that the memory can consist of, the largest first, then ordinary pages. */
function pageSizes(rooms: readonly NodeRoom[], memoryBytes: number): (number | null)[] {
  const sizes = new Set(rooms.flatMap(({ huge_pages }) => huge_pages.map(({ page_bytes }) => page_bytes)))
  return [...[...sizes].filter((page) => memoryBytes % page === 0).sort((a, b) => b - a), null]
}
