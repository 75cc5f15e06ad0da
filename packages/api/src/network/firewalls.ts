import { endpoint } from '../kit/endpoint.ts'
import {
  array,
  boolean,
  constant,
  id,
  idOrPath,
  integer,
  name,
  nullable,
  object,
  oneOf,
  optional,
  pageOf,
  pageParameters,
  path,
  repeated,
  resource,
  type Static,
  tags,
  text,
  timestamp,
} from '../kit/schema.ts'
import { workspaceSummary } from '../kit/summaries.ts'
import { tagFilters } from '../kit/tags.ts'

const area = 'firewalls'

/** One rule, which allows inbound traffic. */
export const firewallRule = resource('FirewallRule', {
  protocol: oneOf(['tcp', 'udp', 'icmp', 'all']),
  port_from: optional(
    integer({ min: 1, max: 65_535, description: 'Required with tcp and udp, refused with icmp and all.' }),
  ),
  port_to: optional(integer({ min: 1, max: 65_535, description: 'Defaults to `port_from`.' })),
  source_cidr: text({
    max: 18,
    pattern: '^[0-9./]+$',
    form: 'an IPv4 network, such as 10.0.0.0/8',
    code: 'invalid_cidr',
    examples: ['0.0.0.0/0', '10.0.0.0/8', '203.0.113.7/32'],
    description: 'IPv4 network without host bits.',
  }),
  description: optional(text({ max: 255 })),
})
export type FirewallRule = Static<typeof firewallRule>

/** The most rules of a firewall. */
export const firewallRulesMax = 50

/** The filter of inbound traffic to the public address of instances. Traffic that no rule allows is dropped. */
export const firewall = resource('Firewall', {
  object: constant('firewall'),
  id: id('firewall'),
  resource_path: path('firewall'),
  workspace: workspaceSummary,
  name: name(),
  is_default: boolean(),
  rules: array(firewallRule, { max: firewallRulesMax }),
  tags: nullable(tags()),
  created_at: timestamp(),
  updated_at: timestamp(),
})
export type Firewall = Static<typeof firewall>

const rules = array(firewallRule, { max: firewallRulesMax })

export const createFirewall = endpoint({
  name: 'create_firewall',
  method: 'POST',
  path: '/preview/v2/firewalls',
  area,
  summary: 'Create a firewall.',
  body: object({
    name: optional(name()),
    workspace: optional(idOrPath('workspace')),
    rules: optional(rules),
    tags: optional(tags()),
  }),
  response: firewall,
  access: 'firewall:create',
  idempotent: true,
  errors: [
    'invalid_range',
    'invalid_cidr',
    'duplicate_entry',
    'forbidden',
    'name_taken',
    'reference_not_found',
    'limit_exceeded',
  ],
})

export const listFirewalls = endpoint({
  name: 'list_firewalls',
  method: 'GET',
  path: '/preview/v2/firewalls',
  area,
  summary: 'List firewalls, newest first.',
  query: {
    ...pageParameters('frwlc'),
    workspace: optional(idOrPath('workspace')),
    id: repeated(idOrPath('firewall')),
    ...tagFilters,
  },
  response: pageOf(firewall, 'frwlc'),
  access: 'firewall:list',
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getFirewall = endpoint({
  name: 'get_firewall',
  method: 'GET',
  path: '/preview/v2/firewalls/:id',
  area,
  summary: 'Read one firewall.',
  params: { id: idOrPath('firewall') },
  response: firewall,
  access: 'firewall:read',
  errors: ['forbidden', 'not_found'],
})

export const updateFirewall = endpoint({
  name: 'update_firewall',
  method: 'PATCH',
  path: '/preview/v2/firewalls/:id',
  area,
  summary: 'Rename a firewall or replace its tags.',
  params: { id: idOrPath('firewall') },
  body: object({ name: optional(name()), tags: optional(nullable(tags())) }),
  response: firewall,
  access: 'firewall:write',
  errors: ['forbidden', 'not_found', 'name_taken', 'default_firewall'],
})

export const replaceFirewallRules = endpoint({
  name: 'replace_firewall_rules',
  method: 'PUT',
  path: '/preview/v2/firewalls/:id/rules',
  area,
  summary: 'Replace the whole list of rules; attached instances follow at once.',
  params: { id: idOrPath('firewall') },
  body: object({ rules }),
  response: firewall,
  access: 'firewall:write',
  errors: ['invalid_range', 'invalid_cidr', 'duplicate_entry', 'forbidden', 'not_found'],
})

export const deleteFirewall = endpoint({
  name: 'delete_firewall',
  method: 'DELETE',
  path: '/preview/v2/firewalls/:id',
  area,
  summary: 'Delete a firewall that is not in use.',
  params: { id: idOrPath('firewall') },
  access: 'firewall:delete',
  errors: ['forbidden', 'not_found', 'firewall_in_use', 'default_firewall'],
})

export const operations = [
  createFirewall,
  listFirewalls,
  getFirewall,
  updateFirewall,
  replaceFirewallRules,
  deleteFirewall,
] as const
