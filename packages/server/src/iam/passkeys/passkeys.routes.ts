import {
  finishPasskeySignIn,
  startPasskeyRegistration,
  startPasskeySignIn,
  useRecoveryCode,
} from '@bourse/api/iam/passkey-sign-in.ts'
import {
  createRecoveryCodes,
  createUserPasskey,
  deleteUserPasskey,
  listUserPasskeys,
  updateUserPasskey,
} from '@bourse/api/iam/passkeys.ts'
import { handle, handleRuntime } from '../../core/http/routes.ts'
import * as requests from './passkey-requests.service.ts'
import * as passkeys from './passkeys.service.ts'
import { endRecoveryCodes } from './recovery-codes.service.ts'

export const passkeyRoutes = [
  handle(listUserPasskeys, (ctx, { params }) => passkeys.listPasskeys(ctx, params.id)),
  handleRuntime(createUserPasskey, requests.finishRegistration),
  handle(updateUserPasskey, passkeys.updatePasskey),
  handle(deleteUserPasskey, (ctx, input) =>
    passkeys.deletePasskey(ctx, input, (userId) => endRecoveryCodes(ctx, userId)),
  ),
  handle(createRecoveryCodes, (ctx, { params }) => requests.createCodes(ctx, params.id)),
  handleRuntime(startPasskeyRegistration, requests.startRegistration),
  handleRuntime(startPasskeySignIn, requests.startSignIn),
  handleRuntime(finishPasskeySignIn, requests.finishSignIn),
  handleRuntime(useRecoveryCode, requests.useCode),
]
