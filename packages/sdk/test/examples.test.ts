/** The examples run as they are, each against a server. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TrustLevel } from '@bourse/api/iam/limits.ts'
import { afterAll, test } from 'vitest'
import { makeCapacity } from '../../server/test/support/fixtures/capacity.ts'
import { startTestServer } from '../../server/test/support/server.ts'
import { loadWorld } from '../../server/test/support/worlds.ts'
import { createClient } from '../src/sdk.ts'

const examples = join(import.meta.dirname, '../examples')
const server = await startTestServer()
const place = await mkdtemp(join(tmpdir(), 'bourse-examples-'))
afterAll(() => rm(place, { recursive: true }))

type Example = AsyncDisposable & {
  /** Waits for a line that contains the text, and returns it. */
  line(text: string): Promise<string>
  readonly process: ChildProcess
  /** Its whole output, when it has ended with exit code 0. */
  end(): Promise<string[]>
}

function start(name: string, words: readonly string[], variables: Record<string, string>): Example {
  const env = { ...process.env, BOURSE_BASE_URL: server.url, ...variables }
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const child = spawn(process.execPath, [join(examples, name), ...words], { cwd: place, env, stdio: [...stdio] })
  const closed = once(child, 'close')
  const lines: string[] = []
  let rest = ''
  let notify = () => {}
  child.stdout?.on('data', (part) => {
    const parts = (rest + part).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
    notify()
  })
  child.on('close', () => notify())
  return {
    process: child,
    line: async (text) => {
      for (;;) {
        const found = lines.find((line) => line.includes(text))
        if (found !== undefined) return found
        assert.equal(child.exitCode, null, `${name} ended without "${text}": ${lines.join('\n')}`)
        await new Promise<void>((resolve) => {
          notify = resolve
        })
      }
    },
    end: async () => {
      const [code] = await closed
      assert.equal(code, 0, lines.join('\n'))
      return lines
    },
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await closed
    },
  }
}

test('follow-events prints each event once, also over a restart', async () => {
  const { id, token } = await server.account()
  const change = (trust_level: TrustLevel) =>
    server.call('set_trust_level', { params: { account: id }, body: { trust_level } })
  const run = async (trust_level: TrustLevel) => {
    await change(trust_level)
    await using example = start('follow-events.ts', ['cursor'], { BOURSE_API_TOKEN: token })
    assert.match(await example.line('trust_level.updated'), new RegExp(`^20\\S+Z trust_level.updated ${id}$`))
    example.process.kill('SIGTERM')
    return await example.end()
  }
  assert.equal((await run('basic')).length, 1)
  assert.equal((await run('trusted')).length, 1)
})

test('buy-and-run buys an hour of a node, and runs an instance in it', async () => {
  const world = await loadWorld(server, 'quickstart')
  const token = world.tokens.acme ?? ''
  const client = createClient({ baseUrl: server.url, token })
  await server.call('freeze_clock')
  {
    await using poor = start('buy-and-run.ts', ['h100-west', '0.01'], { BOURSE_API_TOKEN: token })
    await poor.line('One node for an hour costs $')
    assert.equal((await once(poor.process, 'close'))[0], 1)
  }
  await using example = start('buy-and-run.ts', ['h100-west', '100'], { BOURSE_API_TOKEN: token })
  const [id] = /inst_[\w-]+/.exec(await example.line('Created inst_')) ?? []
  await server.advance(120)
  const lines = await example.end()
  assert.match(lines.at(-1) ?? '', /^Terminated/)
  assert.equal((await client.instances.get(id as 'inst_1')).state, 'terminated')
})

test('preemption-safe-worker stores its step at the notice, and goes on from it', async () => {
  const account = await server.account()
  const { pool, sku, image } = await makeCapacity(server, account, { hosts: 1, slots: 1, end_in_seconds: 3600 })
  const variables = { BOURSE_API_TOKEN: account.token }
  const { id } = await server.call('create_instance', { token: account.token, body: { pool, sku, image } })
  await server.advance(60)
  await using example = start('preemption-safe-worker.ts', [id, 'checkpoint'], variables)
  await example.line('at step 0')
  await server.advance(3000)
  const noticed = await example.line('notice: stored step')
  assert.equal(noticed, `notice: stored step ${await readFile(join(place, 'checkpoint'), 'utf8')}`)
  await server.advance(600)
  assert.equal((await example.end()).at(-1), 'the instance has ended')
  const step = await readFile(join(place, 'checkpoint'), 'utf8')
  await using again = start('preemption-safe-worker.ts', [id, 'checkpoint'], variables)
  await again.line(`at step ${step}`)
})

test('webhook-receiver takes genuine messages and refuses others', async () => {
  const { id: WEBHOOK_ACCOUNT, token } = await server.account()
  const client = createClient({ baseUrl: server.url, token })
  const unknown = { WEBHOOK_ACCOUNT, WEBHOOK_SECRET: 'whsec_c2VjcmV0' }
  await using stranger = start('webhook-receiver.ts', ['0'], unknown)
  const [port = ''] = /\d+$/.exec(await stranger.line('listening on')) ?? []
  const url = `http://127.0.0.1:${port}`
  assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 400)
  // The secret is known when the webhook exists, which needs the port.
  await stranger[Symbol.asyncDispose]()
  const { id, secret } = await client.webhooks.create({ url })
  await using receiver = start('webhook-receiver.ts', [port], { WEBHOOK_ACCOUNT, WEBHOOK_SECRET: secret })
  await receiver.line('listening on')
  await client.webhooks.test(id)
  assert.match(await receiver.line('webhook.test'), /^webhook\.test \S+$/)
})
