// Validates the rules of a firewall. Not this file's work: rights, and the hosts that apply the rules.

import type { FirewallRule } from '@bourse/api/network/firewalls.ts'
import type { RefusalData } from '../core/base/refusal.ts'
import { parseCidr } from './addresses.rules.ts'

/** The most rules of a firewall. */
export const rulesMax = 50
const portMax = 65_535
const descriptionLengthMax = 255

/** A rule of a request. Null means absent. */
export type FirewallRuleInput = {
  readonly protocol: string
  readonly port_from?: number | null | undefined
  readonly port_to?: number | null | undefined
  readonly source_cidr: string
  readonly description?: string | null | undefined
}

/** The initial rules of a default firewall: SSH from anywhere. */
export const defaultFirewallRules: readonly FirewallRule[] = [
  { protocol: 'tcp', port_from: 22, port_to: 22, source_cidr: '0.0.0.0/0' },
]

/**
 * Parses a list of rules: fills in `port_to` and leaves out null fields. Refuses the first invalid rule on its dotted
 * field, such as `rules.2.port_to`. Of two rules that differ only in their descriptions, the later one is invalid.
 */
export function readFirewallRules(
  rules: readonly FirewallRuleInput[],
  field = 'rules',
): { rules: FirewallRule[] } | { refusal: RefusalData } {
  if (rules.length > rulesMax) {
    return { refusal: { code: 'too_many', field, message: `A firewall has at most ${rulesMax} rules.` } }
  }
  const seen = new Map<string, number>()
  const read: FirewallRule[] = []
  for (const [index, input] of rules.entries()) {
    const path = `${field}.${index}`
    const refusal = refuseRule(input, path)
    if (refusal) return { refusal }
    const { description, ...what } = readRule(input)
    const key = JSON.stringify(what)
    const duplicate = seen.get(key)
    if (duplicate !== undefined) {
      const message = `The rule is a duplicate of ${field}.${duplicate}.`
      return { refusal: { code: 'duplicate_entry', field: path, message } }
    }
    seen.set(key, index)
    read.push(description === undefined ? what : { ...what, description })
  }
  return { rules: read }
}

/** Refuses to delete a default firewall, and a firewall that is in use, with one detail for each referrer. */
export function refuseFirewallDelete(
  firewall: { readonly is_default: boolean },
  referrers: readonly { readonly kind: string; readonly id: string }[],
): RefusalData | undefined {
  if (firewall.is_default) {
    return { code: 'default_firewall', field: null, message: 'The default firewall of a workspace cannot be deleted.' }
  }
  if (referrers.length === 0) return undefined
  const details = referrers.map(({ kind, id }) => {
    const what = kind.replaceAll('_', ' ')
    return { field: null, code: 'firewall_in_use' as const, message: `The ${what} ${id} uses this firewall.` }
  })
  return { code: 'firewall_in_use', field: null, message: 'This firewall is in use.', details }
}

function readRule(input: FirewallRuleInput): FirewallRule {
  const protocol = input.protocol as FirewallRule['protocol']
  const ports = hasPorts(protocol) ? portsOf(input) : {}
  const description = input.description ?? undefined
  return {
    protocol,
    ...ports,
    source_cidr: input.source_cidr,
    ...(description === undefined ? {} : { description }),
  }
}

function portsOf({ port_from, port_to }: FirewallRuleInput): { port_from: number; port_to: number } {
  const from = port_from as number
  return { port_from: from, port_to: port_to ?? from }
}

function refuseRule(input: FirewallRuleInput, path: string): RefusalData | undefined {
  const { protocol, source_cidr, description } = input
  if (!['tcp', 'udp', 'icmp', 'all'].includes(protocol)) {
    return { code: 'invalid_value', field: `${path}.protocol`, message: 'The protocol must be tcp, udp, icmp or all.' }
  }
  const badPorts = hasPorts(protocol) ? refusePorts(input, path) : refuseAnyPort(input, path)
  if (badPorts) return badPorts
  if (!parseCidr(source_cidr)) {
    const message = 'Specify an IPv4 network without host bits, such as 203.0.113.0/24, or 0.0.0.0/0 for any source.'
    return { code: 'invalid_cidr', field: `${path}.source_cidr`, message }
  }
  if ((description?.length ?? 0) > descriptionLengthMax) {
    const message = `A description has at most ${descriptionLengthMax} characters.`
    return { code: 'too_long', field: `${path}.description`, message }
  }
  return undefined
}

function refusePorts(input: FirewallRuleInput, path: string): RefusalData | undefined {
  const from = input.port_from ?? undefined
  const to = input.port_to ?? from
  if (from === undefined || to === undefined) {
    const message = `A rule for ${input.protocol} requires a port, or the first port of a range.`
    return { code: 'required', field: `${path}.port_from`, message }
  }
  for (const [name, port] of Object.entries({ port_from: from, port_to: to })) {
    if (Number.isInteger(port) && port >= 1 && port <= portMax) continue
    return { code: 'out_of_range', field: `${path}.${name}`, message: `A port must be from 1 to ${portMax}.` }
  }
  if (to < from) {
    return { code: 'invalid_range', field: `${path}.port_to`, message: 'port_to must not be less than port_from.' }
  }
  return undefined
}

function refuseAnyPort(input: FirewallRuleInput, path: string): RefusalData | undefined {
  const name = (['port_from', 'port_to'] as const).find((port) => (input[port] ?? undefined) !== undefined)
  if (!name) return undefined
  return { code: 'invalid_value', field: `${path}.${name}`, message: `A rule for ${input.protocol} has no ports.` }
}

function hasPorts(protocol: string): boolean {
  return protocol === 'tcp' || protocol === 'udp'
}
