import assert from 'node:assert/strict'
import { test } from 'vitest'
import { shownName, shownNamePattern } from './shown-names.ts'

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
