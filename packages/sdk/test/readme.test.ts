/** The examples of the README by area run as they are, against a seeded sandbox. Another level checks their types. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, test } from 'vitest'
import { startTestServer } from '../../server/test/support/server.ts'
import { loadWorld } from '../../server/test/support/worlds.ts'

const root = join(import.meta.dirname, '../../..')
const server = await startTestServer()
const { tokens } = await loadWorld(server, 'quickstart')
const place = await mkdtemp(join(tmpdir(), 'bourse-readme-'))
afterAll(() => rm(place, { recursive: true }))
await symlink(join(root, 'node_modules'), join(place, 'node_modules'))
await writeFile(join(place, 'package.json'), '{ "type": "module" }')

const readme = await readFile(join(root, 'packages/sdk/README.md'), 'utf8')
const areas = readme.slice(readme.indexOf('\n## By area'), readme.indexOf('\n## Examples')).split('\n### ').slice(1)
const variables = {
  BOURSE_BASE_URL: server.url,
  BOURSE_API_TOKEN: tokens.acme as string,
  BOURSE_PLATFORM_TOKEN: server.platform_token,
}

test('the README has an example for each area', () => {
  assert.ok(areas.length >= 10)
})

for (const text of areas) {
  const [title = ''] = text.split('\n')
  test(`the example of the area ${title} runs`, async () => {
    const [, code = ''] = /^```ts\n([\s\S]*?)\n```$/m.exec(text) ?? []
    assert.match(code, /createClient\(/)
    const file = join(place, `${title.toLowerCase().replaceAll(' ', '-')}.ts`)
    await writeFile(file, code)
    const { stderr } = await promisify(execFile)(process.execPath, [file], {
      cwd: place,
      env: { ...process.env, ...variables },
    })
    assert.equal(stderr, '')
  })
}
