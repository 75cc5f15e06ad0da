/**
 * Cuts the fonts of the console down to what its pages show, because the first page has to fit into 150 kB: the signs
 * of English and of figures. Letters with accents are a file of their own, which a browser loads when a name has one.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import subsetFont from 'subset-font'
import { consoleFolder } from './config.ts'

type Cut = {
  readonly from: string
  readonly to: string
  readonly signs: string
  readonly features: string[]
  readonly weight: number | { readonly min: number; readonly max: number }
}

const ascii = signsBetween(0x20, 0x7e)
const marks = '–—−×·…‘’“”→←↑↓≈≤≥°±§\u00a0\u202f'
const accented = signsBetween(0xa1, 0xff)
const inter = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'
const weight = { min: 400, max: 650 }
// Figures of one width, so that columns of them line up.
const features = ['tnum', 'kern']

const cuts: readonly Cut[] = [
  { from: inter, to: 'inter.woff2', signs: ascii + marks, features, weight },
  { from: inter, to: 'inter-accented.woff2', signs: accented, features, weight },
  {
    from: '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
    to: 'jetbrains-mono.woff2',
    signs: ascii + marks,
    // Ligatures would show other signs than those that are copied.
    features: [],
    weight: 400,
  },
]

/** Writes the fonts where the style sheet of the console expects them. */
export async function cutFonts(): Promise<void> {
  const folder = join(consoleFolder, 'fonts')
  const { resolve } = createRequire(join(consoleFolder, 'package.json'))
  mkdirSync(folder, { recursive: true })
  for (const { from, to, signs, features: keepFeatures, weight: wght } of cuts) {
    const options = { targetFormat: 'woff2' as const, keepFeatures, noHinting: true, variationAxes: { wght } }
    writeFileSync(join(folder, to), await subsetFont(readFileSync(resolve(from)), signs, options))
  }
}

function signsBetween(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)).join('')
}
