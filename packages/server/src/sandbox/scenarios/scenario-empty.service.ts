import { customer } from '../world/cast.service.ts'
import type { Scenario } from './scene.service.ts'

/** The accounts, with nothing in them. */
export const empty: Scenario = { cast: [customer], history_seconds: 0, build: async () => undefined }
