/** Creates the platform account and its first token or person, which all calls require. */
import type { SignInLink } from '@bourse/api/iam/users.ts'
import { type Id, resourcePath } from '@bourse/api/kit/ids.ts'
import { isRefusal, refuse } from '../../core/base/refusal.ts'
import { startProblem } from '../../core/base/start-problem.ts'
import { plainCommand, systemCommand } from '../../core/work/command.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import type { CommandOrigin } from '../../core/work/writing.ts'
import { recordLocalAct } from '../audit/sign-ins.service.ts'
import { resolveRef } from '../names/names.service.ts'
import { findAccount, lockAccount } from '../names/owners.service.ts'
import { endLinksOf, makeSignInLink } from '../people/sign-in-links.service.ts'
import { findAdminToken, signStoredToken } from '../tokens/tokens.service.ts'
import { createAdminToken, findPlatformAccount, makeAccount } from './accounts.service.ts'
import { findAdminUser, makeAdminUser } from './users.service.ts'
import { findFirstWorkspace } from './workspaces.service.ts'

/** Creates the platform account unless it exists. Throws a start problem if there is another platform account. */
export async function ensurePlatform(runtime: Runtime, account_id: string): Promise<void> {
  const ensure = () => systemCommand(runtime, (ctx) => ensurePlatformAccount(ctx, account_id))
  try {
    await ensure()
  } catch (error) {
    // Another replica has just created the account.
    if (!isRefusal(error, 'account_exists')) throw error
    await ensure()
  }
}

/** Creates the platform account with its workspace `public` unless it exists, in the transaction of `ctx`. */
async function ensurePlatformAccount(ctx: Ctx, account_id: string): Promise<void> {
  const present = await findPlatformAccount(ctx)
  if (present === account_id) return
  if (present !== undefined) {
    const remedy = `Set BOURSE_PLATFORM_ACCOUNT to ${present}, or use another database.`
    throw startProblem('bad_configuration', `This database has the platform account ${present}. ${remedy}`)
  }
  await makeAccount(ctx, {
    id: account_id,
    name: 'Platform',
    trust_level: 'partner',
    is_platform: true,
    workspace: 'public',
  })
}

/** The workspace of public images: `public` of the platform account; undefined if there is none. */
export async function findPublicWorkspace(
  ctx: Ctx,
): Promise<{ account_id: string; workspace_id: Id<'workspace'> } | undefined> {
  const account_id = await findPlatformAccount(ctx)
  if (account_id === undefined) return undefined
  const workspace_id = await resolveRef(ctx, 'workspace', resourcePath('workspace', { account_id, name: 'public' }))
  return workspace_id && { account_id, workspace_id }
}

/** The oldest admin token of an account, created if there is none. For the sandbox. */
export function ensureAdminToken(runtime: Runtime, account_id: string): Promise<string> {
  return systemCommand(runtime, async (ctx) => {
    await lockAccount(ctx, account_id)
    const id = await findAdminToken(ctx, account_id)
    return id === undefined ? makeAdminToken(ctx, account_id) : signStoredToken(ctx, id)
  })
}

/** The origin of commands beside the database. */
const localOrigin: CommandOrigin = { actor: { type: 'system' }, request_id: 'system' }

/** Creates the first platform token. Refuses `invalid_state` if the platform account already has an admin token. */
export function createFirstPlatformToken(runtime: Runtime, account_id: string): Promise<string> {
  return plainCommand(runtime, localOrigin, async (ctx) => {
    await lockAccount(ctx, account_id)
    const id = await findAdminToken(ctx, account_id)
    if (id !== undefined) refuse('invalid_state', 'The platform account already has an admin token.')
    if (!(await findAccount(ctx, account_id))?.is_platform) {
      throw new Error(`There is no platform account ${account_id}.`)
    }
    recordLocalAct(ctx, account_id, 'create_platform_token')
    return makeAdminToken(ctx, account_id)
  })
}

/** The person who is created where an account of a sandbox has no admin user. */
export type FirstPerson = { readonly account_id: string; readonly email: string; readonly name: string }

/** Creates the first admin user of an account unless it has one. For the sandbox. */
export function ensureAdminUser(runtime: Runtime, person: FirstPerson): Promise<Id<'user'>> {
  return systemCommand(runtime, (ctx) => ensurePerson(ctx, person))
}

/**
 * A link that signs in the first admin user of an account, who is created if there is none. Ends the open links of that
 * user. For the sandbox.
 */
export function createAdminLink(runtime: Runtime, person: FirstPerson): Promise<SignInLink> {
  return systemCommand(runtime, async (ctx) => {
    const user_id = await ensurePerson(ctx, person)
    await endLinksOf(ctx, user_id)
    return makeSignInLink(ctx, { account_id: person.account_id, user_id })
  })
}

async function ensurePerson(ctx: Ctx, { account_id, email, name }: FirstPerson): Promise<Id<'user'>> {
  await lockAccount(ctx, account_id)
  return (await findAdminUser(ctx, account_id)) ?? (await makeAdminUser(ctx, account_id, { email, name }))
}

/**
 * A link that signs in a person as admin of the platform account. A person who is known as such gets another link.
 * Somebody new is created only while the account has no admin: refuses `invalid_state` otherwise.
 */
export function createFirstPersonLink(runtime: Runtime, account_id: string, email: string): Promise<SignInLink> {
  return plainCommand(runtime, localOrigin, async (ctx) => {
    await lockAccount(ctx, account_id)
    if (!(await findAccount(ctx, account_id))?.is_platform) {
      throw new Error(`There is no platform account ${account_id}.`)
    }
    const known = await findAdminUser(ctx, account_id, email)
    if (known === undefined && ((await findAdminToken(ctx, account_id)) ?? (await findAdminUser(ctx, account_id)))) {
      refuse('invalid_state', 'The platform account already has an admin.')
    }
    recordLocalAct(ctx, account_id, 'create_platform_person')
    return makeSignInLink(ctx, { account_id, user_id: known ?? (await makeAdminUser(ctx, account_id, { email })) })
  })
}

async function makeAdminToken(ctx: Ctx, account_id: string): Promise<string> {
  const workspace_id = await findFirstWorkspace(ctx, account_id)
  if (!workspace_id) throw new Error(`There is no account ${account_id}.`)
  return (await createAdminToken(ctx, { account_id, workspace_id, name: `admin-${ctx.now}` })).token
}
