/** The program of the guide on events runs as shown. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TrustLevel } from '@bourse/api/iam/limits.ts'
import { afterAll, test } from 'vitest'
import { startTestServer } from '../../server/test/support/server.ts'

const root = join(import.meta.dirname, '../../..')
const server = await startTestServer()
const place = await mkdtemp(join(tmpdir(), 'bourse-guide-'))
afterAll(() => rm(place, { recursive: true }))

test('the program of docs/guides/events.md handles every event, also after it was killed', async () => {
  const { id, token } = await server.account()
  const text = await readFile(join(root, 'docs/guides/events.md'), 'utf8')
  const [, code = ''] = text.match(/^```ts\n([\s\S]*?)\n```$/m) ?? []
  await symlink(join(root, 'node_modules'), join(place, 'node_modules'))
  await writeFile(join(place, 'package.json'), '{ "type": "module" }')
  await writeFile(join(place, 'program.ts'), code)
  const change = (trust_level: TrustLevel) =>
    server.call('set_trust_level', { params: { account: id }, body: { trust_level } })
  /** Runs the program until it has printed some lines, then kills it. */
  const run = async (lines: number, happen: () => Promise<unknown>) => {
    const env = { ...process.env, BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: token }
    const child = spawn(process.execPath, ['program.ts'], { cwd: place, env, stdio: ['ignore', 'pipe', 'inherit'] })
    let out = ''
    await happen()
    for await (const part of child.stdout) {
      out += part
      if (out.split('\n').length > lines) break
    }
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    return out.trim().split('\n')
  }
  const line = `trust_level.updated ${id}`
  await change('basic')
  assert.deepEqual(await run(2, () => change('trusted')), [line, line])
  const stored = await readFile(join(place, 'cursor'), 'utf8')
  await change('basic')
  // The program may be killed between an event and its cursor. It then prints that event again.
  const listed = await server.call('list_events', { query: { starting_after: stored }, token })
  const missing = listed.data.length
  assert.ok(missing === 1 || missing === 2, `${missing}`)
  assert.deepEqual(
    await run(missing, async () => {}),
    Array.from({ length: missing }, () => line),
  )
})
