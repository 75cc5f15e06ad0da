import assert from 'node:assert/strict'
import { test } from 'vitest'
import { idsSeen, probeDisk, probeProblem } from './probe-sector.ts'

const board = ['8086:29c0', '1af4:1001', '1b36:000c', '1b36:0011', '8086:2918']

test('the list of a probe machine is read once it is whole', () => {
  const line = (ids: string) => `pci ${ids}\r\n`
  const output = `SeaBIOS\r\n${board.map(line).join('')}`
  assert.equal(idsSeen(output), undefined)
  assert.deepEqual(idsSeen(`${output}all seen\r\n`), board)
  assert.deepEqual(idsSeen('pci 10de:2330 x\r\nall seen\r\n'), [])
})

test('a slot is good if its machine sees all of its devices, and no others', () => {
  const gpu = '10de:2330'
  assert.equal(probeProblem([...board, gpu, gpu], [gpu, gpu]), undefined)
  assert.equal(probeProblem([...board, gpu], [gpu, gpu]), `a machine of it does not see ${gpu}`)
  assert.equal(probeProblem([...board, gpu, '15b3:1021'], [gpu]), 'a machine of it sees 15b3:1021 too')
  assert.equal(probeProblem(board, []), undefined)
  // Emulated devices count if they are those of the slot.
  assert.equal(probeProblem(board, ['1b36:0010']), 'a machine of it does not see 1b36:0010')
})

test('the disk boots: its first sector ends with the mark, and its texts lie where the program reads them', () => {
  const disk = probeDisk()
  assert.equal(disk.readUInt16LE(510), 0xaa55)
  assert.equal(disk.toString('latin1', 0x83, 0x83 + 4), 'pci ')
  assert.equal(disk.toString('latin1', 0x8b, 0x8b + 8), 'all seen')
  assert.ok(disk.subarray(150, 446).every((byte) => byte === 0))
})
