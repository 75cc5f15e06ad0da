/** Generated from the contract by `npm run gen`. Do not edit. */

export const users = {
  operation: 'list_users',
  fields: {
    id: ['id', 'Id'],
    name: ['name', 'Name'],
    email: ['text', 'E-mail'],
    first_name: ['text', 'First name'],
    last_name: ['text', 'Last name'],
    created_at: ['age', 'Created'],
  },
} as const

export const grants = {
  operation: 'list_grants',
  fields: {
    id: ['id', 'Id'],
    principal_type: ['word', 'Principal type'],
    principal_id: ['text', 'Principal id'],
    workspace: ['named', 'Workspace'],
    role: ['named', 'Role'],
    provider: ['text', 'Provider'],
    created_at: ['age', 'Created'],
    created_by: ['named', 'Made by'],
  },
} as const

export const tokens = {
  operation: 'list_tokens',
  fields: {
    id: ['id', 'Id'],
    workspace: ['named', 'Workspace'],
    name: ['name', 'Name'],
    kind: ['word', 'Kind'],
    user: ['named', 'User'],
    device: ['text', 'Device'],
    address: ['text', 'From'],
    suffix: ['text', 'Last characters'],
    allowed_cidrs: ['texts', 'Only from networks'],
    resources: ['texts', 'Only on resources'],
    expires_at: ['age', 'Expires'],
    last_used_at: ['age', 'Last use'],
    created_at: ['age', 'Created'],
    created_by: ['named', 'Made by'],
  },
} as const

export const sshKeys = {
  operation: 'list_ssh_keys',
  fields: {
    id: ['id', 'Id'],
    name: ['name', 'Name'],
    owner: ['named', 'Owner'],
    key_type: ['text', 'Key type'],
    bits: ['count', 'Bits'],
    fingerprint: ['text', 'Fingerprint'],
    public_key: ['text', 'Public key'],
    created_at: ['age', 'Created'],
  },
} as const

export const auditEntries = {
  operation: 'list_audit_entries',
  fields: {
    id: ['id', 'Id'],
    occurred_at: ['moment', 'When'],
    account: ['text', 'Account'],
    actor: ['named', 'Actor'],
    operation: ['text', 'Operation'],
    targets: ['list', 'About'],
    outcome: ['word', 'Outcome'],
    code: ['word', 'Code'],
    changes: ['list', 'Changes'],
    on_behalf_of: ['text', 'On behalf of'],
    address: ['text', 'From'],
    user_agent: ['text', 'User agent'],
    request_id: ['text', 'Request id'],
  },
} as const

export const workspaces = {
  operation: 'list_workspaces',
  fields: {
    id: ['id', 'Id'],
    name: ['name', 'Name'],
    created_at: ['age', 'Created'],
  },
} as const

export const limits = {
  operation: 'list_limits',
  fields: {
    name: ['name', 'Name'],
    unit: ['word', 'Unit'],
    value: ['count', 'Value'],
    used: ['count', 'Used'],
    scope: ['word', 'Scope'],
    source: ['word', 'Source'],
  },
} as const
