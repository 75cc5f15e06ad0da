import assert from 'node:assert/strict'
import { test } from 'vitest'
import { findBeyond, isAmong, likePattern, likePatterns, readLimitedResource } from './resource-limits.rules.ts'

const web = 'svc:instance:acme:research:web-*'
const at = (path: string) => ({ id: 'inst_1', path })

test('an entry is an id of any kind or a path, with one * in the name', () => {
  for (const text of ['inst_a', 'ordr_a', web, 'svc:role:acme:*', 'svc:pool:acme:research:*-gpu', 'svc:pool:a:b:x*y'])
    assert.equal(readLimitedResource(text), text)
  assert.equal(readLimitedResource('vmi_a'), 'image_a')
  assert.equal(readLimitedResource('inst_vmi_a'), 'inst_vmi_a')
  const wrong = ['', '*', 'svc:*', 'svc:instance:acme:*:web', 'svc:*:acme:research:web', 'svc:instance:*:research:web']
  const hostile = [
    `${web}*`,
    'svc:instance:acme:web',
    'svc:role:acme:research:x',
    'svc:order:acme:research:x',
    'nope_a',
  ]
  const texts = ['svc:instance:acme:research:../web', 'svc:instance:acme:research:', 'Svc:instance:acme:research:web']
  const more = ['svc:instance:acme:research/other:web', 'research/instances/web-*', 'inst_a ', `${web}\n`, 'inst_*']
  for (const text of [...wrong, ...hostile, ...texts, ...more]) assert.equal(readLimitedResource(text), undefined, text)
})

test('a pattern matches names in its own place only, and case counts', () => {
  for (const name of ['web-', 'web-1', 'web-..', 'web-web-']) {
    assert.ok(isAmong([web], at(`svc:instance:acme:research:${name}`)), name)
  }
  for (const path of [
    'svc:instance:acme:research:web',
    'svc:instance:acme:research:Web-1',
    'svc:instance:acme:research:my-web-1',
    'svc:instance:acme:other:web-1',
    'svc:instance:evil:research:web-1',
    'svc:deployment:acme:research:web-1',
  ])
    assert.equal(isAmong([web], at(path)), false, path)
  assert.ok(isAmong(['inst_1'], { id: 'inst_1', path: undefined }))
  assert.equal(isAmong([web], { id: 'inst_1', path: undefined }), false)
  assert.ok(isAmong(['inst_2', web], at('svc:instance:acme:research:web-1')))
})

test('a * in the middle needs both ends, which do not overlap', () => {
  const middle = ['svc:pool:acme:main:aba*aba']
  const isIn = (name: string) => isAmong(middle, at(`svc:pool:acme:main:${name}`))
  assert.ok(isIn('abaaba') && isIn('aba-1-aba'))
  assert.equal(isIn('ababa') || isIn('aba') || isIn('aba-1') || isIn('1-aba'), false)
})

test('a narrower limit is one whose entries all lie in the wider one', () => {
  const beyond = (inner: string) => findBeyond(['svc:pool:acme:main:a*z', 'inst_1'], [inner])
  for (const inner of ['svc:pool:acme:main:a*z', 'svc:pool:acme:main:ab*yz', 'svc:pool:acme:main:a-z', 'inst_1'])
    assert.equal(beyond(inner), undefined, inner)
  for (const inner of [
    'svc:pool:acme:main:*',
    'svc:pool:acme:main:a*',
    'svc:pool:acme:main:*z',
    'svc:pool:acme:main:b*z',
    'svc:pool:acme:main:a',
    'svc:pool:acme:mains:a*z',
    'inst_2',
  ])
    assert.equal(beyond(inner), inner)
})

test('patterns of like match the same: their own special characters count as themselves', () => {
  assert.deepEqual(likePatterns(['inst_1', 'svc:pool:acme:my_ws:a_*-b']), ['svc:pool:acme:my\\_ws:a\\_%-b'])
  assert.equal(likePattern('*a_%b\\c*'), '%a\\_\\%b\\\\c%')
})
