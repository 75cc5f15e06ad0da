import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { firewallRuleText, readFirewallRule } from './firewall-rules.ts'

test('a rule names protocol, ports and source', () => {
  assert.deepEqual(readFirewallRule('in tcp 22 from 10.0.0.0/8'), {
    protocol: 'tcp',
    port_from: 22,
    source_cidr: '10.0.0.0/8',
  })
  assert.deepEqual(readFirewallRule('UDP 5000-5010 from any'), {
    protocol: 'udp',
    port_from: 5000,
    port_to: 5010,
    source_cidr: '0.0.0.0/0',
  })
  assert.deepEqual(readFirewallRule('icmp  from 192.0.2.7 as my office'), {
    protocol: 'icmp',
    source_cidr: '192.0.2.7/32',
    description: 'my office',
  })
})

test('a rule without a source, for outbound traffic, or that denies is refused', () => {
  assert.throws(() => readFirewallRule('in tcp 22'), /from where/)
  for (const text of ['out tcp 22 from any', 'deny tcp 22 from any']) {
    assert.throws(() => readFirewallRule(text), /allow inbound/, text)
  }
  for (const text of ['', 'ssh from any', 'tcp x from any'])
    assert.throws(() => readFirewallRule(text), /not a rule/, text)
})

test('a rule that is written is read back', () => {
  const port = fc.integer({ min: 1, max: 65_535 })
  const rule = fc.record(
    {
      protocol: fc.constantFrom('tcp' as const, 'udp' as const, 'icmp' as const, 'all' as const),
      port_from: port,
      source_cidr: fc.constantFrom('0.0.0.0/0', '10.0.0.0/8', '192.0.2.7/32'),
      description: fc.stringMatching(/^[a-z]([a-z ]{0,20}[a-z])?$/).map((text) => text.replaceAll(/ +/g, ' ')),
    },
    { requiredKeys: ['protocol', 'source_cidr'], noNullPrototype: true },
  )
  const ranged = fc
    .tuple(rule, port)
    .map(([one, last]) => (one.port_from === undefined ? one : { ...one, port_to: last }))
  fc.assert(
    fc.property(fc.oneof(rule, ranged), (one) => assert.deepEqual(readFirewallRule(firewallRuleText(one)), one)),
  )
})
