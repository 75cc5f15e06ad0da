import type {
  CreatedToken,
  createToken as createContract,
  listTokens as listContract,
  Token,
} from '@bourse/api/iam/tokens.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import type { Permission } from '@bourse/api/kit/permissions.ts'
import { isInNetworks } from '../../core/base/networks.rules.ts'
import { Refusal, refuse, throwIfRefused } from '../../core/base/refusal.ts'
import { foreignNetwork } from '../../core/http/credentials.ts'
import type { RequestSender } from '../../core/http/transfer.ts'
import { signApiToken } from '../../core/keys/jwt.ts'
import type { NewAuditEntry } from '../../core/work/audit-log.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { conditions, pageResponse } from '../../core/work/page.ts'
import { tokenEnded } from '../../core/work/transaction.ts'
import { listPrincipalGrants, writeGrant } from '../access/grants.service.ts'
import { decide, rightsOf } from '../access/permissions.rules.ts'
import {
  allow,
  chooseWorkspace,
  hasPermission,
  makerOf,
  onlyVisible,
  refuseNotFound,
  rightsOfCaller,
  visibleWorkspaces,
} from '../access/permissions.service.ts'
import { adminRole, assignedRoles, policyOf, type UsableRole } from '../access/roles.rules.ts'
import { findUsableRole, refuseRightsBeyondOwn } from '../access/roles.service.ts'
import { emptyEntry } from '../audit/sign-ins.service.ts'
import { creatorOf, presentCreator } from '../names/creators.rules.ts'
import { takeLimit } from '../names/limit-usage.service.ts'
import { claimName, idToLoad, pickSummary, type Summary, summaries } from '../names/names.service.ts'
import { findAccount, lockAccount, lockWorkspaceShared } from '../names/owners.service.ts'
import { type LastingOrigin, originOf, type TokenOrigin } from './origins.rules.ts'
import {
  claimedJti,
  findBeyondLimits,
  type LimitColumns,
  networksOf,
  readLimits,
  storedJti,
  unlimited,
} from './token-limits.rules.ts'
import {
  type EndBounds,
  hasEnded,
  latestTokenEnd,
  longestLifeDays,
  outlives,
  refuseTokenEnd,
  tokenEnd,
} from './tokens.rules.ts'
import {
  findAdminToken as findAdmin,
  findFirstToken,
  findToken as findOne,
  findSignedToken,
  insertToken,
  listTokens as listRows,
  type NewToken,
  type SignedToken,
  type TokenRow,
} from './tokens.store.ts'

const sessionNames = 'session-{{nanoid(12)}}'

/** The parameters of a new token. A role applies to the whole account if its `workspace_id` is null. */
type NewTokenParams = {
  readonly account_id: string
  readonly workspace_id: Id<'workspace'>
  readonly name?: string | undefined
  readonly expires_at: number | null
  readonly roles: readonly { role_id: Id<'role'>; workspace_id: Id<'workspace'> | null }[]
  readonly allowed_cidrs?: LimitColumns['allowed_cidrs']
  readonly resources?: LimitColumns['resources']
  /** The token that opened the session of the caller: what a session makes descends from it. */
  readonly opened_by_token_id?: Id<'token'> | null
  readonly made_in_sessions?: TokenOrigin['made_in_sessions']
  readonly let_in_by?: TokenOrigin['let_in_by']
}

/** The parameters of a new session of a user. */
type NewSessionParams = Pick<NewTokenParams, 'account_id' | 'workspace_id'> &
  Omit<LastingOrigin, 'let_in_by'> & {
    readonly user_id: Id<'user'>
    readonly expires_at: number
  }

/**
 * Creates a token with roles in its workspace, which ends no later than the token of the caller. Refuses `forbidden`
 * if a role gives a right that the caller lacks.
 */
export async function createToken(ctx: Ctx, body: Input<typeof createContract>['body']): Promise<CreatedToken> {
  const { account_id } = callerOf(ctx)
  const workspace_id = await chooseWorkspace(ctx, body.workspace)
  await allow(ctx, 'token:create', workspace_id)
  await lockAccount(ctx, account_id)
  const maker = await requireMaker(ctx)
  const bounds = await boundsBy(ctx, maker)
  const limits = readNewLimits(body, maker)
  const expires_at = tokenEnd(body.expires_at, bounds)
  throwIfRefused(refuseTokenEnd(expires_at, bounds))
  const chosen = new Map<string, UsableRole>()
  for (const [index, ref] of (body.roles ?? ['role_viewer' as const]).entries()) {
    const role = await findUsableRole(ctx, account_id, ref, `roles.${index}`)
    refuseRightsBeyondOwn(ctx, role.policy, workspace_id)
    chosen.set(role.id, role)
  }
  const roles = [...chosen.values()].map(({ id }) => ({ role_id: id, workspace_id }))
  const params = { account_id, workspace_id, name: body.name, expires_at, roles, ...limits }
  const { made_in_sessions, let_in_by } = originOf(maker)
  const origin = { opened_by_token_id: maker?.opened_by_token_id ?? null, made_in_sessions, let_in_by }
  const { id, token } = await createTokenFor(ctx, { ...params, ...origin })
  return { ...(await presentOne(ctx, await loadToken(ctx, id))), token }
}

async function boundsBy(ctx: Ctx, maker: TokenRow | undefined): Promise<EndBounds> {
  const account = await findAccount(ctx, callerOf(ctx).account_id)
  const days_max = longestLifeDays(maker, account?.token_lifetime_max_days ?? 0)
  return { now: ctx.now, latest: latestTokenEnd(maker), days_max }
}

/** The limits of a new token, which is at least as limited as its maker. */
function readNewLimits(
  body: Pick<Input<typeof createContract>['body'], 'allowed_cidrs' | 'resources'>,
  maker: TokenRow | undefined,
): LimitColumns {
  const limits = readLimits(body, maker ?? unlimited)
  if ('refusal' in limits) throw new Refusal(limits.refusal)
  const beyond = findBeyondLimits(maker ?? unlimited, limits)
  if (beyond) refuse('forbidden', `Your token is limited, so it cannot make one that is allowed ${beyond}.`)
  return limits
}

/** Creates a token, without permission checks, for the API, start-up and seeds. Returns its id and the token. */
export async function createTokenFor(ctx: Ctx, params: NewTokenParams): Promise<{ id: Id<'token'>; token: string }> {
  const { account_id, workspace_id, name, opened_by_token_id, made_in_sessions = null, let_in_by = null } = params
  await takeLimit(ctx, account_id, 'tokens')
  await takeLimit(ctx, account_id, 'grants', params.roles.length)
  await lockWorkspaceShared(ctx, workspace_id)
  const id = ctx.newId('token')
  await claimName(ctx, { id, kind: 'token', account_id, workspace_id, name })
  const creator = creatorOf(makerOf(ctx), account_id)
  const origin = opened_by_token_id ? { ...creator, created_by_token_id: opened_by_token_id } : creator
  const { allowed_cidrs = null, resources = null } = params
  const columns = { allowed_cidrs, resources, made_in_sessions, let_in_by, kind: 'service', user_id: null } as const
  const token = await writeToken(ctx, { ...params, ...origin, ...columns, id })
  for (const role of params.roles) await writeGrant(ctx, { account_id, principal_id: id, ...role })
  return { id, token }
}

/** Creates the token of a session. Its name belongs to no workspace, so it does not keep one from being deleted. */
export async function createSessionToken(
  ctx: Ctx,
  params: NewSessionParams,
): Promise<{ id: Id<'token'>; token: string }> {
  const { account_id, user_id, opened_by_token_id } = params
  const id = ctx.newId('token')
  await claimName(ctx, { id, kind: 'token', account_id, workspace_id: null, template: sessionNames })
  const creator = { created_by_token_id: opened_by_token_id, created_by_user_id: user_id }
  // The row of the session has by whose links it came about.
  const own = { ...unlimited, let_in_by: null, id, kind: 'session' } as const
  return { id, token: await writeToken(ctx, { ...params, ...creator, ...own }) }
}

type TokenToWrite = Omit<NewToken, 'kid' | 'jti' | 'suffix' | 'created_at'>

async function writeToken(ctx: Ctx, token: TokenToWrite): Promise<string> {
  const { kid } = ctx.keys.signing.current
  const jti = storedJti(ctx.random.bytes(16).toString('base64url'), token)
  const row = { ...token, kid, jti, created_at: ctx.now }
  const signed = await signAgain(ctx, row)
  await insertToken(ctx.db, { ...row, suffix: signed.slice(-6) })
  return signed
}

/**
 * Puts the token back into a stored response. The caller may differ from the creator of the token, so this refuses
 * `forbidden` unless the caller could grant every right of the token and could make a token that lives as long.
 */
export async function restoreToken(ctx: Ctx, body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const id = String(body.id)
  for (const grant of await listPrincipalGrants(ctx, callerOf(ctx).account_id, id)) {
    const rules = policyOf(grant)
    if (rules) refuseRightsBeyondOwn(ctx, rules, grant.workspace_id)
  }
  const row = await findSignedToken(ctx.db, id)
  const maker = await requireMaker(ctx)
  if (row && outlives(row.expires_at, latestTokenEnd(maker))) {
    refuse('forbidden', 'This request made a token that outlives yours.')
  }
  if (row && findBeyondLimits(maker ?? unlimited, row)) {
    refuse('forbidden', 'This request made a token that is less limited than yours.')
  }
  return { ...body, token: await signStoredToken(ctx, id) }
}

/** Signs a stored token again. The result is byte for byte the original token. */
export async function signStoredToken(ctx: Ctx, id: string): Promise<string> {
  const row = await findSignedToken(ctx.db, id)
  if (!row) throw new Error(`There is no row of the token ${id} to sign.`)
  return signAgain(ctx, row)
}

/** Signs the first token of an account again. */
export async function signFirstToken(ctx: Ctx, account_id: string): Promise<string> {
  return signStoredToken(ctx, (await findFirstToken(ctx.db, account_id)) ?? '')
}

/** Lists the tokens that the caller may list. A person gets no sessions but their own, and needs no right for these. */
export async function listTokens(ctx: Ctx, query: Input<typeof listContract>['query']) {
  const person = ctx.caller && rightsOfCaller(ctx.caller).user_id
  const isOwn = Boolean(person) && query.kind === 'session'
  const visible = isOwn ? 'all' : await visibleWorkspaces(ctx, 'token:list', query.workspace)
  const where = onlyVisible(ctx, conditions(), 't', visible)
  if (isOwn) where.add('t.user_id = $', person)
  if (isOwn && query.workspace) where.add('t.workspace_id = $', await idToLoad(ctx, 'workspace', query.workspace))
  where.addIf('t.id = any($)', query.id).checkIf('t.kind = $', query.kind)
  const page = await listRows(ctx, query, where)
  const found = await summaries(
    ctx,
    page.rows.map((row) => row.workspace_id),
  )
  return pageResponse(
    page,
    page.rows.map((row) => presentToken(ctx, row, found)),
  )
}

/** Reads one token; every token may read itself, and a person their own sessions. */
export async function getToken(ctx: Ctx, id: Id<'token'>): Promise<Token> {
  const row = await loadToken(ctx, id)
  if (!isOwnToken(ctx, row)) await allow(ctx, 'token:read', row)
  return presentOne(ctx, row)
}

/** A token by its id. */
export function findToken({ db }: Ctx, id: string): Promise<TokenRow | undefined> {
  return findOne(db, id)
}

/**
 * Whether a token exists and has not expired. Refuses `network_not_allowed` if it may not be used from a network
 * address.
 */
export async function isTokenLive(ctx: Ctx, id: Id<'token'>, address: string): Promise<boolean> {
  const row = await findLive(ctx, id)
  if (row?.allowed_cidrs && !isInNetworks(address, networksOf(row.allowed_cidrs))) throw new Refusal(foreignNetwork)
  return row !== undefined
}

/** Queues the entry of the audit trail for the use of a token from a network that it does not allow. */
export async function recordForeignUse(
  ctx: Ctx,
  id: Id<'token'>,
  {
    sender: { address, device: user_agent },
    ...use
  }: Pick<NewAuditEntry, 'operation' | 'targets'> & { readonly sender: RequestSender },
): Promise<void> {
  const row = await findToken(ctx, id)
  if (!row) return
  const actor = { type: 'token', id, name: row.name } as const
  const refused = { outcome: 'refused', code: foreignNetwork.code, address, user_agent } as const
  ctx.services.audit_queue.add({ ...emptyEntry(ctx), ...use, ...refused, account_id: row.account_id, actor })
}

/** Whether a token that need not be the caller's has a permission on a resource now. */
export async function doesTokenHold(
  ctx: Ctx,
  id: Id<'token'>,
  permission: Permission,
  { account_id, workspace_id }: { account_id: string; workspace_id: Id<'workspace'> },
): Promise<boolean> {
  const [row, account] = await Promise.all([findLive(ctx, id), findAccount(ctx, account_id)])
  if (!account || row?.account_id !== account_id) return false
  const rights = rightsOf(assignedRoles(await listPrincipalGrants(ctx, account_id, id)), account)
  return decide(rights, { permission, workspace_id, is_frozen: account.is_frozen }) === 'allowed'
}

async function findLive(ctx: Ctx, id: Id<'token'>): Promise<TokenRow | undefined> {
  const row = await findToken(ctx, id)
  return row && !hasEnded(row, ctx.now) ? row : undefined
}

/** The oldest token that holds the admin role for its whole account and has not expired. */
export function findAdminToken({ db, now }: Ctx, account_id: string): Promise<Id<'token'> | undefined> {
  return findAdmin(db, { account_id, role_id: adminRole, now })
}

/**
 * The token of the caller, which makes another one; undefined for the system. Requires the account's lock: a deletion
 * that goes before is seen, so a deleted token leaves no others behind.
 */
export async function requireMaker(ctx: Ctx): Promise<TokenRow | undefined> {
  if (!ctx.caller) return undefined
  const maker = await findLive(ctx, ctx.caller.token_id)
  if (maker) return maker
  throw new Refusal(tokenEnded())
}

/** Whether a token is that of the caller, or a session of the same person. */
export function isOwnToken({ caller }: Ctx, { id, user_id }: Pick<TokenRow, 'id' | 'user_id'>): boolean {
  if (!caller) return false
  return caller.token_id === id || (user_id !== null && rightsOfCaller(caller).user_id === user_id)
}

async function signAgain({ keys }: Ctx, row: Omit<SignedToken, keyof LimitColumns>): Promise<string> {
  const { id, account_id, workspace_id, kid, expires_at, created_at } = row
  const claims = {
    iss: keys.token_audience,
    aud: keys.token_audience,
    sub: id,
    acct: account_id,
    wksp: workspace_id,
    iat: created_at,
    jti: claimedJti(row),
  }
  return signApiToken(keys.signing, expires_at === null ? claims : { ...claims, exp: expires_at }, kid)
}

/** A token of the caller's account. Refuses `not_found`. */
export async function loadToken(ctx: Ctx, id: Id<'token'>): Promise<TokenRow> {
  const row = await findToken(ctx, id)
  return row && (!ctx.caller || ctx.caller.account_id === row.account_id) ? row : refuseNotFound()
}

async function presentOne(ctx: Ctx, row: TokenRow): Promise<Token> {
  return presentToken(ctx, row, await summaries(ctx, [row.workspace_id]))
}

function presentToken(ctx: Ctx, row: TokenRow, found: ReadonlyMap<string, Summary>): Token {
  // Where people are concerns themselves, and those who may end their sessions.
  const isTold = isOwnToken(ctx, row) || hasPermission(ctx, 'user:write', null)
  const { id, name, kind, user_id, device, address, suffix, expires_at, last_used_at, created_at } = row
  const { allowed_cidrs, resources } = row
  return {
    object: 'token',
    id,
    workspace: pickSummary(found, 'workspace', row.workspace_id),
    name,
    kind,
    user: user_id && { object: 'user', id: user_id, name: row.user_name as string, email: row.user_email },
    device: isTold ? device : null,
    address: isTold ? address : null,
    suffix,
    allowed_cidrs,
    resources,
    expires_at,
    last_used_at,
    created_at,
    created_by: presentCreator(row),
  }
}
