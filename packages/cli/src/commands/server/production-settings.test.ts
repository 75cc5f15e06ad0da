import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { test } from 'vitest'
import { findPart } from '../../output/program-version.ts'
import { firstSet, isWritable, listedSettings, withSettings } from './production-settings.ts'

const template = readFileSync(join(findPart('ops/systemd') ?? '', 'bourse.env'), 'utf8')

test('settings stand where the file explains them, others at the end, and nothing else changes', () => {
  const text = '# One.\n#BOURSE_PORT=8080\n\n# Two.\n#BOURSE_HOST=127.0.0.1\n'
  const settings = [
    { name: 'BOURSE_PORT', value: '8443' },
    { name: 'BOURSE_DATA_DIR', value: '/srv/a' },
  ]
  const written = '# One.\nBOURSE_PORT=8443\n\n# Two.\n#BOURSE_HOST=127.0.0.1\nBOURSE_DATA_DIR=/srv/a\n'
  assert.equal(withSettings(text, settings), written)
})

test('the packaged file sets nothing, and lists what an installation needs', () => {
  assert.equal(firstSet(template), undefined)
  const listed = listedSettings(template)
  for (const name of ['BOURSE_DATABASE_URL', 'BOURSE_TLS_KEY_FILE', 'BOURSE_S3_ENDPOINT', 'BOURSE_MASTER_KEY_FILE']) {
    assert.ok(listed.includes(name), name)
  }
  assert.equal(firstSet('# A\n  export BOURSE_PORT=1\n'), 'BOURSE_PORT')
})

test('a shell and Node read each value as it was given', () => {
  const values = [
    'postgresql://owner:p%40ss@db1.example:5433,db2.example/bourse?target_session_attrs=read-write&sslmode=verify-full',
    '/srv/with a space/$HOME/`id`/#x',
    '"quoted"',
    '~/x;y|z>(a)',
    's3://bucket/$&/prefix',
    'Zürich',
  ]
  for (const value of values) {
    assert.ok(isWritable(value), value)
    const text = withSettings(template, [{ name: 'BOURSE_DATABASE_URL', value }])
    assert.equal(parseEnv(text).BOURSE_DATABASE_URL, value)
    const shell = 'eval "$1"; printf %s "$BOURSE_DATABASE_URL"'
    const { stdout, status } = spawnSync('sh', ['-c', shell, 'sh', text], { encoding: 'utf8' })
    assert.deepEqual([status, stdout], [0, value])
  }
  for (const value of ["it's", 'a\\b', 'a\nBOURSE_PORT=1', 'a\u0000b']) assert.equal(isWritable(value), false, value)
})
