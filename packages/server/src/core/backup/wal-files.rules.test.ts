import assert from 'node:assert/strict'
import { test } from 'vitest'
import {
  archiveProblem,
  filesBefore,
  findMissingSegment,
  historyName,
  isArchivedName,
  parseLsn,
  printLsn,
  timelineSteps,
} from './wal-files.rules.ts'

const segmentBytes = 16 * 2 ** 20
const system = '7713422155867556640'

function segment({ identifier = system, bytes = segmentBytes, magic = 0xd1 } = {}): Buffer {
  const made = Buffer.alloc(bytes)
  made.writeUInt8(magic, 1)
  made.writeUInt16LE(2, 2)
  made.writeUInt32LE(1, 4)
  made.writeBigUInt64LE(BigInt(identifier), 24)
  made.writeUInt32LE(segmentBytes, 32)
  return made
}

test('only names that PostgreSQL archives are accepted', () => {
  const good = ['000000010000000000000002', '00000002.history', '000000010000000000000002.00000028.backup']
  for (const name of [...good, '000000010000000000000002.partial']) assert.equal(isArchivedName(name), true, name)
  const bad = [
    '',
    '../../etc/passwd',
    '00000001000000000000000g',
    '00000001',
    '000000010000000000000002/x',
    'x.history',
  ]
  for (const name of bad) assert.equal(isArchivedName(name), false, name)
})

test('a segment has to be whole, and of the cluster that archives it', () => {
  const name = '000000010000000000000002'
  assert.equal(archiveProblem(name, segment(), system), undefined)
  assert.match(archiveProblem(name, segment({ identifier: '7' }), system) ?? '', /it is of the system 7, and/)
  assert.match(archiveProblem(name, segment().subarray(0, 8192), system) ?? '', /8192 bytes instead of 16777216/)
  assert.match(archiveProblem(name, segment({ magic: 0 }), system) ?? '', /no segment/)
  assert.match(archiveProblem(name, Buffer.alloc(3), system) ?? '', /no segment/)
  assert.equal(archiveProblem('00000002.history', Buffer.from('1\t0/3000000\tx'), system), undefined)
})

test('positions are read and written as PostgreSQL prints them', () => {
  for (const text of ['0/2000120', '16/B374D848', 'FFFFFFFF/FFFFFFFF']) assert.equal(printLsn(parseLsn(text)), text)
  assert.equal(parseLsn('1/0'), 2n ** 32n)
})

test('a history file gives the timelines on the way', () => {
  const text = '1\t0/5000000\tno recovery target specified\n\n2\t1/A0\tbefore 2026-11-29 03:00:00+00\n'
  assert.deepEqual(timelineSteps(3, text), [
    { timeline: 1, until_lsn: parseLsn('0/5000000') },
    { timeline: 2, until_lsn: parseLsn('1/A0') },
    { timeline: 3, until_lsn: undefined },
  ])
  assert.deepEqual(timelineSteps(1, ''), [{ timeline: 1, until_lsn: undefined }])
  assert.equal(historyName(26), '0000001A.history')
})

test('the first missing segment is found, across timelines and the ends of log files', () => {
  const plan = { from: parseLsn('0/2000120'), segment_bytes: segmentBytes }
  const of = (timeline: number, ...numbers: number[]) =>
    numbers.map((number) => {
      const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0')
      return `${hex(timeline)}${hex(Math.floor(number / 256))}${hex(number % 256)}`
    })
  const first = timelineSteps(1, '')
  const find = (names: string[], steps = first) => findMissingSegment(new Set(names), steps, plan)
  assert.equal(find([]), undefined, 'nothing is archived, so nothing is missing between')
  assert.equal(find(of(1, 2, 3, 4)), undefined)
  assert.equal(find(of(1, 2, 4)), '000000010000000000000003')
  assert.equal(find(of(1, 3, 4)), '000000010000000000000002')
  assert.equal(find(of(1, 254, 255, 256), first), '000000010000000000000002')
  assert.equal(find(of(1, ...Array.from({ length: 256 }, (_, n) => n + 2))), undefined)
  const steps = timelineSteps(2, '1\t0/4800000\tx\n')
  assert.equal(find([...of(1, 2, 3), ...of(2, 4, 5)], steps), undefined, 'the segment with the switch is of both')
  assert.equal(find([...of(1, 2, 3, 4), ...of(2, 5)], steps), undefined)
  assert.equal(find([...of(1, 2, 3, 4, 5), ...of(2, 6)], steps), '000000020000000000000005')
  assert.equal(find([...of(1, 2, 3), ...of(3, 9)], first), undefined, 'a timeline off the way does not count')
})

test('only segments before the oldest backup are removed, and histories stay', () => {
  const names = [
    '000000010000000000000001',
    '000000010000000000000001.00000028.backup',
    '000000010000000000000002',
    '000000020000000000000001',
    '00000002.history',
  ]
  assert.deepEqual(filesBefore(names, parseLsn('0/2000028'), segmentBytes), [names[0], names[1], names[3]])
})
