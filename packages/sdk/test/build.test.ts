/**
 * The SDK is built as a package for Node 20 and browsers: JavaScript with declarations. It imports the contract by
 * relative paths, so that the compiler includes the contract in the package.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { answerJson, startPeer } from './peer.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const compiler = join(root, 'node_modules/.bin/tsc')
const place = await mkdtemp(join(tmpdir(), 'bourse-sdk-'))
after(() => rm(place, { recursive: true }))

const caller = `
import { createClient } from './built/sdk/src/client.js'
import { NotFoundError } from './built/sdk/src/errors.js'

const client = createClient({ token: 'a', baseUrl: url })
for await (const firewall of client.firewalls.list()) {
  const id: \`frwl_\${string}\` = firewall.id
  console.log(id)
}
try {
  await client.firewalls.delete('frwl_1')
} catch (error) {
  console.log(error instanceof NotFoundError && error.requestId)
}
`

const options = {
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2023', 'dom', 'dom.asynciterable'],
  types: [],
  strict: true,
  skipLibCheck: true,
}

test('the package builds without Node’s types, and a program compiles against its declarations and runs', async () => {
  const built = join(place, 'built')
  await run(compiler, ['-p', join(root, 'packages/sdk/tsconfig.build.json'), '--outDir', built])
  await symlink(join(root, 'node_modules'), join(place, 'node_modules'))
  const peer = await startPeer((response, { method }) => {
    const list = { object: 'list', data: [{ id: 'frwl_1' }], has_more: false }
    if (method === 'GET') answerJson(response, 200, list)
    else answerJson(response, 404, { error: { type: 'not_found', message: 'No.' } }, { 'x-request-id': 'req_1' })
  })
  await writeFile(join(place, 'package.json'), '{ "type": "module" }')
  await writeFile(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['caller.ts'] }))
  await writeFile(join(place, 'caller.ts'), caller.replace('baseUrl: url', `baseUrl: '${peer.url}'`))
  await run(compiler, ['-p', place])
  const { stdout } = await run(process.execPath, [join(place, 'caller.js')])
  assert.equal(stdout, 'frwl_1\nreq_1\n')
})
