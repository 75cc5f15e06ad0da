/**
 * InfiniBand partitions. The fabric manager of the operator sets the members: a command of the operator is called for
 * each machine that joins or leaves.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Environment } from '@bourse/text/program.ts'
import { startFailure } from '../problems.ts'
import type { NetworkedMachine } from './plan.rules.ts'

const run = promisify(execFile)
const commandMilliseconds = 30_000
/** The server shows the output to the owner of the host. */
const shownMax = 200
/** Shorter values of the environment are words that occur by chance. */
const hiddenMin = 8
/** Runs a command with two variables beside the environment of the agent. */
const withAdapters = 'export BOURSE_ADAPTERS="$1" BOURSE_ADAPTER_GUIDS="$2"; shift 2; exec "$@"'

/** The command of the operator. */
export type PartitionOptions = {
  /** Undefined: this host has none. */
  readonly partition_command?: string | undefined
  /** The environment of the agent. Its values are not shown. */
  readonly variables?: Environment
}

/**
 * Runs `COMMAND join|leave KEY INSTANCE SLOT`, with the adapters of the machine in its environment. May be repeated.
 * Throws a `StartFailure` if it fails, with the last line that the command wrote.
 */
export async function changePartition(
  { partition_command: command, variables = {} }: PartitionOptions,
  change: 'join' | 'leave',
  { id, slot, network: { partition_key }, adapters = [] }: NetworkedMachine,
): Promise<void> {
  if (partition_key === null) return
  if (command === undefined)
    throw startFailure('no_partition_command', 'This host has no partition command for InfiniBand.')
  const addresses = adapters.map(({ pci }) => pci).join(' ')
  const guids = adapters.map(({ guid }) => guid ?? '-').join(' ')
  const words = [addresses, guids, command, change, String(partition_key), id, String(slot)]
  await run('sh', ['-c', withAdapters, 'sh', ...words], { timeout: commandMilliseconds }).catch(
    (error: { stderr?: string; message: string }) => {
      const output = lastLine(error.stderr?.trim() || error.message, variables)
      throw startFailure('partition_refused', `The partition command failed to ${change}: ${output}`)
    },
  )
}

/** The last line of an output, bounded, without what the environment of the agent holds: it may be a secret. */
function lastLine(output: string, variables: Environment): string {
  const line = output.trim().split('\n').at(-1) ?? ''
  const values = Object.values(variables).flatMap((value = '') => (value.length < hiddenMin ? [] : [value]))
  const longestFirst = values.sort((one, other) => other.length - one.length)
  return longestFirst.reduce((text, value) => text.replaceAll(value, '***'), line).slice(0, shownMax)
}
