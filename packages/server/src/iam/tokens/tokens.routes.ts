import { createToken, deleteToken, getToken, listTokens } from '@bourse/api/iam/tokens.ts'
import { handle } from '../../core/http/routes.ts'
import { deleteToken as endToken } from './token-ends.service.ts'
import * as tokens from './tokens.service.ts'

export const tokenRoutes = [
  handle(createToken, (ctx, { body }) => tokens.createToken(ctx, body), { restore: tokens.restoreToken }),
  handle(listTokens, (ctx, { query }) => tokens.listTokens(ctx, query)),
  handle(getToken, (ctx, { params }) => tokens.getToken(ctx, params.id)),
  handle(deleteToken, (ctx, { params, query }) => endToken(ctx, params.id, query)),
]
