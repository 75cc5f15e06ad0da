import { explainInstance } from '@bourse/api/fleet/explanations.ts'
import { handle } from '../../core/http/routes.ts'
import * as explanations from './instance-explanations.service.ts'

export const instanceExplanationRoutes = [
  handle(explainInstance, (ctx, { params }) => explanations.explainInstance(ctx, params.id)),
]
