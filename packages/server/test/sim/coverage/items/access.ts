/** Users, roles, grants and tokens: used and built-in ones, and the last admin of an account. */
import { sshKeysMax } from '@bourse/api/iam/ssh-keys.ts'
import { sshKeyLine } from '../../../support/fixtures/ssh-keys.ts'
import { done, type Item, refusal } from '../item.ts'
import { email, hour, keyed, newAccount, newPool, newWorkspace, oncePerKey, policy } from '../parts.ts'

export const accessItems: readonly Item[] = [
  {
    name: 'taken-email-addresses',
    covers: [refusal('create_user', 'email_taken')],
    work: async (pass) => {
      const body = { email: email(pass) }
      await pass.ok('create_user', { body })
      await pass.refuse('create_user', 'email_taken', { body })
    },
  },
  {
    name: 'sign-in-links',
    covers: [
      done('create_user_sign_in_link'),
      done('end_user_sessions'),
      done('start_device_login'),
      done('list_user_passkeys'),
      done('list_user_identities'),
    ],
    work: async (pass) => {
      const { id } = await pass.ok('create_user', { body: { email: email(pass) } })
      await pass.ok('create_user_sign_in_link', { id })
      await pass.ok('end_user_sessions', { id })
      await pass.ok('start_device_login', { body: {} })
      await pass.ok('list_user_passkeys', { id })
      await pass.ok('list_user_identities', { id })
    },
  },
  {
    name: 'ssh-keys',
    covers: [
      ...keyed('create_ssh_key'),
      refusal('create_ssh_key', 'ssh_key_taken'),
      refusal('create_ssh_key', 'limit_exceeded'),
      done('list_ssh_keys'),
      done('get_ssh_key'),
      done('delete_ssh_key'),
      'action ssh_key.created',
      'action ssh_key.deleted',
    ],
    work: async (pass) => {
      const body = () => ({ public_key: sshKeyLine(pass.unique()) })
      await oncePerKey(pass, 'create_ssh_key', { body: body() })
      const taken = body()
      const { id } = await pass.ok('create_ssh_key', { body: taken })
      await pass.refuse('create_ssh_key', 'ssh_key_taken', { body: taken })
      await pass.ok('get_ssh_key', { id })
      const { data } = await pass.ok('list_ssh_keys', { query: 'limit=200' })
      const made = [id, ...data.map((key: { id: string }) => key.id)]
      for (let n = data.length; n < sshKeysMax; n++) made.push((await pass.ok('create_ssh_key', { body: body() })).id)
      await pass.refuse('create_ssh_key', 'limit_exceeded', { body: body() })
      for (const each of new Set(made)) await pass.ok('delete_ssh_key', { id: each })
    },
  },
  {
    name: 'users-by-the-operator',
    covers: [
      ...keyed('create_account_user'),
      refusal('create_account_user', 'email_taken'),
      refusal('create_account_user', 'name_taken'),
      refusal('create_account_user', 'reference_not_found'),
    ],
    work: async (pass) => {
      const call = { by: pass.platform, params: { account: pass.account.id }, owner: pass.account }
      const body = { email: email(pass), name: pass.unique(), role: 'role_viewer' }
      await oncePerKey(pass, 'create_account_user', { ...call, body })
      await pass.refuse('create_account_user', 'email_taken', { ...call, body: { ...body, name: pass.unique() } })
      await pass.refuse('create_account_user', 'name_taken', { ...call, body: { ...body, email: email(pass) } })
      const unknown = { email: email(pass), role: 'role_0000000000000000000zz' }
      await pass.refuse('create_account_user', 'reference_not_found', { ...call, body: unknown })
    },
  },
  {
    name: 'grants',
    covers: [
      ...keyed('create_grant'),
      refusal('create_grant', 'grant_exists'),
      refusal('create_grant', 'reference_not_found'),
      done('get_grant'),
      done('list_grants'),
      done('delete_grant'),
    ],
    work: async (pass) => {
      const body = { principal_type: 'user', principal_id: pass.fixtures.user, role: 'role_viewer' }
      const other = { role: 'role_operator' }
      const { id } = await oncePerKey(pass, 'create_grant', { body }, other)
      await pass.refuse('create_grant', 'grant_exists', { body })
      const nobody = { principal_type: 'token', principal_id: 'tokn_0000000000000000000zz', role: 'role_viewer' }
      await pass.refuse('create_grant', 'reference_not_found', { body: nobody })
      await pass.ok('get_grant', { id })
      await pass.ok('list_grants')
      await pass.ok('delete_grant', { id })
    },
  },
  {
    name: 'roles-in-use-and-built-in',
    covers: [
      refusal('delete_role', 'in_use'),
      refusal('delete_role', 'built_in_role'),
      refusal('update_role', 'built_in_role'),
    ],
    work: async (pass) => {
      const { id } = await pass.ok('create_role', { body: { name: pass.unique(), policy } })
      const body = { principal_type: 'user', principal_id: pass.fixtures.user, role: id }
      await pass.ok('create_grant', { body })
      await pass.refuse('delete_role', 'in_use', { id })
      await pass.refuse('delete_role', 'built_in_role', { id: 'role_viewer' })
      await pass.refuse('update_role', 'built_in_role', { id: 'role_operator', body: { name: pass.unique() } })
    },
  },
  {
    name: 'last-admin-by-token',
    covers: [refusal('delete_token', 'last_admin'), refusal('delete_grant', 'last_admin')],
    work: async (pass) => {
      const { token_id } = pass.account
      await pass.refuse('delete_token', 'last_admin', { id: token_id })
      const { data } = await pass.ok('list_grants', { query: `principal_id=${token_id}&role=role_admin` })
      const whole = data.find(({ workspace }: any) => workspace === null)
      await pass.refuse('delete_grant', 'last_admin', { id: whole.id })
    },
  },
  {
    name: 'last-admin-by-user',
    covers: [refusal('delete_user', 'last_admin')],
    work: async (pass) => {
      const by = await newAccount(pass)
      const porterPolicy = { ...policy, rules: [{ effect: 'allow', actions: { '*': ['*'] } }] }
      const role = await pass.ok('create_role', { by, body: { name: 'porter', policy: porterPolicy } })
      const porter = await pass.ok('create_token', { by, body: {} })
      const grant = (principal_type: string, principal_id: string, of: string) =>
        pass.ok('create_grant', { by, body: { principal_type, principal_id, role: of } })
      await grant('token', porter.id, role.id)
      const user = await pass.ok('create_user', { by, body: { email: email(pass) } })
      await grant('user', user.id, 'role_admin')
      const { data } = await pass.ok('list_grants', { by, query: `principal_id=${by.token_id}` })
      // A token that ends within the hour is no admin that counts. It may take the place of the first one before that.
      const ending = await pass.ok('create_token', { by, body: { expires_at: pass.context.now + hour + 60 } })
      await grant('token', ending.id, 'role_admin')
      await pass.ok('delete_grant', { by, id: data[0].id })
      await pass.advance(60)
      await pass.refuse('delete_user', 'last_admin', { by, token: porter.token, id: user.id })
    },
  },
  {
    name: 'workspaces-that-stay',
    covers: [refusal('delete_workspace', 'not_empty'), refusal('delete_workspace', 'last_workspace')],
    work: async (pass) => {
      const workspace = await newWorkspace(pass)
      await newPool(pass, { workspace })
      await pass.refuse('delete_workspace', 'not_empty', { id: workspace })
      const by = await newAccount(pass)
      await pass.refuse('delete_workspace', 'last_workspace', { by, id: by.workspace_id })
    },
  },
  {
    name: 'permission-checks',
    covers: [done('check_permissions'), done('get_permissions'), done('list_names')],
    work: async (pass) => {
      await pass.ok('check_permissions', { body: { actions: ['instance:create'] } })
      await pass.ok('get_permissions')
      await pass.ok('list_names', { query: `ids=${pass.fixtures.token}&ids=${pass.fixtures.sku}` })
    },
  },
]
