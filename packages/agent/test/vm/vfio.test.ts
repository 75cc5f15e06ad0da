import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { runOutside } from '../support/outer-machine.ts'
import { machineImage } from '../support/tiny-image.ts'

const { missing: skip } = await machineImage()
const program = join(import.meta.dirname, 'vfio-process.ts')
/** Everything is emulated twice. A run takes about a fifth of this. */
const secondsMax = 300
const vendorAndDevice = { first: '1b36:0010', second: '8086:5845' }

test('each machine gets the device of its slot through VFIO, and gives it back reset', { skip }, async () => {
  const output = await runOutside(program, secondsMax)
  const lines = output.split(/\r?\n/).filter((line) => line.startsWith('{"what"'))
  const said = new Map(lines.map((line) => JSON.parse(line)).map(({ what, value }) => [what, value]))
  const is = (what: string, value: unknown) => assert.deepEqual(said.get(what), value, `${what}. Console:\n${output}`)
  is('probe', 'fit')
  is('fit', { fits: true, assigned: [['0000:01:00.0'], ['0000:02:00.0']], problems: [] })
  is('drivers before', ['nvme', 'nvme'])
  is('drivers of machines', ['vfio-pci', 'vfio-pci'])
  const { first, second } = vendorAndDevice
  const [seenFirst = [], seenSecond = []] = said.get('seen') ?? []
  const has = (seen: readonly string[]) => [first, second].filter((ids) => seen.includes(ids))
  assert.deepEqual([has(seenFirst), has(seenSecond)], [[first], [second]], output)
  is('user', '59000')
  is('stolen', 'device_in_use')
  is('withheld', [])
  is('verified', 'good')
  is('problems', [])
  is('drivers after', ['nvme', 'nvme'])
  is('end', [true])
})
