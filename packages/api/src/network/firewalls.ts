import { endpoint } from '../kit/endpoint.ts'
import {
  array,
  boolean,
  constant,
  createdAt,
  givenName,
  id,
  idOrPath,
  integer,
  name,
  newName,
  nullable,
  object,
  ofThis,
  oneOf,
  onlyThis,
  optional,
  ownWorkspace,
  pageOf,
  pageParameters,
  path,
  repeated,
  resource,
  type Static,
  tags,
  text,
  updatedAt,
} from '../kit/schema.ts'
import { workspaceSummary } from '../kit/summaries.ts'
import { tagFilters } from '../kit/tags.ts'

const area = 'firewalls'

export const firewallRule = resource('FirewallRule', 'One rule, which allows inbound traffic.', {
  protocol: oneOf(['tcp', 'udp', 'icmp', 'all'], { description: 'Protocol that it lets in.' }),
  port_from: optional(
    integer({
      min: 1,
      max: 65_535,
      description: 'First port that it opens. Required with `tcp` and `udp`, refused with `icmp` and `all`.',
    }),
  ),
  port_to: optional(integer({ min: 1, max: 65_535, description: 'Last port that it opens. Default: the first one.' })),
  source_cidr: text({
    max: 18,
    pattern: '^[0-9./]+$',
    form: 'an IPv4 network, such as 10.0.0.0/8',
    code: 'invalid_cidr',
    examples: ['0.0.0.0/0', '10.0.0.0/8', '203.0.113.7/32'],
    description: 'IPv4 network from which traffic may come, without host bits. 0.0.0.0/0: from everywhere.',
  }),
  description: optional(text({ max: 255, description: 'A note for people.' })),
})
export type FirewallRule = Static<typeof firewallRule>

/** The most rules of a firewall. */
export const firewallRulesMax = 50

const rules = array(firewallRule, {
  max: firewallRulesMax,
  description: 'What may come in. Traffic that no rule allows is dropped.',
})

export const firewall = resource(
  'Firewall',
  'The filter of inbound traffic to the public address of instances. Traffic that no rule allows is dropped.',
  {
    object: constant('firewall'),
    id: id('firewall'),
    resource_path: path('firewall'),
    workspace: workspaceSummary,
    name: name(),
    is_default: boolean({
      description: 'Whether it is the own firewall of the workspace, which instances with a public address get.',
    }),
    rules,
    tags: nullable(tags()),
    created_at: createdAt,
    updated_at: updatedAt,
  },
)
export type Firewall = Static<typeof firewall>

export const createFirewall = endpoint({
  name: 'create_firewall',
  method: 'POST',
  path: '/preview/v2/firewalls',
  area,
  summary: 'Create a firewall.',
  body: object({
    name: optional(givenName()),
    workspace: optional(ownWorkspace()),
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
    workspace: optional(idOrPath('workspace', ofThis('workspace'))),
    id: repeated(idOrPath('firewall', onlyThis)),
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
  body: object({ name: optional(newName()), tags: optional(nullable(tags())) }),
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
  body: object({
    rules: array(firewallRule, {
      max: firewallRulesMax,
      description: 'All rules from now on: what may come in. Traffic that no rule allows is dropped.',
    }),
  }),
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
