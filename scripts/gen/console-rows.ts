/**
 * Prints what the console's tables have to know of the rows of lists: the kind of each member and its title. Neither
 * schemas nor descriptions go to the browser.
 */
import { endpoints } from '../../packages/api/src/contract.ts'
import type { Endpoint } from '../../packages/api/src/kit/endpoint.ts'
import { titleOf } from '../../packages/api/src/kit/titles.ts'
import {
  displayedType,
  type ObjectType,
  typeAt,
  typeOf,
  type ValueType,
} from '../../packages/cli/src/output/rows/value-types.ts'

/** The rows that the areas of the console show: of lists, and of lists inside their rows. */
const shown: Readonly<Record<string, readonly string[]>> = {
  access: [
    'list_users',
    'list_grants',
    'list_tokens',
    'list_ssh_keys',
    'list_audit_entries',
    'list_workspaces',
    'list_limits',
  ],
  automation: ['list_deployments', 'list_procurements'],
  events: ['list_events'],
  fleet: ['list_instances', 'list_instance_templates', 'list_pools', 'list_pool_transfers'],
  images: ['list_images'],
  market: ['list_skus', 'list_orders', 'list_order_fills'],
  money: ['list_transactions', 'list_holds', 'list_usage', 'list_budgets'],
  network: ['list_firewalls', 'list_subnets', 'list_infiniband_partitions'],
  operator: [
    'list_accounts',
    'list_account_limits',
    'list_account_transactions',
    'list_hosts',
    'list_agent_rollouts',
    'list_agent_rollouts.groups',
    'list_agent_rollouts.hosts',
    'list_pending_credits',
    'list_platform_instances',
    'list_platform_orders',
    'list_platform_pools',
    'list_platform_skus',
    'list_platform_usage',
    'list_platform_usage.skus',
    'list_revenue',
    'list_sku_overrides',
  ],
  webhooks: ['list_webhooks', 'list_webhook_deliveries'],
}

/** Texts by their paths: one file for each area, which is loaded with its pages. */
export function printConsoleRows(): Map<string, string> {
  return new Map(
    Object.entries(shown).map(([area, names]) => [`packages/console/src/generated/rows/${area}.ts`, areaText(names)]),
  )
}

function areaText(names: readonly string[]): string {
  return `/** Generated from the contract by \`npm run gen\`. Do not edit. */\n\n${names.map(rowsText).join('\n\n')}\n`
}

function rowsText(name: string): string {
  const [operation = '', of] = name.split('.')
  const row = rowType(operation, of)
  const fields = [...row.members].flatMap(([member, type]) => {
    const kind = kindOf(member, type)
    return kind === undefined ? [] : [`    ${member}: ['${kind}', '${titleOf(member)}'],`]
  })
  const place = `  operation: '${operation}',\n${of === undefined ? '' : `  of: '${of}',\n`}`
  return `export const ${constantOf(name)} = {\n${place}  fields: {\n${fields.join('\n')}\n  },\n} as const`
}

function rowType(operation: string, of: string | undefined): ObjectType {
  const endpoint = (endpoints as readonly Endpoint[]).find(({ name }) => name === operation)
  const data = typeAt(typeOf(endpoint?.response), of === undefined ? 'data' : `data.${of}`)
  if (data?.kind !== 'list' || data.of.kind !== 'object') throw new Error(`${operation} has no rows.`)
  return data.of
}

/** `platformUsageSkus` of `list_platform_usage.skus`. */
function constantOf(name: string): string {
  return name.replace('list_', '').replaceAll(/[_.](.)/g, (_, letter: string) => letter.toUpperCase())
}

/** Words that say how something is, which are shown in a colour. */
const states = new Set(['state', 'health'])
/** The moments of what happened once: they are looked up, while the age of everything else is read. */
const happened = new Set(['occurred_at', 'filled_at'])
/** What machines write: it is read letter by letter. */
const codes = new Set(['cidr', 'private_ip', '_preview_public_ip', 'sha256'])
const notShown = new Set(['object', 'resource_path', 'cursor'])

/** How the console shows a member; undefined for what is no single value. */
function kindOf(name: string, type: ValueType): string | undefined {
  if (notShown.has(name)) return undefined
  if (type.kind === 'object') return objectKind(type)
  switch (type.kind) {
    case 'time':
      return type.of !== 'moment' || happened.has(name) ? 'moment' : 'age'
    case 'number':
      return type.of ?? 'count'
    case 'word':
      // The name of an action is what programs filter by.
      return states.has(name) ? 'state' : name === 'action' ? 'text' : 'word'
    case 'text':
      return name === 'name' || name === 'alias' ? 'name' : codes.has(name) ? 'code' : 'text'
    case 'id':
      return type.isOwn ? 'id' : 'text'
    case 'list':
      return type.of.kind === 'object' ? 'list' : 'texts'
    case 'map':
      return name === 'tags' ? 'tags' : undefined
    case 'money':
    case 'boolean':
      return type.kind
    default:
      return undefined
  }
}

function objectKind(type: ObjectType): string | undefined {
  if (displayedType(type)) return 'displayed'
  return ['alias', 'name', 'email'].some((name) => type.members.has(name)) ? 'named' : undefined
}
