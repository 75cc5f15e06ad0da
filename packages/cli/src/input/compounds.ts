/**
 * Members of bodies that are lists or objects, as flags of a person. They are recognised by the structure of their
 * schema: a schedule, the rules of a firewall, the policy of a role, one value for each of several resources, the
 * properties that a SKU must have.
 */
import { type FirewallRule, firewallRule } from '@bourse/api/network/firewalls.ts'
import { decimalShapeOf, readDollars } from '@bourse/text/grammar/amounts.ts'
import { type Present, readWindowText } from '@bourse/text/grammar/windows.ts'
import { usageProblem } from '../output/usage.ts'
import { readFirewallRule } from './firewall-rules.ts'
import type { PlainSchema } from './plain-schema.ts'
import type { Session } from './session.ts'
import { presentOf } from './times.ts'
import { readOpenWindow } from './windows.ts'

/** A flag of a compound. */
export type CompoundFlag = {
  readonly name: string
  readonly placeholder: string
  readonly description: string
  readonly repeated: boolean
}

/** What was given for the flags of a compound, by their names. */
export type GivenFlags = Readonly<Record<string, string | readonly string[] | undefined>>

/** How a person gives a member that is a list or an object. */
export type Compound = {
  readonly flags: readonly CompoundFlag[]
  readonly read: (session: Session, given: GivenFlags) => Promise<unknown>
}

/** The flags of a member; undefined for one that has a flag of its own. `references` resolves names. */
export function compoundOf(schema: PlainSchema, references: ResolveName): Compound | undefined {
  const { items } = schema
  if (items && isWindow(items)) return scheduleFlags(schema)
  if (items?.title === (firewallRule as PlainSchema).title) return ruleFlags()
  if (isPurchase(schema)) return purchaseFlags(schema)
  const rule = schema.properties?.rules?.items
  if (rule?.properties?.actions) return policyFlags(schema)
  const [key, value] = Object.keys(items?.properties ?? {})
  if (items && key === 'id' && value !== undefined) return assignmentFlags(items, value, references)
  return undefined
}

/** Resolves the name of a resource whose references have this schema. */
export type ResolveName = (session: Session, schema: PlainSchema, typed: string) => Promise<string>

function isWindow({ properties = {} }: PlainSchema): boolean {
  const { start_at, end_at, node_count } = properties
  return start_at?.multipleOf === 60 && end_at?.multipleOf === 60 && node_count?.type === 'integer'
}

function isPurchase({ properties = {} }: PlainSchema): boolean {
  return properties.end_at?.multipleOf === 60 && properties.limit_price_dollars_per_node_hour !== undefined
}

function purchaseFlags({ properties = {} }: PlainSchema): Compound {
  const flag = (name: string, placeholder: string, description: string) => {
    return { name, placeholder, description, repeated: false }
  }
  return {
    flags: [
      flag('for', 'span', 'Also buy one node of the SKU for the pool, for so long: 90m, 2h, 1d. Needs --limit-price.'),
      flag('until', 'time', 'End of what is bought, instead of --for: +2h, 2026-01-31T14:00Z.'),
      flag('from', 'time', 'Start of what is bought: +2h, tomorrow 9am. Default: now.'),
      flag('limit-price', 'dollars', 'The highest price of what is bought, in dollars per node-hour: 18.50.'),
      flag('max-cost', 'dollars', 'The most that what is bought may cost: 55.00.'),
    ],
    read: async (session, given) => {
      const { for: length, until, from, 'limit-price': price, 'max-cost': most } = given as Record<string, string>
      if (price === undefined) throw usageProblem('Missing --limit-price.', 'Say what a node-hour may cost.')
      const start = from === undefined ? undefined : { from }
      const times = { ...start, ...(length && { for: length }), ...(until && { until }) }
      const { start_at, end_at } = await readOpenWindow(session, times, { from: 'now' })
      if (end_at === null) throw usageProblem('What is bought needs an end.', 'Give --for or --until.')
      const dollars = (text: string, field: string) =>
        readDollars(text, decimalShapeOf(properties[field]?.pattern ?? ''))
      return {
        ...(start && { start_at }),
        end_at,
        limit_price_dollars_per_node_hour: dollars(price, 'limit_price_dollars_per_node_hour'),
        ...(most !== undefined && { max_cost_dollars: dollars(most, 'max_cost_dollars') }),
      }
    },
  }
}

function scheduleFlags({ maxItems, items }: PlainSchema): Compound {
  const canBeOpen = [items?.properties?.end_at?.type].flat().includes('null')
  const never = canBeOpen ? ' `never`: without end.' : ''
  const repeatedText = maxItems === 1 ? '' : ' Repeated: one after the other, each with its own nodes: 4x now +2h.'
  return {
    flags: [
      { name: 'nodes', placeholder: 'number', description: 'Number of nodes.', repeated: false },
      {
        name: 'window',
        placeholder: 'window',
        description: `Start and length or end: 'tomorrow 9am +6h'.${repeatedText}`,
        repeated: true,
      },
      {
        name: 'from',
        placeholder: 'time',
        description: 'Start, instead of --window: now, +2h, tomorrow 9am.',
        repeated: false,
      },
      { name: 'for', placeholder: 'span', description: 'Length: 90m, 2h, 1d.', repeated: false },
      {
        name: 'until',
        placeholder: 'time',
        description: `End, instead of --for: +2h, 2026-01-31T14:00Z.${never}`,
        repeated: false,
      },
    ],
    read: async (session, given) => {
      const steps = await readSteps(session, given)
      const open = steps.find(({ end_at }) => end_at === null)
      if (open && !canBeOpen) throw usageProblem('This window needs an end.', 'Give --for or --until.')
      return steps
    },
  }
}

type CompoundStep = { readonly start_at: number; readonly end_at: number | null; readonly node_count: number }

async function readSteps(session: Session, given: GivenFlags): Promise<CompoundStep[]> {
  const {
    nodes,
    window,
    from,
    for: length,
    until,
  } = given as Readonly<Record<string, string | undefined>> & {
    readonly window?: readonly string[]
  }
  const rest = { ...(from && { from }), ...(length && { for: length }), ...(until && { until }) }
  if (window === undefined) {
    return [{ ...(await readOpenWindow(session, rest)), node_count: nodesOf(nodes) }]
  }
  if (Object.keys(rest).length > 0) throw usageProblem('Give either --window or --from, --for and --until.')
  const present = await presentOf(session)
  return window.map((text) => readStep(text, nodes, present))
}

function readStep(text: string, nodes: string | undefined, present: Present): CompoundStep {
  const [, own, plain = text] = /^(\d+) ?(?:x|×|nodes?) (.+)$/i.exec(text.trim()) ?? []
  return { ...readWindowText(plain, present), node_count: nodesOf(own ?? nodes) }
}

function nodesOf(text: string | undefined): number {
  if (text === undefined) throw usageProblem('Missing --nodes.', "Give it, or write it into --window: '4x now +2h'.")
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw usageProblem(`--nodes takes a whole number, not "${text}".`)
}

function ruleFlags(): Compound {
  const description = "Rule for inbound traffic: 'in tcp 22 from 10.0.0.0/8'. May be repeated."
  return {
    flags: [{ name: 'rule', placeholder: 'rule', description, repeated: true }],
    read: async (_, { rule = [] }): Promise<FirewallRule[]> => [rule].flat().map(readFirewallRule),
  }
}

function policyFlags({ properties }: PlainSchema): Compound {
  const [version] = properties?.api_version?.enum ?? []
  const kinds = Object.keys(properties?.rules?.items?.properties?.actions?.properties ?? {})
  const description = 'Right of the role: pool:read,list or instance:*. May be repeated.'
  return {
    flags: [{ name: 'allow', placeholder: 'kind:verbs', description, repeated: true }],
    read: async (_, { allow = [] }) => {
      const actions: Record<string, string[]> = {}
      for (const text of [allow].flat()) {
        const [, kind = '', verbs = ''] = /^([a-z_]+|\*):([a-z_*]+(?:,[a-z_*]+)*)$/.exec(text) ?? []
        if (verbs === '' || !kinds.includes(kind)) {
          throw usageProblem(`"${text}" is not a right.`, `Write kind:verb,verb. Kinds: ${kinds.join(', ')}.`)
        }
        actions[kind] = [...new Set([...(actions[kind] ?? []), ...verbs.split(',')])]
      }
      return { api_version: version, rules: [{ effect: 'allow', actions }] }
    },
  }
}

function assignmentFlags(items: PlainSchema, member: string, references: ResolveName): Compound {
  const name = member.replaceAll('_', '-')
  const choices = (items.properties?.[member]?.enum ?? []).map(String)
  const description = `One resource and its value: name=value, with ${choices.join(', ')}. May be repeated.`
  return {
    flags: [{ name, placeholder: 'name=value', description, repeated: true }],
    read: async (session, { [name]: given = [] }) =>
      Promise.all(
        [given].flat().map(async (text) => {
          const at = text.lastIndexOf('=')
          const value = text.slice(at + 1)
          if (at <= 0 || !choices.includes(value)) {
            throw usageProblem(`"${text}" is not a name and a value.`, `Write name=${choices[0]}. ${description}`)
          }
          const id = await references(session, items.properties?.id ?? {}, text.slice(0, at))
          return { id, [member]: value === 'null' ? null : value }
        }),
      ),
  }
}
