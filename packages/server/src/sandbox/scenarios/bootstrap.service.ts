/** The start of a sandbox: loads a world at the first start, and returns the tokens to print. */
import type { ScenarioName } from '@bourse/api/sandbox/scenarios.ts'
import { pause } from '@bourse/text/time/pause.ts'
import { isRefusal } from '../../core/base/refusal.ts'
import { startProblem } from '../../core/base/start-problem.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { createAdminLink, ensureAdminToken, ensurePlatform } from '../../iam/accounts/bootstrap.service.ts'
import { customer, desk, provider, seedPeople, trader } from '../world/seed-accounts.service.ts'
import { rememberPlatform } from '../world/world.service.ts'
import { ensureWorld, findWorld, type WorldRequest } from './worlds.service.ts'

/** What the start of a sandbox prints: tokens of the customer and the platform, and ids for examples, by kind. */
export type SandboxAccess = {
  /** The id of the customer's account. */
  readonly account: string
  readonly token: string
  readonly platform_token: string
  readonly examples: Readonly<Record<string, string>>
}

const seededAccounts = [customer, provider, desk, trader]
const attemptsMax = 3
const retryMilliseconds = 1_000

/**
 * Loads a scenario if there is no world yet. Returns the tokens, which are the same at each start. Throws the start
 * problem bad_configuration if the id of the platform account belongs to a seed account.
 */
export async function ensureSandbox(
  runtime: Runtime,
  platformAccount: string,
  scenario: ScenarioName = 'quickstart',
): Promise<SandboxAccess> {
  if (seededAccounts.some(({ id }) => id === platformAccount)) {
    const remedy = 'Set BOURSE_PLATFORM_ACCOUNT to another id.'
    throw startProblem(
      'bad_configuration',
      `The sandbox uses ${platformAccount} as the id of a seed account. ${remedy}`,
    )
  }
  rememberPlatform(runtime, platformAccount)
  await ensureWorldInTheEnd(runtime, { scenario, seed: 1, platform: platformAccount })
  await ensurePlatform(runtime, platformAccount)
  const world = await findWorld(runtime)
  return {
    account: customer.id,
    token: await ensureAdminToken(runtime, customer.id),
    platform_token: await ensureAdminToken(runtime, platformAccount),
    examples: examplesOf(world?.ids ?? {}),
  }
}

/** The links that sign in the customer's admin and the operator at a browser, once. They end earlier ones. */
export async function createSandboxLinks(
  runtime: Runtime,
  platformAccount: string,
): Promise<{ readonly customer: string; readonly operator: string }> {
  const { customer: admin, operator } = seedPeople(platformAccount)
  const links = [await createAdminLink(runtime, admin), await createAdminLink(runtime, operator)] as const
  return { customer: links[0].url, operator: links[1].url }
}

/** Retries, because the database of a busy machine can be unavailable for a moment, and that must not end the start. */
async function ensureWorldInTheEnd(runtime: Runtime, request: WorldRequest): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ensureWorld(runtime, request)
    } catch (error) {
      if (!isRefusal(error, 'unavailable') || attempt === attemptsMax) throw error
      runtime.log.warn({ err: error }, 'The database was unavailable while the scenario was loaded. Loading it again.')
      await pause(retryMilliseconds)
    }
  }
}

/** Resources that an example may delete or replace. Only the quickstart scenario has them. */
function examplesOf(ids: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { firewall_free: firewall, deployment_spare: deployment, instance, image } = ids
  const found = Object.entries({ firewall, deployment, instance, image }).filter(([, id]) => id !== undefined)
  return Object.fromEntries(found as [string, string][])
}
