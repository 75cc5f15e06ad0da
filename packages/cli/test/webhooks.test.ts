import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { verifyWebhook } from '@bourse/sdk/verify-webhook.ts'
import { onTestFinished, test } from 'vitest'
import { eventually } from '../../../test/eventually.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { openHooks } from '../../server/test/webhooks/hooks.ts'
import { openReceiver } from '../../server/test/webhooks/receivers.ts'
import { runnerFor } from './run-here.ts'
import { root } from './shown-blocks.ts'

const server = await startTestServer()
const hooks = await openHooks(server)
const variables = { BOURSE_BASE_URL: server.url, BOURSE_API_TOKEN: hooks.account.token }
const bourse = runnerFor(variables)
const program = join(import.meta.dirname, '../bin/bourse.mjs')

/** Waits until a process has written as many lines. */
async function hasLines(lines: readonly string[], count: number): Promise<void> {
  const look = () => {
    assert.equal(lines.length, count, lines.join('\n'))
    return true
  }
  await eventually(`there are ${count} lines`, look)
}

test('bourse webhooks creates, changes, tests and deletes a webhook', async () => {
  await using receiver = await openReceiver()
  const made = await bourse('webhooks', 'create', '--url', receiver.url, '--actions', 'image.*', '-o', 'json')
  assert.equal(made.code, 0, made.err)
  const { id, secret } = JSON.parse(made.out)
  assert.match((await bourse('webhooks', 'list')).out, new RegExp(id))
  const off = await bourse('webhooks', 'update', id, '--no-enabled', '-o', 'json')
  assert.equal(JSON.parse(off.out).state, 'disabled')
  assert.notEqual(JSON.parse((await bourse('webhooks', 'rotate', id, '-o', 'json')).out).secret, secret)
  const tested = JSON.parse((await bourse('webhooks', 'test', id, '-o', 'json')).out)
  await receiver.until(1)
  await hooks.deliveries(id, { count: 1, state: 'succeeded' })
  assert.match((await bourse('webhooks', 'deliveries', id)).out, new RegExp(tested.id))
  assert.equal(JSON.parse((await bourse('webhooks', 'delivery', id, tested.id, '-o', 'json')).out).state, 'succeeded')
  assert.equal((await bourse('webhooks', 'redeliver', id, tested.id)).code, 0)
  assert.equal((await bourse('webhooks', 'delete', id, '--yes')).code, 0)
})

test('bourse webhooks listen sends signed events to a local receiver, and again after failures', async () => {
  await using receiver = await openReceiver()
  receiver.reply = () => (receiver.received.length === 1 ? 500 : 200)
  const words = ['webhooks', 'listen', '--forward', `${receiver.url}/hook`, '--actions', 'trust_level.updated']
  const child = spawn(process.execPath, [program, ...words], { env: { ...process.env, ...variables } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const notes: string[] = []
  createInterface(child.stderr).on('line', (line) => notes.push(line))
  await hasLines(notes, 2)
  const secret = /whsec_\S+/.exec(notes.join(' '))?.[0] as string
  const lines: string[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(line))
  const image = await hooks.makeImage()
  await hooks.emitAbout(image, 1)
  await hooks.emit()
  const messages = await receiver.until(2)
  for (const { headers, body } of messages) {
    const { type, webhook } = await verifyWebhook(headers, body, secret, { account: hooks.account.id })
    assert.deepEqual([type, webhook], ['trust_level.updated', null])
  }
  assert.equal(messages[0]?.id, messages[1]?.id)
  await hasLines(lines, 2)
  child.kill('SIGINT')
  await once(child, 'close')
  assert.match(lines[0] as string, /^500 {2}trust_level\.updated/)
  assert.match(lines[1] as string, /^200 .*attempt 2/)
})

test('bourse webhooks listen refuses what is no URL, secret or filter', async () => {
  for (const words of [
    ['--forward', 'localhost'],
    ['--forward', 'http://localhost:1', '--secret', 'x'],
    ['--forward', 'http://localhost:1', '--actions', 'ordr.*'],
    ['--forward', 'http://localhost:1', '--since', 'soon'],
  ]) {
    assert.equal((await bourse('webhooks', 'listen', ...words)).code, 2, words.join(' '))
  }
})

test('the receiver of the guide handles genuine messages once, and refuses others', async () => {
  const [, code = ''] =
    /^```js\n([\s\S]*?)\n```$/m.exec(readFileSync(join(root, 'docs/guides/events.md'), 'utf8')) ?? []
  assert.ok(code.split('\n').length <= 20)
  const made = await hooks.make({ url: 'http://127.0.0.1:9/', enabled: false })
  const env = { ...process.env, PORT: '0', WEBHOOK_ACCOUNT: hooks.account.id, WEBHOOK_SECRET: made.secret }
  const program = code.replace("() => console.log('ready')", 'function () { console.log(this.address().port) }')
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: root, env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(line))
  await hasLines(lines, 1)
  const url = `http://127.0.0.1:${lines[0]}/hook`
  await hooks.call('update_webhook', { params: { id: made.id }, body: { url, enabled: true } })
  await hooks.emit()
  await hasLines(lines, 2)
  assert.equal(lines[1], `trust_level.updated ${hooks.account.id}`)
  const forged = await fetch(url, { method: 'POST', body: '{}', headers: { 'webhook-id': 'evt_1' } })
  assert.equal(forged.status, 400)
  const [event] = await hooks.events()
  await hooks.call('test_webhook', { params: { id: made.id } })
  await hooks.deliveries(made.id, { count: 1, state: 'succeeded' })
  assert.ok(event)
  await hasLines(lines, 3)
})
