/** A form as a program would send it: a command, a request and a call of the SDK. Pure. */
import { shellWord } from '@bourse/text/shell.ts'
import { asCli, asCurl, asSdk } from '../../ui/requests.rules.ts'
import type { Form, FormField } from './form.rules.ts'
import { spanText } from './typed.rules.ts'

type SentBody = Readonly<Record<string, unknown>>

/** What is sent, and where to. */
export type FormRequest = {
  readonly form: Form
  /** The values of the path, in its order. */
  readonly params: readonly string[]
  /** What the command calls them. */
  readonly called: readonly string[]
  readonly method: string
  readonly path: string
  /** The method of the SDK: `subnets.create`. */
  readonly call: string
  readonly body: SentBody
}

/** The three ways to write it. */
export function linesOf(
  { form, params, called, method, path, call, body }: FormRequest,
  origin: string,
): Record<string, string> {
  const before = params.length > 1 ? '{…}, ' : params.map((param) => `${JSON.stringify(param)}, `).join('')
  return {
    CLI: commandOf(form, called, body),
    curl: asCurl({ method, path, body }, origin),
    SDK: asSdk(call, body).replace('(', () => `(${before}`),
  }
}

/** The command: flags for what has one, and the body as JSON where something has none. */
export function commandOf({ command, fields, asks }: Form, params: readonly string[], body: SentBody): string {
  const flags = Object.entries(body).map(([name, value]) => flagOf(name, fields[name], value))
  const asked = flags.includes(undefined) ? [`--body ${shellWord(JSON.stringify(body))}`] : flags
  const words = [asCli([command, ...params.map(shellWord)].join(' '), {}), ...asked, ...(asks ? ['--yes'] : [])]
  return words.join(' ')
}

/** The flags of one member; undefined where the command line has none for its value. */
function flagOf(name: string, field: FormField | undefined, value: unknown): string | undefined {
  if (!field || field.shape === 'json') return undefined
  const flag = field.flag ?? name.replaceAll('_', '-')
  if (typeof value === 'boolean') return value ? `--${flag}` : field.has_negative ? `--no-${flag}` : undefined
  const texts = textsOf(field, value)
  if (field.positional) return texts.map(shellWord).join(' ')
  return texts.length === 0 ? undefined : texts.map((text) => `--${flag} ${shellWord(text)}`).join(' ')
}

function textsOf({ shape, unit }: FormField, value: unknown): string[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return value.map(String)
  if (shape === 'tags') return Object.entries(value as object).map(([key, text]) => `${key}=${text}`)
  if (typeof value === 'object') return []
  // It comes from the standard input.
  if (shape === 'file') return ['-']
  return [unit === 'minutes' ? spanText(Number(value)) : String(value)]
}
