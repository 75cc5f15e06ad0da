import assert from 'node:assert/strict'
import { dirname } from 'node:path/posix'
import { test } from 'vitest'
import { dataDirectoryOf, findProgram } from './program.ts'

test('the program is the nearest package above that is the whole of it', () => {
  const manifests: Record<string, string> = {
    '/srv/app/packages/server': '{ "name": "@bourse/server", "version": "9.9.9" }',
    '/srv/app': '{ "name": "bourse", "version": "1.2.3" }',
    '/srv': '{ "name": "@bourse/cli", "version": "4.5.6", "commit": "abc" }',
  }
  const find = (from: string) => findProgram(from, { parentOf: dirname, readManifest: (path) => manifests[path] })
  assert.deepEqual(find('/srv/app/packages/server/src/core'), {
    directory: '/srv/app',
    version: '1.2.3',
    commit: undefined,
  })
  assert.deepEqual(find('/srv/lib'), { directory: '/srv', version: '4.5.6', commit: 'abc' })
  assert.throws(() => find('/home/anna'), /No package above \/home\/anna is the program/)
})

test('a data directory that is not set is that of the working directory', () => {
  assert.equal(dataDirectoryOf({ BOURSE_DATA_DIR: '/srv/data' }), '/srv/data')
  for (const variables of [{}, { BOURSE_DATA_DIR: '' }]) assert.equal(dataDirectoryOf(variables), 'data')
})
