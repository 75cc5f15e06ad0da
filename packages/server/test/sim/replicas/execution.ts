/**
 * Runs one command on one replica, with an injected fault. If its response is lost, the failpoint decides the outcome:
 * no effect before COMMIT, the whole effect after it.
 */
import { endpoints } from '@bourse/api/contract.ts'
import { codesOf, type Endpoint } from '@bourse/api/kit/endpoint.ts'
import { errorCodes } from '@bourse/api/kit/errors.ts'
import { pause } from '@bourse/text/time/pause.ts'
import { eventually } from '../../../../../test/eventually.ts'
import type { CallPlan } from '../context.ts'
import type { ReplicaResponse } from './client.ts'
import type { Injection, ReplicaFault, SimReplica, SimReplicas } from './replicas.ts'

/** The outcome of a command: a response, the death of its replica, or a pause. */
export type ExecutionOutcome =
  | { readonly kind: 'responded'; readonly response: ReplicaResponse; readonly injected: ReplicaFault | undefined }
  | { readonly kind: 'killed'; readonly injected: ReplicaFault }
  | { readonly kind: 'paused'; readonly resume: () => void; readonly responded: Promise<ReplicaResponse> }

/** Work in which a fault can be injected: a call, or a tick of the reconcilers. */
export type InjectableWork = {
  readonly meets: (request_id: string) => boolean
  readonly run: () => Promise<ReplicaResponse>
}

const byName = new Map(endpoints.map((endpoint) => [endpoint.name as string, endpoint as unknown as Endpoint]))

export function endpointOf({ op }: CallPlan): Endpoint {
  return byName.get(op) as Endpoint
}

/** A call to a replica. */
export function callOf(replica: SimReplica, plan: CallPlan, request_id: string): InjectableWork {
  const { method, path } = endpointOf(plan)
  const { actor, token = actor.token, params = {}, query, body, key, accept, transfer } = plan
  if (transfer)
    return { meets: () => false, run: () => replica.client.send({ method: 'PUT', ...transfer, request_id }) }
  const filled = path.replaceAll(/:([a-z_]+)/g, (_, name: string) => params[name] ?? '')
  const whole = query ? `${filled}?${query}` : filled
  // An order is decided in a batch, which has no request id of its own; only one is under way at a time here.
  const meets = (id: string) =>
    id === request_id || (['create_order', 'amend_order'].includes(plan.op) && id === 'batch')
  return {
    meets,
    run: () => replica.client.send({ method, path: whole, token, body, key, request_id, accept }),
  }
}

/** One batch of due work; the response counts its steps. */
export function tickOf({ server }: SimReplica): InjectableWork {
  return {
    meets: (id) => id.startsWith('step:'),
    run: async () => {
      const steps = await server.loop.tick()
      return { status: 200, body: { steps }, text: `${steps} steps`, replayed: false }
    },
  }
}

/** Runs work and injects a fault at its failpoint. */
export async function execute(
  replica: SimReplica,
  work: InjectableWork,
  fault: ReplicaFault | undefined,
): Promise<ExecutionOutcome> {
  let injected: ReplicaFault | undefined
  const stopped = new Promise<Injection>((resolve) => {
    if (!fault) return
    const onInjected = (how: Injection) => {
      injected = fault
      if (fault.kind === 'kill' || how.resume) resolve(how)
    }
    replica.armed = { ...fault, meets: work.meets, onInjected }
  })
  const responded = work.run()
  // The connections of a killed replica break, which is expected.
  responded.catch(() => {})
  const first = await Promise.race([
    responded.then((response) => ({ response })),
    stopped.then((onInjected) => ({ onInjected })),
  ])
  replica.armed = undefined
  // The server detects broken connections a moment later.
  if (injected?.kind === 'cut' || injected?.kind === 'terminate') await pause(1)
  if ('response' in first) return { kind: 'responded', response: first.response, injected }
  if (first.onInjected.resume) return { kind: 'paused', resume: first.onInjected.resume, responded }
  return { kind: 'killed', injected: injected as ReplicaFault }
}

/** Waits for work that runs beside a paused command; returns whether it had to wait for that command's locks. */
export async function runBeside<T>(
  replicas: SimReplicas,
  { work, pid, onBlocked }: { work: Promise<T>; pid: number | undefined; onBlocked: () => void },
): Promise<boolean> {
  let isDone = false
  const done = () => {
    isDone = true
  }
  const ended = work.then(done, done)
  const isBlocked = async () => isDone || (pid !== undefined && (await replicas.isBlockedBy(pid)))
  await eventually('the work has ended or waits for the locks of the paused command', isBlocked, {
    every_milliseconds: 1,
  })
  const wasBlocked = !isDone
  if (wasBlocked) onBlocked()
  await ended
  return wasBlocked
}

/** Describes what is wrong with a response, whatever the call was. */
export function violationOf(
  plan: CallPlan,
  { status, body, text }: ReplicaResponse,
  injected: ReplicaFault | undefined,
): string | undefined {
  const endpoint = endpointOf(plan)
  // Transfers are not part of the contract; wrong ones are refused with other codes.
  if (plan.transfer) return status < 500 ? undefined : `the transfer of a part returned ${status}: ${text}`
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
  const isBroken = injected?.kind === 'cut' || injected?.kind === 'terminate'
  const mayBeUnavailable = isBroken && injected.at !== 'before_commit' && injected.at !== 'after_commit'
  const isHalted = status === 503 && text.includes('The market is halted')
  if (status === 503 && !mayBeUnavailable && !isHalted) return `${endpoint.name} returned ${text} without a fault`
  if (status === 401 && plan.token === undefined && !plan.actor.isDisposable) return `an admin got ${text}`
  return undefined
}
