import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Machine, qemuArguments, refuseDirectory, uuidOf } from './command-line.rules.ts'

const machine: Machine = {
  id: 'inst_a',
  directory: '/state/machines/inst_a',
  size: { cpu_count: 4, memory_bytes: 2 ** 30, storage_bytes: null },
  mac: '02:00:00:00:00:01',
  accelerator: { name: 'tcg', cpu: 'qemu64' },
  address: '127.0.0.1',
  port: 22_003,
  host: { cpu_count: 2, memory_bytes: 2 ** 32 },
}

function valuesOf(words: readonly string[], option: string): string[] {
  return words.flatMap((word, index) => (word === option ? [words[index + 1] as string] : []))
}

test('a machine reaches nothing, and of it the secure shell alone is reached', () => {
  const [net] = valuesOf(qemuArguments(machine), '-netdev')
  assert.equal(net, 'user,id=net,ipv6=off,restrict=on,hostfwd=tcp:127.0.0.1:22003-:22')
})

test('a machine is as big as its SKU says, and no bigger than its host', () => {
  const sizes = (change: Partial<Machine>) => {
    const words = qemuArguments({ ...machine, ...change })
    return [valuesOf(words, '-smp')[0], valuesOf(words, '-m')[0]]
  }
  assert.deepEqual(sizes({}), ['2', '1024'])
  assert.deepEqual(sizes({ size: { cpu_count: 1, memory_bytes: 2 ** 40, storage_bytes: null } }), ['1', '4096'])
  assert.deepEqual(sizes({ size: { cpu_count: null, memory_bytes: null, storage_bytes: null } }), ['1', '512'])
  assert.deepEqual(sizes({ size: { cpu_count: null, memory_bytes: 1, storage_bytes: null } }), ['1', '96'])
})

test('QEMU runs with its sandbox on, panics shut it down, and no default device is there', () => {
  const words = qemuArguments(machine)
  assert.match(valuesOf(words, '-sandbox')[0] ?? '', /^on,.*spawn=deny/)
  assert.deepEqual(valuesOf(words, '-action'), ['panic=shutdown'])
  for (const word of ['-nodefaults', '-no-user-config']) assert.ok(words.includes(word))
})

test('an identity is that of one machine, in the form of a random UUID', () => {
  assert.match(uuidOf('inst_a'), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(uuidOf('inst_a'), uuidOf('inst_a'))
  assert.notEqual(uuidOf('inst_a'), uuidOf('inst_b'))
})

test('a folder whose path QEMU or a socket cannot take is refused', () => {
  assert.equal(refuseDirectory('/state/machines/inst_a'), undefined)
  assert.match(refuseDirectory('/state,more') ?? '', /comma/)
  assert.match(refuseDirectory(`/${'x'.repeat(100)}`) ?? '', /too long/)
})
