import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceArguments, lockable, openMilliseconds, windowBytes } from './device-arguments.rules.ts'

const gibibyte = 2 ** 30
const gpus = Array.from({ length: 8 }, (_, index) => ({
  pci: `0000:${index}b:00.0`,
  bar_bytes: 128 * gibibyte + 2 ** 25,
  numa: index < 4 ? 0 : 1,
}))

test('each device has a port of its own, and the window holds all of their memory regions', () => {
  const words = deviceArguments(gpus, 'kvm')
  const devices = words.filter((_, index) => words[index - 1] === '-device')
  assert.deepEqual(devices.slice(0, 2), [
    'pcie-root-port,id=port0,chassis=1',
    'vfio-pci,host=0000:0b:00.0,bus=port0,rombar=0',
  ])
  assert.equal(devices.length, 16)
  assert.equal(new Set(devices).size, 16)
  assert.ok(words.includes('q35-pcihost.pci-hole64-size=4096G'))
  assert.ok(words.includes('kernel_irqchip=on'))
})

test('a machine without devices has no arguments for them, and emulation has no kernel for interrupts', () => {
  assert.deepEqual(deviceArguments([], 'kvm'), [])
  assert.deepEqual(lockable([], gibibyte), [])
  const words = deviceArguments([{ pci: '0000:01:00.0', bar_bytes: 16_384, numa: null }], 'tcg')
  assert.deepEqual(words, [
    ...['-device', 'pcie-root-port,id=port0,chassis=1'],
    ...['-device', 'vfio-pci,host=0000:01:00.0,bus=port0,rombar=0'],
  ])
})

test('the window is a power of two with as much room again', () => {
  assert.equal(windowBytes([]), 0)
  assert.equal(windowBytes([{ pci: '', bar_bytes: 0, numa: null }]), 0)
  assert.equal(windowBytes([{ pci: '', bar_bytes: gibibyte, numa: null }]), 2 * gibibyte)
  assert.equal(windowBytes([{ pci: '', bar_bytes: gibibyte + 1, numa: null }]), 4 * gibibyte)
})

test('a machine with devices may lock its memory, and has time to', () => {
  assert.deepEqual(lockable(gpus, 4 * gibibyte), ['prlimit', `--memlock=${5 * gibibyte}:${5 * gibibyte}`, '--'])
  assert.equal(openMilliseconds([], 2 ** 40), 30_000)
  assert.ok(openMilliseconds(gpus, 2 ** 40) >= 1_000_000)
})
