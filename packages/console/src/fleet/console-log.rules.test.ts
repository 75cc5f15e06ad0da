import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { grown, lineCount, nothingYet, openReader } from './console-log.rules.ts'

const esc = String.fromCharCode(27)

test('a console keeps the newest lines, never more than the bound, and counts what is gone', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 60 }), { maxLength: 60 }), (pieces) => {
      let log = nothingYet
      for (const piece of pieces) log = grown(log, `${piece}\n`, 200)
      const all = pieces.map((piece) => `${piece}\n`).join('')
      assert.ok(log.text.length <= 200)
      assert.equal(log.text, all.slice(log.dropped))
    }),
  )
})

test('codes of a terminal never reach the page, wherever a chunk is cut', () => {
  const hostile = `a${esc}[2Jb${esc}]0;title${String.fromCharCode(7)}c\u202ed é`
  const bytes = new TextEncoder().encode(hostile)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: bytes.length }), (cut) => {
      const reader = openReader()
      const inBase64 = (part: Uint8Array) => btoa(String.fromCharCode(...part))
      const text = reader.read(inBase64(bytes.slice(0, cut))) + reader.read(inBase64(bytes.slice(cut))) + reader.end()
      assert.equal(text, 'abc\ufffdd é')
    }),
  )
})

test('lines are counted with one that has not ended', () => {
  const counts = ['', 'a', 'a\n', 'a\n\nb'].map((text) => lineCount({ text }))
  assert.deepEqual(counts, [0, 1, 1, 3])
})
