import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { findPart } from '../../output/program-version.ts'
import { actionFor, installedText, programProblem, unitFiles } from './systemd-files.ts'

const sources = findPart('ops/systemd') ?? ''
const sourceOf = (name: string) => readFileSync(join(sources, name), 'utf8')
const [unit, settings] = ['bourse-server@.service', 'bourse.env'].map((name) => {
  const file = unitFiles.find(({ source }) => source === name)
  if (!file) throw new Error(name)
  return file
})

test('a file is written, brought up to date while nobody has changed it, and kept afterwards', () => {
  if (!unit) return
  const before = installedText('[Service]\nExecStart=/usr/bin/bourse serve\n', unit, '/usr/bin/node /opt/bourse.mjs')
  const after = installedText(
    '[Service]\nExecStart=/usr/bin/bourse serve\nRestart=no\n',
    unit,
    '/usr/bin/node /opt/bourse.mjs',
  )
  assert.match(before, /^# Written by .*\n\[Service\]\nExecStart=\/usr\/bin\/node \/opt\/bourse\.mjs serve\n$/)
  assert.equal(actionFor(after, undefined, unit), 'create')
  assert.equal(actionFor(after, after, unit), 'unchanged')
  assert.equal(actionFor(after, before, unit), 'update')
  assert.equal(actionFor(after, before.replace('serve', 'serve --debug'), unit), 'keep')
  assert.equal(actionFor(after, 'of somebody else', unit), 'keep')
})

test('settings are written once, without a mark, and never replaced', () => {
  if (!settings) return
  const text = installedText('#BOURSE_PORT=8080\n', settings, '/usr/bin/bourse')
  assert.equal(text, '#BOURSE_PORT=8080\n')
  assert.equal(actionFor(text, '#BOURSE_PORT=80\n', settings), 'keep')
})

test('a program whose path a unit cannot name, or cannot see, is refused', () => {
  assert.equal(programProblem(['/usr/bin/node', '/usr/local/lib/node_modules/bourse/bin/bourse.mjs']), undefined)
  assert.match(programProblem(['/usr/bin/node', '/opt/my bourse/bourse.mjs']) ?? '', /cannot name \/opt\/my bourse/)
  assert.match(
    programProblem(['/root/node', '/opt/bourse.mjs']) ?? '',
    /may not read home directories, and \/root\/node/,
  )
})

test('the file of settings has every setting that a server reads', () => {
  const server = join(sources, '../../packages/server/src')
  const read = ['config.ts', 'core/blobs/blob-settings.ts', 'core/keys/key-files.ts'].map((path) =>
    readFileSync(join(server, path), 'utf8'),
  )
  const names = new Set(`${read.join('')}BOURSE_DATA_DIR`.match(/BOURSE_[A-Z0-9_]+[A-Z0-9]/g))
  assert.ok(names.size > 25)
  const text = sourceOf('bourse.env')
  assert.deepEqual(
    [...names].filter((name) => !new RegExp(`^#${name}=`, 'm').test(text)),
    [],
  )
  // Each is commented out: the file changes nothing until somebody has read it.
  assert.deepEqual(
    text.split('\n').filter((line) => line !== '' && !line.startsWith('#')),
    [],
  )
})
