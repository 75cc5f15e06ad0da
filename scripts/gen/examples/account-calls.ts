/** Calls of accounts, rights and events. */
import { type Calls, hour } from './example-call.ts'

const publicKey = 'AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'

const policy = {
  api_version: 'roles/v1',
  description: 'Runs instances, without buying.',
  rules: [{ effect: 'allow', actions: { instance: ['*'], image: ['read', 'list'], pool: ['read', 'list'] } }],
}

export const accessCalls: Calls = ({ ids }) => [
  { operation: 'list_limits' },
  { operation: 'get_limit', params: { name: 'instances' } },
  { operation: 'create_workspace', body: { name: 'inference' } },
  { operation: 'list_workspaces', query: { limit: 2 } },
  { operation: 'get_workspace', params: { id: 'svc:workspace:acme:inference' } },
  { operation: 'update_workspace', params: { id: 'svc:workspace:acme:inference' }, body: { name: 'serving' } },
  { operation: 'delete_workspace', params: { id: 'svc:workspace:acme:serving' } },
  {
    operation: 'create_user',
    body: { email: 'grace@acme.example', name: 'grace', first_name: 'Grace', last_name: 'Hopper' },
  },
  { operation: 'list_users', query: { limit: 2 } },
  { operation: 'get_user', params: { id: ids.user_admin } },
  { operation: 'update_user', params: { id: 'svc:user:acme:grace' }, body: { last_name: 'Murray' } },
  { operation: 'create_user_sign_in_link', params: { id: 'svc:user:acme:grace' } },
  { operation: 'list_user_passkeys', params: { id: ids.user_admin } },
  { operation: 'list_user_identities', params: { id: ids.user_admin } },
  { operation: 'create_ssh_key', body: { public_key: `ssh-ed25519 ${publicKey} ada@laptop` } },
  { operation: 'list_ssh_keys', query: { limit: 2 } },
  ({ made }) => ({ operation: 'get_ssh_key', params: { id: made('create_ssh_key').id } }),
  ({ made }) => ({ operation: 'delete_ssh_key', params: { id: made('create_ssh_key').id } }),
  { operation: 'end_user_sessions', params: { id: 'svc:user:acme:grace' } },
  { operation: 'delete_user', params: { id: 'svc:user:acme:grace' } },
  { operation: 'create_role', body: { name: 'runner', policy } },
  { operation: 'list_roles', query: { limit: 2 } },
  { operation: 'get_role', params: { id: 'svc:role:acme:runner' } },
  { operation: 'update_role', params: { id: 'svc:role:acme:runner' }, body: { name: 'launcher' } },
  ({ made }) => ({
    operation: 'create_grant',
    body: {
      principal_type: 'user',
      principal_id: ids.user,
      role: made('create_role').id,
      workspace: 'svc:workspace:acme:default',
    },
  }),
  { operation: 'list_grants', query: { limit: 2 } },
  ({ made }) => ({ operation: 'get_grant', params: { id: made('create_grant').id } }),
  ({ made }) => ({ operation: 'delete_grant', params: { id: made('create_grant').id } }),
  { operation: 'delete_role', params: { id: 'svc:role:acme:launcher' } },
  {
    operation: 'check_permissions',
    body: { actions: ['instance:create', 'order:create', 'token:delete'], workspace: 'svc:workspace:acme:research' },
  },
  { operation: 'list_names', query: { ids: ids.sku ?? '' } },
  ({ now }) => ({
    operation: 'create_token',
    body: { name: 'nightly-jobs', roles: ['role_operator'], expires_at: now + 90 * 24 * hour },
  }),
  { operation: 'start_device_login', body: { client_name: 'The command line on laptop-7' } },
  { operation: 'list_tokens', query: { limit: 2 } },
  ({ made }) => ({ operation: 'get_token', params: { id: made('create_token').id } }),
  ({ made }) => ({ operation: 'delete_token', params: { id: made('create_token').id } }),
]

export const eventCalls: Calls = () => [
  { operation: 'list_audit_entries', query: { limit: 2, operation: 'update_role' } },
  { operation: 'list_events', query: { limit: 2, target_type: 'instance' } },
]
