import assert from 'node:assert/strict'
import { test } from 'vitest'
import { knownAccelerators } from './accelerator-models.ts'
import { acceleratorsFileBytesMax, parseAccelerators } from './accelerators-file.rules.ts'

const entry = { pci_id: '1e52:401e', kind: 'n300', name: 'Tenstorrent n300', form_factor: 'pcie', memory_gib: 24 }

test('a file gives models by their PCI ids', () => {
  const table = parseAccelerators(JSON.stringify([entry, { pci_id: '1e52:faca', kind: 'gs', name: 'Grayskull' }]))
  assert.ok(typeof table !== 'string', `${table}`)
  const { pci_id, memory_gib, ...model } = entry
  assert.deepEqual(table.get(pci_id), { ...model, memory_bytes: memory_gib * 2 ** 30 })
  assert.deepEqual(table.get('1e52:faca'), { kind: 'gs', name: 'Grayskull', form_factor: null, memory_bytes: null })
})

test('a mistake is named with its entry and with what is right', () => {
  for (const [file, sentence] of [
    ['{', /^It is not JSON: /],
    ['{}', /^It must be a list/],
    ['[7]', /^Entry 1: this is no object/],
    [JSON.stringify([entry, { ...entry, pci_id: '10DE:2330' }]), /^Entry 2: pci_id must be vendor and device in lower/],
    [JSON.stringify([{ ...entry, kind: 'H 100' }]), /^Entry 1: kind must be /],
    [JSON.stringify([{ ...entry, name: undefined }]), /^Entry 1: name must be /],
    [JSON.stringify([{ ...entry, memory_gib: 1.5 }]), /^Entry 1: memory_gib must be a whole number/],
    [JSON.stringify([{ ...entry, colour: 1 }]), /^Entry 1: there is no member "colour"; use pci_id, kind/],
    [JSON.stringify([entry, entry]), /^Entry 2: 1e52:401e is given twice/],
    [JSON.stringify(Array(257).fill(entry)), /^It has 257 models; 256 are allowed/],
    [' '.repeat(acceleratorsFileBytesMax + 1), /^It has more than 65536 bytes/],
  ] as const) {
    const read = parseAccelerators(file)
    assert.ok(typeof read === 'string')
    assert.match(read, sentence)
  }
})

test('the models that the agent knows pass as a file', () => {
  const list = [...knownAccelerators].map(([pci_id, { memory_bytes, form_factor, ...model }]) => {
    const form = form_factor === null ? {} : { form_factor }
    return { pci_id, ...model, ...form, ...(memory_bytes === null ? {} : { memory_gib: memory_bytes / 2 ** 30 }) }
  })
  const read = parseAccelerators(JSON.stringify(list))
  assert.ok(typeof read !== 'string', `${read}`)
  assert.deepEqual(new Map(read), new Map(knownAccelerators))
})
