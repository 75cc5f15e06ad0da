import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { sized } from '../../../test/support/size.ts'
import { createSeededRandom } from '../../core/base/random.ts'
import { defaultNameTemplate, nameFromTemplate, refuseNameTemplate } from './name-templates.rules.ts'
import { adjectives, nouns } from './words.rules.ts'

const code = (template: string) => refuseNameTemplate(template, 'instance_name_template')?.code

describe('a name template', () => {
  test('may contain each variable any number of times, and the characters of names between them', () => {
    for (const template of [
      defaultNameTemplate,
      '{{noun}}',
      'web-{{nanoid(1)}}',
      'A.b_c-{{nanoid(21)}}{{nanoid(21)}}.{{adjective}}',
      `x{{noun}}${'-'.repeat(242)}`,
    ]) {
      assert.equal(code(template), undefined, template)
    }
  })

  test('without a variable, with an unknown variable or with other characters is invalid_format', () => {
    for (const template of [
      '',
      'web',
      'web-1',
      '{{}}',
      '{{color}}',
      '{{ noun }}',
      '{{Noun}}',
      '{{noun',
      'noun}}',
      '{noun}',
      '{{{noun}}}',
      '{{nanoid}}',
      '{{nanoid()}}',
      '{{nanoid(0)}}',
      '{{nanoid(22)}}',
      '{{nanoid(01)}}',
      '{{nanoid(1.5)}}',
      '{{xnanoid(1)}}',
      '{{nanoid(1)x}}',
      '-{{noun}}',
      '.{{noun}}',
      '_{{noun}}',
      'a b{{noun}}',
      '{{noun}}/x',
      'é{{noun}}',
      '{{noun}}\n',
      '{{noun}}}',
    ]) {
      assert.equal(code(template), 'invalid_format', template)
    }
  })

  test('that has over 512 characters, or can make a name of over 255, is too_long', () => {
    assert.match(refuseNameTemplate(`{{noun}}${'a'.repeat(505)}`, 'name')?.message ?? '', /at most 512 characters/)
    assert.match(refuseNameTemplate(`{{noun}}${'a'.repeat(504)}`, 'name')?.message ?? '', /can have 516 characters/)
    assert.equal(code(`{{noun}}${'a'.repeat(243)}`), undefined)
    assert.equal(code(`{{noun}}${'a'.repeat(244)}`), 'too_long')
    assert.equal(code('{{nanoid(21)}}'.repeat(12)), undefined)
    assert.equal(code('{{nanoid(21)}}'.repeat(13)), 'too_long')
    assert.equal(code('{{adjective}}'.repeat(22)), 'too_long')
  })

  test('is refused with the field and a message that shows how to correct it', () => {
    assert.deepEqual(refuseNameTemplate('{{color}}', 'instance_name_template'), {
      code: 'invalid_format',
      field: 'instance_name_template',
      message: 'There is no variable {{color}}; nanoid takes a length from 1 to 21.',
    })
  })
})

describe('names made from a template', () => {
  const literal = fc.string({ unit: fc.constantFrom('a', 'Z', '0', '-', '.', '_'), maxLength: 20 })
  const variable = fc.oneof(
    fc.constantFrom('{{adjective}}', '{{noun}}'),
    fc.integer({ min: 1, max: 21 }).map((length) => `{{nanoid(${length})}}`),
  )
  const anyTemplate = fc.array(fc.oneof(literal, variable), { maxLength: 14 }).map((pieces) => pieces.join(''))

  test('are valid if the template is, and equal draws give equal names', () => {
    fc.assert(
      fc.property(anyTemplate, fc.nat(), (template, seed) => {
        if (code(template)) return
        const name = nameFromTemplate(template, createSeededRandom(seed).integer)
        assert.match(name, /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,254}$/)
        assert.equal(nameFromTemplate(template, createSeededRandom(seed).integer), name)
      }),
      { numRuns: sized(3_000) },
    )
  })

  test('keep the text and replace each variable', () => {
    const last = (maxExclusive: number) => maxExclusive - 1
    assert.equal(nameFromTemplate('a-{{adjective}}.{{noun}}_{{nanoid(3)}}', last), 'a-vivid.willow_zzz')
    assert.match(nameFromTemplate(defaultNameTemplate, createSeededRandom(1).integer), /^[a-z]+-[a-z]+-[0-9A-Za-z]{6}$/)
  })

  test('an invalid template throws', () => {
    assert.throws(() => nameFromTemplate('plain', () => 0), /The name template plain is invalid/)
  })
})

test('there are 128 different adjectives and 128 different nouns of at most 12 lower-case letters', () => {
  for (const words of [adjectives, nouns]) {
    assert.equal(words.length, 128)
    assert.equal(new Set(words).size, 128)
    for (const word of words) assert.match(word, /^[a-z]{2,12}$/)
    assert.equal(Math.max(...words.map((word) => word.length)), 12)
  }
})
