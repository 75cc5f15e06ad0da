/** Generated from the contract by `npm run gen`. Do not edit. */

export const createWorkspace = {
  operation: 'create_workspace',
  command: 'workspaces create',
  fields: {
    name: {"label":"Name","shape":"text","hint":"Default: a generated one.","max_length":255},
  },
} as const

export const updateWorkspace = {
  operation: 'update_workspace',
  command: 'workspaces update',
  fields: {
    name: {"label":"Name","shape":"text","max_length":255},
  },
} as const

export const createUser = {
  operation: 'create_user',
  command: 'users create',
  fields: {
    email: {"label":"E-mail","shape":"text","hint":"E-mail address, unique in the account without regard to case. Stored in Unicode form NFC, with the domain in lower case.","required":true,"max_length":254},
    name: {"label":"Name","shape":"text","hint":"Default: a generated one.","max_length":255},
    first_name: {"label":"First name","shape":"text","max_length":100},
    last_name: {"label":"Last name","shape":"text","max_length":100},
  },
} as const

export const updateUser = {
  operation: 'update_user',
  command: 'users update',
  fields: {
    name: {"label":"Name","shape":"text","max_length":255},
    first_name: {"label":"First name","shape":"text","nullable":true,"max_length":100},
    last_name: {"label":"Last name","shape":"text","nullable":true,"max_length":100},
  },
} as const

export const createSshKey = {
  operation: 'create_ssh_key',
  command: 'ssh-keys add',
  fields: {
    public_key: {"label":"Public key","shape":"text","hint":"The public key in the one-line form of OpenSSH, as in a file that ends in .pub.","required":true,"max_length":8192,"example":"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ada@laptop","secret":true,"positional":true},
    name: {"label":"Name","shape":"text","hint":"Name, for people. Default: the comment of the key.","max_length":128,"example":"ada@laptop"},
  },
} as const

export const createRole = {
  operation: 'create_role',
  command: 'roles create',
  fields: {
    name: {"label":"Name","shape":"text","hint":"Name of the role, unique in the account.","required":true,"max_length":255},
    policy: {"label":"Policy","shape":"json","hint":"Rules of the role: which verbs it allows on which kinds of resource. A new policy replaces the old one.","required":true},
  },
} as const

export const updateRole = {
  operation: 'update_role',
  command: 'roles update',
  fields: {
    name: {"label":"Name","shape":"text","max_length":255},
    policy: {"label":"Policy","shape":"json","hint":"Rules of the role: which verbs it allows on which kinds of resource. A new policy replaces the old one."},
  },
} as const

export const createGrant = {
  operation: 'create_grant',
  command: 'grants create',
  fields: {
    principal_type: {"label":"Principal type","shape":"words","hint":"Whether a user or a token has the role.","required":true,"words":["user","token"]},
    principal_id: {"label":"Principal id","shape":"text","hint":"Id of the user or token that has the role.","required":true,"max_length":32},
    role: {"label":"Role","shape":"text","required":true,"kind":"role","max_length":1024},
    workspace: {"label":"Workspace","shape":"text","kind":"workspace","max_length":1024},
  },
} as const

export const createToken = {
  operation: 'create_token',
  command: 'tokens create',
  fields: {
    name: {"label":"Name","shape":"text","hint":"Default: a generated one.","max_length":255},
    workspace: {"label":"Workspace","shape":"text","kind":"workspace","max_length":1024},
    roles: {"label":"Roles","shape":"list","kind":"role","max_length":1024},
    expires_at: {"label":"Expires","shape":"moment","hint":"When the token ends. At most 5 years ahead, and not after the token that makes it; empty: never.","nullable":true},
    allowed_cidrs: {"label":"Only from networks","shape":"list","hint":"Networks from which the token may be used, such as 203.0.113.0/24. Default: all. Each is in its shortest form, without host bits.","max_length":43,"example":"203.0.113.0/24"},
    resources: {"label":"Only on resources","shape":"list","hint":"Resources that the token may act on: ids, or paths with at most one * in the name. Default: all.","max_length":512,"example":"svc:deployment:acme:default:web-*"},
  },
} as const
