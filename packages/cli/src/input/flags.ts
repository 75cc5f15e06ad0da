/** Adds the flags of an operation to its command, and reads what was given for them. */
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import { type Command, Option } from 'commander'
import type { GivenFlags } from './compounds.ts'
import { type Field, fieldsOf, placeholderOf } from './fields.ts'
import { windowFlag, windowPairOf } from './window-pairs.ts'

/** The help of flags, and the members that need no flag: an argument gives them, or the command fills them in. */
export type FlagTexts = {
  readonly text: (field: Field, options: { is_optional?: boolean; filled_in?: string | undefined }) => string
  /** The text of `--no-…`; undefined where there is no such flag. */
  readonly negative: (field: Field) => string | undefined
  readonly positional: readonly string[]
  readonly defaulted: Readonly<Record<string, string>>
}

/** The flags of an operation: of its fields, of its compounds, and of its window. */
export function addFieldFlags(command: Command, endpoint: Endpoint, texts: FlagTexts): void {
  const fields = fieldsOf(endpoint.body ?? endpoint.query)
  for (const field of fields) if (field.name !== 'limit') addFlags(command, { field, texts })
  const pair = windowPairOf(fields)
  if (pair) {
    const description = `Start and length or end, instead of --${pair.start.flag} and --${pair.end.flag}: 'now +2h'.`
    command.option(`--${windowFlag} <window>`, description)
  }
}

/** What was given for the fields of an operation, by their names. */
export function givenFields(endpoint: Endpoint, options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields = fieldsOf(endpoint.body ?? endpoint.query)
  return Object.fromEntries(
    fields.map((field) => [field.name, options[attributeOf(nameOf(field))] ?? options[attributeOf(field.long_flag)]]),
  )
}

/** What was given for compounds and windows, by their flags. */
export function givenOthers(endpoint: Endpoint, options: Readonly<Record<string, unknown>>): GivenFlags {
  const fields = fieldsOf(endpoint.body ?? endpoint.query)
  const compounds = fields.flatMap(({ compound }) => compound?.flags.map(({ name }) => name) ?? [])
  const names = [...compounds, ...(windowPairOf(fields) ? [windowFlag] : [])]
  return Object.fromEntries(names.map((name) => [name, options[attributeOf(name)]])) as GivenFlags
}

/** An option with the field that it gives, for suggestions of values. */
export type FieldOption = Option & { readonly field?: Field }

function optionOf(flags: string, description: string, field: Field): Option {
  return Object.assign(new Option(flags, description), { field })
}

function addFlags(command: Command, { field, texts }: { field: Field; texts: FlagTexts }): void {
  const { flag, long_flag, shape, compound } = field
  const text = texts.text(field, {
    is_optional: texts.positional.includes(field.name),
    filled_in: texts.defaulted[field.name],
  })
  if (shape === 'boolean') {
    command.option(`--${flag}`, text)
    const negative = texts.negative(field)
    if (negative !== undefined) command.option(`--no-${flag}`, negative)
    return
  }
  const isRepeated = shape === 'list' || shape === 'tags'
  const option = optionOf(`--${nameOf(field)} <${placeholderOf(field)}>`, text, field)
  // Programs give JSON; people have the flags of the compound.
  if (compound) option.hideHelp()
  command.addOption(isRepeated ? option.argParser(collect) : option)
  if (long_flag !== flag && shape !== 'tags') {
    const whole = new Option(`--${long_flag} <${placeholderOf(field)}>`, `Same as --${flag}.`).hideHelp()
    command.addOption(isRepeated ? whole.argParser(collect) : whole)
  }
  for (const [index, { name, placeholder, description, repeated }] of (compound?.flags ?? []).entries()) {
    const part = new Option(
      `--${name} <${placeholder}>`,
      field.required && index === 0 ? `${description} Required.` : description,
    )
    command.addOption(repeated ? part.argParser(collect) : part)
  }
}

function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value]
}

function nameOf({ shape, flag }: Field): string {
  return shape === 'tags' ? 'tag' : flag
}

/** The name under which commander stores the value of a flag. */
function attributeOf(flag: string): string {
  return flag.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
