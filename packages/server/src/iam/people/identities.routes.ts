import { deleteUserIdentity, listUserIdentities } from '@bourse/api/iam/identities.ts'
import { handle } from '../../core/http/routes.ts'
import * as identities from './identities.service.ts'

export const identityRoutes = [
  handle(listUserIdentities, (ctx, { params }) => identities.listIdentities(ctx, params.id)),
  handle(deleteUserIdentity, identities.deleteIdentity),
]
