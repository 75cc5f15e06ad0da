import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'vitest'
import { compareManifest } from './base-manifest.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A manifest as PostgreSQL writes it: the last line has the checksum of all lines before. */
function manifestOf(files: Record<string, string>): Buffer {
  const entries = Object.entries(files).map(
    ([path, text]) => `{ "Path": "${path}", "Size": ${text.length}, "Checksum": "${sha256(text)}" }`,
  )
  const head = `{ "PostgreSQL-Backup-Manifest-Version": 2,\n"Files": [\n${entries.join(',\n')}\n],\n`
  return Buffer.from(`${head}"Manifest-Checksum": "${sha256(head)}"}\n`)
}

test('a copy is compared with the manifest of its server, file by file', () => {
  const manifest = manifestOf({ 'base/1/2': 'two', PG_VERSION: '18' })
  const found = (files: Record<string, string>) =>
    new Map(Object.entries(files).map(([path, text]) => [path, { size: text.length, sha256: sha256(text) }]))
  assert.equal(compareManifest(manifest, found({ 'base/1/2': 'two', PG_VERSION: '18' })), undefined)
  const withLog = found({ 'base/1/2': 'two', PG_VERSION: '18', 'pg_wal/1': 'x' })
  assert.equal(compareManifest(manifest, withLog), undefined, 'the log is not listed')
  assert.match(compareManifest(manifest, found({ PG_VERSION: '18' })) ?? '', /base\/1\/2 is missing/)
  assert.match(compareManifest(manifest, found({ 'base/1/2': 'twa', PG_VERSION: '18' })) ?? '', /2 was changed/)
  const cut = manifest.subarray(0, manifest.length - 40)
  assert.match(compareManifest(cut, found({})) ?? '', /not complete/)
  assert.match(compareManifest(Buffer.from(String(manifest).replace('two', 'tWo')), found({})) ?? '', /missing/)
  const changed = Buffer.from(String(manifest).replace('PG_VERSION', 'PG_VERSIOM'))
  assert.match(compareManifest(changed, found({})) ?? '', /not complete/)
  assert.match(compareManifest(Buffer.alloc(0), found({})) ?? '', /not complete/)
})
