import { eventActions, reservedEventActions } from '../../packages/api/src/events/actions.ts'
import { eventActors } from '../../packages/api/src/events/event-actors.ts'
import { retentionSeconds } from '../../packages/server/src/events/log/events.rules.ts'
import { daySeconds } from '../../packages/text/src/time/units.ts'
import { linksFrom, markdownTable } from './page-links.ts'

const link = linksFrom('docs/reference/events.md')
const days = retentionSeconds / daySeconds

const introduction = `# List of events

Generated from the contract by \`npm run gen\`; change \`packages/api/src/events\` instead.

Each event has one action, and one target: the resource that it is about. An event is kept for ${days} days. How to
read them: ${link('events', 'docs/concepts/events.md')}. A program that reacts to them:
${link('reacting to events', 'docs/guides/events.md')}.

\`\`\`sh
bourse events list --action order.filled --since -1h
bourse events list --target-type instance --since -1h
\`\`\`

*Actor* says who can have caused the event. \`token\` is the token of the request, with its id. \`system\` is
everything else: an automation, a report of a host, the end of a window, the platform operator, the controls of a
sandbox. Later versions add actions: a client ignores those that it does not know.
`

/** The Markdown of `docs/reference/events.md`: a table for each kind of target. */
export function printEvents(): string {
  const actions = Object.entries(eventActions)
  const kinds = [...new Set(actions.map(([, { target_type }]) => target_type))]
  const tables = kinds.map((kind) => {
    const rows = actions
      .filter(([, { target_type }]) => target_type === kind)
      .map(([action, { meaning }]) => [`\`${action}\``, meaning, authorsOf(action)])
    return `## Target \`${kind}\`\n\n${markdownTable(['Action', 'When', 'Actor'], rows)}`
  })
  const reserved = Object.entries(reservedEventActions).map(
    ([action, { target_type, meaning }]) => `- \`${action}\` (target \`${target_type}\`): ${meaning}\n`,
  )
  const last = '## Reserved\n\nThe name has a meaning, and this version sends no such event.\n'
  return [introduction, ...tables, last, reserved.join('')].join('\n')
}

function authorsOf(action: string): string {
  return eventActors[action as keyof typeof eventActors].map((one) => `\`${one}\``).join(', ')
}
