import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { defaultFirewallRules, type FirewallRuleInput, readFirewallRules, rulesMax } from './firewalls.rules.ts'

const ssh = { protocol: 'tcp', port_from: 22, source_cidr: '0.0.0.0/0' }

function faultOf(rule: Record<string, unknown>): string | undefined {
  const result = readFirewallRules([ssh, { ...ssh, port_from: 80 }, { ...ssh, port_from: 443, ...rule } as typeof ssh])
  return 'refusal' in result ? `${result.refusal.field} ${result.refusal.code}` : undefined
}

describe('a firewall rule', () => {
  const faults: [string, Record<string, unknown>, string | undefined][] = [
    ['one port', {}, undefined],
    ['a range of ports', { port_from: 1, port_to: 65_535 }, undefined],
    ['udp', { protocol: 'udp' }, undefined],
    ['icmp without ports', { protocol: 'icmp', port_from: null }, undefined],
    ['all without ports', { protocol: 'all', port_from: undefined, port_to: null }, undefined],
    ['a single address', { source_cidr: '203.0.113.7/32' }, undefined],
    ['a description of 255', { description: 'd'.repeat(255) }, undefined],
    ['an unknown protocol', { protocol: 'sctp' }, 'rules.2.protocol invalid_value'],
    ['tcp without a port', { port_from: null }, 'rules.2.port_from required'],
    ['udp with only a last port', { protocol: 'udp', port_from: null, port_to: 5 }, 'rules.2.port_from required'],
    ['port 0', { port_from: 0 }, 'rules.2.port_from out_of_range'],
    ['port 65,536', { port_to: 65_536 }, 'rules.2.port_to out_of_range'],
    ['a last port below the first', { port_from: 90, port_to: 89 }, 'rules.2.port_to invalid_range'],
    ['icmp with a port', { protocol: 'icmp' }, 'rules.2.port_from invalid_value'],
    ['all with a last port', { protocol: 'all', port_from: null, port_to: 9 }, 'rules.2.port_to invalid_value'],
    ['host bits', { source_cidr: '203.0.113.7/24' }, 'rules.2.source_cidr invalid_cidr'],
    ['an address without prefix', { source_cidr: '203.0.113.7' }, 'rules.2.source_cidr invalid_cidr'],
    ['IPv6', { source_cidr: '::/0' }, 'rules.2.source_cidr invalid_cidr'],
    ['a description of 256', { description: 'd'.repeat(256) }, 'rules.2.description too_long'],
  ]
  for (const [what, rule, fault] of faults) {
    test(`${what} is ${fault ?? 'accepted'}`, () => assert.equal(faultOf(rule), fault))
  }
})

describe('a list of firewall rules', () => {
  test('is parsed with the last port filled in and null left out', () => {
    const rules: FirewallRuleInput[] = [
      { ...ssh, port_to: null, description: null },
      { protocol: 'icmp', port_from: null, source_cidr: '10.0.0.0/8', description: 'ping' },
    ]
    assert.deepEqual(readFirewallRules(rules), {
      rules: [
        { protocol: 'tcp', port_from: 22, port_to: 22, source_cidr: '0.0.0.0/0' },
        { protocol: 'icmp', source_cidr: '10.0.0.0/8', description: 'ping' },
      ],
    })
  })

  test('may be empty and has at most 50 rules', () => {
    const rules = (count: number) => Array.from({ length: count }, (_, index) => ({ ...ssh, port_from: index + 1 }))
    assert.deepEqual(readFirewallRules([]), { rules: [] })
    assert.ok('rules' in readFirewallRules(rules(rulesMax)))
    const result = readFirewallRules(rules(rulesMax + 1))
    assert.ok('refusal' in result && result.refusal.code === 'too_many' && result.refusal.field === 'rules')
  })

  test('has no two rules that differ only in description or in an explicit last port', () => {
    for (const duplicate of [
      { ...ssh, description: 'again' },
      { ...ssh, port_to: 22 },
    ]) {
      const result = readFirewallRules([ssh, { ...ssh, port_from: 80 }, duplicate])
      assert.ok('refusal' in result)
      assert.deepEqual([result.refusal.code, result.refusal.field], ['duplicate_entry', 'rules.2'])
    }
    assert.ok('rules' in readFirewallRules([ssh, { ...ssh, port_to: 23 }, { ...ssh, protocol: 'udp' }]))
  })

  test('does not change when it is parsed again', () => {
    const port = fc.integer({ min: 1, max: 9 })
    const anyRule = fc.record({
      protocol: fc.constantFrom('tcp', 'udp', 'icmp', 'all'),
      port_from: fc.option(port),
      port_to: fc.option(port),
      source_cidr: fc.constantFrom('0.0.0.0/0', '10.0.0.0/8', '10.0.0.1/8'),
      description: fc.option(fc.constantFrom('', 'note')),
    })
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 4 }), (rules) => {
        const result = readFirewallRules(rules)
        if ('rules' in result) assert.deepEqual(readFirewallRules(result.rules), result)
        else assert.match(result.refusal.field ?? '', /^rules\.\d/)
      }),
    )
    assert.deepEqual(readFirewallRules(defaultFirewallRules), { rules: defaultFirewallRules })
  })
})
