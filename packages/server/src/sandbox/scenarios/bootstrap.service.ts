/** The start of a sandbox: a world, at the first start, and the tokens that are printed. */
import type { ScenarioName } from '@bourse/api/sandbox/scenarios.ts'
import { pause } from '../../core/base/clock.ts'
import { isRefusal } from '../../core/base/refusal.ts'
import { startProblem } from '../../core/base/start-problem.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { ensureAdminToken, ensurePlatform } from '../../iam/accounts/bootstrap.service.ts'
import { customer, desk, provider, trader } from '../world/seed-accounts.service.ts'
import { rememberPlatform } from '../world/world.service.ts'
import { ensureWorld, findWorld, type WorldRequest } from './worlds.service.ts'

/** What a newcomer needs: a customer's token, the platform's, and ids for the calls that are printed, by their kind. */
export type SandboxAccess = {
  readonly token: string
  readonly platform_token: string
  readonly examples: Readonly<Record<string, string>>
}

const seededAccounts = [customer, provider, desk, trader]
const attemptsMax = 3
const retryMilliseconds = 1_000

/** Loads the scenario where there is no world yet, and gives the tokens, which stay the same to the letter. */
export async function ensureSandbox(
  runtime: Runtime,
  platform_account: string,
  scenario: ScenarioName = 'quickstart',
): Promise<SandboxAccess> {
  if (seededAccounts.some(({ id }) => id === platform_account)) {
    const remedy = 'Set BOURSE_PLATFORM_ACCOUNT to another id.'
    throw startProblem('bad_configuration', `The sandbox has an account ${platform_account} of its own. ${remedy}`)
  }
  rememberPlatform(runtime, platform_account)
  await ensureWorldInTheEnd(runtime, { scenario, seed: 1, platform: platform_account })
  await ensurePlatform(runtime, platform_account)
  const world = await findWorld(runtime)
  return {
    token: await ensureAdminToken(runtime, customer.id),
    platform_token: await ensureAdminToken(runtime, platform_account),
    examples: examplesOf(world?.ids ?? {}),
  }
}

/** On a busy machine a database may be away for a moment; that is not to end the first start that somebody sees. */
async function ensureWorldInTheEnd(runtime: Runtime, request: WorldRequest): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ensureWorld(runtime, request)
    } catch (error) {
      if (!isRefusal(error, 'unavailable') || attempt === attemptsMax) throw error
      runtime.log.warn({ err: error }, 'The database went away while the sandbox was filled: filling it anew.')
      await pause(retryMilliseconds)
    }
  }
}

/** What may be deleted and replaced without harm to what else there is to look at; other worlds have no examples. */
function examplesOf(ids: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { firewall_free: firewall, deployment_spare: deployment, instance, image } = ids
  const found = Object.entries({ firewall, deployment, instance, image }).filter(([, id]) => id !== undefined)
  return Object.fromEntries(found as [string, string][])
}
