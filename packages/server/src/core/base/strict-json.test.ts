import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { sized } from '../../../test/support/size.ts'
import { parseStrictJson, type StrictJsonDefect } from './strict-json.ts'

function parse(text: string | Buffer) {
  return parseStrictJson(Buffer.from(text as string))
}

const name = fc.string({ unit: 'binary' }).filter((text) => text !== '__proto__' && isWellFormed(text))
const valid = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.string({ unit: 'binary' }).filter(isWellFormed),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(name, tie('value'), { maxKeys: 6, noNullPrototype: true }),
  ),
})).value

function isWellFormed(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

// Writes every character of every string as an escape, or with the spaces that JSON allows.
function spellOut(json: string): string {
  return json.replace(/[^\t\r\n\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

test('valid texts give the result of JSON.parse, with any escapes and spacing', () => {
  fc.assert(
    fc.property(valid, fc.constantFrom<string | number>('', 1, '\t', ' \r\n'), (value, space) => {
      const json = JSON.stringify(value, null, space)
      assert.deepEqual(parse(json), { ok: true, value: JSON.parse(json) })
      assert.deepEqual(parse(spellOut(json)), { ok: true, value: JSON.parse(json) })
    }),
    { numRuns: sized(500) },
  )
})

test('every text that JSON.parse refuses is refused, after random edits', () => {
  const edit = fc.record({
    at: fc.nat(),
    cut: fc.nat(3),
    put: fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ':', ',', '0', '-', 'e', '.', 'u'),
  })
  fc.assert(
    fc.property(valid, fc.array(edit, { minLength: 1, maxLength: 3 }), (value, edits) => {
      let text = JSON.stringify(value)
      for (const { at, cut, put } of edits) {
        const place = at % (text.length + 1)
        text = (text.slice(0, place) + put + text.slice(place + cut)).toWellFormed()
      }
      const result = parse(text)
      let parsed: unknown
      try {
        parsed = JSON.parse(text)
      } catch {
        assert.deepEqual({ ok: result.ok, code: 'code' in result && result.code }, { ok: false, code: 'invalid_json' })
        return
      }
      if (result.ok) assert.deepEqual(result.value, parsed)
    }),
    { numRuns: sized(2000) },
  )
})

test('no input makes the parser throw', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => void parseStrictJson(Buffer.from(bytes))))
})

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

const accepted: [string, string][] = [
  ['32 levels', deep(32)],
  ['the largest whole number', '9007199254740991'],
  ['the smallest whole number', '-9007199254740991'],
  ['a pair of surrogates by escapes', '"\\ud83d\\ude00"'],
  ['a pair of surrogates in capitals', '"\\uD83D\\uDE00"'],
  ['a character beyond 16 bits', '"😀"'],
  ['an escaped backslash before a u', '"\\\\u0000"'],
  ['two escaped backslashes and a quote', '"\\\\\\\\\\""'],
  ['brackets, colons and numbers inside of strings', '{"a":"[[{1.5:1e9}]]","b":"\\"1.5:"}'],
  ['one name at two places', '{"a":{"a":1},"b":[{"a":1},{"a":1}]}'],
  ['names that differ in case', '{"a":1,"A":2}'],
  ['names of the object prototype', '{"constructor":1,"toString":2,"hasOwnProperty":3,"prototype":4}'],
  ['names that are numbers', '{"1":1,"01":2,"0":3}'],
  ['an empty name', '{"":0}'],
  ['space around', ' \t\r\n{} \n'],
]
for (const [what, text] of accepted) {
  test(`${what}: accepted`, () => {
    assert.deepEqual(parse(text), { ok: true, value: JSON.parse(text) })
  })
}

const refused: [string, string | Buffer, StrictJsonDefect, field?: string][] = [
  ['nothing', '', 'invalid_json'],
  ['only space', '  ', 'invalid_json'],
  ['a byte order mark', '\ufeff{}', 'invalid_json'],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'invalid_json'],
  ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 'invalid_json'],
  ['a surrogate encoded in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'invalid_json'],
  ['a cut character', Buffer.from([0x22, 0xe2, 0x82]), 'invalid_json'],
  ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), 'invalid_json'],
  ['33 levels', deep(33), 'invalid_json'],
  ['33 levels of objects', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, 'invalid_json'],
  ['a hundred thousand levels', '['.repeat(100_000), 'invalid_json'],
  ['two members of one name', '{"a":1,"a":1}', 'invalid_json'],
  ['two members of one name, one by escapes', '{"a":1,"\\u0061":2}', 'invalid_json'],
  ['two members of one name, far inside', '{"x":[{"y":{"a":1,"b":2,"a":{"c":3}}}]}', 'invalid_json'],
  ['two objects of one name', '{"a":{"x":1},"a":{"y":1}}', 'invalid_json'],
  ['two empty names', '{"":1,"":2}', 'invalid_json'],
  ['two names that are one number', '{"1":1,"1":2}', 'invalid_json'],
  ['U+0000 by escape', '"a\\u0000b"', 'invalid_json'],
  ['U+0000 in a name', '{"\\u0000":1}', 'invalid_json'],
  ['U+0000 as it is', '"a\0b"', 'invalid_json'],
  ['a lone high surrogate', '"\\ud800"', 'invalid_json'],
  ['a lone low surrogate', '"\\udc00"', 'invalid_json'],
  ['surrogates in the wrong order', '"\\udc00\\ud800"', 'invalid_json'],
  ['two high surrogates', '"\\ud800\\ud800\\udc00"', 'invalid_json'],
  ['a high surrogate before a character', '"\\ud83dx"', 'invalid_json'],
  ['a high surrogate before another escape', '"\\ud83d\\n"', 'invalid_json'],
  ['a lone surrogate in a name', '{"\\udfff":1}', 'invalid_json'],
  ['a line break in a string', '"a\nb"', 'invalid_json'],
  ['a cut escape', '"\\u12', 'invalid_json'],
  ['an unknown escape', '"\\x41"', 'invalid_json'],
  ['a fraction', '{"rules":[{},{"port":1.5}]}', 'invalid_type', 'rules.1.port'],
  ['a fraction of zero', '{"a":1.0}', 'invalid_type', 'a'],
  ['an exponent', '[1e2]', 'invalid_type', '0'],
  ['an exponent in capitals', '{"a":{"b":1E2}}', 'invalid_type', 'a.b'],
  ['an exponent without end', '1e400', 'invalid_type'],
  ['2^53', '{"a":9007199254740992}', 'out_of_range', 'a'],
  ['2^53 + 1', '{"a":[0,9007199254740993]}', 'out_of_range', 'a.1'],
  ['-2^53', '-9007199254740992', 'out_of_range'],
  ['a number of 400 digits', `{"a":${'9'.repeat(400)}}`, 'out_of_range', 'a'],
  ['a leading zero', '01', 'invalid_json'],
  ['a plus sign', '+1', 'invalid_json'],
  ['a minus sign alone', '-', 'invalid_json'],
  ['two minus signs', '1-1', 'invalid_json'],
  ['NaN', 'NaN', 'invalid_json'],
  ['Infinity', '-Infinity', 'invalid_json'],
  ['a comment', '{} // x', 'invalid_json'],
  ['a comma too many', '{"a":1,}', 'invalid_json'],
  ['single quotes', "{'a':1}", 'invalid_json'],
  ['two texts', '{}{}', 'invalid_json'],
  ['an open string', '{"a', 'invalid_json'],
  ['an open object', '{"a":1', 'invalid_json'],
  ['a closing bracket too many', '{}]', 'invalid_json'],
  ['__proto__', '{"__proto__":{"is_admin":true}}', 'unknown_field'],
  ['__proto__ by escapes', '{"a":{"\\u005f_proto__":1}}', 'unknown_field'],
]
for (const [what, text, code, field] of refused) {
  test(`${what}: refused`, () => {
    const result = parse(text)
    assert.deepEqual(
      { ok: result.ok, code: 'code' in result && result.code, field: 'field' in result ? result.field : undefined },
      { ok: false, code, field },
    )
  })
}

test('a refusal contains nothing of the text except the path of a number', () => {
  const result = parse('{"a":"secret-marker","b":1.5,"c":12345678901234567890}')
  assert.doesNotMatch(JSON.stringify(result), /marker|1\.5|1234567/)
})

test('an invalid number under a very long name gives a short refusal', () => {
  const result = parse(`{"${'x'.repeat(100_000)}":0.5}`)
  assert.ok(JSON.stringify(result).length < 500)
})

test('a text with more values, or a longer string, than its limits is refused before it is parsed', () => {
  const limits = { values_max: 4, string_length_max: 6 }
  const codeOf = (text: string) => {
    const result = parseStrictJson(Buffer.from(text), limits)
    return result.ok ? undefined : result.code
  }
  for (const text of ['[1,2,3,4]', '{"a":1,"b":2,"c":3}', '[[[[]]]]', '["abcdef"]', '["\\u00e9"]', '[",,,,,"]']) {
    assert.equal(codeOf(text), undefined, text)
  }
  for (const text of ['[1,2,3,4,5]', '{"a":1,"b":2,"c":3,"d":4,"e":5}', '[[],[],[]]', '[[[[[', ',,,,,']) {
    assert.equal(codeOf(text), 'too_many', text)
  }
  for (const text of ['["abcdefg"]', '["\\u00e9a"]', '["\\n\\n\\n\\n"]', '{"abcdefg":1}']) {
    assert.equal(codeOf(text), 'too_long', text)
  }
})

test('a number of more than 1,000 characters is refused without its path', () => {
  assert.deepEqual(parse(`{"a":${'1'.repeat(1001)}}`), {
    ok: false,
    code: 'out_of_range',
    message: 'A number of the JSON text has more than 1,000 characters.',
  })
})
