import { readFileSync } from 'node:fs'
import { type FaultField, faultKinds } from '../../packages/api/src/sandbox/faults.ts'
import { scenarios } from '../../packages/api/src/sandbox/scenarios.ts'
import { markdownTable } from './page-links.ts'

const path = 'docs/guides/sandbox.md'
const worldHead = ['World', 'What it has']
const faultHead = ['Fault', 'Does', 'Needs', 'May have']

/** The guide of the sandbox, with the worlds and the faults of the contract in its tables. */
export function printSandboxGuide(text = readFileSync(path, 'utf8')): Map<string, string> {
  const worlds = Object.entries(scenarios).map(([name, meaning]) => [`\`${name}\``, meaning])
  const faults = Object.entries(faultKinds).map(([kind, { meaning, one_of, also }]) => [
    `\`${kind}\``,
    meaning,
    one_of.map(flagsOf).filter(Boolean).join('; or ') || 'nothing',
    flagsOf(also) || 'nothing',
  ])
  const tables = [
    [worldHead, worlds],
    [faultHead, faults],
  ] as const
  return new Map([[path, tables.reduce((page, [head, rows]) => replaceTable(page, head, rows), text)]])
}

/** The table of a page with this head has these rows instead. Throws where the page has no such table. */
function replaceTable(page: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const [before, after] = page.split(`| ${head.join(' | ')} |\n`)
  if (before === undefined || after === undefined) throw new Error(`${path} has no table with ${head.join(', ')}.`)
  return `${before}${markdownTable(head, rows)}${after.replace(/^(\|.*\n)*/, '')}`
}

function flagsOf(fields: readonly FaultField[]): string {
  return fields.map((field) => `\`--${field.replace(/_percent$/, '').replaceAll('_', '-')}\``).join(', ')
}
