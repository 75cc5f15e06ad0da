import assert from 'node:assert/strict'
import { test } from 'vitest'
import { mapReferences, type SentReference } from './references.ts'
import { array, idOrPath, nullable, object, optional, text } from './schema.ts'

const schema = object({
  image: idOrPath('image'),
  subnet: optional(nullable(idOrPath('subnet'))),
  tags: optional(object({ owner: text({ max: 64 }) })),
  pools: optional(array(idOrPath('pool'), { max: 9 })),
})

test('each field that accepts an id or a path is replaced, and nothing else', () => {
  const found: SentReference[] = []
  const value = { image: 'image_1', subnet: null, tags: { owner: 'pool_1' }, pools: ['pool_1', 'svc:pool:a:b:c'] }
  const copy = mapReferences(schema, value, (sent) => {
    found.push(sent)
    return `${sent.ref}!`
  })
  assert.deepEqual(copy, { ...value, image: 'image_1!', pools: ['pool_1!', 'svc:pool:a:b:c!'] })
  assert.deepEqual(found, [
    { kind: 'image', ref: 'image_1' },
    { kind: 'pool', ref: 'pool_1' },
    { kind: 'pool', ref: 'svc:pool:a:b:c' },
  ])
})

test('a value without a schema stays as it is', () => {
  const replace = () => assert.fail('nothing to replace')
  assert.deepEqual(mapReferences(object({}), { more: ['pool_1'], count: 1 }, replace), { more: ['pool_1'], count: 1 })
})
