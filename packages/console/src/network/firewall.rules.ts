/** What the rules of a firewall mean, in words. Pure. */
import type { FirewallRule } from '@bourse/sdk'

/** Who may reach what: one source with everything that the rules allow it. */
export type SourceReach = { readonly who: string; readonly what: readonly string[] }

/** Ports that people know by a name. */
const services: Readonly<Record<string, string>> = {
  'tcp 22': 'SSH',
  'tcp 25': 'SMTP',
  'tcp 53': 'DNS',
  'udp 53': 'DNS',
  'tcp 80': 'HTTP',
  'udp 123': 'NTP',
  'tcp 443': 'HTTPS',
  'udp 443': 'HTTP/3',
  'tcp 3306': 'MySQL',
  'tcp 3389': 'RDP',
  'tcp 5432': 'PostgreSQL',
  'tcp 6379': 'Redis',
  'tcp 6443': 'the Kubernetes API',
  'tcp 8888': 'Jupyter',
  'tcp 9090': 'Prometheus',
  'udp 51820': 'WireGuard',
}

/** The sources in the order of the rules, each with what it may reach. */
export function reachOf(rules: readonly FirewallRule[]): readonly SourceReach[] {
  const byWho = new Map<string, string[]>()
  for (const rule of rules) {
    const who = sourceText(rule.source_cidr)
    byWho.set(who, [...(byWho.get(who) ?? []), targetText(rule)])
  }
  return [...byWho].map(([who, what]) => ({ who, what }))
}

/** A source in words: anyone, one address, or a network with its size. */
export function sourceText(cidr: string): string {
  const network = readCidr(cidr)
  if (!network) return cidr
  if (network.bits === 0) return 'Anyone'
  if (network.bits === 32) return `The address ${cidr.replace(/\/32$/, '')}`
  const size = (2 ** (32 - network.bits)).toLocaleString('en-US')
  return `${isPrivate(network) ? 'The private network' : 'The network'} ${cidr} (${size} addresses)`
}

/** What a rule opens, in words. */
export function targetText({ protocol, port_from, port_to }: FirewallRule): string {
  if (protocol === 'all') return 'every port, with every protocol'
  if (protocol === 'icmp') return 'ping (ICMP)'
  const name = protocol.toUpperCase()
  const last = port_to ?? port_from
  if (port_from === undefined || last === undefined) return `${name}, of which the ports are missing`
  if (port_from === 1 && last === 65_535) return `every ${name} port`
  if (port_from !== last) return `${name} ports ${port_from} to ${last}`
  const service = services[`${protocol} ${port_from}`]
  return service ? `${service} (${name} port ${port_from})` : `${name} port ${port_from}`
}

/** What someone should know about a list of rules: what is wide open, and what has no effect. */
export function warningsOf(rules: readonly FirewallRule[]): readonly string[] {
  const open = rules.some(({ protocol, source_cidr }) => protocol === 'all' && readCidr(source_cidr)?.bits === 0)
  const hidden = rules.flatMap((rule, index) => {
    const by = rules.findIndex(
      (other, at) => at !== index && covers(other, rule) && !(at > index && covers(rule, other)),
    )
    return by === -1 ? [] : [`Rule ${index + 1} adds nothing: rule ${by + 1} allows all of it.`]
  })
  return [...(open ? ['Anyone may reach everything: this firewall keeps nothing out.'] : []), ...hidden]
}

/** Whether everything that the second rule allows is allowed by the first. */
export function covers(first: FirewallRule, second: FirewallRule): boolean {
  const outer = readCidr(first.source_cidr)
  const inner = readCidr(second.source_cidr)
  if (!outer || !inner || outer.bits > inner.bits || maskedTo(inner.address, outer.bits) !== outer.address) return false
  if (first.protocol === 'all') return true
  if (first.protocol !== second.protocol) return false
  if (first.protocol === 'icmp') return true
  const [from, to] = portsOf(first)
  const [low, high] = portsOf(second)
  return from <= low && to >= high
}

function portsOf({ port_from = 0, port_to = port_from }: FirewallRule): [from: number, to: number] {
  return [port_from, port_to]
}

type ParsedNetwork = { readonly address: number; readonly bits: number }

function readCidr(cidr: string): ParsedNetwork | undefined {
  const found = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(cidr)
  if (!found) return undefined
  const [a = 0, b = 0, c = 0, d = 0, bits = 0] = found.slice(1).map(Number)
  if ([a, b, c, d].some((part) => part > 255) || bits > 32) return undefined
  return { address: ((a * 256 + b) * 256 + c) * 256 + d, bits }
}

/** Without the operators of 32 bits, which make negative numbers. */
function maskedTo(address: number, bits: number): number {
  const size = 2 ** (32 - bits)
  return Math.floor(address / size) * size
}

const privateNetworks: readonly ParsedNetwork[] = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map(
  (cidr) => readCidr(cidr) as ParsedNetwork,
)

function isPrivate({ address, bits }: ParsedNetwork): boolean {
  return privateNetworks.some((one) => bits >= one.bits && maskedTo(address, one.bits) === one.address)
}

/** A rule as it is typed. Numbers are texts until they are sent. */
export type TypedRule = {
  /** Tells rows apart, also equal ones. */
  readonly key: string
  readonly protocol: FirewallRule['protocol']
  readonly port_from: string
  readonly port_to: string
  readonly source_cidr: string
  readonly description: string
}

/** A rule to begin with. */
export const emptyRule: Omit<TypedRule, 'key'> = {
  protocol: 'tcp',
  port_from: '',
  port_to: '',
  source_cidr: '0.0.0.0/0',
  description: '',
}

/** A rule for its editor. A single port has no end. */
export function typedOf(rule: FirewallRule, key: string): TypedRule {
  const { protocol, port_from, port_to, source_cidr, description = '' } = rule
  const to = port_to === port_from ? '' : String(port_to ?? '')
  return { key, protocol, port_from: String(port_from ?? ''), port_to: to, source_cidr, description }
}

/** A rule as it is sent. What is not a number is sent as zero, which the server refuses at its field. */
export function ruleOf({
  protocol,
  port_from,
  port_to,
  source_cidr,
  description,
}: Omit<TypedRule, 'key'>): FirewallRule {
  const hasPorts = protocol === 'tcp' || protocol === 'udp'
  const port = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : 0)
  const address = source_cidr.trim()
  return {
    protocol,
    ...(hasPorts && port_from.trim() !== '' ? { port_from: port(port_from) } : {}),
    ...(hasPorts && port_to.trim() !== '' ? { port_to: port(port_to) } : {}),
    source_cidr: /^[\d.]+$/.test(address) ? `${address}/32` : address,
    ...(description.trim() === '' ? {} : { description: description.trim() }),
  }
}
