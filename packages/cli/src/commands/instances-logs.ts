/** `bourse instances logs`: prints the console output of a machine. */
import type { LogChunk } from '@bourse/api/fleet/instance-access.ts'
import { createConsoleText } from '@bourse/text/plain-text.ts'
import type { Command } from 'commander'
import { resolveReference } from '../input/references.ts'
import { type CommandContext, type GlobalOptions, openSession } from '../input/session.ts'
import { printsNoRows } from '../output/rows/without-rows.ts'
import type { Terminal } from '../output/terminal.ts'

type InstanceLogsOptions = GlobalOptions & { follow?: boolean; tail?: string }
type LoggedInstanceId = `inst_${string}`

const chunksAtOnce = 2500

/** Adds the command. */
export function addInstancesLogs(instances: Command, context: CommandContext): void {
  const command = printsNoRows(instances.command('logs'))
    .description(
      'Print the console output of an instance, without escape sequences and invisible characters unless --raw is ' +
        'given. `list-logs` returns its chunks as data.',
    )
    .argument('<id>', 'Instance: name, id or path.')
    .option('-f, --follow', 'Keep printing new output until the instance ends.')
    .addHelpText('after', '\nExample:\n  $ bourse instances logs trainer --follow')
  command.action(async (typed: string) => {
    const options = command.optsWithGlobals<InstanceLogsOptions>()
    const { client, lookup, terminal } = openSession(context, options)
    const print = options.raw ? unchanged(terminal) : visible(terminal)
    const id = (await resolveReference(lookup, 'instance', typed)) as LoggedInstanceId
    if (options.follow) {
      for await (const chunk of client.instances.followLogs(id)) print(bytesOf([chunk]))
      return print()
    }
    for (let next = 0; ; ) {
      const { data, has_more } = await client.instances.listLogs(id, { seqnum_after: next, limit: chunksAtOnce })
      print(bytesOf(data))
      next = (data.at(-1)?.seqnum ?? next - 1) + 1
      if (!has_more) return print()
    }
  })
}

/** Prints bytes as they are. */
function unchanged(terminal: Terminal): (bytes?: Uint8Array) => void {
  return (bytes) => bytes && terminal.raw(bytes)
}

/** Prints bytes as visible text; without bytes, what is left at the end. */
function visible(terminal: Terminal): (bytes?: Uint8Array) => void {
  const console = createConsoleText()
  return (bytes) => terminal.raw(Buffer.from(bytes === undefined ? console.end() : console.write(bytes)))
}

/** A chunk may end inside a multi-byte character, so the bytes are joined before decoding. */
function bytesOf(chunks: readonly LogChunk[]): Buffer {
  return Buffer.concat(chunks.map(({ data }) => Buffer.from(data, 'base64')))
}
