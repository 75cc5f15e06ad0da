import { operations } from '@bourse/api/billing/pending-credits.ts'
import { handleAll } from '../core/http/routes.ts'
import * as credits from './pending-credits.service.ts'

export const pendingCreditRoutes = handleAll(operations, credits)
