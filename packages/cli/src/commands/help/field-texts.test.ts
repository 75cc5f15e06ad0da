import assert from 'node:assert/strict'
import { boolean, id, idOrPath, integer, object, optional, text, timestamp } from '@bourse/api/kit/schema.ts'
import { printSpan } from '@bourse/text/grammar/spans.ts'
import { test } from 'vitest'
import { type Field, fieldsOf } from '../../input/fields.ts'
import { flagText, negativeText, parameterText } from './field-texts.ts'

const long = 'It is explained at great length in a sentence that hardly ends, and that nobody needs to type a value.'
const fields = fieldsOf(
  object({
    pool: idOrPath('pool', { description: 'Pool of the order. Default: none.' }),
    sku: optional(id('sku')),
    only: optional(id('sku', { description: 'Halt only this SKU. Default: the whole market.' })),
    user: optional(id('user', { description: 'User who is let in: its id.' })),
    at: optional(timestamp({ description: 'When it ends, in Unix seconds. `null`: never.' })),
    life: optional(integer({ unit: 'seconds', default: 86_400, description: 'How long it is valid.' })),
    note: optional(text({ max: 9, description: `A note. ${long} ${long}` })),
    enabled: optional(boolean({ description: 'Let it work.', negative: 'Let it pause.' })),
  }),
)

function field(name: string): Field {
  return fields.find((one) => one.name === name) as Field
}

test('the help says what the contract says, with the forms that a person types', () => {
  assert.equal(flagText(field('pool')), 'Pool of the order: name, id or path. Default: none. Required.')
  assert.equal(flagText(field('pool'), { is_optional: true }), 'Pool of the order: name, id or path. Default: none.')
  assert.equal(parameterText(field('sku')), 'SKU: alias or id.')
  assert.equal(flagText(field('only')), 'Halt only this SKU: alias or id. Default: the whole market.')
  assert.equal(flagText(field('user')), 'User who is let in: its id.')
  assert.equal(flagText(field('at')), 'When it ends. null: never. Time: now, +2h, 2026-01-31T12:00Z.')
  assert.equal(flagText(field('life')), 'How long it is valid. Default 1d.')
})

test('what the command fills in is said in place of "Required"', () => {
  assert.match(flagText(field('pool'), { filled_in: 'Default: the last one.' }), /Default: the last one\.$/)
})

test('of a long text the help has the sentences that fit, and always the first', () => {
  assert.equal(flagText(field('note')), `A note. ${long}`)
})

test('only a flag that can be switched off has a text for that', () => {
  assert.equal(negativeText(field('enabled')), 'Let it pause.')
  assert.equal(negativeText(field('note')), undefined)
})

test('a duration is printed in the largest whole unit', () => {
  const printed = [
    printSpan(86_400, 'seconds'),
    printSpan(90, 'minutes'),
    printSpan(60, 'minutes'),
    printSpan(250, 'milliseconds'),
  ]
  assert.deepEqual(printed, ['1d', '90m', '1h', '250ms'])
})
