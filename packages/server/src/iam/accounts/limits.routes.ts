import { getLimit, listLimits } from '@bourse/api/iam/limits.ts'
import { handle } from '../../core/http/routes.ts'
import * as limits from './limits.service.ts'

export const limitRoutes = [
  handle(listLimits, (ctx) => limits.listLimits(ctx)),
  handle(getLimit, (ctx, { params }) => limits.getLimit(ctx, params.name)),
]
