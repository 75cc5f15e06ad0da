/**
 * The entries of the audit trail for a request of the API. Everything is derived from the contract, so an operation
 * needs no code of its own to be recorded.
 */
import { refusedRights } from '@bourse/api/iam/audit-entries.ts'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import type { TObject, TSchema } from '@bourse/api/kit/schema.ts'
import { trustOf } from '@bourse/api/trust.ts'
import type { RefusalData } from '../base/refusal.ts'
import type { NewAuditEntry } from '../work/audit-log.ts'
import type { Caller } from '../work/ctx.ts'
import { changesOf, secretFieldsOf } from './changes.ts'
import { targetsOf } from './targets.ts'

type RecordedEndpoint = Endpoint<TObject, TObject, TSchema, TSchema>

/** A request that is recorded. */
export type RecordedRequest = {
  readonly caller: Caller
  readonly request_id: string
  readonly address: string
  readonly user_agent: string
  readonly params: Readonly<Record<string, string>>
  readonly body: unknown
}

/** What a request did. */
type RequestEffect = { readonly before?: unknown; readonly result: unknown }

/** Makes the entries of the requests of one endpoint. */
export type RequestRecorder = {
  done(request: RecordedRequest, effect: RequestEffect): NewAuditEntry[]
  refused(request: RecordedRequest, refusal: RefusalData): NewAuditEntry
}

type PlainEntry = Readonly<Record<string, unknown>>

/** How customers see an operator. */
const platform = { type: 'system', id: null, name: 'platform' } as const

/** Whether the trail has entries of an endpoint, by the table of the contract. Agents are not recorded. */
export function isRecorded({ name }: RecordedEndpoint): boolean {
  return trustOf(name)?.trail === 'entry'
}

/**
 * Whether a refusal of a recorded endpoint is recorded. A 404 is among them whether the resource exists or not:
 * otherwise the work of the server would tell.
 */
export function isRefusedByRights({ code }: RefusalData): boolean {
  return (refusedRights as readonly string[]).includes(code)
}

/** Creates the recorder of an endpoint. */
export function createRequestRecorder(endpoint: RecordedEndpoint): RequestRecorder {
  const secrets = secretFieldsOf(endpoint)
  const isReading = endpoint.method === 'GET'
  return {
    done: (request, { before, result }) => {
      const changes = isReading ? [] : changesOf(endpoint, secrets, { body: request.body, before, result })
      const targets = targetsOf({ path: endpoint.path, params: request.params, before, result })
      const entry = { ...entryOf(endpoint, request), targets, changes }
      const customer = customerOf(request, { before, result })
      if (customer === undefined) return [entry]
      const own = { ...entry, on_behalf_of: customer }
      const shown = { account_id: customer, actor: platform, address: null, user_agent: null }
      return [own, { ...own, ...shown }]
    },
    refused: (request, { code }) => ({
      ...entryOf(endpoint, request),
      targets: targetsOf({ path: endpoint.path, params: request.params, before: undefined, result: undefined }),
      outcome: 'refused',
      code,
    }),
  }
}

function entryOf(
  { name }: RecordedEndpoint,
  { caller, address, user_agent, request_id }: RecordedRequest,
): NewAuditEntry {
  return {
    account_id: caller.account_id,
    actor: caller.principal,
    operation: name,
    targets: [],
    outcome: 'done',
    code: null,
    changes: [],
    on_behalf_of: null,
    address,
    user_agent,
    request_id,
  }
}

/**
 * The account in which an operator acted, if it is not its own: that of the resource, whatever the path of the
 * operation is, or the one that the request names.
 */
function customerOf({ caller, params, body }: RecordedRequest, { before, result }: RequestEffect): string | undefined {
  if (!caller.is_platform) return undefined
  const { account: asked } = (body ?? {}) as PlainEntry
  const named = [params.account, ownerOf(result), ownerOf(before), asked]
  const account = named.find((one) => typeof one === 'string' && one !== '') as string | undefined
  return account === caller.account_id ? undefined : account
}

/** The account of a resource as the API shows it: by itself, or by the path of the resource. */
function ownerOf(shown: unknown): unknown {
  const { object, id, account, resource_path } = (shown ?? {}) as PlainEntry
  if (object === 'account') return id
  return account ?? (typeof resource_path === 'string' ? resource_path.split(':')[2] : undefined)
}
