import { api, level, type Mutant, server } from './mutant.ts'

/** The log of events: order, counters, cursors, filters, retention. */
export const eventMutants: readonly Mutant[] = [
  {
    wrong: 'A cursor is accepted for a list with another `until`.',
    file: server('core/keys/event-cursor.ts'),
    text: 'part(since) + part(until)',
    replacement: 'part(since)',
    test: server('core/keys/event-cursor.test.ts'),
    caught_by: 'a filter that is absent, empty, under another name',
  },
  {
    wrong: 'A page from memory lacks the event that was just evicted.',
    file: server('events/log/tails.service.ts'),
    text: 'after.position >= position - 1',
    replacement: 'after.position >= position - 2',
    test: server('events/log/tails.service.test.ts'),
    caught_by: 'a tail that exceeds its maximum removes its oldest events',
  },
  {
    wrong: 'A read from the database with a filter by target ignores the filter by action.',
    file: server('events/log/event-reading.store.ts'),
    text: '($9::text is null or action = $9)',
    replacement: '($9::text is null or true)',
    test: level('events/filters'),
    caught_by: 'every cursor continues with exactly the rest of its list',
  },
  {
    wrong: 'The times of events decrease when the clock moves back.',
    file: server('core/work/event-log.ts'),
    text: 'occurred_at = greatest(occurred_at, $4)',
    replacement: 'occurred_at = $4',
    test: level('events/audits'),
    caught_by: 'a transaction that begins first and commits last',
  },
  {
    wrong: 'The place of a stream moves past an event that was not written.',
    file: server('events/serving/reader-groups.service.ts'),
    text: 'group.mark = last',
    replacement: 'group.mark = { ...last, position: last.position + 1 }',
    test: level('events/open-streams'),
    caught_by: 'readers of two replicas that reconnect by chance',
  },
  {
    wrong: 'An open stream keeps the rights with which it was opened.',
    file: server('events/serving/reader-catch-up.service.ts'),
    text: 'nameOf(visibility) === nameOf(group.visibility)',
    replacement: 'true',
    test: api('event-streams'),
    caught_by: 'a reader sees the events of the workspaces where it holds event:list',
  },
]
