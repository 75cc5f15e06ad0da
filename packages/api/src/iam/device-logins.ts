import { endpoint } from '../kit/endpoint.ts'
import { constant, integer, object, optional, resource, type Static, text } from '../kit/schema.ts'
import { shownNamePattern } from '../kit/shown-names.ts'

const onDeviceLogins = { area: 'device login', access: 'public', scope: 'account', no_store: true } as const

/** The secret with which a program asks whether it was approved: 256 bits. */
const deviceCode = text({
  max: 43,
  pattern: '^[A-Za-z0-9_-]{43}$',
  form: 'a device code',
  description: 'A secret of the program. It is no token.',
})

export const deviceLogin = resource(
  'DeviceLogin',
  'The codes of a program that asks to be signed in, as in RFC 8628, section 3.2.',
  {
    device_code: deviceCode,
    user_code: text({ max: 9, description: 'Code that the person compares, or types.', examples: ['BDFG-HJKL'] }),
    verification_uri: text({ max: 2048, description: 'The page on which a signed-in person approves.' }),
    verification_uri_complete: text({ max: 2048, description: 'The same page, with the code in it.' }),
    expires_in: integer({ min: 1, max: 600, description: 'Seconds until the codes expire.' }),
    interval: integer({ min: 1, max: 60, description: 'Seconds to wait between two polls.' }),
  },
)
export type DeviceLogin = Static<typeof deviceLogin>

export const startDeviceLogin = endpoint({
  ...onDeviceLogins,
  name: 'start_device_login',
  method: 'POST',
  path: '/preview/v2/auth/device',
  summary: 'Start a device login',
  description:
    'Begins the sign-in of a program by a person, in the shape of RFC 8628. Show the person `user_code` and ' +
    '`verification_uri`, and poll `finish_device_login` meanwhile. The codes are valid for 10 minutes.',
  body: object({
    client_name: optional(
      text({ min: 1, max: 64, pattern: shownNamePattern, form: 'printable text', description: 'Shown to the person.' }),
    ),
  }),
  success: 200,
  response: deviceLogin,
  errors: ['rate_limited'],
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const deviceToken = resource('DeviceToken', 'The session of a program, as in RFC 6749, section 5.1.', {
  access_token: text({ max: 4096, description: 'The token of the session. Shown here only.' }),
  token_type: constant('Bearer'),
  expires_in: integer({ min: 1, description: 'Seconds until the session ends.' }),
})
export type DeviceToken = Static<typeof deviceToken>

export const finishDeviceLogin = endpoint({
  ...onDeviceLogins,
  name: 'finish_device_login',
  method: 'POST',
  path: '/preview/v2/auth/device/token',
  summary: 'Finish a device login',
  description:
    'Returns the session that a person has approved, once, in the shape of RFC 8628. Until then the response is ' +
    '400 with the code `authorization_pending`. After `slow_down`, wait five seconds longer between two polls; ' +
    '`access_denied` and `expired_token` are final. The session lasts 30 days, and ends when it is not used for 7.',
  body: object({ device_code: deviceCode }),
  success: 200,
  response: deviceToken,
  errors: ['authorization_pending', 'slow_down', 'access_denied', 'expired_token'],
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const operations = [startDeviceLogin, finishDeviceLogin] as const
