import {
  createUser,
  createUserSignInLink,
  deleteUser,
  endUserSessions,
  getUser,
  listUsers,
  updateUser,
} from '@bourse/api/iam/users.ts'
import { handle } from '../../core/http/routes.ts'
import * as users from './users.service.ts'

export const userRoutes = [
  handle(createUser, (ctx, { body }) => users.createUser(ctx, body)),
  handle(listUsers, (ctx, { query }) => users.listUsers(ctx, query)),
  handle(getUser, (ctx, { params }) => users.getUser(ctx, params.id)),
  handle(updateUser, (ctx, input) => users.updateUser(ctx, input)),
  handle(deleteUser, (ctx, { params }) => users.deleteUser(ctx, params.id)),
  handle(createUserSignInLink, (ctx, { params }) => users.createSignInLink(ctx, params.id)),
  handle(endUserSessions, (ctx, { params, query }) => users.endSessions(ctx, params.id, query)),
]
