/** Rules of firewalls as people write them: `in tcp 22 from 10.0.0.0/8`, `tcp 8000-8100 from any as "web"`. */
import type { FirewallRule } from '@bourse/api/network/firewalls.ts'
import { usageProblem } from '../output/usage.ts'

const forms =
  "Write 'in tcp 22 from 10.0.0.0/8', 'udp 5000-5010 from any', 'icmp from 192.0.2.7', 'all from 10.0.0.0/8 as office'."

/** Parses a rule. All rules allow inbound traffic, so `in` may be left out; `from` may not. */
export function readFirewallRule(text: string): FirewallRule {
  const [, protocol = '', first, last, source, description] =
    /^(?:in )?(tcp|udp|icmp|all)(?: (\d{1,5})(?:-(\d{1,5}))?)?(?: from (\S+))?(?: as "?([^"]+)"?)?$/i.exec(
      text.trim().replaceAll(/\s+/g, ' '),
    ) ?? []
  if (/^(out|deny|block|drop)\b/i.test(text.trim())) {
    throw usageProblem(`"${text}" cannot be a rule: rules allow inbound traffic, and the rest is dropped.`, forms)
  }
  if (protocol === '') throw usageProblem(`"${text}" is not a rule of a firewall.`, forms)
  if (source === undefined) throw usageProblem(`"${text}" does not say from where.`, forms)
  return {
    protocol: protocol.toLowerCase() as FirewallRule['protocol'],
    ...(first === undefined ? {} : { port_from: Number(first) }),
    ...(last === undefined ? {} : { port_to: Number(last) }),
    source_cidr: networkOf(source),
    ...(description === undefined ? {} : { description }),
  }
}

/** Formats a rule as `readFirewallRule` reads it. */
export function firewallRuleText({ protocol, port_from, port_to, source_cidr, description }: FirewallRule): string {
  const ports = port_from === undefined ? '' : ` ${port_from}${port_to === undefined ? '' : `-${port_to}`}`
  return `in ${protocol}${ports} from ${source_cidr}${description === undefined ? '' : ` as "${description}"`}`
}

function networkOf(source: string): string {
  if (source.toLowerCase() === 'any') return '0.0.0.0/0'
  return source.includes('/') ? source : `${source}/32`
}
