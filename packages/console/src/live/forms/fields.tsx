/** The fields of a form: each with the input of its kind. */
import type { ComponentType, ReactElement, ReactNode } from 'react'
import { Field } from '../../ui/field.tsx'
import { Choice, type ChoiceOption } from './choice.tsx'
import type { FormField } from './form.rules.ts'
import { isThing, type Thing, useThings } from './things.tsx'
import type { LiveForm } from './use-form.ts'

/** What an input is given: the text of its field, and what ties it to its label and hint. */
export type InputProps = {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly id?: string
  readonly onBlur?: () => void
  /** What the empty choice says. */
  readonly empty?: string | undefined
}

/** What is special about a field. */
export type FieldPart<N extends string> = {
  readonly name: N
  readonly label?: string
  readonly hint?: ReactNode
  /** The texts of words. A box with words is a choice. */
  readonly words?: Readonly<Record<string, string>>
  /** What can be chosen, where that is not every resource of the kind. */
  readonly choices?: readonly ChoiceOption[]
  /** What the empty choice says; null for none. */
  readonly empty?: string | null
  readonly placeholder?: string
  /** Lines of a text of several lines. */
  readonly rows?: number
  readonly input?: ComponentType<InputProps>
  readonly isReadOnly?: boolean
  /** The member of the body that it stands for: what the server says about that is shown here. */
  readonly member?: string
}

/** What stands above the fields that follow. */
type FieldsHeading = { readonly heading: string }

/** Names of fields in their order, what is special about some, and headings. What is false is not shown. */
export type FieldParts<N extends string> = readonly (N | FieldPart<N> | FieldsHeading | false | undefined)[]

/** Fields of a form. */
export function Fields<N extends string>({ of, names }: { of: LiveForm<N>; names: FieldParts<N> }) {
  return names.map((one) => {
    if (!one) return null
    if (typeof one === 'object' && 'heading' in one) {
      return <h3 key={one.heading}>{one.heading}</h3>
    }
    const part = typeof one === 'string' ? { name: one } : one
    return <OneField key={part.name} of={of} part={part} />
  })
}

const tagsHint = 'Pairs such as team=data, tier=front.'
const nameHint = 'Empty: the server chooses one.'

/** What the contract says of a field, or what holds for all fields of its kind. */
function hintOf(name: string, { hint, shape, required }: FormField, isChange: boolean): string | undefined {
  if (hint !== undefined || shape === 'tags') return hint ?? tagsHint
  return name === 'name' && !required && !isChange ? nameHint : undefined
}

function OneField<N extends string>({ of, part }: { of: LiveForm<N>; part: FieldPart<N> }) {
  const { name } = part
  const field = of.form.fields[name] ?? (part.label === undefined ? undefined : { label: part.label, shape: 'text' })
  // What the rest leaves out is no field.
  if (!field) return null
  const { label = field.label, hint = hintOf(name, field, of.isChange) } = part
  const isBox = field.shape === 'boolean' && !part.words
  const set = (value: string) => of.set({ [name]: value } as Partial<Record<N, string>>)
  return (
    <Field
      label={label}
      hint={hint}
      name={part.member ?? name}
      isBox={isBox}
      error={of.error}
      wrong={of.problemOf(name)}
      onLeave={() => of.leave(name)}
    >
      {inputOf(field, part, of.typed[name], set)}
    </Field>
  )
}

function inputOf(
  field: FormField,
  part: FieldPart<string>,
  value: string,
  onChange: (value: string) => void,
): ReactElement<{ id?: string }> {
  const { shape, required, kind } = field
  const { input: Input, choices, rows, isReadOnly } = part
  const words = part.words ? Object.keys(part.words) : field.words
  const { empty = words && required ? null : emptyText(field) } = part
  const choice = { value, onChange, required, empty: empty ?? undefined }
  if (Input) return <Input value={value} onChange={onChange} empty={part.empty ?? undefined} />
  if (choices) return <Choice {...choice} options={choices} />
  if (words) return <Choice {...choice} options={words.map((id) => ({ id, name: part.words?.[id] ?? spoken(id) }))} />
  if (isThing(kind)) return <ThingChoice {...choice} kind={kind} />
  if (shape === 'boolean') {
    const isChecked = value === 'true'
    return <input type="checkbox" checked={isChecked} onChange={() => onChange(String(!isChecked))} />
  }
  const text = {
    value,
    placeholder: part.placeholder ?? field.example,
    required,
    maxLength: shape === 'text' ? field.max_length : undefined,
    readOnly: isReadOnly,
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  }
  // What is pasted and too long is refused with a reason. Cut, it would be something else.
  if (rows) return <textarea {...text} maxLength={undefined} rows={rows} spellCheck={false} />
  return <input {...text} inputMode={shape === 'integer' ? 'numeric' : undefined} />
}

function emptyText({ required, kind, shape }: FormField): string {
  if (required) return 'Choose…'
  if (kind === 'workspace') return 'Your own'
  return shape === 'words' ? 'Default' : 'None'
}

function spoken(word: string): string {
  return word.replaceAll('_', ' ')
}

type ThingProps = Omit<Parameters<typeof Choice>[0], 'options'> & { kind: Thing }

/** A choice among the resources of a kind. */
export function ThingChoice({ kind, ...rest }: ThingProps) {
  return <Choice {...rest} options={useThings(kind)} />
}
