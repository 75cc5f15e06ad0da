/** Types the commands of docs/guides/production.md: from new keys to a server with a permit for its first host. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, test } from 'vitest'
import { startDurableCluster } from '../../server/test/support/cluster.ts'
import { createEmptyDatabase } from '../../server/test/support/database.ts'
import { newDirectory } from './sandbox-process.ts'
import { root, shownBlocks } from './shown-blocks.ts'
import { type } from './typed-shell.ts'

const cluster = await startDurableCluster()
const database = await createEmptyDatabase({ cluster: cluster.target })
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await cluster[Symbol.asyncDispose]()
})

/** Ports that nothing uses now. */
async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return server
    }),
  )
  const ports = held.map((server) => (server.address() as { port: number }).port)
  await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

test('the steps of docs/guides/production.md end in a server with an account and a permit for a host', async () => {
  const home = newDirectory()
  const etc = join(home, 'etc')
  mkdirSync(etc)
  const [api = 0, metrics = 0] = await freePorts(2)
  const { user, database: name, host } = database.target
  const url = `postgres://${user}@/${name}?host=${host}`
  const replaced = (line: string) =>
    line
      .replaceAll('/etc/bourse', etc)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${api}`)
      .replaceAll(':9090', `:${metrics}`)

  const text = readFileSync(join(root, 'docs/guides/production.md'), 'utf8')
  const [, settings = ''] = /```ini\n([\s\S]*?)\n```/.exec(text) ?? []
  assert.match(settings, /^BOURSE_DATABASE_URL=.*\nBOURSE_PUBLIC_URL=https:/)
  writeFileSync(join(home, 'settings'), settings.replace(/(?<=^BOURSE_DATABASE_URL=).*/, `'${url}'`))

  // packages/three-commands.test.ts types these, on machines of their own.
  const short = new Set(shownBlocks('docs/guides/production.md', '## In three commands').flat())
  const shown = shownBlocks('docs/guides/production.md', '# Production')
    .flat()
    .filter((line) => !short.has(line))
  assert.ok(shown.length >= 12, `${shown.length} commands`)
  const commands = shown.map(replaced).flatMap((command) => {
    // The settings that the page shows are added before they are read, and what serves goes on in the background.
    if (command.startsWith('set -a')) return [`cat ${home}/settings >> ${etc}/bourse.env`, command]
    if (command !== 'bourse serve') return [command]
    const ready = `curl --silent --fail --retry 300 --retry-delay 1 --retry-all-errors http://127.0.0.1:${api}/readyz`
    return [`bourse serve > ${home}/out 2> ${home}/log &`, ready]
  })
  const ports = `export BOURSE_PORT=${api} BOURSE_METRICS_PORT=${metrics} BOURSE_WORKERS=1`
  const { code, outputs, out } = await type([ports, ...commands], home)
  assert.equal(code, 0, out)
  const outputOf = (start: string) => {
    const at = [ports, ...commands].findIndex((command) => command.startsWith(start))
    assert.ok(at > 0, start)
    return outputs[at] ?? ''
  }
  assert.match(outputOf('bourse tokens create --platform --person'), /https:\/\/market\.example\/sign-in\//)
  assert.match(outputOf('bourse accounts create'), /acme/)
  assert.match(outputOf('bourse host-enrolments create'), /bourse agent enrol/)
  assert.match(outputOf(`curl --fail --silent http://127.0.0.1:${metrics}`), /^bourse_ready 1$/m)
})
