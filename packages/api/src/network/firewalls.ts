import { endpoint } from '../kit/endpoint.ts'
import { namedChange, namedCreation, namedFilters, namedResource } from '../kit/named.ts'
import {
  array,
  boolean,
  idOrPath,
  integer,
  object,
  oneOf,
  optional,
  pageOf,
  resource,
  type Static,
  text,
} from '../kit/schema.ts'

const area = 'firewalls'

export const firewallRule = resource('FirewallRule', 'One rule, which allows inbound traffic.', {
  protocol: oneOf(['tcp', 'udp', 'icmp', 'all'], { description: 'Protocol that it allows.' }),
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
  description: 'The rules for inbound traffic. Traffic that no rule allows is dropped.',
})

export const firewall = namedResource('firewall', {
  title: 'Firewall',
  description:
    'The filter of inbound traffic to the public address of instances. Traffic that no rule allows is dropped.',
  own: {
    is_default: boolean({
      description:
        'Whether it is the default firewall of the workspace, which instances with a public address get unless they ' +
        'name another.',
    }),
    rules,
  },
})
export type Firewall = Static<typeof firewall>

const params = { id: idOrPath('firewall') }

export const createFirewall = endpoint({
  name: 'create_firewall',
  method: 'POST',
  path: '/preview/v2/firewalls',
  area,
  summary: 'Create a firewall',
  description:
    'Creates a firewall with rules that allow inbound traffic to public addresses; traffic that no rule allows is ' +
    'dropped. It applies to instances with a public IPv4 address that name it. Other instances with such an address ' +
    'have the default firewall of their workspace.',
  body: namedCreation({ rules: optional(rules) }),
  response: firewall,
  access: 'firewall:create',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
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
  summary: 'List firewalls',
  description: 'Newest first, including the default firewall of each workspace.',
  query: namedFilters('firewall', { prefix: 'frwlc', own: {} }),
  response: pageOf(firewall, 'frwlc'),
  access: 'firewall:list',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'mutually_exclusive'],
})

export const getFirewall = endpoint({
  name: 'get_firewall',
  method: 'GET',
  path: '/preview/v2/firewalls/:id',
  area,
  summary: 'Get a firewall',
  description: 'Shows the rules of a firewall, and whether it is the default of its workspace.',
  params,
  response: firewall,
  access: 'firewall:read',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const updateFirewall = endpoint({
  name: 'update_firewall',
  method: 'PATCH',
  path: '/preview/v2/firewalls/:id',
  area,
  summary: 'Change a firewall',
  description:
    'Renames a firewall or replaces all of its tags; the rules stay. The default firewall cannot be renamed. ' +
    '`replace_firewall_rules` changes the rules.',
  params,
  body: namedChange,
  response: firewall,
  access: 'firewall:write',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  errors: ['forbidden', 'not_found', 'name_taken', 'default_firewall'],
})

export const replaceFirewallRules = endpoint({
  name: 'replace_firewall_rules',
  method: 'PUT',
  path: '/preview/v2/firewalls/:id/rules',
  area,
  summary: 'Replace firewall rules',
  description:
    'Replaces the whole list of rules; the hosts of attached instances apply it at once. A rule that is left out ' +
    'no longer allows anything.',
  params,
  body: object({
    rules: array(firewallRule, {
      max: firewallRulesMax,
      description: 'All rules for inbound traffic from now on. Traffic that no rule allows is dropped.',
    }),
  }),
  response: firewall,
  access: 'firewall:write',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  errors: ['invalid_range', 'invalid_cidr', 'duplicate_entry', 'forbidden', 'not_found'],
})

export const deleteFirewall = endpoint({
  name: 'delete_firewall',
  method: 'DELETE',
  path: '/preview/v2/firewalls/:id',
  area,
  summary: 'Delete a firewall',
  description:
    'Refused with `firewall_in_use` while an instance or a template uses it. The default firewall is deleted only ' +
    'with its workspace.',
  params,
  access: 'firewall:delete',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'entry' },
  consequence: 'destroys',
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
