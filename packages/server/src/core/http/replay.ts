/** Idempotency keys at the edge: the claim of a request, and the stored response for a repeated one. */
import { mapReferences, type SentReference } from '@bourse/api/kit/references.ts'
import type { RecordedRequest } from '../audit/request-entries.ts'
import { recordAfterwards } from '../audit/request-trail.ts'
import { isRefusal, refuse } from '../base/refusal.ts'
import type { Actor, Ctx } from '../work/ctx.ts'
import { type Claim, findStoredResponse, type StoredResponse } from '../work/idempotency.ts'
import { query } from '../work/query.ts'
import type { CommandOrigin } from '../work/writing.ts'
import { fingerprintOf, readIdempotencyKey } from './input.ts'
import { ownHeaders } from './rendering.ts'
import type { AnyEndpoint, PlainRequest, RawInput, RequestContext, Response } from './request-context.ts'
import { jsonResponse } from './response.ts'
import { senderOf } from './transfer.ts'

/** Puts the secrets back into a stored response before it is replayed. */
export type Restore = (ctx: Ctx, body: Record<string, unknown>) => Promise<Record<string, unknown>>

/** A claim that knows whether a fingerprint is that of the same request with resources named by their other form. */
type SentClaim = Claim & {
  readonly hasMeaning: (ctx: Ctx, fingerprint: Buffer) => Promise<boolean>
}

/** The replay of a stored response. */
type Replay = {
  readonly endpoint: AnyEndpoint
  readonly claim: SentClaim | undefined
  readonly stored: StoredResponse
  readonly restore?: Restore | undefined
}

// The actions of operators, the sandbox's controls and hosts are recorded as the system's.
const systemPaths = /^\/(preview\/v2\/admin|sandbox|agent)\//

/** The actor of a request, for commands and queries. */
export function originOf({ caller, request_id, target, span }: RequestContext): CommandOrigin {
  const path = target?.endpoint?.path
  const isSystem = !caller || (path !== undefined && systemPaths.test(path))
  const actor: Actor = isSystem ? { type: 'system' } : { type: 'token', id: caller.token_id }
  if (caller) return { caller, actor, request_id, span }
  return { actor, request_id, span, unrecorded: path?.startsWith('/agent/') ? 'agent' : 'nobody' }
}

/** A request as the audit trail records it; undefined without a caller. */
export function recordedRequestOf(context: RequestContext, body: unknown): RecordedRequest | undefined {
  const { caller, request_id, raw } = context
  if (!caller) return undefined
  const { address, device: user_agent } = senderOf(context)
  return { caller, request_id, address, user_agent, params: raw.params, body }
}

/** A request that opens its commands itself: it is recorded in one of them, or after all. */
export function recordingOf(
  context: RequestContext,
  body: unknown,
): { readonly request: PlainRequest; readonly recordRest: (result: unknown) => Promise<void> } {
  const trail = context.target?.trail
  const recorded = trail && recordedRequestOf(context, body)
  let isRecorded = false
  const { caller, agent, request_id, incoming, address } = context
  const record = (ctx: Ctx, result: unknown) => {
    if (recorded) for (const entry of trail.recorder.done(recorded, { result })) ctx.record(entry)
    isRecorded = true
  }
  return {
    request: { caller, agent, request_id, incoming, address, record },
    recordRest: async (result) => {
      if (!recorded || isRecorded) return
      await recordAfterwards(context.edge.runtime, originOf(context), { trail, request: recorded, result })
    },
  }
}

/** The claim of a request that was sent with an idempotency key. */
export function claimOf(
  endpoint: AnyEndpoint,
  { edge, caller, incoming }: RequestContext,
  { params }: RawInput,
  body: unknown,
): SentClaim | undefined {
  if (!endpoint.idempotent || !caller) return undefined
  const key = readIdempotencyKey(incoming.headers['idempotency-key'])
  if (key === undefined) return undefined
  // A token that is limited to resources sees the stored responses of no other one.
  const owner = caller.limits?.resources ? { token_id: caller.token_id } : {}
  const hash = (sent: SentRequest) =>
    fingerprintOf(edge.fingerprint_secret, endpoint.name, { ...sent.params, ...owner }, sent.body)
  const hasMeaning = async (ctx: Ctx, stored: Buffer) => {
    const refs = new Map<string, SentReference>()
    mapSent(endpoint, { params, body }, (sent) => {
      refs.set(sent.ref, sent)
      return sent.ref
    })
    const others = await edge.otherForms(ctx, [...refs.values()])
    const forms = [...refs.keys()].map((ref): Forms => [ref, [ref, ...(others.get(ref) ?? [])]])
    for (const form of [...uniformOf(forms), ...combinationsOf(forms)]) {
      const same = mapSent(endpoint, { params, body }, ({ ref }) => form.get(ref) ?? ref)
      if (hash(same).equals(stored)) return true
    }
    return false
  }
  const fingerprint = hash({ params, body })
  return { account_id: caller.account_id, operation: endpoint.name, key, fingerprint, hasMeaning }
}

type SentRequest = { readonly params: object; readonly body: unknown }

function mapSent(
  endpoint: AnyEndpoint,
  { params, body }: SentRequest,
  replace: (sent: SentReference) => string,
): SentRequest {
  return {
    params: mapReferences(endpoint.params, params, replace) as object,
    body: endpoint.body === undefined ? body : mapReferences(endpoint.body, body, replace),
  }
}

/** A reference as it was sent, and each of its forms. */
type Forms = readonly [string, readonly string[]]

/**
 * All by their paths, all by their ids, and all by their other ids: a program that names resources in one way is found
 * however many it names.
 */
function uniformOf(forms: readonly Forms[]): Map<string, string>[] {
  const isPath = (form: string) => form.startsWith('svc:')
  const isId = (form: string) => !isPath(form)
  const choices: ((own: readonly string[]) => string | undefined)[] = [
    (own) => own.find(isPath),
    (own) => own.find(isId),
    (own) => own.findLast(isId),
  ]
  return choices.map((choose) => new Map(forms.map(([ref, own]) => [ref, choose(own) ?? ref])))
}

/** A body may name many resources. Of these, the combinations beyond count as another request. */
const combinationsMax = 64

/** Every choice of one form for each reference. */
function* combinationsOf(forms: readonly Forms[]): Generator<Map<string, string>> {
  const count = forms.reduce((product, [, own]) => product * own.length, 1)
  for (let number = 0; number < Math.min(count, combinationsMax); number++) {
    let rest = number
    const chosen = new Map<string, string>()
    for (const [ref, own] of forms) {
      chosen.set(ref, own[rest % own.length] as string)
      rest = Math.floor(rest / own.length)
    }
    yield chosen
  }
}

/** The stored form of a result. */
export function storedBody(result: unknown, { secret_fields }: AnyEndpoint): string {
  if (secret_fields.length === 0) return JSON.stringify(result)
  const shown = Object.entries(result as object).filter(([name]) => !secret_fields.includes(name))
  return JSON.stringify(Object.fromEntries(shown))
}

/** Returns a stored response to a caller who may see it now. */
export async function replay(context: RequestContext, { endpoint, claim, stored, restore }: Replay): Promise<Response> {
  const { edge } = context
  const response = await query(edge.runtime, originOf(context), async (ctx) => {
    edge.gate.recheck(ctx, stored.asked)
    const { fingerprint } = stored
    if (!claim || !(fingerprint.equals(claim.fingerprint) || (await claim.hasMeaning(ctx, fingerprint)))) {
      refuse('idempotency_key_reused', 'This key was used with another request.', 'Idempotency-Key')
    }
    const body = JSON.parse(stored.body) as Record<string, unknown>
    return jsonResponse(stored.status, restore ? await restore(ctx, body) : body)
  })
  // The response shows a secret again, which is recorded as the read of one: an entry without changes.
  const trail = restore && context.target?.trail
  const request = trail && recordedRequestOf(context, undefined)
  if (request) {
    const result = JSON.parse(stored.body) as unknown
    await recordAfterwards(edge.runtime, originOf(context), { trail, request, result })
  }
  return { ...response, headers: [...ownHeaders(endpoint), 'Idempotency-Replayed', 'true'] }
}

/**
 * The stored response of a request that was refused while it was prepared: the resources that it names may be deleted
 * by now, and the key still refers to its first outcome.
 */
export async function storedDespite(
  error: unknown,
  { edge }: RequestContext,
  claim: Claim | undefined,
): Promise<StoredResponse> {
  const stored = claim && isRefusal(error) && (await findStoredResponse(edge.runtime.database.reader, claim))
  if (!stored) throw error
  return stored
}
