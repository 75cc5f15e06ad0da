import { endpoint } from '../kit/endpoint.ts'
import {
  accountId,
  array,
  boolean,
  constant,
  id,
  object,
  optional,
  resource,
  type Static,
  text,
  timestamp,
} from '../kit/schema.ts'
import { base64url, clientData, passkeysMax } from './passkeys.ts'

const challenge = text({
  max: 64,
  description: 'What the authenticator signs, in base64url. Valid once, for 5 minutes.',
})
const relying_party_id = text({ max: 253, description: 'The domain that the passkey is bound to.' })

export const passkeyRegistration = resource('PasskeyRegistration', 'What a browser needs to make a passkey.', {
  object: constant('passkey_registration'),
  challenge,
  relying_party_id,
  user_handle: text({ max: 64, description: 'The user for the authenticator, in base64url.' }),
  user_name: text({ max: 255, description: 'Name of the user, which the authenticator shows.' }),
  excluded_credential_ids: array(text({ max: 1364 }), {
    max: passkeysMax,
    description: 'Ids of the credentials that the user has already, in base64url: an authenticator adds no second one.',
  }),
  expires_at: timestamp({ description: 'When the challenge ends, in Unix seconds.' }),
})
export type PasskeyRegistration = Static<typeof passkeyRegistration>

export const passkeyChallenge = resource('PasskeyChallenge', 'What a browser needs to sign in with a passkey.', {
  object: constant('passkey_challenge'),
  challenge,
  relying_party_id,
  expires_at: timestamp({ description: 'When the challenge ends, in Unix seconds.' }),
})
export type PasskeyChallenge = Static<typeof passkeyChallenge>

export const signedIn = resource('SignedIn', 'Who has signed in. The session is in a cookie.', {
  object: constant('signed_in'),
  account: accountId({ description: 'Id of the account of the user.' }),
  user: id('user', { description: 'Id of the user who has signed in.' }),
  expires_at: timestamp({ description: 'When the session ends, in Unix seconds.' }),
})
export type SignedIn = Static<typeof signedIn>

const onSignIn = { area: 'passkey sign-in', scope: 'account', no_store: true, success: 200 } as const
export const startPasskeyRegistration = endpoint({
  ...onSignIn,
  name: 'start_passkey_registration',
  method: 'POST',
  path: '/preview/v2/auth/passkeys/registration',
  summary: 'Start adding a passkey',
  description:
    'Returns the options with which the browser of a signed-in person makes a passkey. The sign-in must be at most ' +
    '15 minutes old. `create_user_passkey` stores the passkey. For pages of this server: the cookie that it sets ' +
    'counts only in their requests.',
  body: object({}),
  response: passkeyRegistration,
  access: 'open',
  trust: { limited: 'none', recent_sign_in: 'always', trail: 'entry' },
  errors: ['forbidden', 'insufficient_user_authentication', 'limit_exceeded', 'not_applicable'],
})

export const startPasskeySignIn = endpoint({
  ...onSignIn,
  name: 'start_passkey_sign_in',
  method: 'POST',
  path: '/preview/v2/auth/passkeys/challenge',
  summary: 'Start a passkey sign-in',
  description:
    'Returns a challenge for the authenticator of the browser. The challenge names no user: the authenticator knows ' +
    'the user. `finish_passkey_sign_in` completes the sign-in. For pages of this server: the cookie that it sets ' +
    'counts only in their requests.',
  body: object({}),
  response: passkeyChallenge,
  access: 'public',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_applicable'],
})

export const finishPasskeySignIn = endpoint({
  ...onSignIn,
  name: 'finish_passkey_sign_in',
  method: 'POST',
  path: '/preview/v2/auth/passkeys/sign_in',
  summary: 'Finish a passkey sign-in',
  description:
    'Verifies the signature over the challenge of `start_passkey_sign_in`, and sets a cookie with a session of 12 ' +
    'hours. For pages of this server: the cookie counts only in their requests.',
  body: object({
    credential_id: base64url(1364, 'The id of the credential, in base64url.'),
    client_data_json: clientData,
    authenticator_data: base64url(4096, '`authenticatorData` of the response of the browser, in base64url.'),
    signature: base64url(4096, '`signature` of the response of the browser, in base64url.'),
    user_handle: optional(base64url(88, '`userHandle` of the response of the browser, in base64url.')),
    is_step_up: optional(boolean({ description: 'Accept only the person who is signed in already. Default false.' })),
  }),
  response: signedIn,
  access: 'public',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'authentication_error', 'not_applicable'],
})

export const useRecoveryCode = endpoint({
  ...onSignIn,
  name: 'use_recovery_code',
  method: 'POST',
  path: '/preview/v2/auth/recovery_code',
  summary: 'Use a recovery code',
  description:
    'Signs the person in and uses up the code. The response sets a cookie with a session of 12 hours. A network may ' +
    'send five wrong codes a minute. For pages of this server: the cookie counts only in their requests.',
  body: object({
    code: text({
      min: 1,
      max: 64,
      description: 'The recovery code, in upper or lower case, with or without separators.',
    }),
    is_step_up: optional(boolean({ description: 'Accept only the person who is signed in already. Default false.' })),
  }),
  response: signedIn,
  access: 'public',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'authentication_error', 'rate_limited'],
})

export const operations = [startPasskeyRegistration, startPasskeySignIn, finishPasskeySignIn, useRecoveryCode] as const
