/**
 * One command against one replica, with whatever befalls that replica on the way. What came of a call whose answer was
 * lost follows from the failpoint: nothing before COMMIT, everything behind it.
 */
import { endpoints } from '@bourse/api/contract.ts'
import { codesOf, type Endpoint } from '@bourse/api/kit/endpoint.ts'
import { errorCodes } from '@bourse/api/kit/errors.ts'
import { pause } from '../../src/core/base/clock.ts'
import { waitFor } from '../../src/core/base/wait.ts'
import type { Hit, Replica, Replicas, Trouble } from './replicas.ts'
import type { Plan } from './scene.ts'
import type { Answer } from './wire.ts'

/** How a command ended: with an answer, with its replica's death, or not yet, because its replica stands still. */
export type Fate =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly struck: Trouble | undefined }
  | { readonly kind: 'killed'; readonly struck: Trouble }
  | { readonly kind: 'paused'; readonly goOn: () => void; readonly answered: Promise<Answer> }

/** Work of a replica that may meet a trouble: a call, or a tick of its reconcilers. */
export type Work = { readonly meets: (request_id: string) => boolean; readonly run: () => Promise<Answer> }

const byName = new Map(endpoints.map((endpoint) => [endpoint.name as string, endpoint as unknown as Endpoint]))

export function endpointOf({ op }: Plan): Endpoint {
  return byName.get(op) as Endpoint
}

/** A call as its replica gets it. */
export function callOf(replica: Replica, plan: Plan, request_id: string): Work {
  const { method, path } = endpointOf(plan)
  const { actor, token = actor.token, params = {}, query, body, key, accept, transfer } = plan
  if (transfer) return { meets: () => false, run: () => replica.wire.send({ method: 'PUT', ...transfer, request_id }) }
  const filled = path.replaceAll(/:([a-z_]+)/g, (_, name: string) => params[name] ?? '')
  const whole = query ? `${filled}?${query}` : filled
  // Orders are decided in batches, which belong to no single request; here one is under way at a time.
  const meets = (id: string) => id === request_id || (plan.op === 'create_order' && id === 'batch')
  return {
    meets,
    run: () => replica.wire.send({ method, path: whole, token, body, key, request_id, accept }),
  }
}

/** One batch of due work; the answer counts its steps. */
export function tickOf({ server }: Replica): Work {
  return {
    meets: (id) => id.startsWith('step:'),
    run: async () => {
      const steps = await server.loop.tick()
      return { status: 200, body: { steps }, text: `${steps} steps`, replayed: false }
    },
  }
}

/** Does some work, and lets a trouble strike where it is aimed. */
export async function perform(replica: Replica, work: Work, trouble: Trouble | undefined): Promise<Fate> {
  let struck: Trouble | undefined
  const stopped = new Promise<Hit>((resolve) => {
    if (!trouble) return
    const hit = (how: Hit) => {
      struck = trouble
      if (trouble.kind === 'kill' || how.goOn) resolve(how)
    }
    replica.aim = { ...trouble, meets: work.meets, hit }
  })
  const answered = work.run()
  // A dead replica's connections break; that is no news then.
  answered.catch(() => {})
  const first = await Promise.race([answered.then((answer) => ({ answer })), stopped.then((hit) => ({ hit }))])
  replica.aim = undefined
  // Broken connections are noticed a moment after they broke.
  if (struck?.kind === 'cut' || struck?.kind === 'terminate') await pause(1)
  if ('answer' in first) return { kind: 'answered', answer: first.answer, struck }
  if (first.hit.goOn) return { kind: 'paused', goOn: first.hit.goOn, answered }
  return { kind: 'killed', struck: struck as Trouble }
}

/** Waits for work beside which a command stands still; tells whether it had to wait for that one's locks. */
export async function besides<T>(
  replicas: Replicas,
  { work, pid, onBlocked }: { work: Promise<T>; pid: number | undefined; onBlocked: () => void },
): Promise<boolean> {
  let isDone = false
  const done = () => {
    isDone = true
  }
  const ended = work.then(done, done)
  const isBlocked = async () => isDone || (pid !== undefined && (await replicas.isBlockedBy(pid)))
  await waitFor(isBlocked, { every_milliseconds: 1, at_most_milliseconds: 10_000 })
  const wasBlocked = !isDone
  if (wasBlocked) onBlocked()
  await ended
  return wasBlocked
}

/** What is wrong with an answer whatever was asked, in words. */
export function flawOf(plan: Plan, { status, body, text }: Answer, struck: Trouble | undefined): string | undefined {
  const endpoint = endpointOf(plan)
  // Bytes go past the contract; whoever sends too many, or too late, is told so.
  if (plan.transfer) return status < 500 ? undefined : `the bytes of a part were answered with ${status}: ${text}`
  if (status < 300) return status === endpoint.success ? undefined : `${status} is not the success of ${endpoint.name}`
  const { type, details } = (body?.error ?? {}) as { type?: string; details?: { code: string }[] }
  const codes = details?.map(({ code }) => code) ?? [type === 'api_error' && status === 503 ? 'unavailable' : type]
  const listed = codesOf(endpoint) as string[]
  for (const code of codes) {
    const meaning = errorCodes[code as keyof typeof errorCodes]
    if (!meaning || meaning.status !== status) return `${status} with the code ${code}: ${text}`
    if (!listed.includes(code as string)) return `${endpoint.name} does not list ${code}`
  }
  if (status === 500 || status === 429) return `${endpoint.name} answered ${text}`
  const isBroken = struck?.kind === 'cut' || struck?.kind === 'terminate'
  const mayBeUnavailable = isBroken && struck.at !== 'before_commit' && struck.at !== 'after_commit'
  const isHalted = status === 503 && text.includes('The market is halted')
  if (status === 503 && !mayBeUnavailable && !isHalted) return `${endpoint.name} answered ${text} without need`
  if (status === 401 && plan.token === undefined && !plan.actor.isDisposable) return `an admin was answered ${text}`
  return undefined
}
