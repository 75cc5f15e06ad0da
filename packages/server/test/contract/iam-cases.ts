/** Calls of accounts, workspaces, users, roles, grants, tokens, events and of the platform's side of accounts. */
import { makePerson, makeUser, ownPage, signIn, submit } from '../support/fixtures/people.ts'
import { sshKeyLine } from '../support/fixtures/ssh-keys.ts'
import { type ContractCase, onOne } from './case.ts'
import type { ContractWorld } from './world.ts'

const user = ({ make, word }: ContractWorld) => make('/preview/v2/users', { email: `${word()}@example.com` })
const workspace = ({ make }: ContractWorld) => make('/v2/workspaces')
const token = ({ make }: ContractWorld) => make('/preview/v2/tokens')

/** A token without rights that the one that deletes it lacks. */
async function deletableToken({ account, make, role: newRole }: ContractWorld) {
  return make('/preview/v2/tokens', { roles: [await newRole(account, { token: ['delete'] })] })
}

/** The key of a token without rights that the one that deletes the key lacks. */
async function sshKey({ account, make, role: newRole, server, word }: ContractWorld) {
  const owner = await make('/preview/v2/tokens', { roles: [await newRole(account, { user: ['write'] })] })
  return server.call('create_ssh_key', { token: owner.token, body: { public_key: sshKeyLine(word()) } })
}

function role({ make, word }: ContractWorld) {
  return make('/preview/v2/roles', { name: word(), policy: policyOf({ pool: ['read'] }) })
}

function policyOf(actions: object) {
  return { api_version: 'roles/v1', rules: [{ effect: 'allow', actions }] }
}

/** A grant that anyone may delete who has the right to: it gives no other. */
async function grant(world: ContractWorld) {
  const principal_id = (await token(world)).id
  const role = await world.role(world.account, { grant: ['delete'] })
  const body = { principal_type: 'token', principal_id, role, workspace: world.account.workspace_id }
  return world.make('/preview/v2/grants', body)
}

/** The login of a program, approved by a person who has just signed in. */
async function approvedLogin({ server, account }: ContractWorld) {
  const person = await makePerson(server, account)
  const { device_code, user_code } = await server.call('start_device_login', { token: null, body: {} })
  const form = String(new URLSearchParams({ user_code, answer: 'approve' }))
  await submit(server, '/device', form, { ...ownPage, cookie: person.cookie })
  return { body: { device_code } }
}

/** A call with a resource and a part of it in its path. */
function withPart(make: typeof user, part: Record<string, string>, body?: object): ContractCase {
  return {
    call: async (world) => {
      const { id, resource_path } = await make(world)
      const params = { id, ...part }
      return { params, paths: { id: resource_path, ...part }, ...(body ? { body } : {}) }
    },
  }
}

const ofAccount = ({ account }: ContractWorld) => ({ params: { account: account.id } })
const ofLimit = ({ account }: ContractWorld) => ({ account: account.id, name: 'budgets' })

async function ofNewAccount({ operate, word }: ContractWorld) {
  return { params: { account: (await operate('POST', '/preview/v2/admin/accounts', { id: word() })).id } }
}

/** An account without an admin token, and its admin, who has only the session of a browser. */
async function ofLockedAccount({ operate, server, word }: ContractWorld) {
  const owner = await operate('POST', '/preview/v2/admin/accounts', { id: word() })
  const { id: user } = await makeUser(server, owner, 'role_admin')
  await signIn(server, owner, user)
  const own = await server.call('get_account', { token: owner.token })
  await server.call('delete_token', { params: { id: own.token.id }, token: owner.token })
  return { params: { account: owner.id }, body: { user } }
}

export const iamCases = {
  get_limit: { call: () => ({ params: { name: 'pools' } }) },
  create_workspace: { call: () => ({ body: {} }) },
  get_workspace: { ...onOne(workspace), account_wide: true },
  update_workspace: { ...onOne(workspace, {}), account_wide: true },
  delete_workspace: { ...onOne(workspace), account_wide: true },
  create_user: { call: ({ word }) => ({ body: { email: `${word()}@example.com` } }) },
  update_user: onOne(user, {}),
  delete_user: onOne(user),
  create_user_sign_in_link: onOne(user),
  end_user_sessions: onOne(user),
  list_user_identities: onOne(user),
  delete_user_identity: { ...withPart(user, { identity: 'idnt_absent' }), status: 404 },
  list_user_passkeys: onOne(user),
  create_ssh_key: { call: ({ word }) => ({ body: { public_key: sshKeyLine(word()) } }) },
  get_ssh_key: onOne(sshKey),
  delete_ssh_key: onOne(sshKey),
  // Only pages of the server may ask, which these calls do not come from. page-calls.ts has those that succeed.
  create_user_passkey: {
    call: async (world) => ({
      params: { id: (await user(world)).id },
      body: { credential_id: 'AA', client_data_json: 'AA', attestation_object: 'AA' },
    }),
    status: 403,
  },
  update_user_passkey: { ...withPart(user, { passkey: 'pkey_absent' }, { name: 'Key' }), status: 404 },
  delete_user_passkey: { ...withPart(user, { passkey: 'pkey_absent' }), status: 404 },
  create_recovery_codes: { ...onOne(user), status: 403 },
  start_passkey_registration: { call: () => ({ body: {} }), status: 403 },
  start_passkey_sign_in: { call: () => ({ body: {} }), status: 403 },
  finish_passkey_sign_in: {
    call: () => ({ body: { credential_id: 'AA', client_data_json: 'AA', authenticator_data: 'AA', signature: 'AA' } }),
    status: 403,
  },
  use_recovery_code: { call: () => ({ body: { code: 'AAAAA-AAAAA-AAAAA-AAAAA-AAAAA' } }), status: 403 },
  create_role: { call: ({ word }) => ({ body: { name: word(), policy: policyOf({ role: ['create'] }) } }) },
  update_role: onOne(role, {}),
  delete_role: onOne(role),
  create_grant: {
    names_in_body: true,
    call: async (world) => {
      const { account } = world
      const own = await world.role(account, { grant: ['create'] })
      const principal_id = (await token(world)).id
      return { body: { principal_type: 'token', principal_id, role: own, workspace: account.workspace_id } }
    },
  },
  get_grant: onOne(grant),
  delete_grant: onOne(grant),
  list_names: { call: () => ({ query: 'ids=tokn_1' }) },
  check_permissions: { call: () => ({ body: { actions: ['pool:read'] } }) },
  create_token: {
    names_in_body: true,
    call: async (world) => {
      const own = await world.role(world.account, { token: ['create'] })
      return { body: { workspace: world.account.workspace_id, roles: [own] } }
    },
  },
  get_token: onOne(token),
  delete_token: onOne(deletableToken),
  start_device_login: { call: () => ({ body: {} }) },
  finish_device_login: { call: approvedLogin },
  create_account: { call: ({ word }) => ({ body: { id: word() } }) },
  get_administered_account: { call: ofAccount },
  update_account: { call: (world) => ({ ...ofAccount(world), body: {} }) },
  freeze_account: { call: ofNewAccount },
  unfreeze_account: { call: ofNewAccount },
  set_trust_level: { call: (world) => ({ ...ofAccount(world), body: { trust_level: 'partner' } }) },
  list_account_limits: { call: ofAccount },
  put_account_limit: { call: (world) => ({ params: ofLimit(world), body: { value: 7 } }) },
  delete_account_limit: {
    call: async (world) => {
      const path = `/preview/v2/admin/accounts/${world.account.id}/limits/budgets`
      await world.operate('PUT', path, { value: 7 })
      return { params: ofLimit(world) }
    },
  },
  create_account_user: {
    call: (world) => ({ ...ofAccount(world), body: { email: `${world.word()}@example.com` } }),
  },
  create_account_sign_in_link: { call: ofLockedAccount },
} satisfies Record<string, ContractCase>
