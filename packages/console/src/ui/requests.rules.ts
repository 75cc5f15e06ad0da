/** Requests as lines that programs run. Pure. */
import { visibleJson } from '@bourse/text/plain-text.ts'
import { shellWord } from '@bourse/text/shell.ts'

/** A request: the path with its query, and the body as an object. */
export type ShownRequest = { readonly method: string; readonly path: string; readonly body?: unknown }

/** A request as a curl command for a POSIX shell. The token comes from the environment. */
export function asCurl({ method, path, body }: ShownRequest, origin: string): string {
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shellWord(origin + path)}`,
    '-H "Authorization: Bearer $BOURSE_API_TOKEN"',
  ]
  if (body !== undefined)
    parts.push("-H 'Content-Type: application/json'", `-d ${shellWord(visibleJson(JSON.stringify(body)))}`)
  return parts.join(' \\\n  ')
}

/** A call of the SDK: `await client.orders.create({…})`. */
export function asSdk(method: string, ...inputs: readonly unknown[]): string {
  const given = inputs
    .filter((input) => input !== undefined)
    .map((input) => visibleJson(JSON.stringify(input, null, 2)).replaceAll(/"([a-z_]+)":/g, '$1:'))
    .join(', ')
  return `await client.${method}(${given})`
}

/** A command of the CLI: options without a value are left out, `true` is a switch. */
export function asCli(
  command: string,
  options: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const flags = Object.entries(options)
    .filter(([, value]) => value !== undefined && value !== '' && value !== false)
    .map(([name, value]) => (value === true ? `--${name}` : `--${name} ${shellWord(String(value))}`))
  return ['bourse', command, ...flags].join(' ')
}
