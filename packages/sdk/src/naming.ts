/** Maps the operations of the contract to the methods of the client: `delete_firewall` is `firewalls.delete`. */
import { singular } from '@bourse/text/nouns.ts'

/** Operations for which the rule gives an unexpected method. */
export const exceptions = {
  get_account: ['account', 'get'],
  get_administered_account: ['accounts', 'get'],
  list_instance_logs: ['instances', 'list_logs'],
  get_webhook_delivery: ['webhooks', 'get_delivery'],
  list_webhook_deliveries: ['webhooks', 'list_deliveries'],
  redeliver_webhook_delivery: ['webhooks', 'redeliver'],
  set_clock_rate: ['clock', 'set_rate'],
  set_trust_level: ['accounts', 'set_trust_level'],
  settle: ['sandbox', 'settle'],
} as const satisfies Record<string, readonly [noun: string, verb: string]>

/** The group and the method of one operation, in camel case. */
export type Placement = { readonly noun: string; readonly verb: string }

/**
 * The group and the method of every operation. Each list operation defines a noun (`list_firewalls`), and each noun is
 * a group. An operation belongs to the group of the noun in its name; the words before or after the noun belong to the
 * method: `replace_firewall_rules` is `firewalls.replaceRules`, `create_read_only_pool` is `pools.createReadOnly`. A
 * noun without a list is also a group (`freeze_clock`).
 */
export function placements(operations: readonly string[]): Map<string, Placement> {
  const plurals = operations.filter((name) => name.startsWith('list_')).map((name) => name.slice('list_'.length))
  const nouns = new Map(plurals.flatMap((plural) => [plural, singular(plural)].map((word) => [word, plural] as const)))
  return new Map(
    operations.map((name) => {
      const [noun, verb] = placeOf(name, nouns)
      return [name, { noun: camel(noun), verb: camel(verb) }]
    }),
  )
}

/** The method of an operation in a client, for programs that handle operations as data; they say what it takes. */
export function methodAt<M>(client: object, { noun, verb }: Placement): M {
  return (client as Record<string, Record<string, M>>)[noun]?.[verb] as M
}

function placeOf(name: string, nouns: ReadonlyMap<string, string>): readonly [noun: string, verb: string] {
  if (Object.hasOwn(exceptions, name)) return exceptions[name as keyof typeof exceptions]
  const verb = name.slice(0, name.indexOf('_'))
  const rest = name.slice(verb.length + 1)
  const noun = nouns.get(rest)
  if (noun) return [noun, verb]
  const words = [...nouns.keys()].sort((a, b) => b.length - a.length)
  const leading = words.find((word) => rest.startsWith(`${word}_`))
  if (leading) return [nouns.get(leading) as string, `${verb}_${rest.slice(leading.length + 1)}`]
  const trailing = words.find((word) => rest.endsWith(`_${word}`))
  if (trailing) return [nouns.get(trailing) as string, `${verb}_${rest.slice(0, -trailing.length - 1)}`]
  return [rest, verb]
}

function camel(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
