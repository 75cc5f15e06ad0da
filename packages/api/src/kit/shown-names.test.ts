import assert from 'node:assert/strict'
import { test } from 'vitest'
import { shownEmailPattern, shownName, shownNamePattern } from './shown-names.ts'

const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

test('a name has no invisible character, whether a validator sets the flag u or not', () => {
  const patterns = [new RegExp(shownNamePattern, 'u'), new RegExp(shownNamePattern)]
  for (let code = 0; code <= 0x10ffff; code++) {
    const text = String.fromCodePoint(code)
    if (!invisible.test(text)) continue
    if (patterns.some((pattern) => pattern.test(`a${text}b`))) assert.fail(`U+${code.toString(16)} is let through`)
    if (shownName(`a${text}b`) !== 'ab') assert.fail(`U+${code.toString(16)} is kept`)
  }
})

test('names in the usual scripts are names', () => {
  for (const text of ["Ada's laptop (2)", 'Übung–ß', 'ноутбук', '笔记本', 'مفكرة', 'मशीन', '<b>']) {
    assert.match(text, new RegExp(shownNamePattern, 'u'))
    assert.equal(shownName(text), text)
  }
})

test('an e-mail address has one @, no white space, no invisible character and nothing of a URL', () => {
  const pattern = new RegExp(shownEmailPattern)
  for (const text of ['ada@example.com', "o'neil+tag@example.co.uk", 'jürgen@exämple.de', '用户@例子.广告', 'a@b']) {
    assert.match(text, pattern)
  }
  for (const text of ['', 'ada', '@example.com', 'ada@', 'a@b@c']) assert.doesNotMatch(text, pattern)
  for (const part of [' ', '\u00a0', '\u2003', '\u3000', '\n', '\u200b', '\u00ad', '\u202e', '\ufeff', '\u{e0041}']) {
    assert.doesNotMatch(`a${part}da@example.com`, pattern)
    assert.doesNotMatch(`ada@exam${part}ple.com`, pattern)
  }
  for (const sign of ['/', '?', '#', '\\', '%', ':']) {
    assert.match(`a${sign}da@example.com`, pattern)
    assert.doesNotMatch(`ada@example.com${sign}x`, pattern)
  }
  assert.match('ada@[192.0.2.1]', pattern)
})
