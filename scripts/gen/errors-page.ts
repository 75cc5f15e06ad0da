import type { ErrorType } from '../../packages/api/src/kit/errors.ts'

type Meaning = { readonly type: ErrorType; readonly status: number; readonly user: string; readonly operator: string }
type Operation = { readonly name: string; readonly errors: readonly string[] }

/** docs/errors.md: every code, what caller and operator do about it, and which operations may give it. */
export function printErrors(codes: Readonly<Record<string, Meaning>>, operations: readonly Operation[]): string {
  const types = [...new Set(Object.values(codes).map(({ type }) => type))]
  const sections = types.map((type) => {
    const own = Object.entries(codes).filter(([, meaning]) => meaning.type === type)
    return [`## ${type}`, '', ...own.map(([code, meaning]) => entry(code, meaning, operations))].join('\n')
  })
  return `${[head, ...sections].join('\n\n').trimEnd()}\n`
}

const head = [
  '<!-- Generated from the contract by `npm run gen`. Never edited. -->',
  '# Errors',
  '',
  'Every error has the same body: `{ "error": { "type", "message", "details"? } }`. An entry of `details` carries a',
  '`code` and, where one field is at fault, its `field`. `X-Request-Id` names the request in the server’s log.',
  '',
  'For each code: the HTTP status, what the caller does, what the operator does, and the operations that may give it.',
  'Where no operation is named, any request may meet the code.',
].join('\n')

function entry(code: string, { status, user, operator }: Meaning, operations: readonly Operation[]): string {
  const givers = operations.filter(({ errors }) => errors.includes(code)).map(({ name }) => `\`${name}\``)
  const by = givers.length === 0 ? [] : [`- Given by: ${givers.join(', ')}.`]
  return [`### ${code} (${status})`, '', `- Caller: ${user}`, `- Operator: ${operator}`, ...by, ''].join('\n')
}
