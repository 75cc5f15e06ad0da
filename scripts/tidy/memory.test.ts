import assert from 'node:assert/strict'
import { test } from 'vitest'
import { cachesAreRemembered, moduleStateIsIndependent, servicesAreRemembered } from './memory.ts'
import { repositoryOf } from './source.ts'

const path = 'packages/server/src/iam/tokens/gate.service.ts'
const messages = (rule: typeof cachesAreRemembered, ...files: [string, string][]) =>
  rule(repositoryOf(new Map(files))).map(({ path, line }) => `${path}:${line}`)

test('a cache outside of remember is a finding', () => {
  assert.deepEqual(messages(cachesAreRemembered, [path, 'const known = createRecentCache(5)']), [`${path}:1`])
  const kept = 'const known = history.remember(() => createRecentCache(5))'
  assert.deepEqual(messages(cachesAreRemembered, [path, kept]), [])
  const maker = 'export function createPages() {\n  return { pages: createRecentCache(5) }\n}'
  assert.deepEqual(messages(cachesAreRemembered, [path, maker]), [`${path}:2`])
  const services: [string, string] = ['packages/server/src/assembly/services.ts', 'history.remember(createPages)']
  assert.deepEqual(messages(cachesAreRemembered, [path, maker], services), [])
})

test('a map of a module is a finding, and one of a function is not', () => {
  assert.deepEqual(messages(moduleStateIsIndependent, [path, 'const known = new WeakMap()']), [`${path}:1`])
  assert.deepEqual(messages(moduleStateIsIndependent, [path, 'const kinds = new Map([[1, 2]])']), [])
  assert.deepEqual(messages(moduleStateIsIndependent, [path, 'function f() {\n  return new Map()\n}']), [])
})

test('a service that is neither remembered nor listed is a finding', () => {
  const services = 'packages/server/src/assembly/services.ts'
  const make = (member: string) => `export function createServices() {\n  return {\n    ${member},\n  }\n}`
  assert.deepEqual(messages(servicesAreRemembered, [services, make('books: new Map()')]), [`${services}:3`])
  assert.deepEqual(messages(servicesAreRemembered, [services, make('books: history.remember(f)')]), [])
  assert.deepEqual(messages(servicesAreRemembered, [services, make('streams: createStreams()')]), [])
})
