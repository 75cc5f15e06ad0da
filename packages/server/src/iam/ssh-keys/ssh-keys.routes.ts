import { createSshKey, deleteSshKey, getSshKey, listSshKeys } from '@bourse/api/iam/ssh-keys.ts'
import { handle } from '../../core/http/routes.ts'
import * as sshKeys from './ssh-keys.service.ts'

export const sshKeyRoutes = [
  handle(createSshKey, (ctx, { body }) => sshKeys.createSshKey(ctx, body)),
  handle(listSshKeys, (ctx, { query }) => sshKeys.listSshKeys(ctx, query)),
  handle(getSshKey, (ctx, { params }) => sshKeys.getSshKey(ctx, params.id)),
  handle(deleteSshKey, (ctx, { params }) => sshKeys.deleteSshKey(ctx, params.id)),
]
