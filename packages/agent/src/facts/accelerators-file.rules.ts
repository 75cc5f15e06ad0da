// The operator's own models of accelerators: a JSON list, one object for each PCI id.

import type { AcceleratorModel, AcceleratorTable } from './accelerator-models.ts'

/** The most bytes of the file, and the most models in it. */
export const acceleratorsFileBytesMax = 65_536
const modelsMax = 256

type Rule = { readonly pattern: RegExp; readonly form: string; readonly isOptional?: true }
const texts: Readonly<Record<'pci_id' | 'kind' | 'name' | 'form_factor', Rule>> = {
  pci_id: { pattern: /^[0-9a-f]{4}:[0-9a-f]{4}$/, form: 'vendor and device in lower case, such as 10de:2330' },
  kind: { pattern: /^[a-z0-9][a-z0-9.-]{0,31}$/, form: 'up to 32 lower-case letters, digits, dots and hyphens' },
  name: { pattern: /^[ -~]{1,64}$/, form: 'up to 64 printable ASCII characters' },
  form_factor: {
    pattern: /^[a-z0-9][a-z0-9.-]{0,15}$/,
    form: 'up to 16 lower-case letters and digits',
    isOptional: true,
  },
}
const gibibytesMax = 65_536
const members = [...Object.keys(texts), 'memory_gib']

/** Reads the file. Returns a sentence about the first mistake if there is one. */
export function parseAccelerators(text: string): AcceleratorTable | string {
  if (Buffer.byteLength(text) > acceleratorsFileBytesMax) return `It has more than ${acceleratorsFileBytesMax} bytes.`
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch (error) {
    return `It is not JSON: ${(error as Error).message}.`
  }
  if (!Array.isArray(list)) return 'It must be a list: [{"pci_id": "10de:2330", "kind": "h100", "name": "H100"}].'
  if (list.length > modelsMax) return `It has ${list.length} models; ${modelsMax} are allowed.`
  const table = new Map<string, AcceleratorModel>()
  for (const [index, entry] of list.entries()) {
    const wrong = mistakeIn(entry)
    if (wrong !== undefined) return `Entry ${index + 1}: ${wrong}.`
    const { pci_id, kind, name, form_factor, memory_gib } = entry
    if (table.has(pci_id)) return `Entry ${index + 1}: ${pci_id} is given twice.`
    const memory_bytes = memory_gib === undefined ? null : memory_gib * 2 ** 30
    table.set(pci_id, { kind, name, form_factor: form_factor ?? null, memory_bytes })
  }
  return table
}

function mistakeIn(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return 'this is no object'
  const given = entry as Readonly<Record<string, unknown>>
  const unknown = Object.keys(given).find((name) => !members.includes(name))
  if (unknown !== undefined)
    return `there is no member ${JSON.stringify(unknown).slice(0, 66)}; use ${members.join(', ')}`
  for (const [name, { pattern, form, isOptional }] of Object.entries(texts)) {
    const value = given[name]
    if (value === undefined && isOptional) continue
    if (typeof value !== 'string' || !pattern.test(value)) return `${name} must be ${form}`
  }
  const { memory_gib } = given
  const isSize = Number.isInteger(memory_gib) && (memory_gib as number) >= 1 && (memory_gib as number) <= gibibytesMax
  return memory_gib === undefined || isSize ? undefined : `memory_gib must be a whole number up to ${gibibytesMax}`
}
