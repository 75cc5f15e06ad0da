import { endpoint } from '../kit/endpoint.ts'
import {
  array,
  boolean,
  constant,
  createdAt,
  id,
  idOrPath,
  nullable,
  object,
  optional,
  resource,
  type Static,
  shortListOf,
  text,
  timestamp,
} from '../kit/schema.ts'

const area = 'users'

/** The most passkeys of a user. */
export const passkeysMax = 10
/** The number of recovery codes that are made at a time. */
export const recoveryCodesMax = 10

// Without control, zero-width and direction characters.
const printablePattern = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]+$'
const passkeyNameLimits = { min: 1, max: 64, pattern: printablePattern, form: 'printable text' }
const passkeyName = text({ ...passkeyNameLimits, description: 'Name of the passkey, for people.' })

const isBackedUp = boolean({
  description: 'Whether its authenticator has copied it elsewhere, such as to a cloud.',
})
const lastUsedAt = nullable(
  timestamp({ description: 'When it last signed its user in, in Unix seconds. `null`: never.' }),
)

export const passkey = resource('Passkey', 'A passkey of a user: a key that never leaves its authenticator.', {
  object: constant('passkey'),
  id: id('passkey'),
  name: passkeyName,
  is_backed_up: isBackedUp,
  created_at: createdAt,
  last_used_at: lastUsedAt,
})
export type Passkey = Static<typeof passkey>

/** A code that signs a user in once. */
const recoveryCode = text({
  max: 29,
  pattern: '^[0-9A-HJKMNP-TV-Z]{5}(?:-[0-9A-HJKMNP-TV-Z]{5}){4}$',
  form: 'a recovery code',
  examples: ['7QK2M-X4D8N-RTB5V-JH3WC-9FZPE'],
})

const newCodes = array(recoveryCode, {
  max: recoveryCodesMax,
  description: 'The codes. Each signs the user in once. Shown here only.',
})

export const recoveryCodes = resource('RecoveryCodes', 'The recovery codes of a user. They are shown once.', {
  object: constant('recovery_codes'),
  codes: newCodes,
})
export type RecoveryCodes = Static<typeof recoveryCodes>

const params = { id: idOrPath('user') }
const passkeyParams = { id: idOrPath('user'), passkey: id('passkey') }

export const listUserPasskeys = endpoint({
  name: 'list_user_passkeys',
  method: 'GET',
  path: '/preview/v2/users/:id/passkeys',
  area,
  summary: 'List passkeys of a user',
  description:
    'Shows the passkeys by which the user signs in. Users may always list their own passkeys. `delete_user_passkey` ' +
    'removes a passkey.',
  params,
  response: shortListOf(passkey, passkeysMax),
  access: 'user:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  scope: 'account',
  errors: ['forbidden', 'not_found'],
})

/** Bytes of a browser. */
export const base64url = (max: number, description: string) =>
  text({ min: 1, max, pattern: '^[A-Za-z0-9_-]+$', form: 'base64url', description })
/** What a browser says of a ceremony. */
export const clientData = base64url(8192, '`clientDataJSON` of the response of the browser, in base64url.')

export const createdPasskey = resource(
  'CreatedPasskey',
  'A new passkey, and the recovery codes of a user that had none.',
  {
    object: constant('passkey'),
    id: id('passkey'),
    name: passkeyName,
    is_backed_up: isBackedUp,
    created_at: createdAt,
    last_used_at: lastUsedAt,
    recovery_codes: nullable(
      array(recoveryCode, {
        max: recoveryCodesMax,
        description: 'With the first passkey, if the user had no codes. Shown here only.',
      }),
    ),
  },
)
export type CreatedPasskey = Static<typeof createdPasskey>

export const createUserPasskey = endpoint({
  name: 'create_user_passkey',
  method: 'POST',
  path: '/preview/v2/users/:id/passkeys',
  area,
  summary: 'Add a passkey',
  description:
    'Adds the passkey that the browser of the signed-in person has made, after `start_passkey_registration` in the ' +
    'same session. Works only on requests of pages of this server. A user has at most 10 passkeys.',
  params,
  body: object({
    name: optional(
      text({ ...passkeyNameLimits, description: 'Name of the passkey, for people. Default: after the device.' }),
    ),
    credential_id: base64url(1364, 'The id of the credential, in base64url.'),
    client_data_json: clientData,
    attestation_object: base64url(65_536, '`attestationObject` of the response of the browser, in base64url.'),
    transports: optional(
      array(text({ min: 1, max: 16, pattern: '^[a-z-]+$', form: 'a transport' }), {
        max: 8,
        description: 'How a browser reaches the authenticator, as returned by `getTransports()` of the browser.',
      }),
    ),
  }),
  response: createdPasskey,
  access: 'open',
  trust: { limited: 'none', recent_sign_in: 'always', trail: 'entry' },
  scope: 'account',
  no_store: true,
  errors: [
    'forbidden',
    'insufficient_user_authentication',
    'not_found',
    'invalid_state',
    'limit_exceeded',
    'not_applicable',
  ],
})

export const updateUserPasskey = endpoint({
  name: 'update_user_passkey',
  method: 'PATCH',
  path: '/preview/v2/users/:id/passkeys/:passkey',
  area,
  summary: 'Rename a passkey',
  description:
    'Changes only the name that people see. Users may rename their own passkeys; for another user this needs every ' +
    'right that the user has.',
  params: passkeyParams,
  body: object({ name: text({ ...passkeyNameLimits, description: 'New name.' }) }),
  response: passkey,
  access: 'user:write',
  trust: { limited: 'none', recent_sign_in: 'never', trail: 'entry', unasked: 'A name gives no right.' },
  scope: 'account',
  errors: ['forbidden', 'not_found'],
})

export const deleteUserPasskey = endpoint({
  name: 'delete_user_passkey',
  method: 'DELETE',
  path: '/preview/v2/users/:id/passkeys/:passkey',
  area,
  summary: 'Remove a passkey',
  description:
    'The passkey no longer signs the user in; open sessions stay. With the last passkey, the recovery codes end ' +
    'too. For another user this needs every right that the user has.',
  params: passkeyParams,
  access: 'user:write',
  trust: { limited: 'none', recent_sign_in: 'always', trail: 'entry' },
  consequence: 'destroys',
  scope: 'account',
  errors: ['forbidden', 'insufficient_user_authentication', 'not_found', 'last_admin'],
})

export const createRecoveryCodes = endpoint({
  name: 'create_recovery_codes',
  method: 'POST',
  path: '/preview/v2/users/:id/recovery_codes',
  area,
  summary: 'Create recovery codes',
  description:
    'Creates ten codes for the signed-in person and ends the earlier ones; only this response shows them. Each ' +
    'code signs the person in once, for example when all passkeys are lost. The person needs a passkey.',
  params,
  response: recoveryCodes,
  access: 'open',
  trust: { limited: 'none', recent_sign_in: 'always', trail: 'entry' },
  scope: 'account',
  no_store: true,
  errors: ['forbidden', 'insufficient_user_authentication', 'not_found', 'invalid_state'],
})

export const operations = [
  listUserPasskeys,
  createUserPasskey,
  updateUserPasskey,
  deleteUserPasskey,
  createRecoveryCodes,
] as const
