import type { Account } from '@bourse/api/iam/account.ts'
import type {
  AdministeredAccount,
  CreatedAccount,
  createAccount as createContract,
  freezeAccount as freezeContract,
  listAccounts as listContract,
  setTrustLevel as trustContract,
  updateAccount as updateContract,
} from '@bourse/api/iam/accounts.ts'
import type { TrustLevel } from '@bourse/api/iam/limits.ts'
import { interfaceVersion } from '@bourse/api/interface-version.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { Refusal, refuse } from '../../core/base/refusal.ts'
import { version } from '../../core/base/version.ts'
import type { PlainRequest } from '../../core/http/request-context.ts'
import { type Ctx, callerOf } from '../../core/work/ctx.ts'
import { openEventLog } from '../../core/work/event-log.ts'
import { type Page, type PageQuery, pageResponse } from '../../core/work/page.ts'
import { query } from '../../core/work/query.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { tokenEnded } from '../../core/work/transaction.ts'
import { allow, refuseNotFound, rightsOfCaller } from '../access/permissions.service.ts'
import { adminRole } from '../access/roles.rules.ts'
import { pickSummary, summaries } from '../names/names.service.ts'
import type { AccountRow } from '../names/owners.rules.ts'
import { findAccount, lockAccount } from '../names/owners.service.ts'
import { endAccessIn } from '../people/device-logins.service.ts'
import { createTokenFor, findToken, signFirstToken } from '../tokens/tokens.service.ts'
import {
  findPlatformAccount as findPlatform,
  insertAccount,
  listAccounts as listRows,
  updateAccount as updateRow,
} from './accounts.store.ts'
import { describeUser } from './users.service.ts'
import { makeWorkspace } from './workspaces.service.ts'

declare module '../../core/work/services.ts' {
  interface Services {
    /** Whether the first token of an account ends by itself. */
    readonly first_tokens_end: boolean
  }
}

/** An account without what other areas know of it. */
export type PlainAccount = Omit<AdministeredAccount, 'balance'>

/** The parameters of a new account. */
type NewAccount = {
  readonly id: string
  readonly name?: string | undefined
  readonly entity_type?: 'personal' | 'business' | undefined
  readonly trust_level?: TrustLevel | undefined
  readonly is_platform?: boolean
  /** The name of its first workspace. */
  readonly workspace?: string
}

/** The default of the column. */
const lifetimeDaysDefault = 365
/** How long the first token of an account lives in production, where people can sign in and make others. */
const firstTokenDays = 90

/** The account, token and user of the caller. */
export function getAccount(runtime: Runtime, { caller, request_id }: PlainRequest): Promise<Account> {
  const { mode } = runtime
  const origin = { ...(caller ? { caller } : {}), actor: { type: 'system' as const }, request_id }
  return query(runtime, origin, (ctx) => describeCaller(ctx, { version, interface_version: interfaceVersion, mode }))
}

/** Creates an account with a workspace and an admin token. */
export async function createAccount(
  ctx: Ctx,
  body: Input<typeof createContract>['body'],
): Promise<Omit<CreatedAccount, 'balance'>> {
  await allow(ctx, 'platform:write', null)
  const { account, workspace_id } = await makeAccount(ctx, body)
  const { token } = await createAdminToken(ctx, { account_id: account.id, workspace_id, name: 'admin' })
  return { ...presentAccount(account), token }
}

/** Puts the first token back into the stored response of {@link createAccount}. */
export async function restoreAccount(ctx: Ctx, body: Record<string, unknown>): Promise<Record<string, unknown>> {
  return { ...body, token: await signFirstToken(ctx, String(body.id)) }
}

/** Creates an account with a workspace, without permission checks, for the API, start-up and seeds. */
export async function makeAccount(
  ctx: Ctx,
  accountParams: NewAccount,
): Promise<{ account: AccountRow; workspace_id: Id<'workspace'> }> {
  const { id, name = id, entity_type = null, trust_level = 'basic', is_platform = false } = accountParams
  const row = { id, name, entity_type, trust_level, is_platform, created_at: ctx.now }
  if (!(await insertAccount(ctx.db, row))) refuse('account_exists', 'An account with this id already exists.', 'id')
  await openEventLog(ctx.db, id)
  const workspace = await makeWorkspace(ctx, id, accountParams.workspace ?? 'default')
  const account = { ...row, is_frozen: false, token_lifetime_max_days: lifetimeDaysDefault }
  return { account, workspace_id: workspace.id }
}

/**
 * Creates a token with the admin role for the whole account. In production it ends after 90 days, in a sandbox never:
 * its tokens stay the same through every reset.
 */
export function createAdminToken(
  ctx: Ctx,
  place: { account_id: string; workspace_id: Id<'workspace'>; name: string },
): Promise<{ id: Id<'token'>; token: string }> {
  const expires_at = ctx.services.first_tokens_end ? ctx.now + firstTokenDays * daySeconds : null
  return createTokenFor(ctx, { ...place, expires_at, roles: [{ role_id: adminRole, workspace_id: null }] })
}

/** Reads a page of all accounts. */
export async function listAccounts(ctx: Ctx, query: Input<typeof listContract>['query']) {
  await allow(ctx, 'platform:read', null)
  const page = await listRows(ctx, query)
  return pageResponse(page, page.rows.map(presentAccount))
}

/** A page of all accounts, newest first, or one of them, for lists by account. The caller checks permissions. */
export function pageOfAccounts(
  ctx: Ctx,
  { account, ...query }: PageQuery & { readonly account?: string },
): Promise<Page<AccountRow>> {
  return listRows(ctx, { ...query, ...(account === undefined ? {} : { id: [account] }) }, 'usagc')
}

/** Reads any account. */
export async function getAdministeredAccount(ctx: Ctx, id: string): Promise<PlainAccount> {
  await allow(ctx, 'platform:read', null)
  return presentAccount((await findAccount(ctx, id)) ?? refuseNotFound())
}

/** Changes the name of an account and how long its tokens may live, or sets its entity type, once. */
export async function updateAccount(ctx: Ctx, input: Input<typeof updateContract>): Promise<PlainAccount> {
  const { name, entity_type, token_lifetime_max_days } = input.body
  return change(ctx, input.params.account, (account) => {
    if (entity_type && account.entity_type && entity_type !== account.entity_type) {
      refuse('invalid_state', 'entity_type can be set only once.', 'entity_type')
    }
    const lifetime = token_lifetime_max_days ?? account.token_lifetime_max_days
    const changed = { name: name ?? account.name, entity_type: entity_type ?? account.entity_type }
    return { ...account, ...changed, token_lifetime_max_days: lifetime }
  })
}

/** Topics of `ctx.publish`: an account was frozen or unfrozen. The key is its id. */
export const accountFrozen = 'account.frozen'
export const accountUnfrozen = 'account.unfrozen'

/**
 * Freezes an account, which may then only read; with `end_sessions`, also signs all of its people out. Refuses the
 * platform account, which could not be unfrozen.
 */
export async function freezeAccount(ctx: Ctx, { params, query }: Input<typeof freezeContract>): Promise<PlainAccount> {
  const frozen = await change(ctx, params.account, (account) => {
    if (account.is_platform) refuse('forbidden', 'The platform account cannot be frozen.')
    if (!account.is_frozen) ctx.publish(accountFrozen, account.id)
    return { ...account, is_frozen: true }
  })
  if (query.end_sessions) await endAccessIn(ctx, frozen.id)
  return frozen
}

/** Unfreezes an account, which may then write again. */
export function unfreezeAccount(ctx: Ctx, id: string): Promise<PlainAccount> {
  return change(ctx, id, (account) => {
    if (account.is_frozen) ctx.publish(accountUnfrozen, id)
    return { ...account, is_frozen: false }
  })
}

/** Sets the trust level of an account, which determines its limits. */
export function setTrustLevel(ctx: Ctx, { params, body }: Input<typeof trustContract>): Promise<PlainAccount> {
  return change(ctx, params.account, (account) => {
    const { trust_level } = body
    if (trust_level !== account.trust_level) {
      const target = { target_type: 'account', target_id: account.id }
      ctx.emit({ account_id: account.id, workspace_id: null, action: 'trust_level.updated', ...target })
    }
    return { ...account, trust_level }
  })
}

async function describeCaller(ctx: Ctx, server: Omit<Account['server'], 'now'>): Promise<Account> {
  const { account_id, token_id, workspace_id, ...caller } = callerOf(ctx)
  const { user_id } = rightsOfCaller({ account_id, token_id, workspace_id, ...caller })
  const [account, token, found, user] = await Promise.all([
    findAccount(ctx, account_id),
    findToken(ctx, token_id),
    summaries(ctx, [workspace_id]),
    user_id ? describeUser(ctx, user_id) : null,
  ])
  // The gate of another replica caches callers for up to a second.
  if (!account || !token) throw new Refusal(tokenEnded())
  return {
    ...presentAccount(account),
    token: { object: 'token', id: token_id, name: token.name, expires_at: token.expires_at },
    workspace: pickSummary(found, 'workspace', workspace_id),
    user,
    server: { ...server, now: ctx.now },
  }
}

async function change(ctx: Ctx, id: string, decide: (account: AccountRow) => AccountRow): Promise<PlainAccount> {
  await allow(ctx, 'platform:write', null)
  await lockAccount(ctx, id)
  const changed = decide((await findAccount(ctx, id)) ?? refuseNotFound())
  await updateRow(ctx.db, changed)
  return presentAccount(changed)
}

function presentAccount(row: AccountRow): PlainAccount {
  const { id, name, entity_type, trust_level, is_frozen, is_platform, token_lifetime_max_days, created_at } = row
  const facts = { id, name, entity_type, trust_level, is_frozen, is_platform }
  return { object: 'account', ...facts, token_lifetime_max_days, created_at }
}

/** The account of the platform operator; undefined until it is created. */
export function findPlatformAccount({ db }: Ctx): Promise<string | undefined> {
  return findPlatform(db)
}

/** The account of the platform operator. Throws if it does not exist. */
export async function requirePlatformAccount(ctx: Ctx): Promise<string> {
  const id = await findPlatformAccount(ctx)
  if (id === undefined) throw new Error('There is no platform account.')
  return id
}

/** Refuses `not_found` if the account does not exist. */
export async function requireAccount(ctx: Ctx, id: string): Promise<void> {
  if (!(await findAccount(ctx, id))) refuseNotFound()
}

/** Whether an account is frozen. False for an unknown account. */
export async function isFrozen(ctx: Ctx, id: string): Promise<boolean> {
  return (await findAccount(ctx, id))?.is_frozen ?? false
}
