/**
 * The files of real machines, written by hand from public listings (test/machines). A line `@file <path>` begins a
 * file, or goes on with it. `@link <path> <target>` is a link, `.` an empty line, and `\1` a byte. What stands between
 * `@each n 0-3` or `@rows a,b c,d` and `@end` is repeated: `{n}` with whole-number arithmetic, or `{1}` for a column.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { atEnd } from '../../../../test/at-end.ts'
import { fastDirectory } from '../../../../test/fast-directory.ts'

/** The machines that have files. */
export const machineNames = ['dgx-h100', 'hgx-a100', 'l40s-dual-socket', 'mi300x', 'laptop', 'cloud-vm'] as const
export type MachineName = (typeof machineNames)[number]

/** Contents by path. A content that begins with `->` is a link. */
export type Files = Map<string, string>

/** The files of a machine. */
export function filesOf(name: MachineName): Files {
  const text = readFileSync(join(import.meta.dirname, '../machines', `${name}.txt`), 'utf8')
  const lines = text.split('\n').filter((line) => !line.startsWith('#'))
  const files: Files = new Map()
  let path = ''
  for (const line of expand(lines)) {
    const [word, where = '', target = ''] = line.split(' ')
    if (word === '@file') path = where
    else if (word === '@link') files.set(where, `->${target}`)
    else if (line !== '') files.set(path, `${files.get(path) ?? ''}${line === '.' ? '' : bytesOf(line)}\n`)
  }
  return files
}

/** Writes files below a new folder, which is removed at the end of the test file. */
export function writeTree(files: Files): string {
  const root = mkdtempSync(join(fastDirectory(), 'bourse-machine-'))
  atEnd(() => rmSync(root, { recursive: true, force: true }))
  for (const folder of new Set([...files.keys()].map((path) => dirname(join(root, path)))))
    mkdirSync(folder, { recursive: true })
  for (const [path, content] of files) {
    const at = join(root, path)
    if (content.startsWith('->')) symlinkSync(content.slice(2), at)
    else writeFileSync(at, content, 'latin1')
  }
  return root
}

function expand(lines: readonly string[]): string[] {
  const all: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const [word, ...words] = (lines[at] as string).split(' ')
    if (word !== '@each' && word !== '@rows') {
      all.push(lines[at] as string)
      continue
    }
    const end = lines.indexOf('@end', at)
    const block = lines.slice(at + 1, end)
    if (word === '@rows') {
      for (const row of words) {
        const columns = row.split(',')
        all.push(...block.map((line) => line.replace(/\{(\d)\}/g, (_, column) => columns[column - 1] as string)))
      }
    } else {
      const [first, last] = (words[1] as string).split('-').map(Number) as [number, number]
      for (let n = first; n <= last; n++) {
        all.push(...block.map((line) => line.replace(/\{(n[^}]*)\}/g, (_, term) => `${termOf(term, n)}`)))
      }
    }
    at = end
  }
  return all
}

/** From left to right, in whole numbers: `n%112/56`. */
function termOf(term: string, n: number): number {
  const steps = [...term.slice(1).matchAll(/([*/%+])(\d+)/g)]
  return steps.reduce((value, [, sign, text]) => {
    const number = Number(text)
    if (sign === '*') return value * number
    if (sign === '+') return value + number
    return sign === '/' ? Math.floor(value / number) : value % number
  }, n)
}

function bytesOf(line: string): string {
  return line.replace(/\\(\d+)/g, (_, code) => String.fromCharCode(Number(code)))
}
