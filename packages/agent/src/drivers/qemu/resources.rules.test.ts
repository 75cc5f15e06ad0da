import assert from 'node:assert/strict'
import { machinesInPages } from '@bourse/api/fleet/huge-pages.ts'
import fc from 'fast-check'
import { test } from 'vitest'
import type { SlotNeeds } from '../driver.ts'
import { assignResources, type NodeRoom, type Resources } from './resources.rules.ts'

const gib = 2 ** 30

/** Nodes with as many processors and gibibytes each, and huge pages of one gibibyte. */
function roomsOf(nodes: readonly (readonly [cpus: number, gibibytes: number, pages?: number])[]): NodeRoom[] {
  let next = 0
  return nodes.map(([cpus, gibibytes, pages = 0], node) => {
    const processors = Array.from({ length: cpus }, () => next++)
    const huge_pages = pages === 0 ? [] : [{ page_bytes: gib, set_aside: pages, free: pages }]
    return { node, processors, memory_bytes: gibibytes * gib, huge_pages }
  })
}

const wants = (cpus: number, gibibytes: number, near: readonly number[] = []): SlotNeeds => {
  return { cpus, memory_bytes: gibibytes * gib, near }
}

const nodesOf = (resources: Resources | undefined) => resources?.memory.map(({ node }) => node)

/** All nodes that a machine is on, by its processors and its memory. */
function spanOf(rooms: readonly NodeRoom[], resources: Resources): number {
  const runsOn = rooms.filter((room) => resources.processors.some((processor) => room.processors.includes(processor)))
  return new Set([...runsOn.map(({ node: on }) => on), ...(nodesOf(resources) ?? [])]).size
}

/** Machines one after another. */
function fill(rooms: readonly NodeRoom[], machines: readonly SlotNeeds[]): Resources[] {
  const given: Resources[] = []
  for (const machine of machines) {
    const found = assignResources(rooms, given, machine)
    if (!('reason' in found)) given.push(found)
  }
  return given
}

test('machines fill one node after the other, and each is on one', () => {
  const rooms = roomsOf([
    [8, 64],
    [8, 64],
  ])
  const given = fill(rooms, Array(4).fill(wants(4, 20)))
  assert.deepEqual(
    given.map((one) => [one.processors.join(), nodesOf(one), one.is_bound]),
    [
      ['0,1,2,3', [0], true],
      ['4,5,6,7', [0], true],
      ['8,9,10,11', [1], true],
      ['12,13,14,15', [1], true],
    ],
  )
  // The memory of a node can be used up before its processors.
  assert.deepEqual(fill(rooms, Array(2).fill(wants(2, 40))).map(nodesOf), [[0], [1]])
})

test('a machine is on the node of its devices', () => {
  const rooms = roomsOf([
    [8, 64],
    [8, 64],
  ])
  const [near] = fill(rooms, [wants(4, 20, [1])])
  assert.deepEqual([near?.processors, nodesOf(near)], [[8, 9, 10, 11], [1]])
  const [, full] = fill(rooms, [wants(6, 20, [1]), wants(4, 20, [1])])
  assert.deepEqual(
    [full?.processors, nodesOf(full)],
    [
      [0, 1, 14, 15],
      [0, 1],
    ],
  )
  const [both] = fill(rooms, [wants(6, 20, [0, 1])])
  assert.deepEqual(
    [both?.processors, nodesOf(both)],
    [
      [0, 1, 2, 8, 9, 10],
      [0, 1],
    ],
  )
})

test('a machine that is larger than a node is spread evenly over as few as possible', () => {
  const rooms = roomsOf([
    [4, 32],
    [4, 32],
    [4, 32],
    [4, 32],
  ])
  const [wide, other] = fill(rooms, [wants(8, 40), wants(8, 40)])
  assert.deepEqual(
    [nodesOf(wide), nodesOf(other)],
    [
      [0, 1],
      [2, 3],
    ],
  )
  assert.deepEqual(other?.processors, [8, 9, 10, 11, 12, 13, 14, 15])
})

test('memory is taken from the largest huge pages that hold it whole, even on a later node', () => {
  const rooms = roomsOf([
    [8, 64],
    [8, 8, 56],
  ])
  const pages = (machine: SlotNeeds) => fill(rooms, [machine])[0]?.page_bytes
  assert.deepEqual([pages(wants(4, 20)), pages(wants(4, 57)), pages(wants(4, 20.5))], [gib, null, null])
  const small = [
    {
      ...(rooms[0] as NodeRoom),
      huge_pages: [2 ** 21, gib].map((page_bytes) => ({
        page_bytes,
        set_aside: 9_000,
        free: page_bytes === gib ? 1 : 9_000,
      })),
    },
  ]
  assert.equal(fill(small, [wants(4, 8)])[0]?.page_bytes, 2 ** 21)
})

test('pages count once, whether a machine has filled them or not', () => {
  const rooms = roomsOf([[8, 2, 40]])
  const first = fill(rooms, [wants(2, 20)])
  const filled = rooms.map((room) => ({ ...room, huge_pages: [{ page_bytes: gib, set_aside: 40, free: 20 }] }))
  const plain = '2 GiB of 2 GiB outside of huge pages'
  const huge = '20 GiB in huge pages of 1 GiB'
  for (const now of [rooms, filled]) {
    assert.equal((assignResources(now, first, wants(2, 20)) as Resources).page_bytes, gib)
    const has = `It must have 21 GiB of memory, the host has ${plain}, ${huge} left.`
    assert.deepEqual(assignResources(now, first, wants(2, 21)), {
      reason: 'too_little_memory',
      message: has,
    })
  }
})

test('a host with too little for all runs further machines on any of its processors', () => {
  const [, second] = fill(roomsOf([[2, 4]]), [wants(2, 1), wants(2, 1)])
  assert.deepEqual(second, { processors: [], memory: [], page_bytes: null, is_bound: false })
})

const node = fc.tuple(fc.nat(12), fc.nat(40), fc.nat(20))
const host = fc.array(node, { minLength: 1, maxLength: 4 })

test('no two machines share a processor, whatever starts and ends, and each has as many as it must', () => {
  const machine = fc.record({
    cpus: fc.integer({ min: 1, max: 8 }),
    gibibytes: fc.integer({ min: 1, max: 20 }),
    near: fc.subarray([0, 1, 2, 3]),
    ends: fc.nat(3),
  })
  fc.assert(
    fc.property(host, fc.array(machine, { maxLength: 12 }), (nodes, machines) => {
      const rooms = roomsOf(nodes)
      let living: Resources[] = []
      for (const { cpus, gibibytes, near, ends } of machines) {
        const given = assignResources(rooms, living, wants(cpus, gibibytes, near))
        if ('reason' in given) continue
        assert.ok(given.processors.length === 0 || given.processors.length === cpus)
        const isWhole = (room: NodeRoom) => {
          const alone = assignResources([room], living, wants(cpus, gibibytes))
          return !('reason' in alone) && alone.processors.length > 0
        }
        if (near.length === 0 && given.processors.length > 0) {
          assert.equal(spanOf(rooms, given) === 1, rooms.some(isWhole))
        }
        living = [...living, given]
        const all = living.flatMap(({ processors }) => processors)
        assert.equal(new Set(all).size, all.length)
        if (ends === 0) living = living.slice(1)
      }
    }),
  )
})

test('more hardware never gives a machine less', () => {
  const more = fc.tuple(host, host)
  const size = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 20 }))
  fc.assert(
    fc.property(more, size, fc.integer({ min: 1, max: 10 }), ([nodes, added], [cpus, gibibytes], count) => {
      const grown = nodes.map(([a, b, c], index) => {
        const [x, y, z] = added[index] ?? [0, 0, 0]
        return [a + x, b + y, c + z] as const
      })
      const machines = Array(count).fill(wants(cpus, gibibytes)) as SlotNeeds[]
      const larger = roomsOf([...grown, ...added.slice(nodes.length)])
      const [before, after] = [roomsOf(nodes), larger].map((rooms) => {
        const own = fill(rooms, machines).filter(({ processors }) => processors.length > 0)
        return { own: own.length, local: own.filter((one) => spanOf(rooms, one) === 1).length }
      }) as [{ own: number; local: number }, { own: number; local: number }]
      assert.ok(after.own >= before.own, 'with processors of their own')
      assert.ok(after.local >= before.local, 'on one node')
    }),
  )
})

test('the fit of a host counts the machines that get memory here', () => {
  const amounts = fc.tuple(fc.nat(12), fc.nat(12), fc.nat(6_000))
  const mebibytes = fc.oneof(
    fc.integer({ min: 1, max: 6 }).map((gibibytes) => gibibytes * 1024),
    fc.integer({ min: 100, max: 5_000 }),
  )
  fc.assert(
    fc.property(fc.array(amounts, { minLength: 1, maxLength: 3 }), mebibytes, (nodes, size) => {
      const machineBytes = size * 2 ** 20
      const rooms = nodes.map(([ordinary, large, small], node): NodeRoom => {
        const pages = [
          { page_bytes: gib, set_aside: large, free: large },
          { page_bytes: 2 ** 21, set_aside: small, free: small },
        ]
        const processors = Array.from({ length: 400 }, (_, index) => node * 400 + index)
        return { node, processors, memory_bytes: ordinary * gib, huge_pages: pages }
      })
      const given: Resources[] = []
      for (;;) {
        const found = assignResources(rooms, given, { cpus: 1, memory_bytes: machineBytes, near: [] })
        if ('reason' in found || found.processors.length === 0) break
        given.push(found)
      }
      const numa_nodes = nodes.map(([ordinary, large, small], node) => {
        const free = { free_2mib_pages: 0, free_1gib_pages: 0 }
        const memory_bytes = (ordinary + large) * gib + small * 2 ** 21
        return { node, threads: 400, memory_bytes, ...free, total_2mib_pages: small, total_1gib_pages: large }
      })
      const memory_bytes = numa_nodes.reduce((sum, node) => sum + node.memory_bytes, 0)
      const counted = machinesInPages({ memory_bytes, numa_nodes }, machineBytes, 0)
      if (nodes.every(([, large, small]) => large === 0 && small === 0)) assert.equal(counted, undefined)
      else assert.equal(counted, given.length)
    }),
  )
})
