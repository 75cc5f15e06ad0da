import { customer } from '../world/seed-accounts.service.ts'
import type { Scenario } from './scenario-context.service.ts'

/** The accounts, with nothing in them. */
export const empty: Scenario = { seed_accounts: [customer], history_seconds: 0, build: async () => undefined }
