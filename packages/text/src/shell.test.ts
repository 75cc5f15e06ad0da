import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { test } from 'vitest'
import { shellWord, singleQuoted, withInput } from './shell.ts'

const begin = String.fromCharCode(27)
const interrupt = String.fromCharCode(3)
const one = `it's${interrupt}${begin}[2J\r\u007f\u009b\u202e\u2066\u200b\u{e0041}\tend\n`
const texts = fc.oneof(fc.constant(one), fc.string({ unit: 'binary', maxLength: 40 }))
const withoutNul = texts.map((text) => text.replaceAll('\0', ''))

/** What a shell hands over, and that a terminal acts on nothing of the line and shows all of it. */
function read(line: string): string {
  assert.doesNotMatch(line, /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u)
  return execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' })
}

test('a shell reads exactly a quoted text, and a terminal acts on none of its characters', () => {
  const check = (some: string[]) => {
    const shown = read(`printf '%s\\0' ${some.map(singleQuoted).join(' ')}`)
    assert.deepEqual(
      shown.split('\0').slice(0, -1),
      some.map((text) => Buffer.from(text).toString()),
    )
  }
  check([one])
  fc.assert(fc.property(fc.array(withoutNul, { minLength: 1, maxLength: 20 }), check), { numRuns: 20 })
  assert.equal(singleQuoted('a\0b'), "'ab'")
})

test('a command reads exactly its input, in base64 where a terminal would act on it', () => {
  const check = (text: string) => assert.equal(read(withInput('cat', text)), Buffer.from(text).toString())
  for (const text of [one, `${one}\nEOF\n`, 'a\nEOF\n', 'no end', 'x'.repeat(500), '\0\n']) check(text)
  fc.assert(
    fc.property(
      texts.filter((text) => text !== ''),
      check,
    ),
    { numRuns: 20 },
  )
  assert.equal(withInput('cat', 'a\nEOF\n'), "cat <<'EOFF'\na\nEOF\nEOFF")
  assert.equal(withInput('cat', `a${interrupt}\n`), "base64 -d <<'EOF' | cat\nYQMK\nEOF")
  assert.equal(withInput('cat', ''), 'cat')
})

test('a word is quoted only where a shell would read another one', () => {
  for (const word of ['a', '10.0.0.0/8', 'root@host', '--rate=5%', '2026-12-01T09:00Z', 'a,b', '+2h'])
    assert.equal(shellWord(word), word)
  for (const word of ['', 'a b', "it's", '~', '$HOME', 'a;b', '*', '=ls', '{a,b}', '#', 'a\n', interrupt])
    assert.equal(shellWord(word), singleQuoted(word))
  const check = (some: string[]) => {
    assert.deepEqual(
      read(`printf '%s\\0' ${some.map(shellWord).join(' ')}`)
        .split('\0')
        .slice(0, -1),
      some,
    )
  }
  const word = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))
  fc.assert(fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), check), { numRuns: 20 })
})
