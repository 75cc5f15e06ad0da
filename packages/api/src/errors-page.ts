/** The page that explains every error code, generated from the contract. */
import { agentEndpoints, endpoints } from './contract.ts'
import { codesOf, type Endpoint } from './kit/endpoint.ts'
import { bodyCodes, type CodeMeaning, type ErrorCode, errorCodes, typesWithDetails } from './kit/errors.ts'

const introduction = `# Errors

Every error response of the API has the envelope \`{"error": {"type", "message", "details"?}}\`. \`type\` says what
kind of error it is. \`details\` stands on \`${typesWithDetails.join('`, `')}\`:
one entry for each thing that is wrong, at most 20, with \`field\` (dotted path, parameter or header; \`null\` = the
whole), \`code\` and \`message\`. Types without details have the code of the same name. Where it is another one, such as
\`budget_exceeded\` for \`payment_required\` or \`unavailable\` for \`api_error\`, the header \`X-Error-Code\` names it.
Give the \`X-Request-Id\` of the response when you report a problem.

This page is generated from the contract by \`npm run gen\`; change \`packages/api/src/kit/errors.ts\` instead.
`

/** The Markdown of `docs/errors.md`: each code with its status, type, remedies, and the operations that return it. */
export function printErrors(): string {
  const codes = Object.keys(errorCodes) as ErrorCode[]
  const statuses = [...new Set(codes.map((code) => errorCodes[code].status))].sort((a, b) => a - b)
  const sections = statuses.map((status) => {
    const own = codes.filter((code) => errorCodes[code].status === status)
    return [`## ${status} ${errorCodes[own[0] as ErrorCode].type}\n`, ...own.map(entry)].join('\n')
  })
  return `${[introduction, ...sections].join('\n')}`
}

function entry(code: ErrorCode): string {
  const { user, operator }: CodeMeaning = errorCodes[code]
  const items = [
    `- Caller: ${user}`,
    ...(operator === undefined ? [] : [`- Operator: ${operator}`]),
    `- Returned by: ${givers(code)}.`,
  ]
  return `### ${code}\n\n${items.map(wrapped).join('\n')}\n`
}

/** Wraps an item of a list into lines of at most 120 columns. */
function wrapped(item: string): string {
  const lines: string[] = []
  for (const word of item.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= 120) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(last === undefined ? word : `  ${word}`)
  }
  return lines.join('\n')
}

function givers(code: ErrorCode): string {
  const all: readonly Endpoint[] = [...endpoints, ...agentEndpoints]
  const giving = all.filter((operation) => codesOf(operation).includes(code))
  const others = all.filter((operation) => !giving.includes(operation))
  if (code === 'method_not_allowed') return 'any path, whatever its operations'
  if (bodyCodes.includes(code)) return 'every operation with a body'
  if (giving.length === 0) throw new Error(`No operation returns ${code}.`)
  if (others.length === 0) return 'every operation'
  return others.length < giving.length / 2 ? `every operation but ${names(others)}` : names(giving)
}

function names(operations: Endpoint[]): string {
  return operations.map(({ name }) => `\`${name}\``).join(', ')
}
