import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { deviceArguments, lockable, openMilliseconds, windowBytes } from './device-arguments.rules.ts'

const gibibyte = 2 ** 30
const gpus = Array.from({ length: 8 }, (_, index) => ({
  pci: `0000:${index}b:00.0`,
  bar_bytes: 128 * gibibyte + 2 ** 25,
  numa: index < 4 ? 0 : 1,
}))

/** Where the regions of devices end that a firmware places: the largest first, each at a multiple of its size. */
function endOfRegions(regions: readonly (readonly number[])[], begin: number): number {
  const place = (sizes: readonly (readonly number[])[], from: number): number =>
    sizes.reduce((at, own) => {
      const largest = Math.max(...own)
      const first = Math.ceil(at / largest) * largest
      return own.length === 1
        ? first + largest
        : place(
            [...own].sort((a, b) => b - a).map((one) => [one]),
            first,
          )
    }, from)
  return place(
    [...regions].sort((a, b) => Math.max(...b) - Math.max(...a)),
    begin,
  )
}

test('each device has a port of its own, and the window holds all of their memory regions', () => {
  const words = deviceArguments(gpus, 'kvm')
  const devices = words.filter((_, index) => words[index - 1] === '-device')
  assert.deepEqual(devices.slice(0, 2), [
    'pcie-root-port,id=port0,chassis=1',
    'vfio-pci,host=0000:0b:00.0,bus=port0,rombar=0',
  ])
  assert.equal(devices.length, 16)
  assert.equal(new Set(devices).size, 16)
  // 256 GiB for each, and as much again for where the first one begins.
  assert.ok(words.includes('q35-pcihost.pci-hole64-size=2304G'))
  assert.ok(words.includes(`name=opt/ovmf/X-PciMmio64Mb,string=${2304 * 1024}`))
  assert.ok(words.includes('kernel_irqchip=on'))
})

test('the ports of many devices share places on the root bus, and no two are one', () => {
  const many = Array.from({ length: 128 }, (_, index) => ({ pci: `${index}`, bar_bytes: 0, numa: null }))
  const portsOf = (count: number) =>
    deviceArguments(many.slice(0, count), 'kvm').filter((word) => word.startsWith('pcie-root-port'))
  assert.equal(portsOf(16).at(-1), 'pcie-root-port,id=port15,chassis=16')
  assert.equal(portsOf(22).at(-1), 'pcie-root-port,id=port21,chassis=22,addr=0x11.5,multifunction=on')
  const places = portsOf(128).map((port) => /addr=0x([0-9a-f]+)\.\d/.exec(port)?.[0])
  assert.equal(new Set(places).size, 128)
  assert.equal(places.at(-1), 'addr=0x1e.7', 'the board has 1f')
})

test('a machine without devices has no arguments for them, and emulation has no kernel for interrupts', () => {
  assert.deepEqual(deviceArguments([], 'kvm'), [])
  assert.deepEqual(lockable([], gibibyte), [])
  const words = deviceArguments([{ pci: '0000:01:00.0', bar_bytes: 16_384, numa: null }], 'tcg')
  assert.deepEqual(words, [
    '-device',
    'pcie-root-port,id=port0,chassis=1',
    '-device',
    'vfio-pci,host=0000:01:00.0,bus=port0,rombar=0',
  ])
})

test('the window has room for the regions of all devices, wherever it begins', () => {
  assert.equal(windowBytes([]), 0)
  assert.equal(windowBytes([{ pci: '', bar_bytes: 0, numa: null }]), 0)
  assert.equal(windowBytes([{ pci: '', bar_bytes: gibibyte, numa: null }]), 2 * gibibyte)
  assert.equal(windowBytes([{ pci: '', bar_bytes: gibibyte + 1, numa: null }]), 4 * gibibyte)
  assert.equal(windowBytes([{ pci: '', bar_bytes: 4096, numa: null }]), gibibyte)
  const region = fc.integer({ min: 12, max: 39 }).map((bits) => 2 ** bits)
  const hosts = fc.array(fc.array(region, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 16 })
  fc.assert(
    fc.property(hosts, fc.integer({ min: 4, max: 4096 }), (regions, from) => {
      const devices = regions.map((own, index) => {
        return { pci: `${index}`, bar_bytes: own.reduce((sum, size) => sum + size), numa: null }
      })
      const begin = from * gibibyte
      assert.ok(endOfRegions(regions, begin) <= begin + windowBytes(devices))
    }),
    { numRuns: 1_000 },
  )
})

test('a machine with devices may lock its memory, and has time to', () => {
  assert.deepEqual(lockable(gpus, 4 * gibibyte), ['prlimit', `--memlock=${5 * gibibyte}:${5 * gibibyte}`, '--'])
  assert.equal(openMilliseconds([], 2 ** 40), 30_000)
  assert.equal(openMilliseconds(gpus, 2 ** 40), 120_000 + 1_024 * 1_000)
})
