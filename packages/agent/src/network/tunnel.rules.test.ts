import assert from 'node:assert/strict'
import type { DesiredTunnel } from '@bourse/api/fleet/agent.ts'
import fc from 'fast-check'
import { test } from 'vitest'
import { followedKeys, listUnusableTunnels, planTunnel, tunnelConfig, tunnelLines, tunnelMtu } from './tunnel.rules.ts'

const keyOf = (number: number) => Buffer.alloc(32, number).toString('base64')
const private_key = keyOf(200)

function peerOf(number: number, changes: Partial<DesiredTunnel['peers'][number]> = {}): DesiredTunnel['peers'][number] {
  return {
    address: `100.112.0.${number}`,
    host_address: `192.0.2.${number}`,
    public_key: keyOf(number),
    next_public_key: null,
    port: 14_792,
    ...changes,
  }
}

const desiredOf = (...peers: DesiredTunnel['peers']): DesiredTunnel => {
  const { host_address, ...own } = peerOf(1)
  return { ...own, peers }
}
const configOf = (desired: DesiredTunnel, ...followed: string[]) =>
  tunnelConfig(planTunnel('bw-x', desired), { private_key, followed: new Set(followed) })

/** The peers of a configuration, each with its settings. */
function sectionsOf(config: string): Record<string, string>[] {
  const [, ...sections] = config.split('[Peer]')
  return sections.map((section) =>
    Object.fromEntries(
      section
        .trim()
        .split('\n')
        .map((line) => line.split(' = ') as [string, string]),
    ),
  )
}

test('a peer may send from its own address only, and is called at the address of its host', () => {
  assert.equal(
    configOf(desiredOf(peerOf(2, { port: 51_820 }))),
    [
      '[Interface]',
      `PrivateKey = ${private_key}`,
      'ListenPort = 14792',
      '',
      '[Peer]',
      `PublicKey = ${keyOf(2)}`,
      'Endpoint = 192.0.2.2:51820',
      'AllowedIPs = 100.112.0.2/32',
      'PersistentKeepalive = 25\n',
    ].join('\n'),
  )
})

test('a peer that changes its key has both, and its address belongs to the one with which it calls', () => {
  const desired = desiredOf(peerOf(2, { next_public_key: keyOf(3) }), peerOf(4))
  const allowed = (config: string) => sectionsOf(config).map(({ PublicKey, AllowedIPs }) => [PublicKey, AllowedIPs])
  const other = [keyOf(4), '100.112.0.4/32']
  assert.deepEqual(allowed(configOf(desired)), [[keyOf(2), '100.112.0.2/32'], [keyOf(3), undefined], other])
  const plan = planTunnel('bw-x', desired)
  const handshakes = [2, 3, 4].map((number) => `${keyOf(number)}\t${number === 3 ? 1_800_000_000 : 0}`).join('\n')
  const followed = followedKeys(plan, `${handshakes}\n`)
  assert.deepEqual([...followed], [keyOf(3)])
  assert.deepEqual(allowed(configOf(desired, ...followed)), [
    [keyOf(2), undefined],
    [keyOf(3), '100.112.0.2/32'],
    other,
  ])
  // A key that is not the next one of a peer is not followed, and one that has not called is not either.
  assert.deepEqual(followedKeys(plan, `${keyOf(4)}\t1800000000\n${keyOf(3)}\t0\n`), new Set())
  assert.deepEqual(followedKeys(plan, ''), new Set())
})

test('a peer that cannot be used, or claims what another has, is left out and listed, and stops no other', () => {
  const good = peerOf(2)
  for (const bad of [
    peerOf(3, { address: '' }),
    peerOf(3, { address: '0.0.0.0' }),
    peerOf(3, { address: '100.112.0.3/0' }),
    peerOf(3, { host_address: '127.0.0.1' }),
    peerOf(3, { host_address: '192.0.2.3\nAllowedIPs = 0.0.0.0/0' }),
    peerOf(3, { port: 0 }),
    peerOf(3, { port: '1\n' as unknown as number }),
    peerOf(3, { public_key: `${keyOf(3)}\n` }),
    peerOf(3, { next_public_key: 'x' }),
    peerOf(3, { next_public_key: keyOf(3) }),
    peerOf(3, { address: good.address }),
    peerOf(3, { public_key: good.public_key }),
    peerOf(3, { next_public_key: good.public_key }),
    // The address and the key of this host itself.
    peerOf(3, { address: '100.112.0.1' }),
    peerOf(3, { public_key: keyOf(1) }),
  ]) {
    const desired = desiredOf(good, bad)
    assert.deepEqual(
      planTunnel('bw-x', desired).peers.map(({ public_key }) => public_key),
      [good.public_key],
      JSON.stringify(bad),
    )
    assert.deepEqual(listUnusableTunnels(desired), [`tunnel ${bad.address} at ${bad.host_address}`])
  }
  assert.deepEqual(listUnusableTunnels(null), [])
})

test('whatever the server says, no address belongs to two keys and no peer has more than one', () => {
  const number = fc.integer({ min: 0, max: 6 })
  const peer = fc.record({ address: number, key: number, next: fc.option(number), is_followed: fc.boolean() })
  fc.assert(
    fc.property(fc.array(peer, { maxLength: 8 }), (given) => {
      const peers = given.map(({ address, key, next }) =>
        peerOf(address, { public_key: keyOf(key), next_public_key: next === null ? null : keyOf(next) }),
      )
      const followed = given.flatMap(({ next, is_followed }) => (next !== null && is_followed ? [keyOf(next)] : []))
      const sections = sectionsOf(configOf(desiredOf(...peers), ...followed))
      const allowed = sections.flatMap(({ AllowedIPs }) => AllowedIPs ?? [])
      assert.equal(new Set(allowed).size, allowed.length)
      assert.ok(allowed.every((one) => /^100\.112\.0\.[02-6]\/32$/.test(one)))
      assert.equal(new Set(sections.map(({ PublicKey }) => PublicKey)).size, sections.length)
    }),
  )
})

test('the device has its address and a route to each peer, and what is surplus is removed', () => {
  const plan = planTunnel('bw-x', desiredOf(peerOf(2), peerOf(3)))
  const up = `link set bw-x mtu ${tunnelMtu} up`
  const routes = [2, 3].map((number) => `route replace 100.112.0.${number}/32 dev bw-x src 100.112.0.1`)
  assert.deepEqual(tunnelLines(plan, { addresses: [], routes: [] }), [
    'addr add 100.112.0.1/32 dev bw-x',
    up,
    ...routes,
  ])
  assert.deepEqual(
    tunnelLines(plan, { addresses: ['100.112.0.1/32', '100.112.0.9/32'], routes: ['100.112.0.2', '100.112.0.8'] }),
    ['addr del 100.112.0.9/32 dev bw-x', up, 'route del 100.112.0.8 dev bw-x', ...routes],
  )
})
