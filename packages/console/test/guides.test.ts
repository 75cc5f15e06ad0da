/** The guides that pages lead to, from their question mark and their empty lists. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { startTestServer } from '../../server/test/support/server.ts'

const source = join(import.meta.dirname, '../src')

test('the server has each guide that a page leads to', async () => {
  const server = await startTestServer()
  const files = globSync('**/*.tsx', { cwd: source }).map((file) => readFileSync(join(source, file), 'utf8'))
  const paths = new Set(files.flatMap((text) => [...text.matchAll(/"(\/docs\/[^"]+)"/g)].map(([, path]) => path)))
  assert.ok(paths.size > 10)
  for (const path of paths) {
    const response = await fetch(`${server.url}${path}`, { headers: { accept: 'text/html' } })
    await response.arrayBuffer()
    assert.equal(response.status, 200, path)
  }
})
