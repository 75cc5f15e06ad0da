/** Readers of events, lists, and replays of keyed calls. */
import { isDeepStrictEqual } from 'node:util'
import { endpoints } from '@bourse/api/contract.ts'
import {
  absent,
  anyActor,
  type CallPlan,
  inTurn,
  type SimActor,
  type SimContext,
  type SimOperation,
  type SimReader,
} from '../context.ts'
import type { ReplicaResponse } from '../replicas/client.ts'

/** How long events are kept. */
export const weekSeconds = 604_800
/** The retention of an idempotency key, in seconds. */
export const keySeconds = 7 * 86_400

export const lists = endpoints.filter(
  ({ name, query }) => 'ending_before' in query.properties && name.startsWith('list_'),
)

/** A reader of a random account with random filters. */
export function openReader(context: SimContext): SimReader {
  const { choices } = context
  const actor = choices.pick(context.actors.filter(({ isDisposable }) => !isDisposable))
  const action = choices.chance(30) ? choices.pick(['instance.created', 'instance.terminated']) : undefined
  const target_type = action === undefined && choices.chance(30) ? choices.pick(['instance', 'image']) : undefined
  const filters = [action && `action=${action}`, target_type && `target_type=${target_type}`].filter(Boolean)
  return {
    actor,
    filters: filters.join('&'),
    fits: (event) => (!action || event.action === action) && (!target_type || event.target_type === target_type),
    cursor: undefined,
    cursor_at: 0,
    from: 0,
    seen: [],
  }
}

function follow(context: SimContext): CallPlan {
  const { choices, readers } = context
  if (readers.length === 0 || (readers.length < 6 && choices.chance(15))) readers.push(openReader(context))
  const late = readers.filter((one) => one.cursor !== undefined && isPastWeek(context, one))
  const reader = choices.pick(late.length > 0 && choices.chance(50) ? late : readers)
  const limit = choices.pick([1, 3, 10, 50])
  const behind = reader.cursor === undefined ? [] : [`starting_after=${reader.cursor}`]
  const query = [reader.filters, `limit=${limit}`, ...behind].filter((part) => part !== '').join('&')
  const isOld = reader.cursor !== undefined && isPastWeek(context, reader)
  return {
    // The admin's token: one with fewer rights would see less of the log.
    op: 'list_events',
    actor: reader.actor,
    token: reader.actor.token,
    query,
    verify: (response) => verifyPage(context, { reader, response, isOld }),
  }
}

/** Whether the cursor of a reader is older than a week. */
export function isPastWeek({ now }: SimContext, { cursor_at }: SimReader): boolean {
  return cursor_at < now - weekSeconds
}

type SeenPage = { readonly reader: SimReader; readonly response: ReplicaResponse; readonly isOld: boolean }

function verifyPage(context: SimContext, { reader, response, isOld }: SeenPage): string | undefined {
  const { status, body } = response
  if (isOld !== (status === 410)) return `a cursor of ${reader.cursor_at} was answered ${status}`
  if (status === 410) {
    context.count('cursors past retention')
    Object.assign(reader, { cursor: undefined, seen: [] })
    return undefined
  }
  if (reader.cursor === undefined) reader.from = context.now - weekSeconds
  const { data, has_more, cursor } = body as { data: any[]; has_more: boolean; cursor?: string }
  if (has_more && data.length === 0) return 'has_more without data'
  for (const event of data) {
    const [target] = event.targets
    if (!reader.fits({ action: event.action, target_type: target.type, target_id: target.id })) return 'a filter leaks'
    const violation = context.shown.observe(event)
    if (violation) return violation
    reader.seen.push(event.id)
  }
  const last = data.at(-1)
  if (last && last.cursor !== cursor) return 'the cursor of the page is not that of its last event'
  if (last) Object.assign(reader, { cursor, cursor_at: last.occurred_at })
  return undefined
}

function list(context: SimContext): CallPlan {
  const { choices, platform } = context
  const endpoint = inTurn(context, 'lists', lists)
  const actor = endpoint.path.includes('/admin/') ? platform : anyActor(context)
  const op = endpoint.name as CallPlan['op']
  const params = readerPlaceOf(context, endpoint.path)
  return {
    op,
    actor,
    params,
    query: `limit=${choices.pick([1, 5, 50])}`,
    next: ({ body, status }) => {
      if (status !== 200 || !body.cursor || choices.chance(60)) return undefined
      const both = `starting_after=${body.cursor}&ending_before=${body.cursor}`
      return { op, actor, params, query: choices.chance(40) ? both : `starting_after=${body.cursor}` }
    },
  }
}

/** Path parameters of nested lists: the fills of an order, the transactions of an account. */
export function readerPlaceOf(context: SimContext, path: string): Record<string, string> {
  if (path.includes(':account')) return { account: anyActor(context).id }
  return path.includes(':id') ? { id: context.inventory.all('order').at(-1)?.id ?? absent('ordr') } : {}
}

/** The same call again under its key, through any replica. */
function retry(context: SimContext): CallPlan | undefined {
  const { choices, keyed, now } = context
  const kept = keyed.filter(({ at, plan }) => now < at + keySeconds && !plan.actor.isDisposable)
  if (kept.length === 0) return undefined
  const { plan, status, body } = choices.pick(kept)
  const { op, actor, params, query, key } = plan
  const again = { op, actor, key, ...(params ? { params } : {}), ...(query ? { query } : {}) }
  if (choices.chance(20) && takesName(op)) {
    const other = { ...(plan.body as object), name: 'another-one' }
    return {
      ...again,
      body: other,
      verify: (response) => {
        if (response.text.includes('the account is frozen')) return undefined
        const isSame = isDeepStrictEqual(other, plan.body)
        const code = response.body?.error?.details?.[0]?.code
        return isSame || code === 'idempotency_key_reused' ? undefined : `another body got ${response.status}`
      },
    }
  }
  return {
    ...again,
    body: plan.body,
    verify: (response) => {
      if (response.text.includes('the account is frozen')) return undefined
      if (response.status !== status || !response.replayed) return `a retry got ${response.status}: ${response.text}`
      context.count('replayed')
      const isSame = isDeepStrictEqual(withoutSecret(op, response.body), withoutSecret(op, body))
      return isSame ? undefined : 'a replay has another body'
    },
  }
}

/** A replay shows the present secret of a webhook, which may have been rotated since. */
function withoutSecret(op: CallPlan['op'], body: any): unknown {
  return op === 'create_webhook' ? { ...body, secret: undefined } : body
}

function takesName(op: CallPlan['op']): boolean {
  const body = endpoints.find(({ name }) => name === op)?.body as { properties?: object } | undefined
  return 'name' in (body?.properties ?? {})
}

/** Sometimes a token with limited rights. */
export function limitedToken(context: SimContext, actor: SimActor): string | undefined {
  const tokens = [...actor.tokens.values()]
  return tokens.length > 0 && context.choices.chance(12) ? context.choices.pick(tokens) : undefined
}

export const readingOperations: readonly SimOperation[] = [
  { name: 'follow events', weight: 18, plan: follow },
  { name: 'list', weight: 12, plan: list },
  { name: 'retry', weight: 12, plan: retry },
]
