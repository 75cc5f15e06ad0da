import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DesiredTunnel } from '@bourse/api/fleet/agent.ts'
import { afterAll, test, vi } from 'vitest'
import { knownMilliseconds } from './network/tunnel-key.rules.ts'
import { makeNextKey, openTunnelKeys } from './network/tunnel-keys.ts'
import { serverRefusal } from './problems.ts'
import { openTunnelUpkeep } from './tunnel-upkeep.ts'

const root = mkdtempSync(join(tmpdir(), 'bourse-tunnel-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const { signal } = new AbortController()
const port = 14_792
let made = 0

/** A host whose server tells its peers what it declares. */
function makeHost({ change_every_seconds = 0 } = {}) {
  made += 1
  const directory = join(root, `${made}`)
  const sent: string[] = []
  const state = { known: null as DesiredTunnel | null, rekeyed: 0, refusal: undefined as Error | undefined }
  const upkeep = openTunnelUpkeep({
    directory,
    epoch: 3,
    port,
    change_every_seconds,
    log: () => {},
    network: {
      rekey: async () => {
        state.rekeyed += 1
      },
    },
    calls: {
      declareTunnel: async (body) => {
        sent.push(JSON.stringify(body))
        if (state.refusal) throw state.refusal
        const { epoch, ...tunnel } = body
        assert.equal(epoch, 3)
        state.known = { ...tunnel, address: '100.112.0.1', peers: [] }
      },
    },
  })
  const step = () => upkeep.step(state.known, signal)
  const secret = (name: string) => readFileSync(join(directory, name), 'utf8').trim()
  return { directory, sent, state, upkeep, step, secret }
}

test('a host makes its key, declares the public half, and keeps the private half to itself', async () => {
  const { directory, sent, step, secret } = makeHost()
  await step()
  await step()
  const { current, next } = await openTunnelKeys(directory)
  assert.deepEqual(
    sent.map((text) => JSON.parse(text)),
    [{ epoch: 3, public_key: current.public_key, next_public_key: null, port }],
  )
  assert.equal(next, undefined)
  assert.ok(!sent.join().includes(secret('tunnel.key')))
  assert.equal(statSync(join(directory, 'tunnel.key')).mode & 0o777, 0o600)
})

test('a key changes by command: it is declared, and used a minute after the server tells it', async () => {
  const { directory, sent, state, step, secret } = makeHost()
  await step()
  const before = (await openTunnelKeys(directory)).current.public_key
  const next = await makeNextKey(directory)
  assert.equal(await makeNextKey(directory), next)
  await step()
  assert.deepEqual([state.known?.public_key, state.known?.next_public_key], [before, next])
  // A whole number: the difference of two fractions may be a little less than the minute.
  const begun = Math.ceil(performance.now())
  const clock = vi.spyOn(performance, 'now').mockReturnValue(begun)
  try {
    await step()
    clock.mockReturnValue(begun + knownMilliseconds - 1)
    await step()
    assert.equal(state.rekeyed, 0)
    const secrets = ['tunnel.key', 'tunnel-next.key'].map(secret)
    clock.mockReturnValue(begun + knownMilliseconds)
    await step()
    assert.equal(state.rekeyed, 1)
    assert.equal((await openTunnelKeys(directory)).current.public_key, next)
    await step()
    assert.deepEqual([state.known?.public_key, state.known?.next_public_key], [next, null])
    assert.ok(secrets.every((one) => !sent.join().includes(one)))
  } finally {
    clock.mockRestore()
  }
})

test('a key that is old enough gets a successor', async () => {
  const { directory, state, step } = makeHost({ change_every_seconds: 3_600 })
  await step()
  // The clock of the disk may be another one than that of the agent.
  const now = Date.now() / 1000
  const makeOld = (seconds: number) => utimesSync(join(directory, 'tunnel.key'), now - seconds, now - seconds)
  makeOld(0)
  await step()
  assert.equal((await openTunnelKeys(directory)).next, undefined)
  makeOld(3_601)
  await step()
  await step()
  assert.equal(state.known?.next_public_key, (await openTunnelKeys(directory)).next?.public_key)
})

test('a refused key is named as the problem until the server knows it', async () => {
  const { state, sent, step, upkeep } = makeHost()
  state.refusal = serverRefusal('Another host has this key.', 409, 'tunnel_key_taken')
  await step()
  assert.equal(upkeep.problem(), 'Another host has this key.')
  // It is not sent each second.
  await step()
  assert.equal(sent.length, 1)
  const later = performance.now() + 60_000
  const clock = vi.spyOn(performance, 'now').mockReturnValue(later)
  state.refusal = undefined
  await step()
  clock.mockRestore()
  assert.equal(upkeep.problem(), undefined)
})

test('a damaged key is named without its content', async () => {
  const { directory, step } = makeHost()
  await step()
  writeFileSync(join(directory, 'tunnel.key'), 'c2VjcmV0')
  await assert.rejects(step(), ({ message }: Error) => message.includes('tunnel.key') && !message.includes('c2VjcmV0'))
})
