import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { parse } from 'yaml'
import { metaData } from './cloud-init.rules.ts'

/** Names of instances that YAML 1.1, which cloud-init reads, or YAML 1.2 takes for another type without quotes. */
const names = [
  '123',
  '007',
  '012',
  '0x1F',
  '0b1',
  '1e3',
  '1.5',
  '-1',
  '1_000',
  '190:20:30',
  '.5',
  '.inf',
  '.nan',
  'true',
  'True',
  'no',
  'No',
  'on',
  'off',
  'yes',
  'y',
  'n',
  'null',
  'Null',
  '~',
  '2026-01-01',
  '2026-01-01T00:00',
  '=',
  '<<',
  '-',
  '---',
  'a: b',
  'a #b',
  '{a',
  '[a',
  '*a',
  '&a',
  '!a',
  "'",
  '"',
  '\\',
  '%a',
  '@a',
  '',
]

test('every value of the meta-data is read as the text that it is', () => {
  for (const version of ['1.1', '1.2'] as const) {
    const reads = (value: string) => {
      const values = { 'instance-id': 'inst_1', 'local-hostname': value }
      assert.deepEqual(parse(metaData(values), { version }), values)
    }
    for (const name of names) reads(name)
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), reads))
  }
})

test('a list of keys is read as the list of texts that it is', () => {
  const values = { 'instance-id': 'inst_1', 'public-keys': ['ssh-ed25519 AAAA "a": b # sshk_a', 'ssh-rsa AAAA sshk_b'] }
  for (const version of ['1.1', '1.2'] as const) assert.deepEqual(parse(metaData(values), { version }), values)
})
