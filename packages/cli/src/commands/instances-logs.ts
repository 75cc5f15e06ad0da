/** `bourse instances logs`: prints the console output of a machine. */
import type { LogChunk } from '@bourse/api/fleet/instance-access.ts'
import type { Command } from 'commander'
import { resolveReference } from '../input/references.ts'
import { type CommandContext, type GlobalOptions, openSession } from '../input/session.ts'

type Options = GlobalOptions & { follow?: boolean; tail?: string }
type InstanceId = `inst_${string}`

const chunksAtOnce = 2500

/** Adds the command. */
export function addInstancesLogs(instances: Command, context: CommandContext): void {
  const command = instances
    .command('logs')
    .description('Print the console output of an instance. `list-logs` returns its chunks as data.')
    .argument('<id>', 'Instance id, resource path, or name.')
    .option('-f, --follow', 'Keep printing new output until the instance ends.')
    .addHelpText('after', '\nExample:\n  $ bourse instances logs trainer --follow')
  command.action(async (typed: string) => {
    const options = command.optsWithGlobals<Options>()
    const { client, lookup, terminal } = openSession(context, options)
    const id = (await resolveReference(lookup, 'instance', typed)) as InstanceId
    if (options.follow) {
      for await (const chunk of client.instances.followLogs(id)) terminal.raw(textOf([chunk]))
      return
    }
    for (let next = 0; ; ) {
      const { data, has_more } = await client.instances.listLogs(id, { seqnum_after: next, limit: chunksAtOnce })
      terminal.raw(textOf(data))
      next = (data.at(-1)?.seqnum ?? next - 1) + 1
      if (!has_more) return
    }
  })
}

/** A chunk may end inside a multi-byte character, so the bytes are joined before decoding. */
function textOf(chunks: readonly LogChunk[]): Buffer {
  return Buffer.concat(chunks.map(({ data }) => Buffer.from(data, 'base64')))
}
