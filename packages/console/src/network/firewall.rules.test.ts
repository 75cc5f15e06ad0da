import assert from 'node:assert/strict'
import type { FirewallRule } from '@bourse/sdk'
import { test } from 'vitest'
import { covers, emptyRule, reachOf, ruleOf, sourceText, targetText, typedOf, warningsOf } from './firewall.rules.ts'

const tcp = (port_from: number, port_to = port_from, source_cidr = '0.0.0.0/0'): FirewallRule => ({
  protocol: 'tcp',
  port_from,
  port_to,
  source_cidr,
})

test('rules are told by who may reach what', () => {
  const rules = [tcp(22), tcp(5432, 5432, '10.0.0.0/8'), tcp(8000, 8010)]
  assert.deepEqual(reachOf(rules), [
    { who: 'Anyone', what: ['SSH (TCP port 22)', 'TCP ports 8000 to 8010'] },
    { who: 'The private network 10.0.0.0/8 (16,777,216 addresses)', what: ['PostgreSQL (TCP port 5432)'] },
  ])
})

test('sources and targets have words for their special cases', () => {
  assert.equal(sourceText('203.0.113.7/32'), 'The address 203.0.113.7')
  assert.equal(sourceText('203.0.113.0/24'), 'The network 203.0.113.0/24 (256 addresses)')
  assert.equal(sourceText('172.32.0.0/12'), 'The network 172.32.0.0/12 (1,048,576 addresses)')
  assert.equal(sourceText('not one'), 'not one')
  assert.equal(targetText({ protocol: 'all', source_cidr: '0.0.0.0/0' }), 'every port, with every protocol')
  assert.equal(targetText({ protocol: 'icmp', source_cidr: '0.0.0.0/0' }), 'ping (ICMP)')
  assert.equal(targetText(tcp(1, 65_535)), 'every TCP port')
})

test('a rule that another one covers is pointed out once, also of two equal ones', () => {
  assert.ok(covers(tcp(1, 100), tcp(22, 22, '192.0.2.0/24')))
  assert.ok(!covers(tcp(22, 22, '192.0.2.0/24'), tcp(22)))
  assert.ok(!covers(tcp(22, 22, '10.0.0.0/8'), tcp(22, 22, '11.0.0.0/16')))
  assert.ok(!covers(tcp(22), { protocol: 'udp', port_from: 22, source_cidr: '0.0.0.0/0' }))
  assert.deepEqual(warningsOf([tcp(22, 22, '10.1.0.0/16'), tcp(1, 100)]), [
    'Rule 1 adds nothing: rule 2 allows all of it.',
  ])
  assert.deepEqual(warningsOf([tcp(22), tcp(22)]), ['Rule 2 adds nothing: rule 1 allows all of it.'])
  assert.match(warningsOf([{ protocol: 'all', source_cidr: '0.0.0.0/0' }])[0] ?? '', /keeps nothing out/)
})

test('a typed rule becomes the one that was read', () => {
  const rule = { ...tcp(80, 90, '10.0.0.0/8'), description: 'load balancers' }
  assert.deepEqual(ruleOf(typedOf(rule, '1')), rule)
  assert.deepEqual(ruleOf({ ...emptyRule, port_from: '443', source_cidr: '192.0.2.9' }), {
    protocol: 'tcp',
    port_from: 443,
    source_cidr: '192.0.2.9/32',
  })
  assert.deepEqual(ruleOf({ ...emptyRule, protocol: 'icmp', port_from: '443' }), {
    protocol: 'icmp',
    source_cidr: '0.0.0.0/0',
  })
  assert.equal(ruleOf({ ...emptyRule, port_from: 'ssh' }).port_from, 0)
})
