/** `bourse instances wait`: waits until an instance is in a state. */
import { getInstance } from '@bourse/api/fleet/instances.ts'
import type { Command } from 'commander'
import { resolveReference } from '../input/references.ts'
import { type CommandContext, type GlobalOptions, openSession } from '../input/session.ts'
import { printObject, requirePrintable } from '../output/output.ts'
import { readInstanceWait, waitForInstance } from './instance-waiting.ts'
import { shapeOf } from './operation-run.ts'

type InstanceWaitOptions = GlobalOptions & { for: string; timeout?: string }

/** Adds the command. */
export function addInstancesWait(instances: Command, context: CommandContext): void {
  const command = instances
    .command('wait')
    .description(
      'Wait until an instance is in a state. Exit code 0: it is, 1: it cannot reach the state, 124: timeout.',
    )
    .argument('<id>', 'Instance: name, id or path.')
    .option('--for <state>', 'State to wait for, such as running or terminated.', 'running')
    .option('--timeout <span>', 'How long to wait: 90s, 10m. Default 10m.')
    .addHelpText('after', '\nExample:\n  $ bourse instances wait trainer --for running --timeout 5m')
  command.action(async (typed: string) => {
    const options = command.optsWithGlobals<InstanceWaitOptions>()
    const session = openSession(context, options)
    requirePrintable(session.output, shapeOf(getInstance))
    const wait = readInstanceWait(options.for, options.timeout)
    const id = (await resolveReference(session.lookup, 'instance', typed)) as `inst_${string}`
    const instance = await waitForInstance(session, id, wait)
    printObject(session.terminal, session.output, instance, shapeOf(getInstance))
  })
}
