/**
 * The accounts of a sandbox that are the same in every world. Their ids, workspaces and first tokens depend only on the
 * installation, so that a printed token stays valid after every reset.
 */

import type { TrustLevel } from '@bourse/api/iam/limits.ts'
import { type Id, type IdKind, kinds } from '@bourse/api/kit/ids.ts'
import { daySeconds } from '@bourse/text/time/units.ts'
import { mintId } from '../../core/base/ids.ts'
import { createSeededRandom, type Random } from '../../core/base/random.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { createAdminToken, makeAccount } from '../../iam/accounts/accounts.service.ts'
import type { FirstPerson } from '../../iam/accounts/bootstrap.service.ts'

/** One seed account. */
export type SeedAccount = {
  readonly id: string
  readonly name: string
  readonly trust_level: TrustLevel
  readonly is_platform?: boolean
  readonly workspace: string
}

/** The customer: the account whose token the start of a sandbox prints. */
export const customer: SeedAccount = { id: 'acme', name: 'Acme Research', trust_level: 'trusted', workspace: 'default' }

/** The provider: owns the hosts. */
export const provider: SeedAccount = {
  id: 'gridworks',
  name: 'Gridworks',
  trust_level: 'partner',
  workspace: 'default',
}

/** The market maker: keeps offers on both sides of the books. */
export const desk: SeedAccount = {
  id: 'tidewater',
  name: 'Tidewater Markets',
  trust_level: 'partner',
  workspace: 'default',
}

/** The trader: makes small trades against the resting orders. */
export const trader: SeedAccount = {
  id: 'northlight',
  name: 'Northlight',
  trust_level: 'partner',
  workspace: 'default',
}

/** The time in the ids of worlds, in milliseconds. It is constant, so that the same seed gives the same ids. */
const headMilliseconds = Date.UTC(2026, 0, 1)
/** By how many seconds the accounts are older than the installation: more than the history of any world. */
const olderSeconds = 40 * daySeconds

/** The platform account, under its configured id. */
export function platformSeedAccount(id: string): SeedAccount {
  return { id, name: 'Platform', trust_level: 'partner', is_platform: true, workspace: 'public' }
}

/** The people whom the sandbox signs in, unless a scenario has made others: the customer's admin and the operator. */
export function seedPeople(platform: string): { readonly customer: FirstPerson; readonly operator: FirstPerson } {
  return {
    customer: { account_id: customer.id, email: 'admin@acme.example', name: 'admin' },
    operator: { account_id: platform, email: 'operator@bourse.example', name: 'operator' },
  }
}

/** Creates an id generator that depends only on the random numbers. */
export function seededIds(random: Random): (prefix: string) => string {
  return (prefix) => mintId(prefix, headMilliseconds, random)
}

/** Creates a seed account with its first token. Both are the same each time for one installation. */
export async function createSeedAccount(ctx: Ctx, account: SeedAccount, installedAt: number): Promise<void> {
  const random = createSeededRandom(`seed account ${account.id}`)
  const mint = seededIds(random)
  const newId = <K extends IdKind>(kind: K) => mint(kinds[kind].prefix) as Id<K>
  const own: Ctx = { ...ctx, now: installedAt - olderSeconds, random, newId }
  const { workspace_id } = await makeAccount(own, account)
  await createAdminToken(own, { account_id: account.id, workspace_id, name: 'admin' })
}
