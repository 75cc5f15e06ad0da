import { customer } from '../world/seed-accounts.service.ts'
import type { Scenario } from './scenario-context.service.ts'

/** The customer's account without resources. */
export const empty: Scenario = { seed_accounts: [customer], history_seconds: 0, build: async () => undefined }
