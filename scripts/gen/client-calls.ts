/** Prints how the SDK and the command line call each operation: the reference shows it, and knows neither of them. */
import { endpoints } from '../../packages/api/src/contract.ts'
import type { ClientCall } from '../../packages/api/src/openapi/code-samples.ts'
import { helpExamplesOf } from '../../packages/cli/src/commands/help/examples.ts'
import { commandPlace, operations } from '../../packages/cli/src/commands/operation-commands.ts'
import { placements } from '../../packages/sdk/src/naming.ts'

/** Streams are methods and commands of their own. */
const streams: Readonly<Record<string, ClientCall>> = {
  stream_events: { method: 'events.follow', yields: 'event', command: 'bourse events tail' },
  stream_instance_logs: {
    method: 'instances.followLogs',
    yields: 'chunk',
    command: 'bourse instances logs trainer --follow',
  },
}

/** The calls of all operations of clients, by name. */
export function clientCalls(): Record<string, ClientCall> {
  const places = placements(endpoints.map(({ name }) => name))
  const commands = new Map(operations.map((endpoint) => [endpoint.name, commandOf(endpoint)]))
  const calls = endpoints.map(({ name }): [string, ClientCall] => {
    const { noun, verb } = places.get(name) ?? { noun: '', verb: '' }
    const command = commands.get(name)
    return [name, { method: `${noun}.${verb}`, ...(command === undefined ? {} : { command }) }]
  })
  return { ...Object.fromEntries(calls), ...streams }
}

/** The first example of the help of a command. */
function commandOf(endpoint: (typeof operations)[number]): string {
  const { noun, verb } = commandPlace(endpoint)
  return `bourse ${noun} ${verb} ${helpExamplesOf(endpoint)[0] ?? ''}`.trimEnd()
}

/** The text of packages/api/src/generated/client-calls.ts. */
export function printClientCalls(calls: Readonly<Record<string, ClientCall>>): string {
  const lines = Object.entries(calls).map(([name, call]) => `  ${name}: ${JSON.stringify(call)},`)
  return `/** Generated from the SDK and the command line by \`npm run gen\`. Do not edit. */
import type { ClientCalls } from '../openapi/code-samples.ts'

/** How clients call each operation. */
export const clientCalls: ClientCalls = {
${lines.join('\n')}
}
`
}
