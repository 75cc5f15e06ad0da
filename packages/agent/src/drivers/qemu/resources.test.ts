import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { machinesFolder } from '../../../test/support/driver-contract.ts'
import { type Files, writeTree } from '../../../test/support/machine-trees.ts'
import { newSpec } from '../../../test/support/new-spec.ts'
import { openTree } from '../../facts/tree.ts'
import type { MachineSpec } from '../driver.ts'
import { openResources, planSlots, readRooms } from './resources.ts'

const gib = 2 ** 30
const sys = '/sys/devices/system'

/** Two nodes with two cores of two threads each: 0 and 4 are one core. */
function twoNodes(): Files {
  const files: Files = new Map([[`${sys}/cpu/online`, '0-7\n']])
  for (const node of [0, 1]) {
    const folder = `${sys}/node/node${node}`
    files.set(`${folder}/cpulist`, node === 0 ? '0-1,4-5\n' : '2-3,6-7\n')
    files.set(`${folder}/meminfo`, `Node ${node} MemTotal:       ${8 * 2 ** 20} kB\n`)
    files.set(`${folder}/hugepages/hugepages-2048kB/nr_hugepages`, '512\n')
    files.set(`${folder}/hugepages/hugepages-2048kB/free_hugepages`, '500\n')
  }
  for (let cpu = 0; cpu < 8; cpu++) {
    files.set(`${sys}/cpu/cpu${cpu}/topology/thread_siblings_list`, `${cpu % 4},${(cpu % 4) + 4}\n`)
  }
  return files
}

const read = (files: Files) => readRooms(openTree(writeTree(files)))
const huge_pages = [{ page_bytes: 2 ** 21, set_aside: 512, free: 500 }]

test('a node has its processors core by core, and the memory that neither huge pages nor the host keep', async () => {
  assert.deepEqual(await read(twoNodes()), [
    { node: 0, processors: [0, 4, 1, 5], memory_bytes: 6 * gib, huge_pages },
    { node: 1, processors: [2, 6, 3, 7], memory_bytes: 6 * gib, huge_pages },
  ])
})

test('machines get only what the agent itself may use', async () => {
  const files = twoNodes().set('/proc/self/status', 'Cpus_allowed_list:\t1-6\nMems_allowed_list:\t0\n')
  const [only, ...others] = await read(files)
  assert.deepEqual([only?.processors, only?.memory_bytes, others], [[4, 1, 5], 5 * gib, []])
  const { book, machine } = openBook(machinesFolder(), writeTree(files))
  assert.equal(await book.processors(), 3)
  await book.assign(machine())
})

test('a kernel without NUMA has one node, and a file that is no list names no processor', async () => {
  const files: Files = new Map([
    [`${sys}/cpu/online`, '0-1\n'],
    ['/proc/meminfo', `MemTotal:       ${4 * 2 ** 20} kB\n`],
  ])
  const alone = { node: 0, processors: [0, 1], memory_bytes: 2 * gib, huge_pages: [] }
  assert.deepEqual(await read(files), [alone])
  for (const list of ['', 'x', '3-1', '-1', '0--2', '1-99999999']) {
    assert.deepEqual((await read(files.set(`${sys}/cpu/online`, list)))[0]?.processors, [], list)
  }
})

/** A book over the state directory of an agent, and its machines of two vCPUs. */
function openBook(directory = machinesFolder(), root = writeTree(twoNodes())) {
  const book = openResources(directory, root)
  const machine = (): MachineSpec => {
    const spec = newSpec(join(directory, 'machines'), null)
    return { ...spec, size: { ...spec.size, cpu_count: 2 } }
  }
  const processors = async (spec: MachineSpec) => (await book.of(spec))?.processors.join()
  return { book, directory, root, machine, processors }
}

test('machines that start at once share no processor, and neither do those of the next agent', async () => {
  const { book, directory, root, machine, processors } = openBook()
  const [one, two, three] = [machine(), machine(), machine()]
  await Promise.all([one, two].map((spec) => book.assign(spec)))
  // Which of them comes first is left to chance.
  const [first, second] = [await processors(one), await processors(two)]
  assert.deepEqual([first, second].sort(), ['0,4', '1,5'])
  // A start that is repeated gives the same again.
  await book.assign(one)
  assert.equal(await processors(one), first)
  const next = openBook(directory, root)
  await next.book.assign(three)
  assert.equal(await next.processors(three), '2,6')
  assert.equal(await next.processors(two), second)
  assert.deepEqual((await book.of(one))?.memory, [{ node: 0, bytes: 2 ** 27 }])
})

test('what a machine had is free when it has ended, and nothing of it is left', async () => {
  const { book, machine, processors } = openBook()
  const [one, two] = [machine(), machine()]
  await book.assign(one)
  await book.release(one)
  assert.deepEqual([await processors(one), readdirSync(one.directory)], [undefined, []])
  await book.assign(two)
  assert.equal(await processors(two), '0,4')
  await book.release(one)
})

test('a machine is on the node of its devices', async () => {
  const { book, machine, processors } = openBook()
  const near = { ...machine(), devices: [{ pci: '0000:81:00.0', bar_bytes: 0, numa: 1 }] }
  await book.assign(near)
  assert.equal(await processors(near), '2,6')
})

test('a record that was cut off counts as none', async () => {
  const { book, machine, processors } = openBook()
  const [one, two] = [machine(), machine()]
  writeFileSync(join(one.directory, 'resources.json'), '{"proc')
  await book.assign(two)
  assert.deepEqual([await processors(one), await processors(two)], [undefined, '0,4'])
})

test('a machine that no memory of the host holds is refused with the reason', async () => {
  const { book, machine } = openBook()
  const spec = machine()
  const large = { ...spec, size: { ...spec.size, memory_bytes: 20 * gib } }
  await assert.rejects(book.assign(large), { name: 'StartFailure', reason: 'too_little_memory' })
  assert.equal(await book.of(large), undefined)
})

test('the plan for slots says what they share, and which of them gets no memory', async () => {
  const plan = async (cpus: number, gibibytes: number, count: number) => {
    const slots = Array(count).fill({ cpus, memory_bytes: gibibytes * gib, near: [] })
    const { is_good, message } = await planSlots(slots, writeTree(twoNodes()))
    return `${is_good} ${message}`
  }
  const all = 'have processors of their own'
  assert.equal(await plan(2, 1, 4), `true 4 of 4 ${all}, 4 on one NUMA node, 2 with huge pages`)
  assert.equal(await plan(6, 1.5, 1), `true 1 of 1 ${all}, 0 on one NUMA node, 1 with huge pages`)
  assert.match(await plan(1, 8, 2), /^false slot 2 of 2 gets no memory. It must have 8 GiB of memory,/)
})
