import { operations } from '@bourse/api/iam/grants.ts'
import { handleAll } from '../../core/http/routes.ts'
import * as grants from './grants.service.ts'

export const grantRoutes = handleAll(operations, grants)
