/**
 * The accounts of a sandbox that are the same in every world: their ids, workspaces and first tokens hang on nothing
 * but the installation, so that a printed token stays valid through every reset, to the letter.
 */

import type { TrustLevel } from '@bourse/api/iam/limits.ts'
import { type Id, type Kind, kinds } from '@bourse/api/kit/ids.ts'
import { mintId } from '../../core/base/ids.ts'
import { createSeededRandom, type Random } from '../../core/base/random.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { createAdminToken, makeAccount } from '../../iam/accounts/accounts.service.ts'

/** One seed account. */
export type SeedAccount = {
  readonly id: string
  readonly name: string
  readonly trust_level: TrustLevel
  readonly is_platform?: boolean
  readonly workspace: string
}

/** Who buys: the account that a newcomer acts for. */
export const customer: SeedAccount = { id: 'acme', name: 'Acme Research', trust_level: 'trusted', workspace: 'default' }

/** Who owns the hosts. */
export const provider: SeedAccount = {
  id: 'gridworks',
  name: 'Gridworks',
  trust_level: 'partner',
  workspace: 'default',
}

/** Who keeps offers on both sides of the books. */
export const desk: SeedAccount = {
  id: 'tidewater',
  name: 'Tidewater Markets',
  trust_level: 'partner',
  workspace: 'default',
}

/** Who trades a little with whoever offers. */
export const trader: SeedAccount = {
  id: 'northlight',
  name: 'Northlight',
  trust_level: 'partner',
  workspace: 'default',
}

/** Milliseconds that the ids of worlds begin with: no moment of theirs, so that the same seed gives the same ids. */
const headMilliseconds = Date.UTC(2026, 0, 1)
/** How much older than the installation the accounts are: more than any world's history. */
const olderSeconds = 40 * 86_400

/** The platform account, under its configured id. */
export function platformSeedAccount(id: string): SeedAccount {
  return { id, name: 'Platform', trust_level: 'partner', is_platform: true, workspace: 'public' }
}

/** Makes ids that hang on the random numbers alone. */
export function seededIds(random: Random): (prefix: string) => string {
  return (prefix) => mintId(prefix, headMilliseconds, random)
}

/** Makes a seed account with its first token; the same each time, for one installation. */
export async function createSeedAccount(ctx: Ctx, account: SeedAccount, installed_at: number): Promise<void> {
  const random = createSeededRandom(`seed account ${account.id}`)
  const mint = seededIds(random)
  const newId = <K extends Kind>(kind: K) => mint(kinds[kind].prefix) as Id<K>
  const own: Ctx = { ...ctx, now: installed_at - olderSeconds, random, newId }
  const { workspace_id } = await makeAccount(own, account)
  await createAdminToken(own, { account_id: account.id, workspace_id, name: 'admin' })
}
