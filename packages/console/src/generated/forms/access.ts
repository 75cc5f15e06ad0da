/** Generated from the contract by `npm run gen`. Do not edit. */

export const createUser = {
  operation: 'create_user',
  command: 'users create',
  fields: {
    email: {"label":"E-mail","shape":"text","hint":"Unique in the account, without regard to case.","required":true,"max_length":254},
    name: {"label":"Name","shape":"text","max_length":255},
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

export const createRole = {
  operation: 'create_role',
  command: 'roles create',
  fields: {
    name: {"label":"Name","shape":"text","required":true,"max_length":255},
    policy: {"label":"Policy","shape":"json","required":true},
  },
} as const

export const updateRole = {
  operation: 'update_role',
  command: 'roles update',
  fields: {
    name: {"label":"Name","shape":"text","max_length":255},
    policy: {"label":"Policy","shape":"json"},
  },
} as const

export const createGrant = {
  operation: 'create_grant',
  command: 'grants create',
  fields: {
    principal_type: {"label":"Principal type","shape":"words","required":true,"words":["user","token"]},
    principal_id: {"label":"Principal id","shape":"text","hint":"User or token id, as principal_type says.","required":true,"max_length":32},
    role: {"label":"Role","shape":"text","required":true,"kind":"role","max_length":1024},
    workspace: {"label":"Workspace","shape":"text","kind":"workspace","max_length":1024},
  },
} as const

export const createToken = {
  operation: 'create_token',
  command: 'tokens create',
  fields: {
    name: {"label":"Name","shape":"text","max_length":255},
    workspace: {"label":"Workspace","shape":"text","kind":"workspace","max_length":1024},
    roles: {"label":"Roles","shape":"list","kind":"role","max_length":1024},
    expires_at: {"label":"Expires","shape":"moment","nullable":true},
    allowed_cidrs: {"label":"Only from networks","shape":"list","hint":"The networks from which the token may be used, each in its shortest form without host bits.","max_length":43,"example":"203.0.113.0/24"},
    resources: {"label":"Only on resources","shape":"list","hint":"The resources that the token may act on: ids, or paths with at most one * in the name.","max_length":512,"example":"svc:deployment:acme:default:web-*"},
  },
} as const
