/** `bourse events tail`: events as they happen. */
import { listEvents } from '@bourse/api/events/events.ts'
import type { EventFilters } from '@bourse/sdk/follow.ts'
import { momentOf } from '@bourse/text/formats/moments.ts'
import { Argument, type Command } from 'commander'
import { type CommandContext, type GlobalOptions, openSession, type Session } from '../input/session.ts'
import { readTime } from '../input/times.ts'
import { requirePrintable, rowPrinter } from '../output/output.ts'
import { shapeOf } from './operation-run.ts'

type EventsTailOptions = GlobalOptions & {
  since?: string
  startingAfter?: string
  action?: string
  target?: string
  targetType?: string
}

/** Adds the command. */
export function addEventsTail(events: Command, context: CommandContext): void {
  const command = events
    .command('tail')
    .description('Print events as they happen, until you stop it. With -o json, one line for each.')
    .addArgument(new Argument('[target]', 'Only events about this id.'))
    .option('--since <time>', 'Start: -1h, 2026-01-31T12:00Z, now. Default now.')
    .option('--starting-after <cursor>', 'Start after this event: the cursor of an event.')
    .option('--action <action>', 'Only events with exactly this action.')
    .option('--target-type <kind>', 'Only events about this kind of resource.')
    .addHelpText('after', '\nExamples:\n  $ bourse events tail\n  $ bourse events tail --since -1h -o jsonl')
  command.action(async (target: string | undefined) => {
    const options = command.optsWithGlobals<EventsTailOptions>()
    await tail(openSession(context, options), target === undefined ? options : { ...options, target })
  })
}

async function tail(session: Session, options: EventsTailOptions): Promise<void> {
  const { terminal, output } = session
  const shape = shapeOf(listEvents)
  requirePrintable(output, shape)
  const print = rowPrinter(terminal, output, shape)
  const { action, target, targetType: target_type, startingAfter: after } = options
  const since = await readSince(session, options)
  const filters = Object.fromEntries(
    Object.entries({ action, target, target_type, since }).filter(([, value]) => value !== undefined),
  ) as EventFilters
  // A stream would be opened again after each failure, and `--curl` lets no request succeed.
  if (options.curl) await session.client.events.list({ ...(after ? { starting_after: after } : {}), ...filters })
  const events = session.client.events.follow({
    after,
    filters,
    onGap: ({ filters: { since: edge } }) =>
      terminal.note(
        'Events are missing: the cursor is gone. ' +
          `Continuing ${edge === undefined ? 'with the oldest events' : `from ${momentOf(Number(edge))}`}.`,
      ),
  })
  for await (const event of events) print(event)
}

/** The start time. A cursor needs none, and its filters must stay the same. */
async function readSince(session: Session, { since, startingAfter }: EventsTailOptions): Promise<number | undefined> {
  if (since === undefined && startingAfter !== undefined) return undefined
  return readTime(session, since ?? 'now')
}
