/** `bourse instances logs`: the console of a machine, as it was written. */
import type { LogChunk } from '@bourse/api/fleet/instance-access.ts'
import type { Command } from 'commander'
import { resolveReference } from '../input/references.ts'
import { type GlobalOptions, openSession, type Surroundings } from '../input/session.ts'

type Options = GlobalOptions & { follow?: boolean; tail?: string }
type InstanceId = `inst_${string}`

const chunksAtOnce = 2500

/** Adds the command. */
export function addInstancesLogs(instances: Command, surroundings: Surroundings): void {
  const command = instances
    .command('logs')
    .description('Print the console of an instance. `list-logs` gives its chunks as data.')
    .argument('<id>', 'Instance id, resource path, or name.')
    .option('-f, --follow', 'Go on printing what comes, until the instance has ended.')
    .addHelpText('after', '\nExample:\n  $ bourse instances logs trainer --follow')
  command.action(async (typed: string) => {
    const options = command.optsWithGlobals<Options>()
    const { client, lookup, terminal } = openSession(surroundings, options)
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

/** Chunks end anywhere, in the middle of a letter too, so their bytes are put together first. */
function textOf(chunks: readonly LogChunk[]): Buffer {
  return Buffer.concat(chunks.map(({ data }) => Buffer.from(data, 'base64')))
}
