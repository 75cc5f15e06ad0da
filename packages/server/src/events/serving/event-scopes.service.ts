/** What a reader of events may see and asked for, and the cursors of such a list. */
import type { listEvents } from '@bourse/api/events/events.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import { refuse } from '../../core/base/refusal.ts'
import { readCommonPosition } from '../../core/db/history.ts'
import {
  type EventCursorKey,
  type EventListScope,
  eventCursorKey,
  type OpenedEventCursor,
  openEventCursor,
} from '../../core/keys/event-cursor.ts'
import type { Caller } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { listScopes } from '../../iam/access/permissions.service.ts'
import { type AccountLog, type Generation, noFilters } from '../log/account-logs.service.ts'
import type { Visibility, WantedEvents } from '../log/events.rules.ts'
import { findCursor } from '../log/tails.service.ts'

/** The parameters of a list of events. */
export type EventsQuery = Input<typeof listEvents>['query']

/** The list that a request asks for. Without filters on single events, `wanted` is undefined. */
export type EventSelection = { readonly scope: EventListScope; readonly wanted: WantedEvents | undefined }

// Keyed by the rights object, which never changes: after a change of grants a caller has another one. Without the
// cache, each page took 10 µs for the rights in twenty workspaces.
const visibilities = new WeakMap<object, Visibility>()

/**
 * The workspaces whose events a caller may list, and those of the account itself. A token that is limited to resources
 * sees none: an event tells of more than its target.
 */
export function visibilityOf(caller: Caller): Visibility {
  const rights = caller.rights as object
  const known = visibilities.get(rights)
  if (known !== undefined) return known
  const visible = listScopes(caller, 'event:list')
  const ofAccount = caller.limits?.resources ? [] : ['']
  const visibility = visible === 'all' ? visible : new Set([...ofAccount, ...visible])
  visibilities.set(rights, visibility)
  return visibility
}

/** The list of a request. Cursors are bound to the filters as the caller sent them, in `queryText`. */
export function askedBy(account_id: string, query: EventsQuery, queryText: string): EventSelection {
  const { action, target, target_type } = query
  const isPlain = action === undefined && target === undefined && target_type === undefined
  const wanted = isPlain ? undefined : query
  const isTimed = query.since !== undefined || query.until !== undefined
  if (isPlain && !isTimed) return { scope: { account_id, filters: noFilters }, wanted }
  const sent = isTimed ? new URLSearchParams(queryText) : undefined
  const [since, until] = [sent?.get('since') ?? undefined, sent?.get('until') ?? undefined]
  return { scope: { account_id, filters: { action, target, target_type, since, until } }, wanted }
}

/** The key that seals the cursors of a list. */
export function selectionKey({ keys }: Generation, log: AccountLog, scope: EventListScope): EventCursorKey {
  return scope.filters === noFilters ? log.key : eventCursorKey(keys.current, scope)
}

/** Opens a cursor that was sent in `field`. Refuses `invalid_cursor` unless it is a genuine one of this list. */
export function openCursor(
  { keys }: Generation,
  log: AccountLog,
  scope: EventListScope,
  sent: string,
  field: string,
): OpenedEventCursor {
  const isPlain = scope.filters === noFilters
  const ofTail = isPlain ? findCursor(log.tail, sent) : undefined
  if (ofTail) return { ...ofTail, ended: false, history: keys.current.history }
  const own = isPlain ? log.key : undefined
  return (
    openEventCursor(keys, scope, sent, own) ??
    refuse('invalid_cursor', 'This cursor does not belong to this list with these filters.', field)
  )
}

/** A place in the log of an account as a reader knows it, and the account's counter as it was read later. */
type KnownPlace = {
  readonly account_id: string
  readonly position: number
  /** The history of the database in which the reader got to this place. */
  readonly history: number
  readonly counter: number
}

/**
 * Whether a place of an earlier history is behind the events that the present one began with, so that the events after
 * it are lost. A place of the present history cannot lie behind the counter unless commits are missing. Undefined at
 * once where the place needs no look-up.
 */
export function isLostPlace(runtime: Runtime, { keys }: Generation, place: KnownPlace): Promise<boolean> | undefined {
  if (place.position <= place.counter && place.history === keys.current.history) return undefined
  return lookUpPlace(runtime, place)
}

async function lookUpPlace(runtime: Runtime, { account_id, position, history, counter }: KnownPlace): Promise<boolean> {
  const common = await readCommonPosition(runtime.database.reader, account_id, history)
  if (position <= Math.min(common ?? counter, counter)) return false
  if (common === undefined) {
    const evidence = `A cursor of account ${account_id} is at position ${position}, the log ends at ${counter}.`
    await runtime.database.recordLoss(evidence)
  }
  return true
}
