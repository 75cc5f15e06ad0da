/** The errors of the reference say what the server says: each text is one of its source. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { test } from 'vitest'
import { buildOpenapi } from '../../packages/api/src/openapi.ts'

type SyntaxPart = { type?: string; value?: unknown; quasis?: { value: { cooked: string } }[] }

const root = join(import.meta.dirname, '../..')
const sources = ['packages/server/src/**/*.ts', 'packages/api/src/**/*.ts']
const ownTexts = 'packages/api/src/openapi/error-examples.ts'

/** The texts of a source, with a gap where it fills in a value. */
function textsOf(path: string): string[][] {
  const texts: string[][] = []
  const visit = (part: unknown) => {
    if (part === null || typeof part !== 'object') return
    const { type, value, quasis } = part as SyntaxPart
    if (type === 'Literal' && typeof value === 'string') texts.push([value])
    if (type === 'TemplateLiteral') texts.push((quasis ?? []).map((one) => one.value.cooked))
    for (const member of Object.values(part)) visit(member)
  }
  visit(parseSync(path, readFileSync(join(root, path), 'utf8')).program)
  return texts
}

/** Whether a message is made of texts of the source, one or more behind each other. */
function isSaid(message: string, patterns: readonly RegExp[]): boolean {
  if (message === '') return true
  return patterns.some((pattern) => {
    const [found] = pattern.exec(message) ?? []
    return found !== undefined && isSaid(message.slice(found.length).trimStart(), patterns)
  })
}

function messages(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return []
  const { error } = value as { error?: { message?: unknown } }
  const own = typeof error?.message === 'string' ? [error.message] : []
  return [...own, ...Object.values(value).flatMap(messages)]
}

test('every error of the reference has a text of the server', () => {
  const paths = sources.flatMap((pattern) => globSync(pattern, { cwd: root }))
  const texts = paths.filter((path) => path !== ownTexts && !path.endsWith('.test.ts')).flatMap(textsOf)
  const escaped = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
  const patterns = texts
    .filter((parts) => parts.join('').length >= 12)
    // A value at the end of a text may be a sentence of its own.
    .map((parts) => new RegExp(`^${parts.map(escaped).join('.*').trimEnd()}(?= |$)`))
  const shown = [...new Set(messages(buildOpenapi()))]
  assert.ok(shown.length > 50, `${shown.length} messages`)
  assert.deepEqual(
    shown.filter((message) => !isSaid(message, patterns)),
    [],
  )
  assert.equal(isSaid('Nothing of the server says this.', patterns), false)
})
