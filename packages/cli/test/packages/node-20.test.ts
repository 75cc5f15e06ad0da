import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'vitest'
import { tools } from '../../../../scripts/pack/tools.ts'
import { installCli, testWith } from './installed-cli.ts'

const cli = await installCli()
const node = join(tools, 'node_modules/node-20/bin/node')

testWith(cli, { name: 'Node 20', node })

test('a checkout under Node 20 runs on the Node 24 beside it, with its exit code', async () => {
  const checkout = join(import.meta.dirname, '../../bin/bourse.mjs')
  assert.match(JSON.parse(await cli.run(node, checkout, 'version', '--json')).node, /^v24\./)
  await assert.rejects(cli.run(node, checkout, 'no-such-command'), (error: Error & { code?: number }) =>
    /Unknown command 'no-such-command'/.test(error.message),
  )
})
