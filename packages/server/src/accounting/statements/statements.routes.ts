import { getStatement } from '@bourse/api/billing/statements.ts'
import { handle } from '../../core/http/routes.ts'
import * as statements from './statements.service.ts'

export const statementRoutes = [handle(getStatement, (ctx, { params }) => statements.getStatement(ctx, params.month))]
