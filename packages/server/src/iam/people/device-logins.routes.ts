import { finishDeviceLogin, startDeviceLogin } from '@bourse/api/iam/device-logins.ts'
import { handleRuntime } from '../../core/http/routes.ts'
import * as logins from './device-logins.service.ts'

export const deviceLoginRoutes = [
  handleRuntime(startDeviceLogin, logins.startDeviceLogin),
  handleRuntime(finishDeviceLogin, (runtime, { body }, request) =>
    logins.finishDeviceLogin(runtime, body.device_code, request),
  ),
]
