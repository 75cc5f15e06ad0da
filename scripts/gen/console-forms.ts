/** Prints what the forms of the console know about the bodies of operations: kinds of inputs, bounds, labels, hints. */
import { confirmations } from '../../packages/api/src/confirmations.ts'
import { endpoints, type OperationName } from '../../packages/api/src/contract.ts'
import type { Endpoint } from '../../packages/api/src/kit/endpoint.ts'
import { titleOf } from '../../packages/api/src/kit/titles.ts'
import { negativeText } from '../../packages/cli/src/commands/help/field-texts.ts'
import { commandPlace } from '../../packages/cli/src/commands/operation-commands.ts'
import { type Field, fieldsOf } from '../../packages/cli/src/input/fields.ts'
import { presentations } from '../../packages/cli/src/output/presentation.ts'

/** A schema of a member, as far as a form shows it. */
type MemberSchema = {
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly items?: MemberSchema
  readonly 'x-secret'?: boolean
}

/** The operations that the areas of the console have forms for. */
const shown: Readonly<Record<string, readonly OperationName[]>> = {
  access: [
    'create_user',
    'update_user',
    'create_ssh_key',
    'create_role',
    'update_role',
    'create_grant',
    'create_token',
    'create_workspace',
    'update_workspace',
  ],
  automation: ['create_deployment', 'update_deployment', 'create_procurement', 'update_procurement'],
  fleet: [
    'create_instance',
    'update_instance',
    'replace_instance',
    'create_instance_template',
    'create_pool',
    'update_pool',
    'create_pool_transfer',
  ],
  images: ['deprecate_image'],
  money: ['create_budget', 'update_budget', 'put_balance_threshold'],
  network: [
    'create_firewall',
    'update_firewall',
    'replace_firewall_rules',
    'create_subnet',
    'update_subnet',
    'create_infiniband_partition',
    'update_infiniband_partition',
  ],
  operator: [
    'create_account',
    'create_account_user',
    'put_account_limit',
    'create_account_transaction',
    'put_credit_limit',
    'create_pending_credit',
    'create_sku',
    'update_sku',
    'put_sku_override',
    'put_sku_property_value',
    'create_host_enrolment',
    'drain_host',
    'halt_market',
    'resume_market',
  ],
  webhooks: ['create_webhook', 'replay_webhook'],
}

/** Texts by their paths: one file for each area of the console, which is loaded with its pages. */
export function printConsoleForms(): Map<string, string> {
  return new Map(
    Object.entries(shown).map(([area, names]) => [`packages/console/src/generated/forms/${area}.ts`, fileOf(names)]),
  )
}

function fileOf(names: readonly OperationName[]): string {
  const own = (endpoints as readonly Endpoint[]).filter(({ name }) => names.includes(name as OperationName))
  const printed = own.map((endpoint) => `export const ${camel(endpoint.name)} = ${formOf(endpoint)} as const\n`)
  return `/** Generated from the contract by \`npm run gen\`. Do not edit. */\n\n${printed.join('\n')}`
}

function camel(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}

function formOf(endpoint: Endpoint): string {
  const { name, body } = endpoint
  const { noun, verb } = commandPlace(endpoint)
  const members = (body as { properties?: Readonly<Record<string, MemberSchema>> }).properties ?? {}
  const positional = new Set(presentations[name as OperationName]?.positional)
  const fields = fieldsOf(body).map((field) => {
    const written = formField(field, members[field.name] ?? {}, positional.has(field.name))
    return `    ${field.name}: ${JSON.stringify(written)},`
  })
  const asks = Object.hasOwn(confirmations, name as OperationName) ? '\n  asks: true,' : ''
  return `{\n  operation: '${name}',\n  command: '${noun} ${verb}',${asks}\n  fields: {\n${fields.join('\n')}\n  },\n}`
}

function formField(field: Field, schema: MemberSchema, isPositional: boolean): Record<string, unknown> {
  const { name, flag, shape, unit, kind, required, nullable, choices, has_numbers } = field
  const one = shape === 'list' ? (schema.items ?? {}) : schema
  const example = (one.examples ?? schema.examples)?.[0]
  const written = {
    label: titleOf(name),
    shape: shape === 'text' && choices.length > 0 ? 'words' : shape === 'public_key' ? 'text' : shape,
    hint: hintOf(field, schema, titleOf(name)),
    required: required || undefined,
    nullable: nullable || undefined,
    unit,
    kind,
    words: choices.length > 0 ? choices : undefined,
    ...boundsOf(one, shape),
    fallback: schema.default,
    example,
    secret: schema['x-secret'],
    positional: isPositional || undefined,
    flag: shape === 'tags' ? 'tag' : flag === name.replaceAll('_', '-') ? undefined : flag,
    has_numbers: has_numbers || undefined,
    // Entries with blanks in them, such as `fp16 TFLOP/s`, are divided by commas only.
    has_blanks: (shape === 'list' && example?.includes(' ')) || undefined,
    has_negative: (shape === 'boolean' && negativeText(field) !== undefined) || undefined,
  }
  return Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined))
}

function boundsOf({ minimum, maximum, maxLength }: MemberSchema, shape: Field['shape']) {
  if (shape === 'moment') return {}
  const isBound = (value: number | undefined) => value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER
  return {
    min: isBound(minimum) ? minimum : undefined,
    max: isBound(maximum) ? maximum : undefined,
    max_length: maxLength,
  }
}

/** Descriptions of a form in JSON, which nobody types: an input of its kind stands for them. */
const ofJson = /^(?:Unix seconds|Bytes|Base64|(?:Signed )?[Dd]ecimal string)\b/

/** The longest hint that several sentences make. */
const hintMax = 140

/**
 * The sentences of the description that fit below an input, at least the first. Those that only say the label are left
 * out; what `null` means is what an empty input means. What it says about ids is nothing for a list of names to choose
 * from.
 */
function hintOf({ kind, shape }: Field, schema: MemberSchema, label: string): string | undefined {
  if (kind !== undefined || shape === 'tags' || shape === 'file') return undefined
  const text = (schema.description ?? '')
    .replaceAll('`', '')
    .replaceAll(/(; )?\bnull:/gi, (_, inside) => (inside ? '; empty:' : 'Empty:'))
    .replaceAll(/, in (?:Unix seconds|bytes)(?=[.,;:])/g, '')
  const labels = [label.toLowerCase(), `new ${label.toLowerCase()}`]
  const sentences = text.split(/(?<=\.) (?=[A-Z])/).filter((one) => !labels.includes(one.slice(0, -1).toLowerCase()))
  const [first = '', ...rest] = sentences
  if (first === '' || ofJson.test(first)) return undefined
  let hint = first
  for (const sentence of rest) {
    if (hint.length + sentence.length >= hintMax) break
    hint += ` ${sentence}`
  }
  return hint
}
