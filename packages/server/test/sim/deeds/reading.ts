/** Readers: those who follow events, those who look at what they made, those who list, and those who try again. */
import { isDeepStrictEqual } from 'node:util'
import { endpoints } from '@bourse/api/contract.ts'
import { type Actor, absent, anyActor, type Deed, inTurn, type Plan, type Reader, type Scene } from '../scene.ts'
import type { Answer } from '../wire.ts'

const weekSeconds = 604_800
/** How long a key is remembered. */
export const keySeconds = 7 * 86_400

export const lists = endpoints.filter(
  ({ name, query }) => 'ending_before' in query.properties && name.startsWith('list_'),
)

function openReader(scene: Scene): Reader {
  const { choices } = scene
  const actor = choices.pick(scene.actors.filter(({ isDisposable }) => !isDisposable))
  const action = choices.chance(30) ? choices.pick(['instance.created', 'instance.terminated']) : undefined
  const target_type = action === undefined && choices.chance(30) ? choices.pick(['instance', 'image']) : undefined
  const filters = [action && `action=${action}`, target_type && `target_type=${target_type}`].filter(Boolean)
  return {
    actor,
    filters: filters.join('&'),
    fits: (event) => (!action || event.action === action) && (!target_type || event.target_type === target_type),
    ...{ cursor: undefined, cursor_at: 0, from: 0, seen: [] },
  }
}

function follow(scene: Scene): Plan {
  const { choices, readers } = scene
  if (readers.length === 0 || (readers.length < 6 && choices.chance(15))) readers.push(openReader(scene))
  const late = readers.filter((one) => one.cursor !== undefined && isPastWeek(scene, one))
  const reader = choices.pick(late.length > 0 && choices.chance(50) ? late : readers)
  const limit = choices.pick([1, 3, 10, 50])
  const behind = reader.cursor === undefined ? [] : [`starting_after=${reader.cursor}`]
  const query = [reader.filters, `limit=${limit}`, ...behind].filter((part) => part !== '').join('&')
  const isOld = reader.cursor !== undefined && isPastWeek(scene, reader)
  return {
    // A token with fewer rights would see less of the log, now and then.
    ...{ op: 'list_events', actor: reader.actor, token: reader.actor.token, query },
    judge: (answer) => judgePage(scene, { reader, answer, isOld }),
  }
}

function isPastWeek({ now }: Scene, { cursor_at }: Reader): boolean {
  return cursor_at < now - weekSeconds
}

type Seen = { readonly reader: Reader; readonly answer: Answer; readonly isOld: boolean }

function judgePage(scene: Scene, { reader, answer, isOld }: Seen): string | undefined {
  const { status, body } = answer
  if (isOld !== (status === 410)) return `a cursor of ${reader.cursor_at} was answered with ${status}`
  if (status === 410) {
    scene.count('410')
    Object.assign(reader, { cursor: undefined, seen: [] })
    return undefined
  }
  if (reader.cursor === undefined) reader.from = scene.now - weekSeconds
  const { data, has_more, cursor } = body as { data: any[]; has_more: boolean; cursor?: string }
  if (has_more && data.length === 0) return 'has_more without data'
  for (const event of data) {
    const [target] = event.targets
    if (!reader.fits({ action: event.action, target_type: target.type, target_id: target.id })) return 'a filter leaks'
    const flaw = scene.shown.meet(event)
    if (flaw) return flaw
    reader.seen.push(event.id)
  }
  const last = data.at(-1)
  if (last && last.cursor !== cursor) return 'the cursor of the page is not that of its last event'
  if (last) Object.assign(reader, { cursor, cursor_at: last.occurred_at })
  return undefined
}

function list(scene: Scene): Plan {
  const { choices, platform } = scene
  const endpoint = inTurn(scene, 'lists', lists)
  const actor = endpoint.path.includes('/admin/') ? platform : anyActor(scene)
  const op = endpoint.name as Plan['op']
  const params = placeOf(scene, endpoint.path)
  return {
    ...{ op, actor, params, query: `limit=${choices.pick([1, 5, 50])}` },
    next: ({ body, status }) => {
      if (status !== 200 || !body.cursor || choices.chance(60)) return undefined
      const both = `starting_after=${body.cursor}&ending_before=${body.cursor}`
      return { op, actor, params, query: choices.chance(40) ? both : `starting_after=${body.cursor}` }
    },
  }
}

/** Lists that belong to something: the fills of an order, the transactions of an account. */
export function placeOf(scene: Scene, path: string): Record<string, string> {
  if (path.includes(':account')) return { account: anyActor(scene).id }
  return path.includes(':id') ? { id: scene.book.all('order').at(-1)?.id ?? absent('ordr') } : {}
}

/** The same call again under its key: by any token that may, through any replica. */
function retry(scene: Scene): Plan | undefined {
  const { choices, keyed, now } = scene
  const kept = keyed.filter(({ at, plan }) => now < at + keySeconds && !plan.actor.isDisposable)
  if (kept.length === 0) return undefined
  const { plan, status, body } = choices.pick(kept)
  const { op, actor, params, query, key } = plan
  const again = { op, actor, key, ...(params ? { params } : {}), ...(query ? { query } : {}) }
  if (choices.chance(20) && takesName(op)) {
    const other = { ...(plan.body as object), name: 'another-one' }
    return {
      ...{ ...again, body: other },
      judge: (answer) => {
        if (answer.text.includes('the account is frozen')) return undefined
        const isSame = isDeepStrictEqual(other, plan.body)
        const code = answer.body?.error?.details?.[0]?.code
        return isSame || code === 'idempotency_key_reused'
          ? undefined
          : `another body was answered with ${answer.status}`
      },
    }
  }
  return {
    ...{ ...again, body: plan.body },
    judge: (answer) => {
      if (answer.text.includes('the account is frozen')) return undefined
      if (answer.status !== status || !answer.replayed)
        return `a retry was answered with ${answer.status}: ${answer.text}`
      scene.count('replayed')
      return isDeepStrictEqual(answer.body, body) ? undefined : 'a replay has another body'
    },
  }
}

function takesName(op: Plan['op']): boolean {
  const body = endpoints.find(({ name }) => name === op)?.body as { properties?: object } | undefined
  return 'name' in (body?.properties ?? {})
}

/** A limited token tries what it likes. */
export function limitedToken(scene: Scene, actor: Actor): string | undefined {
  const tokens = [...actor.tokens.values()]
  return tokens.length > 0 && scene.choices.chance(12) ? scene.choices.pick(tokens) : undefined
}

export const readingDeeds: readonly Deed[] = [
  { name: 'follow events', weight: 18, plan: follow },
  { name: 'list', weight: 12, plan: list },
  { name: 'retry', weight: 12, plan: retry },
]
