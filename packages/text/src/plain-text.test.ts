import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { createConsoleText, printable, visibleJson } from './plain-text.ts'

const attacks = [
  '\x1b[2J\x1b[H',
  '\x1b]0;title\x07',
  '\x1b]52;c;cm0gLXJm\x1b\\',
  '\x1bP$q"p\x1b\\',
  '\x9b31m',
  '\u202egnp.exe',
  'pay\u200bpal',
  '\u2066x\u2069',
  '\ufeff',
  '\u00ad',
  '\u3164',
  '\u{e0041}',
  '\u2028',
  '\x7f\x08',
]

/** Whether a text has a character that moves the cursor or is not seen. */
function hasHidden(text: string, allowed = ''): boolean {
  const rest = [...text].filter((character) => !allowed.includes(character)).join('')
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u.test(rest)
}

test('no escape sequence and no invisible character is printable', () => {
  for (const attack of attacks) assert.ok(!hasHidden(printable(`a${attack}b`)), JSON.stringify(attack))
  assert.equal(printable('Größe 中文 🙂 – ok'), 'Größe 中文 🙂 – ok')
})

test('JSON shows invisible characters as escapes and keeps its value', () => {
  for (const attack of attacks) {
    const value = { name: `a${attack}b`, tags: { [attack]: '\n' } }
    const shown = visibleJson(JSON.stringify(value, null, 2))
    assert.ok(!hasHidden(shown, '\n'), shown)
    assert.deepEqual(JSON.parse(shown), value)
  }
})

test('a console is lines of visible text, however its bytes are cut', () => {
  const whole = 'start\r\n\x1b[32m[  OK  ]\x1b[0m Größe\tok\rover\x1b]0;title\x07 \x1b[1;31mred\x1b[0m\u202e\n$ '
  const bytes = Buffer.from(whole)
  const cuts = fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 8 })
  fc.assert(
    fc.property(cuts, (at) => {
      const text = createConsoleText()
      const edges = [0, ...at.toSorted((a, b) => a - b), bytes.length]
      const out = edges.slice(1).map((end, index) => text.write(bytes.subarray(edges[index], end)))
      assert.equal(out.join('') + text.end(), 'start\n[  OK  ] Größe\tok\nover red\ufffd\n$ ')
    }),
  )
})

test('no bytes of a console reach the terminal as a control character', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 }), (pieces) => {
      const text = createConsoleText()
      const out = pieces.map((piece) => text.write(piece)).join('') + text.end()
      assert.ok(!hasHidden(out, '\n\t'))
    }),
  )
})
