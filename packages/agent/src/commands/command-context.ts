/** What the program that contains the `agent` commands gives to them. */
import type { AgentOptions } from '../agent.ts'
import type { HostCheck } from '../checks.ts'
import type { SkuInput } from '../sku-file.ts'

/** What the commands need from the program that contains them. */
export type AgentCommandContext = {
  /** How a shell calls this program. */
  readonly program: string
  readonly variables: Readonly<Record<string, string | undefined>>
  /** Prints a line of output. */
  readonly data: (line: string) => void
  /** Prints a progress message. */
  readonly note: (line: string) => void
  /** Prints checks in the format that the options of the command select. */
  readonly printChecks: (checks: readonly HostCheck[], options: Readonly<Record<string, unknown>>) => void
  /** Resolves with the name of the signal that stops the program. */
  readonly stopSignal: () => Promise<string>
  readonly random: () => number
  /** Reads a SKU by its name from the server that the program is set up for. Absent: it has no API token. */
  readonly readSku?: (name: string, options: Readonly<Record<string, unknown>>) => Promise<SkuInput>
}

/** Shows the log of an agent as progress messages. */
export function logOf({ note }: AgentCommandContext): AgentOptions['log'] {
  return (message, fields) => note(`${message} ${JSON.stringify(fields)}`)
}
