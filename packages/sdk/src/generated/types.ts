/** Generated from the contract by `npm run gen`. Do not edit. */
import type { Call, RequestOptions } from '../call.ts'
import type { ListCall } from '../page.ts'

/** A word that a newer server may add to a list of words. */
export type OpenWord = string & {}

/* Ids, and references: an id or a resource path. */
export type WorkspaceId = `wksp_${string}`
export type WorkspaceRef = WorkspaceId | `svc:workspace:${string}`
export type UserId = `usr_${string}`
export type UserRef = UserId | `svc:user:${string}`
export type RoleId = `role_${string}`
export type RoleRef = RoleId | `svc:role:${string}`
export type GrantId = `grnt_${string}`
export type TokenId = `tokn_${string}`
export type IdentityId = `idnt_${string}`
export type PasskeyId = `pkey_${string}`
export type SshKeyId = `sshk_${string}`
export type InstanceId = `inst_${string}`
export type InstanceRef = InstanceId | `svc:instance:${string}`
export type PoolId = `pool_${string}`
export type PoolRef = PoolId | `svc:pool:${string}`
export type ProcurementId = `proc_${string}`
export type ProcurementRef = ProcurementId | `svc:procurement:${string}`
export type HostId = `host_${string}`
export type HostRef = HostId | `svc:host:${string}`
export type ImageId = `image_${string}` | `vmi_${string}`
export type ImageRef = ImageId | `svc:image:${string}`
export type InstanceTemplateId = `itmpl_${string}`
export type InstanceTemplateRef = InstanceTemplateId | `svc:instance_template:${string}`
export type DeploymentId = `depl_${string}`
export type DeploymentRef = DeploymentId | `svc:deployment:${string}`
export type FirewallId = `frwl_${string}`
export type FirewallRef = FirewallId | `svc:firewall:${string}`
export type SubnetId = `snet_${string}`
export type SubnetRef = SubnetId | `svc:subnet:${string}`
export type InfinibandPartitionId = `ibpart_${string}`
export type InfinibandPartitionRef = InfinibandPartitionId | `svc:infiniband_partition:${string}`
export type SkuId = `sku_${string}`
export type OrderId = `ordr_${string}`
export type FillId = `fill_${string}`
export type PoolTransferId = `pxfr_${string}`
export type EventId = `evt_${string}`
export type AuditEntryId = `audt_${string}`
export type TransactionId = `txn_${string}`
export type HoldId = `hold_${string}`
export type PendingCreditId = `pcrd_${string}`
export type BudgetId = `bdgt_${string}`
export type WebhookId = `whk_${string}`
export type WebhookDeliveryId = `wdlv_${string}`
export type HostEnrolmentId = `henr_${string}`
export type AgentBundleId = `abdl_${string}`
export type AgentRolloutId = `arol_${string}`
export type MaintenanceWindowId = `mwin_${string}`
export type SandboxFaultId = `flt_${string}`

/** The API token of the request. */
export type CallerToken = {
  object: 'token'
  /** Token id. */
  id: TokenId
  /** Name of the token. */
  name: string
  /** When it ends, in Unix seconds. `null`: never. */
  expires_at: number | null
}

/** The workspace of a resource. */
export type WorkspaceSummary = {
  object: 'workspace'
  /** Workspace id. */
  id: WorkspaceId
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  /** Resource path, `svc:workspace:…`. */
  resource_path: string
}

/** A person who belongs to an account. */
export type User = {
  object: 'user'
  /** User id. */
  id: UserId
  /** Resource path, `svc:user:…`. */
  resource_path: string
  /** Name, unique in the account. */
  name: string
  /** E-mail address, unique in the account without regard to case. Stored in Unicode form NFC, with the domain in lower case. */
  email: string | null
  /** First name. */
  first_name: string | null
  /** Last name. */
  last_name: string | null
  /** When it was created, in Unix seconds. */
  created_at: number
}

/** The server that responded. */
export type ServerFacts = {
  /** Version of the server. */
  version: string
  /** Version of the API that it serves. */
  interface_version: string
  /** `sandbox`: a server to try things on, with its own clock and simulated hosts. */
  mode: 'production' | 'sandbox'
  /** The time of the business clock, in Unix seconds. */
  now: number
}

/** The caller's account, and the caller. */
export type Account = {
  object: 'account'
  /** Account id, such as `acme`. */
  id: string
  /** Name of the account, for people. */
  name: string
  /** Whether the account belongs to a person or a business. */
  entity_type: 'personal' | 'business' | null
  /** How far the account is trusted. Its limits depend on it. */
  trust_level: 'untrusted' | 'basic' | 'trusted' | 'partner'
  /** A frozen account may only read. */
  is_frozen: boolean
  /** Whether it is the account of the platform operator. */
  is_platform: boolean
  /** The longest life of tokens that people make. */
  token_lifetime_max_days: number
  /** When it was created, in Unix seconds. */
  created_at: number
  token: CallerToken
  /** The workspace of the token: the default wherever a request names none. */
  workspace: WorkspaceSummary
  /** The user whose session the token is. `null`: it is a token of a program. */
  user: User | null
  server: ServerFacts
}

/** One limit of an account and its usage. */
export type Limit = {
  object: 'limit'
  /** Name of the limit, such as `instances`. */
  name: string
  /** Unit of the value and the usage. */
  unit: 'count' | 'bytes' | 'node_hours'
  /** The most that is allowed. `null`: no limit. */
  value: number | null
  /** How much of the limit is used now. `null`: the limit holds for each resource. */
  used: number | null
  /** `account`: all of the account together. `each`: each resource, such as the rules of one firewall. */
  scope: 'account' | 'each'
  /** Whether it follows from the trust level of the account, or the platform operator set it for this account. */
  source: 'trust_level' | 'override'
}

/** A list that is always complete. */
export type LimitList = {
  object: 'list'
  /** All rows, in the order of the list. */
  data: Limit[]
  /** Always false: the list is complete. */
  has_more: boolean
}

/** A container of resources. Names are unique and permissions are granted per workspace. */
export type Workspace = {
  object: 'workspace'
  /** Workspace id. */
  id: WorkspaceId
  /** Resource path, `svc:workspace:…`. */
  resource_path: string
  /** Name, unique in the account. */
  name: string
  /** When it was created, in Unix seconds. */
  created_at: number
}

/** One page of a list. */
export type WorkspacePage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Workspace[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** One page of a list. */
export type UserPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: User[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** An instance that had a deleted key when it was deleted. */
export type KeyedInstance = {
  object: 'instance'
  /** Instance id. */
  id: InstanceId
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  /** `requested`: its host removes the key from the running instance, within seconds. `impossible`: its image does not run the QEMU guest agent, or its host is silent, so the key still opens the instance. */
  removal: 'requested' | 'impossible'
}

/** A deleted user, and the instances that its SSH keys still open. */
export type DeletedUser = {
  object: 'deleted_user'
  /** User id. */
  id: UserId
  /** Instances that had an SSH key of the user. Instances that keep a key come first. At most 100. */
  instances: KeyedInstance[]
}

/** A link that signs a user in. */
export type SignInLink = {
  object: 'sign_in_link'
  /** Whoever opens it first, and presses its button, is this user. Shown here only. */
  url: string
  /** Until when it works, in Unix seconds. */
  expires_at: number
}

/** Who a user is at a provider of OpenID Connect. */
export type Identity = {
  object: 'identity'
  /** Identity id. */
  id: IdentityId
  /** Name of the sign-in provider, as the platform operator has set it up. */
  provider: string
  /** URL of the issuer, as the provider states it in its tokens. */
  issuer: string
  /** Permanent name of the person at the issuer. Issuer and subject together are the identity. */
  subject: string
  /** E-mail address that the provider sent last. It is shown and never compared. */
  email: string | null
  /** When it was created, in Unix seconds. */
  created_at: number
  /** When the user last signed in with it, in Unix seconds. `null`: never. */
  last_used_at: number | null
}

/** A list that is always complete. */
export type IdentityList = {
  object: 'list'
  /** All rows, in the order of the list. */
  data: Identity[]
  /** Always false: the list is complete. */
  has_more: boolean
}

/** A passkey of a user: a key that never leaves its authenticator. */
export type Passkey = {
  object: 'passkey'
  /** Passkey id. */
  id: PasskeyId
  /** Name of the passkey, for people. */
  name: string
  /** Whether its authenticator has copied it elsewhere, such as to a cloud. */
  is_backed_up: boolean
  /** When it was created, in Unix seconds. */
  created_at: number
  /** When it last signed its user in, in Unix seconds. `null`: never. */
  last_used_at: number | null
}

/** A list that is always complete. */
export type PasskeyList = {
  object: 'list'
  /** All rows, in the order of the list. */
  data: Passkey[]
  /** Always false: the list is complete. */
  has_more: boolean
}

/** A new passkey, and the recovery codes of a user that had none. */
export type CreatedPasskey = {
  object: 'passkey'
  /** Passkey id. */
  id: PasskeyId
  /** Name of the passkey, for people. */
  name: string
  /** Whether its authenticator has copied it elsewhere, such as to a cloud. */
  is_backed_up: boolean
  /** When it was created, in Unix seconds. */
  created_at: number
  /** When it last signed its user in, in Unix seconds. `null`: never. */
  last_used_at: number | null
  /** With the first passkey, if the user had no codes. Shown here only. */
  recovery_codes: string[] | null
}

/** The recovery codes of a user. They are shown once. */
export type RecoveryCodes = {
  object: 'recovery_codes'
  /** The codes. Each signs the user in once. Shown here only. */
  codes: string[]
}

/** Whose key it is: a user, or the token of a program. */
export type SshKeyOwner = {
  /** A user, or an API token. */
  type: 'user' | 'token'
  /** User or token id. */
  id: string
  /** Name of the user or token. */
  name: string
}

/** An SSH public key of a user or token, for instances. */
export type SshKey = {
  object: 'ssh_key'
  /** Ssh key id. */
  id: SshKeyId
  /** Name, for people. */
  name: string
  owner: SshKeyOwner
  /** Kind of key, as the key itself says. */
  key_type: string
  /** Size of the key in bits. */
  bits: number
  /** SHA-256 of the key, as `ssh-keygen -l` prints it. */
  fingerprint: string
  /** The key in one line, without its comment. */
  public_key: string
  /** When it was created, in Unix seconds. */
  created_at: number
}

/** One page of a list. */
export type SshKeyPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: SshKey[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** A deleted SSH key, and the instances that still had it. */
export type DeletedSshKey = {
  object: 'deleted_ssh_key'
  /** Ssh key id. */
  id: SshKeyId
  /** SHA-256 of the key, as `ssh-keygen -l` prints it. */
  fingerprint: string
  /** Instances that had the key. Instances from which it cannot be removed come first. At most 100. */
  instances: KeyedInstance[]
}

/** A named set of permissions. */
export type Role = {
  object: 'role'
  /** Role id. */
  id: RoleId
  /** Resource path, `svc:role:…`. */
  resource_path: string
  /** Name, unique in the account. */
  name: string
  /** `built_in`: every account has it, and nobody can change it. */
  role_type: 'built_in' | 'custom'
  /** Rules of the role: which verbs it allows on which kinds of resource. A new policy replaces the old one. */
  policy: {
    /** Version of the policy format. */
    api_version: 'roles/v1'
    /** A note for people. */
    description?: string
    /** What the role allows. The rules add up. */
    rules: ({
      /** Rules only allow. */
      effect: 'allow'
      /** The verbs that it allows, by kind of resource. `*` stands for all. */
      actions: {
        /** Verbs on all kinds of resources. */
        '*'?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `workspace`. */
        workspace?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `user`. */
        user?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `role`. */
        role?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `grant`. */
        grant?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `token`. */
        token?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `image`. */
        image?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `instance_template`. */
        instance_template?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `instance`. */
        instance?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `secret`. */
        secret?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `pool`. */
        pool?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `pool_transfer`. */
        pool_transfer?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `order`. */
        order?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `procurement`. */
        procurement?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `deployment`. */
        deployment?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `firewall`. */
        firewall?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `subnet`. */
        subnet?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `infiniband_partition`. */
        infiniband_partition?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `billing`. */
        billing?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `event`. */
        event?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `audit`. */
        audit?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `webhook`. */
        webhook?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `host`. */
        host?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        /** Verbs on the kind `platform`. */
        platform?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
      }
    })[]
  }
  /** When it was created, in Unix seconds. */
  created_at: number
  /** When it last changed, in Unix seconds. */
  updated_at: number
}

/** One page of a list. */
export type RolePage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Role[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** The role of a grant. */
export type RoleSummary = {
  object: 'role'
  /** Role id. */
  id: RoleId
  /** Name, unique among resources of its kind in the workspace. */
  name: string
}

/** The creator of a resource: an API token, a user, or an automation of the service. */
export type Principal = {
  /** An API token, a user, or the service itself. */
  type: 'token' | 'user' | 'system'
  /** Token or user id; absent for the system. */
  id?: string
  /** The name of a token. */
  name?: string
  /** The email address of a user. */
  email?: string | null
}

/** A role of a user or token, in one workspace or in the whole account. */
export type Grant = {
  object: 'grant'
  /** Grant id. */
  id: GrantId
  /** Whether a user or a token has the role. */
  principal_type: 'user' | 'token'
  /** Id of the user or token that has the role. */
  principal_id: string
  /** Where the role counts. `null`: in the whole account. */
  workspace: WorkspaceSummary | null
  role: RoleSummary
  /** The sign-in provider whose groups give and remove it. `null`: it is not from a provider. */
  provider: string | null
  /** When it was created, in Unix seconds. */
  created_at: number
  created_by: Principal
}

/** One page of a list. */
export type GrantPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Grant[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** What people call a resource or a principal. */
export type ShownName = {
  object: 'name'
  /** The id that was asked for. */
  id: string
  /** What it is, such as `instance`, `token` or `sku`. */
  type: string
  /** Its name: the alias of a SKU, the side, nodes and SKU of an order, the person of a session, the URL of a webhook, the amount and period of a budget without a name. */
  name: string
}

/** A list that is always complete. */
export type ShownNameList = {
  object: 'list'
  /** All rows, in the order of the list. */
  data: ShownName[]
  /** Always false: the list is complete. */
  has_more: boolean
}

/** The response to a check. */
export type PermissionCheck = {
  object: 'permission_check'
  /** Whether all of the permissions are held. */
  allowed: boolean
}

/** What is allowed in one workspace. */
export type WorkspacePermissions = {
  workspace: WorkspaceSummary
  /** The allowed verbs, by kind of resource. A kind without allowed verbs is absent. */
  actions: Record<string, ('create' | 'read' | 'list' | 'write' | 'delete')[]>
}

/** The permissions of a caller or principal, from all grants together. */
export type Permissions = {
  object: 'permissions'
  /** What is allowed in the whole account: verbs by kind. */
  account: Record<string, ('create' | 'read' | 'list' | 'write' | 'delete')[]>
  /** What is allowed in each workspace. Workspaces in which nothing is allowed are absent. */
  workspaces: WorkspacePermissions[]
}

/** The user of a session. */
export type UserSummary = {
  object: 'user'
  /** User id. */
  id: UserId
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  /** E-mail address. `null`: none. */
  email: string | null
}

/** A new API token, with the secret itself. */
export type CreatedToken = {
  object: 'token'
  /** Token id. */
  id: TokenId
  workspace: WorkspaceSummary
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  /** `service`: made for a program. `session`: of a user who has signed in. */
  kind: 'service' | 'session'
  /** The user of a session. `null`: it is a token of a program. */
  user: UserSummary | null
  /** The program that signed in, as the program names itself. Only of your own sessions, or with `user:write`. */
  device: string | null
  /** IP address from which it signed in. Only of your own sessions, or with `user:write`. */
  address: string | null
  /** The last six characters of the token. */
  suffix: string
  /** Networks from which the token may be used, such as 203.0.113.0/24. `null`: all. Each is in its shortest form, without host bits. Behind a proxy, the server sees the address of the proxy. Other addresses get 403 `network_not_allowed`. */
  allowed_cidrs: string[] | null
  /** Resources that the token may act on: ids, or paths with at most one `*` in the name. `null`: all. Each resource that a request uses has to match, also pools, templates and images. Others appear to be absent. */
  resources: string[] | null
  /** When it ends, in Unix seconds. `null`: never. */
  expires_at: number | null
  /** When it was last used, in Unix seconds, exact to a minute. `null`: never. */
  last_used_at: number | null
  /** When it was created, in Unix seconds. */
  created_at: number
  created_by: Principal
  /** The JWT. Shown here only. */
  token: string
}

/** An API token, without the secret itself. */
export type Token = {
  object: 'token'
  /** Token id. */
  id: TokenId
  workspace: WorkspaceSummary
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  /** `service`: made for a program. `session`: of a user who has signed in. */
  kind: 'service' | 'session'
  /** The user of a session. `null`: it is a token of a program. */
  user: UserSummary | null
  /** The program that signed in, as the program names itself. Only of your own sessions, or with `user:write`. */
  device: string | null
  /** IP address from which it signed in. Only of your own sessions, or with `user:write`. */
  address: string | null
  /** The last six characters of the token. */
  suffix: string
  /** Networks from which the token may be used, such as 203.0.113.0/24. `null`: all. Each is in its shortest form, without host bits. Behind a proxy, the server sees the address of the proxy. Other addresses get 403 `network_not_allowed`. */
  allowed_cidrs: string[] | null
  /** Resources that the token may act on: ids, or paths with at most one `*` in the name. `null`: all. Each resource that a request uses has to match, also pools, templates and images. Others appear to be absent. */
  resources: string[] | null
  /** When it ends, in Unix seconds. `null`: never. */
  expires_at: number | null
  /** When it was last used, in Unix seconds, exact to a minute. `null`: never. */
  last_used_at: number | null
  /** When it was created, in Unix seconds. */
  created_at: number
  created_by: Principal
}

/** One page of a list. */
export type TokenPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Token[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** The codes of a program that asks to be signed in, as in RFC 8628, section 3.2. */
export type DeviceLogin = {
  /** A secret of the program. It is no token. */
  device_code: string
  /** Code that the person compares, or types. */
  user_code: string
  /** The page on which a signed-in person approves. */
  verification_uri: string
  /** The same page, with the code in it. */
  verification_uri_complete: string
  /** Seconds until the codes expire. */
  expires_in: number
  /** Seconds to wait between two polls. */
  interval: number
}

/** The session of a program, as in RFC 6749, section 5.1. */
export type DeviceToken = {
  /** The token of the session. Shown here only. */
  access_token: string
  token_type: 'Bearer'
  /** Seconds until the session ends. */
  expires_in: number
}

/** What a browser needs to make a passkey. */
export type PasskeyRegistration = {
  object: 'passkey_registration'
  /** What the authenticator signs, in base64url. Valid once, for 5 minutes. */
  challenge: string
  /** The domain that the passkey is bound to. */
  relying_party_id: string
  /** The user for the authenticator, in base64url. */
  user_handle: string
  /** Name of the user, which the authenticator shows. */
  user_name: string
  /** Ids of the credentials that the user has already, in base64url: an authenticator adds no second one. */
  excluded_credential_ids: string[]
  /** When the challenge ends, in Unix seconds. */
  expires_at: number
}

/** What a browser needs to sign in with a passkey. */
export type PasskeyChallenge = {
  object: 'passkey_challenge'
  /** What the authenticator signs, in base64url. Valid once, for 5 minutes. */
  challenge: string
  /** The domain that the passkey is bound to. */
  relying_party_id: string
  /** When the challenge ends, in Unix seconds. */
  expires_at: number
}

/** Who has signed in. The session is in a cookie. */
export type SignedIn = {
  object: 'signed_in'
  /** Id of the account of the user. */
  account: string
  /** Id of the user who has signed in. */
  user: UserId
  /** When the session ends, in Unix seconds. */
  expires_at: number
}

/** Who did it. */
export type AuditActor = {
  /** A token of a program, a person who signed in, or the service and its platform operators. */
  type: 'token' | 'user' | 'system'
  /** `null` for `system`. */
  id: string | null
  /** The name that it had then. `platform`: a platform operator. `provider NAME`: a sign-in. */
  name: string | null
}

/** One resource that an entry is about. */
export type AuditTarget = {
  /** Kind of resource: `instance`, `order`, `user`, `account`, … */
  type: string
  /** The id, or the path or name that a refused request gave. */
  id: string
}

/** One field that was changed. */
export type AuditChange = {
  /** A field of the request or the resource. */
  field: string
  /** The value before as JSON. A longer one is cut and ends in `…`. `null`: none, not known, or secret. */
  old_value: string | null
  /** The value after as JSON, in the same form. `null`: none, not known, or secret. */
  new_value: string | null
  /** Whether the field is secret, so its values are never shown. */
  is_secret: boolean
}

/** One act in the audit trail. Entries are never changed. */
export type AuditEntry = {
  object: 'audit_entry'
  /** Audit entry id. */
  id: AuditEntryId
  /** When it was done or refused, in Unix seconds. */
  occurred_at: number
  /** The account in which it was done. */
  account: string
  actor: AuditActor
  /** The operation of this API, or a word such as `sign_in_by_link`, `sign_out`. */
  operation: string
  /** The resources that it is about; at most 16 of them. */
  targets: AuditTarget[]
  /** Whether it was done, or refused for lack of rights. */
  outcome: 'done' | 'refused'
  /** Why it was refused; null if it was done. `authentication_error`: a sign-in. `access_denied`: a person refused a program. `network_not_allowed`: a token was used from a network that it does not allow. Known values: forbidden, not_found, insufficient_user_authentication, token_lifetime_exceeded, same_operator, right_too_new, authentication_error, access_denied, network_not_allowed. New ones may be added; clients must accept them. */
  code: 'forbidden' | 'not_found' | 'insufficient_user_authentication' | 'token_lifetime_exceeded' | 'same_operator' | 'right_too_new' | 'authentication_error' | 'access_denied' | 'network_not_allowed' | OpenWord | null
  /** The fields that it changed; at most 64 of them. */
  changes: AuditChange[]
  /** The account in which a platform operator acted; null for everything else. */
  on_behalf_of: string | null
  /** IP address from which it was sent. `null` for platform operators and the service. */
  address: string | null
  /** The program that sent it, as the program names itself. */
  user_agent: string | null
  /** As in the header `X-Request-Id` of its response. */
  request_id: string
}

/** One page of a list. */
export type AuditEntryPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: AuditEntry[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** The API token whose request caused an event. */
export type TokenActor = {
  type: 'token'
  /** Token id. */
  id: TokenId
}

/** An automation of the service, or its platform operators. */
export type SystemActor = {
  type: 'system'
}

/** The API token that caused an event, or the service. */
export type Actor = TokenActor | SystemActor

/** One resource that an event is about. */
export type EventTarget = {
  /** Kind of resource: `instance`, `order`, `image`, `account`, `instance_sku`, … */
  type: string
  /** The id that the rest of the API uses for it. */
  id: string
}

/** One step of a schedule: a number of nodes for a time. */
export type ScheduleEntry = {
  /** First minute of the window, in Unix seconds. */
  start_at: number
  /** End of the window, not included, in Unix seconds. `null`: without end. */
  end_at: number | null
  /** Number of nodes in each minute of the window. */
  node_count: number
}

/** The trade that an event is about, as the order of the event made it. */
export type EventFill = {
  object: 'fill'
  /** Fill id. */
  id: FillId
  /** When they traded, in Unix seconds. */
  filled_at: number
  /** Nodes that were traded: ascending, without overlap, zero where there is no entry. */
  allocation_schedule_delta: ScheduleEntry[]
  /** Price of the trade: the limit of the older order. */
  price_dollars_per_node_hour: string
  /** Value of the trade: price times node-hours, rounded down. */
  total_dollars: string
  /** Fee that the seller pays out of the value. Zero for a buy. */
  fee_dollars: string
  /** Whether the order buys or sells. */
  side: 'buy' | 'sell'
  /** SKU id. */
  sku: SkuId
  /** Pool id. */
  pool: PoolId
}

/** One entry of the account's append-only log. */
export type Event = {
  object: 'event'
  /** Event id. */
  id: EventId
  /** What happened. Known values: instance.created, instance.running, instance.termination_imminent, instance.termination_withdrawn, instance.terminated, instance.failed, instance.connection_lost, host.facts_changed, host.unfit, host.fit, agent_rollout.halted, agent_rollout.completed, order.created, order.partially_filled, order.filled, order.cancelled, image.revoked, image.reinstated, image.published, image.deprecated, trust_level.updated, account.balance_low, instance_sku_override.updated, instance_sku_override.deleted, ssh_key.created, ssh_key.deleted, webhook.failing, webhook.recovered, webhook.disabled, budget.threshold_reached, credit.requested, credit.approved, credit.refused, credit.expired, audit.violated, order.rejected. New ones may be added; clients must accept them. */
  action: 'instance.created' | 'instance.running' | 'instance.termination_imminent' | 'instance.termination_withdrawn' | 'instance.terminated' | 'instance.failed' | 'instance.connection_lost' | 'host.facts_changed' | 'host.unfit' | 'host.fit' | 'agent_rollout.halted' | 'agent_rollout.completed' | 'order.created' | 'order.partially_filled' | 'order.filled' | 'order.cancelled' | 'image.revoked' | 'image.reinstated' | 'image.published' | 'image.deprecated' | 'trust_level.updated' | 'account.balance_low' | 'instance_sku_override.updated' | 'instance_sku_override.deleted' | 'ssh_key.created' | 'ssh_key.deleted' | 'webhook.failing' | 'webhook.recovered' | 'webhook.disabled' | 'budget.threshold_reached' | 'credit.requested' | 'credit.approved' | 'credit.refused' | 'credit.expired' | 'audit.violated' | 'order.rejected' | OpenWord
  /** When it happened, in Unix seconds. */
  occurred_at: number
  actor: Actor
  /** The resources that it is about. */
  targets: EventTarget[]
  fill?: EventFill
  /** Send it as `starting_after`, with the same filters, to continue right after this event. */
  cursor: string
}

/** One page of a list. */
export type EventPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Event[]
  /** Whether more events are available after this page. Never true of an empty page. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** A repeated delivery of events that the webhook has already passed. */
export type WebhookReplay = {
  /** How far it is: the cursor of an event of a list without filters. */
  cursor: string
  /** Where it ends: the cursor of an event of a list without filters. */
  until: string
}

/** A webhook with a new secret. */
export type WebhookWithSecret = {
  object: 'webhook'
  /** Webhook id. */
  id: WebhookId
  /** URL of the receiver: https, with a public address, without user, password and fragment. The address is checked at each connection. A sandbox also takes http and private addresses. */
  url: string
  /** A note for people. */
  description: string | null
  /** Only events with these actions, such as `order.filled` or `instance.*`. Empty: all. */
  actions: string[]
  /** Only events about these kinds of resources, such as `instance`. Empty: all. */
  target_types: string[]
  /** Only events about these resources: their ids. Empty: all. */
  targets: string[]
  /** `per_target`: events about one resource are sent one after the other, the next only after success or the last attempt. `none`: in any order. */
  ordering: 'none' | 'per_target'
  /** Whether it sends events. */
  enabled: boolean
  /** `failing`: it is enabled, and the last attempts have all failed. */
  state: 'active' | 'failing' | 'disabled'
  /** Why it is disabled: its receiver responded with 410 (`gone`), all attempts failed for days, or a request did it. `null`: it is enabled. */
  disabled_reason: 'gone' | 'failures' | 'user' | null
  /** An event cursor without filters: every event up to it was delivered, does not match the filters, is a pending or failed delivery, or happened while the webhook was disabled or before it began. */
  cursor: string
  /** The replay that runs. `null`: none. */
  replay: WebhookReplay | null
  /** When an attempt last succeeded, in Unix seconds. `null`: none has. */
  last_success_at: number | null
  /** When an attempt last failed, in Unix seconds. `null`: none has. */
  last_failure_at: number | null
  /** When it was created, in Unix seconds. */
  created_at: number
  /** When it last changed, in Unix seconds. */
  updated_at: number
  /** `whsec_` and the base64 of 32 bytes, which sign deliveries. Shown here only. */
  secret: string
}

/** An address to which the server sends the events of the account. */
export type Webhook = {
  object: 'webhook'
  /** Webhook id. */
  id: WebhookId
  /** URL of the receiver: https, with a public address, without user, password and fragment. The address is checked at each connection. A sandbox also takes http and private addresses. */
  url: string
  /** A note for people. */
  description: string | null
  /** Only events with these actions, such as `order.filled` or `instance.*`. Empty: all. */
  actions: string[]
  /** Only events about these kinds of resources, such as `instance`. Empty: all. */
  target_types: string[]
  /** Only events about these resources: their ids. Empty: all. */
  targets: string[]
  /** `per_target`: events about one resource are sent one after the other, the next only after success or the last attempt. `none`: in any order. */
  ordering: 'none' | 'per_target'
  /** Whether it sends events. */
  enabled: boolean
  /** `failing`: it is enabled, and the last attempts have all failed. */
  state: 'active' | 'failing' | 'disabled'
  /** Why it is disabled: its receiver responded with 410 (`gone`), all attempts failed for days, or a request did it. `null`: it is enabled. */
  disabled_reason: 'gone' | 'failures' | 'user' | null
  /** An event cursor without filters: every event up to it was delivered, does not match the filters, is a pending or failed delivery, or happened while the webhook was disabled or before it began. */
  cursor: string
  /** The replay that runs. `null`: none. */
  replay: WebhookReplay | null
  /** When an attempt last succeeded, in Unix seconds. `null`: none has. */
  last_success_at: number | null
  /** When an attempt last failed, in Unix seconds. `null`: none has. */
  last_failure_at: number | null
  /** When it was created, in Unix seconds. */
  created_at: number
  /** When it last changed, in Unix seconds. */
  updated_at: number
}

/** One page of a list. */
export type WebhookPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Webhook[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** One attempt of a delivery. */
export type WebhookDeliveryAttempt = {
  /** When it was made, in Unix seconds. */
  at: number
  /** The HTTP status of the response. `null`: there was none. */
  status: number | null
  /** Why the attempt failed. `null`: only the status says why. Known values: address_not_allowed, dns_failed, connection_failed, tls_failed, timeout, invalid_answer, redirect. New ones may be added; clients must accept them. */
  error: 'address_not_allowed' | 'dns_failed' | 'connection_failed' | 'tls_failed' | 'timeout' | 'invalid_answer' | 'redirect' | OpenWord | null
  /** How long it took, in milliseconds. */
  duration_ms: number
}

/** A delivery that did not succeed at the first attempt, or was requested. Others leave no record. */
export type WebhookDelivery = {
  object: 'webhook_delivery'
  /** Webhook delivery id. */
  id: WebhookDeliveryId
  /** Webhook id. */
  webhook: WebhookId
  /** Id of the event. `null`: a test. */
  event: EventId | null
  /** Why it was made: for an event, by a replay, by a request to deliver again, or as a test. */
  origin: 'event' | 'replay' | 'redelivery' | 'test'
  /** `pending`: an attempt follows. `failed`: the last one has failed. */
  state: 'pending' | 'succeeded' | 'failed'
  /** The attempts so far, oldest first. */
  attempts: WebhookDeliveryAttempt[]
  /** When the next attempt is due, in Unix seconds. `null`: after the last one, and while it waits for an earlier delivery of its target. */
  next_attempt_at: number | null
  /** When it was created, in Unix seconds. */
  created_at: number
}

/** One page of a list. */
export type WebhookDeliveryPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: WebhookDelivery[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** A public key of the installation, which signs the deliveries of all webhooks. */
export type WebhookKey = {
  object: 'webhook_key'
  /** `whpk_` and the base64 of the 32 bytes of an Ed25519 key. */
  public_key: string
  /** Whether new deliveries are signed with it. */
  is_current: boolean
}

/** A list that is always complete. */
export type WebhookKeyList = {
  object: 'list'
  /** All rows, in the order of the list. */
  data: WebhookKey[]
  /** Always false: the list is complete. */
  has_more: boolean
}

/** The balance of an account. */
export type Balance = {
  object: 'balance'
  /** Amount that a new order may use: total minus held plus credit limit. */
  available_dollars: string
  /** All money of the account, including held money. */
  total_dollars: string
  /** Set aside for open buy orders. */
  held_dollars: string
  /** How far below zero the account may go. */
  credit_limit_dollars: string
  /** `account.balance_low` is emitted when the available amount falls to it. `null`: never. */
  low_at_dollars: string | null
  /** Whether the available amount has fallen to `low_at_dollars` and has not risen 10 % above it since. */
  is_low: boolean
  /** When it last changed, in Unix seconds. */
  updated_at: number
}

/** One movement of money, in the view of its account. Transactions are never changed or removed. */
export type Transaction = {
  object: 'transaction'
  /** Transaction id. */
  id: TransactionId
  /** A trade (`buy_fill`, `sell_fill`), or why the platform operator posted the amount. */
  type: 'buy_fill' | 'sell_fill' | 'credit_grant' | 'manual_payment' | 'refund' | 'adjustment'
  /** Amount that the account got. Negative: amount that it paid. */
  amount_dollars: string
  /** The total of the account right after it. */
  balance_after_dollars: string
  /** The fee of a sale, already subtracted from the amount. */
  fee_dollars: string
  /** The order that was filled. `null`: the platform operator posted it. */
  order: OrderId | null
  /** The fill. `null`: the platform operator posted it. */
  fill: FillId | null
  /** Workspace of the order. `null`: the platform operator posted it. */
  workspace: WorkspaceId | null
  /** Why the platform operator posted it. `null`: it is a trade. */
  description: string | null
  /** When it was created, in Unix seconds. */
  created_at: number
}

/** One page of a list. */
export type TransactionPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Transaction[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** Money that is held for one open buy order. */
export type Hold = {
  object: 'hold'
  /** Hold id. */
  id: HoldId
  /** The buy that it is for. */
  order: OrderId
  /** Workspace id. */
  workspace: WorkspaceId
  /** Limit price times open node-hours, rounded up. */
  amount_dollars: string
  /** When it was created, in Unix seconds. */
  created_at: number
}

/** One page of a list. */
export type HoldPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Hold[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** A credit or a credit limit that one platform operator has requested, and that another operator approves or refuses. */
export type PendingCredit = {
  object: 'pending_credit'
  /** Pending credit id. */
  id: PendingCreditId
  /** The account that gets the money or the credit limit. */
  account: string
  /** Whether it waits for a second platform operator, or how it ended. Known values: pending, approved, refused, expired. New ones may be added; clients must accept them. */
  state: 'pending' | 'approved' | 'refused' | 'expired' | OpenWord
  /** `credit_limit`: the credit limit of the account becomes the amount. All others: the amount is posted. Known values: credit_grant, manual_payment, refund, adjustment, credit_limit. New ones may be added; clients must accept them. */
  type: 'credit_grant' | 'manual_payment' | 'refund' | 'adjustment' | 'credit_limit' | OpenWord
  /** The amount to post, or the new limit. */
  amount_dollars: string
  /** With `credit_limit`: the limit at the request. It has to be the same at the approval. */
  limit_before_dollars: string | null
  /** Reason, shown to the second platform operator. The reason of a credit also appears in the statement of the account. */
  description: string
  /** Who requested it. */
  requested_by: Principal
  /** When it was requested, in Unix seconds. */
  requested_at: number
  /** Until then it can be approved: seven days after the request. */
  expires_at: number
  /** Who approved or refused it. `null`: nobody has. */
  decided_by: Principal | null
  /** When it was approved, refused or expired. */
  decided_at: number | null
  /** What was posted. `null` for a credit limit. */
  transaction: TransactionId | null
}

/** One page of a list. */
export type PendingCreditPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: PendingCredit[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** The usage of one period and group. */
export type Usage = {
  object: 'usage'
  /** Start of the hour, day or month, in Unix seconds. */
  period_start: number
  /** Its end, not included, in Unix seconds. */
  period_end: number
  /** What the rows are grouped by, and its value. `null`: the pool does not have the tag. */
  group: Record<string, string | null>
  /** Node-minutes that the pools own. */
  allocated_node_minutes: number
  /** Node-minutes in which instances were running or failed; never more than are allocated. */
  used_node_minutes: number
  /** Purchases that were filled in the period. */
  bought_dollars: string
  /** Proceeds of sales that were filled in the period, less their fees. */
  sold_dollars: string
  /** Cost of the node-minutes of the period that were kept. */
  effective_cost_dollars: string
}

/** One page of a list. */
export type UsagePage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Usage[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** Purchases and sales of an account, of one SKU in one workspace; both null: postings of the platform operator. */
export type StatementLine = {
  /** SKU id. `null`: postings of the platform operator. */
  sku: SkuId | null
  /** Workspace id. `null`: postings of the platform operator. */
  workspace: WorkspaceId | null
  /** What purchases cost. */
  purchases_dollars: string
  /** What sales brought, before fees. */
  sales_dollars: string
  /** What the fees of sales took. */
  fees_dollars: string
  /** The postings of the platform operator, signed. */
  credits_dollars: string
}

/** The money of an account in one month. */
export type Statement = {
  object: 'statement'
  /** A month of UTC, such as 2026-01. */
  month: string
  /** Beginning of the month in UTC, in Unix seconds. */
  period_start: number
  /** End of the month, not included, in Unix seconds. */
  period_end: number
  /** A month closes 48 hours after its end and never changes then. */
  state: 'open' | 'closed'
  /** The total at the beginning of the month. */
  opening_balance_dollars: string
  /** The opening balance less purchases and fees, plus sales and credits. */
  closing_balance_dollars: string
  /** What purchases cost. */
  purchases_dollars: string
  /** What sales brought, before fees. */
  sales_dollars: string
  /** What the fees of sales took. */
  fees_dollars: string
  /** The postings of the platform operator, signed. */
  credits_dollars: string
  /** The same sums by SKU and workspace. */
  lines: StatementLine[]
}

/** A limit on the spending of an account or a workspace in a period. */
export type Budget = {
  object: 'budget'
  /** Budget id. */
  id: BudgetId
  /** Name of the budget, for people. */
  name: string | null
  /** Workspace that it counts. `null`: the whole account. */
  workspace: WorkspaceId | null
  /** Period of the amount: a day or a month in UTC, or all time. */
  period: 'day' | 'month' | 'total'
  /** Amount of a period. */
  amount_dollars: string
  /** Rising percentages of the amount, such as 50, 80, 100. Reaching one emits `budget.threshold_reached`, once a period. */
  thresholds_percent: number[]
  /** What is compared with the thresholds. `actual`: the amount spent. `forecast`: the expected amount at the end of the period; not for `total`. */
  threshold_basis: 'actual' | 'forecast'
  /** The thresholds that were reached in this period. */
  reached_percent: number[]
  /** Refuse buys that would exceed the amount, and let automations stop buying. */
  hard_stop: boolean
  /** The fills of buys in the period. */
  spent_dollars: string
  /** Held for open buys. */
  held_dollars: string
  /** Spent, plus held, plus the pace of the last 24 hours until the end of the period; `total`: `null`. */
  forecast_dollars: string | null
  /** Start of the present period, in Unix seconds. `total`: `null`. */
  period_start: number | null
  /** Its end, not included, in Unix seconds. `total`: `null`. */
  period_end: number | null
  /** When it was created, in Unix seconds. */
  created_at: number
  /** When it last changed, in Unix seconds. */
  updated_at: number
}

/** One page of a list. */
export type BudgetPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Budget[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** A property of a SKU, with the text that people read. */
export type TextProperty = {
  /** The value itself, which requirements compare. */
  value: string
  /** The value as people read it. */
  display_value: string
}

/** A property of a SKU, with the text that people read. */
export type RdmaTypeProperty = {
  /** The value itself, which requirements compare. */
  value: 'infiniband' | 'roce' | OpenWord
  /** The value as people read it. */
  display_value: string
}

/** A property of a SKU, with the text that people read. */
export type RdmaRateProperty = {
  /** The value itself, which requirements compare. */
  value: number
  /** The value as people read it. */
  display_value: string
}

/** A property of a SKU, with the text that people read. */
export type AcceleratorCountProperty = {
  /** The value itself, which requirements compare. */
  value: number
  /** The value as people read it. */
  display_value: string
}

/** A property of a SKU, with the text that people read. */
export type VcpuCountProperty = {
  /** The value itself, which requirements compare. */
  value: number
  /** The value as people read it. */
  display_value: string
}

/** A property of a SKU, with the text that people read. */
export type ByteProperty = {
  /** The value itself, which requirements compare. */
  value: number
  /** The value as people read it. */
  display_value: string
}

/** A property of a SKU, with the text that people read. */
export type BooleanProperty = {
  /** The value itself, which requirements compare. */
  value: boolean
  /** The value as people read it. */
  display_value: string
}

/** What suppliers measured on the hosts of a SKU. Each supplier has one vote, however many hosts it has. */
export type SkuBenchmark = {
  /** Name of the figure. */
  name: string
  /** Unit of the figure. */
  unit: string
  /** The lowest of the lowest values of the suppliers. From three hosts of a supplier, and from three suppliers, the lowest quarter is left out. */
  lowest: string
  /** The median of the medians of the suppliers. */
  median: string
  /** How many hosts measured it within 90 days. */
  host_count: number
  /** The oldest of these measurements. */
  measured_at: number
}

/** A hardware offering of the market, with the properties that hold for the caller's account. */
export type Sku = {
  object: 'sku'
  /** SKU id. */
  id: SkuId
  /** A name for people, unique among SKUs that are not retired. Requests refer to SKUs by id. */
  alias: string
  region?: TextProperty
  availability_zone?: TextProperty
  accelerator?: TextProperty
  form_factor?: TextProperty
  rdma_type?: RdmaTypeProperty
  rdma_gigabits_per_second?: RdmaRateProperty
  /** Name of the InfiniBand fabric that the nodes are on. Only with `rdma_type` `infiniband`. */
  infiniband_fabric?: string
  num_accelerators?: AcceleratorCountProperty
  num_vcpus?: VcpuCountProperty
  memory_bytes?: ByteProperty
  local_storage_bytes?: ByteProperty
  supports_public_ipv4?: BooleanProperty
  /** Hosts of this SKU need not have its hardware: for development. */
  simulated?: boolean
  /** Let only the platform operator supply hosts of the SKU, and no partner. */
  operator_hosts_only?: boolean
  /** Benchmark figures that suppliers of hosts measured. Absent: nobody did. */
  benchmarks?: SkuBenchmark[]
  /** Prices are multiples of this step. Absent: the step is 0.000001. */
  price_step_dollars_per_node_hour?: string
  /** When it was retired, in Unix seconds. Absent: it is not. */
  deleted_at?: number
}

/** One page of a list. */
export type SkuPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Sku[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** One allowed value of an enumerated property. */
export type SkuPropertyValue = {
  object: 'sku_property'
  /** The property, or the value as SKUs have it. */
  name: string
  /** The same as people read it. */
  display_name: string
  /** What it means. */
  description: string
  /** A page that explains it. `null`: none. */
  documentation_link: string | null
  /** Since when it is outdated, in Unix seconds. `null`: it is not. */
  deprecated_at: number | null
  /** What to use instead. `null`: not said. */
  deprecation_info: string | null
}

/** The meaning and the allowed values of a property. */
export type SkuProperty = {
  object: 'sku_property'
  /** The property, or the value as SKUs have it. */
  name: string
  /** The same as people read it. */
  display_name: string
  /** What it means. */
  description: string
  /** A page that explains it. `null`: none. */
  documentation_link: string | null
  /** Since when it is outdated, in Unix seconds. `null`: it is not. */
  deprecated_at: number | null
  /** What to use instead. `null`: not said. */
  deprecation_info: string | null
  /** What values it has. */
  type: 'enumeration' | 'integer' | 'boolean'
  /** The values of an enumeration. Absent for other types. */
  values?: SkuPropertyValue[]
}

/** A list that is always complete. */
export type SkuPropertyList = {
  object: 'list'
  /** All rows, in the order of the list. */
  data: SkuProperty[]
  /** Always false: the list is complete. */
  has_more: boolean
}

/** The nodes that a pool owns over time. */
export type AllocationSchedule = {
  /** Nodes of all SKUs together: ascending, without overlap, zero where there is no entry. */
  total: ScheduleEntry[]
  /** Nodes over time by SKU id. */
  by_sku: Record<string, ScheduleEntry[]>
}

/** A procurement of a pool. */
export type ProcurementSummary = {
  object: 'procurement'
  /** Procurement id. */
  id: ProcurementId
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  /** Resource path, `svc:procurement:…`. */
  resource_path: string
}

/** The deployment that manages a resource. It stays here after the deployment is deleted. */
export type DeploymentSummary = {
  /** `deployment`: it uses what its pool has. `spot_deployment`: it also buys and sells nodes. */
  object: 'deployment' | 'spot_deployment'
  /** Deployment id. */
  id: DeploymentId
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  /** Resource path, `svc:deployment:…`. */
  resource_path: string
}

/** A container of allocation: the number of nodes of each SKU that a workspace owns over time. */
export type Pool = {
  object: 'pool'
  /** Pool id. */
  id: PoolId
  /** Resource path, `svc:pool:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  /** `market`: it buys and sells. `originating`: it gets the nodes of hosts, and only sells. `read_only`: the platform operator granted its nodes, and it does not trade. */
  kind: 'market' | 'originating' | 'read_only'
  allocation_schedule: AllocationSchedule
  /** The procurements that keep it at a number of nodes. */
  procurements: ProcurementSummary[]
  /** The deployments whose instances use it. */
  deployments: DeploymentSummary[]
  /** Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a comma or an equals sign. */
  tags: Record<string, string> | null
  /** When it was created, in Unix seconds. */
  created_at: number
}

/** One page of a list. */
export type PoolPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Pool[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** A halt of the whole market, or of one SKU. */
export type OneHalt = {
  /** The SKU that is halted. `null`: the whole market. */
  sku: SkuId | null
  /** The message of the platform operator about the halt. `null`: nothing. */
  message: string | null
  /** When it was halted, in Unix seconds. `null`: not recorded. */
  halted_at: number | null
  /** Who halted it. `null`: not recorded. */
  halted_by: Principal | null
}

/** Whether the market, or one SKU of it, accepts orders. */
export type MarketHalt = {
  object: 'market_halt'
  /** Whether the whole market, some SKUs or nothing is halted. */
  halted: 'all' | 'some' | 'none'
  /** The SKUs that are halted on their own. */
  skus: SkuId[]
  /** The message of the platform operator about the halt. `null`: nothing. */
  message: string | null
  /** Each halt, the halt of the whole market first. */
  halts: OneHalt[]
}

/** A planned maintenance of SKUs. Order estimates show it. */
export type MaintenanceWindow = {
  object: 'maintenance_window'
  /** Maintenance window id. */
  id: MaintenanceWindowId
  /** When it begins, in Unix seconds, a multiple of 60. */
  start_at: number
  /** When it ends, in Unix seconds, a multiple of 60. */
  end_at: number
  /** How severe the maintenance is. */
  maintenance_type: 'info' | 'degraded_performance' | 'unavailable'
  /** Title, for customers. */
  title: string
  /** What happens, for customers. */
  description: string
  /** What customers should do. `null`: nothing. */
  action_message: string | null
  /** SKUs that it affects. Empty: all. */
  sku: SkuId[]
  /** When it was created, in Unix seconds. */
  created_at: number
}

/** One page of a list. */
export type MaintenanceWindowPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: MaintenanceWindow[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** The SKU of a resource. */
export type SkuSummary = {
  object: 'sku'
  /** SKU id. */
  id: SkuId
  /** Its name for people, such as `h100-west`. */
  alias: string
  /** Only if hosts of the SKU need not have its hardware. */
  simulated?: boolean
}

/** Allocation moved between two pools of one account. */
export type PoolTransfer = {
  object: 'pool_transfer'
  /** Pool transfer id. */
  id: PoolTransferId
  /** This server executes it before it responds: `executed`. Known values: pending, executed, rejected. New ones may be added; clients must accept them. */
  state: 'pending' | 'executed' | 'rejected' | OpenWord
  /** Pool that gave the nodes. */
  from_pool: PoolId
  /** Pool that got them. */
  to_pool: PoolId
  sku: SkuSummary
  /** Nodes that were moved: ascending, without overlap, zero where there is no entry. */
  allocation_schedule_delta: ScheduleEntry[]
  /** Why it could not be executed. `null`: it was. */
  rejected_reason: string | null
  /** When it was created, in Unix seconds. */
  created_at: number
  /** Who requested it. */
  created_by: Principal
  /** When it was executed, in Unix seconds. `null`: it was not. */
  executed_at: number | null
}

/** One page of a list. */
export type PoolTransferPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: PoolTransfer[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** The pool of a resource. */
export type PoolSummary = {
  object: 'pool'
  /** Pool id. */
  id: PoolId
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  /** Resource path, `svc:pool:…`. */
  resource_path: string
}

/** The window and the nodes that an order asks for, including filled nodes. */
export type OrderTotal = {
  /** First minute of the window, in Unix seconds. */
  start_at: number
  /** End of the window, not included, in Unix seconds. */
  end_at: number
  /** Number of nodes. */
  node_count: number
}

/** One trade of an order. */
export type Fill = {
  object: 'fill'
  /** Fill id. */
  id: FillId
  /** When they traded, in Unix seconds. */
  filled_at: number
  /** Nodes that were traded: ascending, without overlap, zero where there is no entry. */
  allocation_schedule_delta: ScheduleEntry[]
  /** Price of the trade: the limit of the older order. */
  price_dollars_per_node_hour: string
  /** Value of the trade: price times node-hours, rounded down. */
  total_dollars: string
  /** Fee that the seller pays out of the value. Zero for a buy. */
  fee_dollars: string
}

/** The procurement or spot deployment that placed an order. It stays after their deletion. */
export type OrderManager = {
  /** What kind of automation it is. */
  object: 'procurement' | 'spot_deployment'
  /** Id of the procurement or deployment. */
  id: string
  /** Its name. */
  name: string
  /** Its resource path. */
  resource_path: string
}

/** An order to buy or sell node-hours of one SKU over one window. */
export type Order = {
  object: 'order'
  /** Order id. */
  id: OrderId
  workspace: WorkspaceSummary
  /** The pool that it buys for or sells from. `null`: it is deleted. */
  pool: PoolSummary | null
  sku: SkuSummary
  /** Whether the order buys or sells. */
  side: 'buy' | 'sell'
  /** State of the order. Known values: pending, standing, partially_filled, filled, cancelled, rejected. New ones may be added; clients must accept them. */
  state: 'pending' | 'standing' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected' | OpenWord
  /** Whether the part that is not filled at once waits on the order book. */
  allow_standing: boolean
  /** Whether the order may be filled in part. */
  allow_partial: boolean
  /** Nodes that the order asks for: ascending, without overlap, zero where there is no entry. */
  allocation_schedule_delta: ScheduleEntry[]
  /** Nodes that were filled so far: ascending, without overlap, zero where there is no entry. */
  filled_allocation_schedule_delta: ScheduleEntry[]
  /** Nodes that it asks for plus nodes that the orders which it amends had filled. */
  total: OrderTotal
  /** Nodes that the orders which it amends had filled: ascending, without overlap, zero where there is no entry. */
  filled_before_allocation_schedule_delta: ScheduleEntry[]
  /** Highest price of a buy, lowest of a sell. */
  limit_price_dollars_per_node_hour: string
  /** Average price of the filled part, rounded half up. `null`: nothing was filled. */
  filled_average_price_dollars_per_node_hour: string | null
  /** Money set aside for the open part of a buy. Zero for a sell. */
  held_dollars: string
  /** The newest 100 fills. */
  fills: Fill[]
  /** The order that it amends. `null`: none. */
  amends: OrderId | null
  /** The order that amends it. `null`: none. */
  amended_by: OrderId | null
  /** The automation that placed it. `null`: a request did. */
  managed_by: OrderManager | null
  /** Who placed it. */
  created_by: Principal
  /** When it was created, in Unix seconds. */
  created_at: number
  /** When it was filled completely, in Unix seconds. `null`: it is not. */
  filled_at: number | null
  /** When it was cancelled, in Unix seconds. `null`: it is not. */
  cancelled_at: number | null
  /** Why it was cancelled. `null`: it is not. Known values: user, amended, unfilled, expired, automation, deployment_deleted, sku_retired, account_frozen. New ones may be added; clients must accept them. */
  cancel_reason: 'user' | 'amended' | 'unfilled' | 'expired' | 'automation' | 'deployment_deleted' | 'sku_retired' | 'account_frozen' | OpenWord | null
  /** Why it could not be processed. `null`: it could. */
  rejected_reason: string | null
}

/** One page of a list. */
export type OrderPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Order[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** One page of a list. */
export type FillPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Fill[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** One reason why an order is in its state. */
export type OrderExplanationReason = {
  /** Why, as a word. Known values: no_opposite_orders, price_gap, not_enough_nodes, window_not_covered, blocked_by_all_or_nothing, own_orders_skipped, queued_behind, pending, market_halted, filled, cancelled, rejected. New ones may be added; clients must accept them. */
  code: 'no_opposite_orders' | 'price_gap' | 'not_enough_nodes' | 'window_not_covered' | 'blocked_by_all_or_nothing' | 'own_orders_skipped' | 'queued_behind' | 'pending' | 'market_halted' | 'filled' | 'cancelled' | 'rejected' | OpenWord
  /** Why, for people. */
  message: string
}

/** The best price of the other side beyond the limit. */
export type NearestLevel = {
  /** The best price of the other side. */
  price_dollars_per_node_hour: string
  /** How far it is from the limit of the order. */
  gap_dollars_per_node_hour: string
  /** Nodes at that price: ascending, without overlap, zero where there is no entry. */
  allocation_schedule_delta: ScheduleEntry[]
}

/** The orders of the same side that come first, by price or by age. */
export type OrdersAhead = {
  /** How many orders. */
  order_count: number
  /** Their node-minutes. */
  node_minutes: number
}

/** Why an order is not filled, or what ended it. It shows no other participant. */
export type OrderExplanation = {
  object: 'order_explanation'
  /** Order id. */
  order: OrderId
  /** Known values: pending, standing, partially_filled, filled, cancelled, rejected. New ones may be added; clients must accept them. */
  state: 'pending' | 'standing' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected' | OpenWord
  /** The time of the explanation, in Unix seconds. */
  as_of: number
  /** The first reason, for people. */
  summary: string
  /** All reasons that apply, the most important first. */
  reasons: OrderExplanationReason[]
  nearest: NearestLevel | null
  /** Node-minutes of the open part that the book offers at the limit now. */
  fillable_node_minutes: number
  /** Node-minutes that can still be filled. Zero for an order that has ended. */
  open_node_minutes: number
  ahead: OrdersAhead
}

/** A window that an order of the same length could have now, at any price. */
export type NearestWindow = {
  /** SKU id. */
  sku: SkuId
  /** First minute of the window, in Unix seconds. */
  start_at: number
  /** End of the window, not included, in Unix seconds. */
  end_at: number
  /** Number of nodes. */
  node_count: number
}

/** The window of the order. */
export type EstimatedWindow = {
  /** First minute of the window, in Unix seconds. */
  start_at: number
  /** End of the window, not included, in Unix seconds. */
  end_at: number
  /** Number of nodes. */
  node_count: number
}

/** A body for `create_order`, to which only the pool may have to be added. */
export type EstimatedOrderBody = {
  /** Pool id. `null`: the estimate has none. */
  pool: PoolId | null
  /** Whether the order buys or sells. */
  side: 'buy' | 'sell'
  /** SKU id. */
  sku: SkuId
  /** The window of the order. */
  allocation_schedule_delta: EstimatedWindow[]
  /** The limit, or the worst price that it trades at. */
  limit_price_dollars_per_node_hour: string
  /** As in the request. */
  allow_standing: boolean
  /** As in the request. */
  allow_partial: boolean
}

/** What one price level of the order book contributes to an estimate. */
export type EstimatedOffer = {
  /** The price of the level. */
  price_dollars_per_node_hour: string
  /** Nodes that trade at that price: ascending, without overlap, zero where there is no entry. */
  allocation_schedule_delta: ScheduleEntry[]
  /** Node-minutes that trade at that price. */
  node_minutes: number
  /** Their value. */
  total_dollars: string
}

/** The fee of a sale, and its terms. */
export type EstimatedFee = {
  /** The part for each node-hour. */
  flat_dollars_per_node_hour: string
  /** The part of the value, in basis points. */
  percentage_bps: number
  /** The fee of what is traded at once. Zero for a buy. */
  total_dollars: string
}

/** Why an order would be refused now. Without a pool it is not known. */
export type EstimatedRefusal = {
  /** The code of the error that placing the order would give. */
  code: string
  /** The same as a sentence for people. */
  message: string
}

/** The announcement of the platform operator for a future window. */
export type MaintenanceNotice = {
  type: 'maintenance_window'
  /** When it begins, in Unix seconds, a multiple of 60. */
  start_at: number
  /** When it ends, in Unix seconds, a multiple of 60. */
  end_at: number
  /** How severe the maintenance is. */
  maintenance_type: 'info' | 'degraded_performance' | 'unavailable'
  /** Title, for customers. */
  title: string
  /** What happens, for customers. */
  description: string
  /** What customers should do. `null`: nothing. */
  action_message: string | null
}

/** The present cost or revenue of an order. The fields of a quote are present if `type` is `quoted`. */
export type OrderEstimate = {
  object: 'order_estimate'
  /** Whether it has a price, or a reason why there is none. */
  type: 'quoted' | 'unavailable'
  /** Why there is no price. Present if `type` is `unavailable`. */
  reason?: 'no_matching_skus' | 'no_availability' | 'no_offer_at_price'
  /** The reason for people. Present if `type` is `unavailable`. */
  message?: string
  /** How many nodes an order for the same window could have now, at any price. */
  free_node_count?: number
  /** The nearest windows of the same length that have all nodes now, by start, up to 14 days later. */
  nearest_windows?: NearestWindow[]
  post_order_body?: EstimatedOrderBody
  /** Present and true if hosts of the SKU need not have its hardware. */
  simulated?: boolean
  /** What the order asks for. */
  node_minutes?: number
  /** What it trades at once. */
  traded_node_minutes?: number
  /** The price levels that it trades with, best first; the best 100 of them. */
  offers?: EstimatedOffer[]
  /** How many price levels it trades with. */
  offer_count?: number
  /** The value of what it trades at once. */
  total_dollars?: string
  /** Average price of what it trades at once. `null`: it only rests. */
  average_price_dollars_per_node_hour?: string | null
  /** The most that a buy can cost, which it holds while it is placed. Zero for a sell. */
  worst_case_dollars?: string
  fee: EstimatedFee | null
  /** What the account can spend now. `null`: the permission `billing:read` is missing. */
  available_dollars?: string | null
  /** The available dollars after the trade and the hold of the resting part. `null` like `available_dollars`. */
  available_after_dollars?: string | null
  /** Why the order would be refused now. `null`: it would not be, or that is not known. */
  refusal?: EstimatedRefusal | null
  /** Maintenance that the platform operator has announced for the window. */
  notices: MaintenanceNotice[]
  /** The time of the estimate, in Unix seconds. */
  as_of: number
}

/** Whether the market, or one SKU of it, is halted. */
export type OrderbookStatus = {
  object: 'orderbook_status'
  /** SKU of the request. `null`: none. */
  sku: SkuId | null
  /** Whether new orders are refused. */
  halted: boolean
  /** Whether the whole market is halted or this SKU. `null`: neither is. */
  scope: 'market' | 'sku' | null
  /** The message of the platform operator about the halt. */
  message: string | null
  /** Since when it is halted, in Unix seconds. `null`: it is not halted, or the time is not known. */
  halted_at: number | null
}

/** All unfilled nodes at one price, summed over orders. */
export type PriceLevel = {
  /** SKU id. */
  sku: SkuId
  /** The price. */
  price_dollars_per_node_hour: string
  /** Nodes at that price: ascending, without overlap, zero where there is no entry. */
  allocation_schedule_delta: ScheduleEntry[]
}

/** A delivery window that holds resting orders. */
export type OrderbookWindow = {
  /** SKU id. */
  sku: SkuId
  /** First minute of the window, in Unix seconds. */
  start_at: number
  /** End of the window, not included, in Unix seconds. */
  end_at: number
  /** Length of the window. */
  duration_minutes: number
  /** How many buys have an unfilled node-minute in it. */
  total_bid_order_count: number
  /** How many sells have an unfilled node-minute in it. */
  total_ask_order_count: number
  /** The highest price that a buy offers. `null`: there is none. */
  best_bid: PriceLevel | null
  /** The lowest price that a sell asks. `null`: there is none. */
  best_ask: PriceLevel | null
}

/** The best prices of a window. */
export type OrderbookQuote = {
  object: 'orderbook_quote'
  /** As in the request. `null`: every SKU. */
  requirements: string | null
  /** First minute of the window, in Unix seconds. */
  start_at: number
  /** End of the window, not included, in Unix seconds. */
  end_at: number
  /** When it was read, in Unix seconds. */
  requested_at: number
  /** The highest price that a buy offers. `null`: there is none. */
  best_bid: PriceLevel | null
  /** The lowest price that a sell asks. `null`: there is none. */
  best_ask: PriceLevel | null
}

/** The prices of both sides of a window, and the nodes at each. */
export type OrderbookDepth = {
  object: 'orderbook_depth'
  /** As in the request. `null`: every SKU. */
  requirements: string | null
  /** First minute of the window, in Unix seconds. */
  start_at: number
  /** End of the window, not included, in Unix seconds. */
  end_at: number
  /** When it was read, in Unix seconds. */
  requested_at: number
  /** Price levels of buys, highest price first. */
  bids: PriceLevel[]
  /** Price levels of sells, lowest price first. */
  asks: PriceLevel[]
}

/** One trade, without its parties. */
export type OrderbookFill = {
  /** SKU id. */
  sku: SkuId
  /** Price of the trade. */
  price_dollars_per_node_hour: string
  /** Nodes that were traded: ascending, without overlap, zero where there is no entry. */
  allocation_schedule_delta: ScheduleEntry[]
  /** Side of the later of the two orders. It traded at the price of the resting order. */
  taker_side: 'buy' | 'sell'
  /** When they traded, in Unix seconds. */
  filled_at: number
}

/** The trades of one SKU in one bucket of time. */
export type PriceBucket = {
  object: 'price_bucket'
  /** SKU id. */
  sku: SkuId
  /** Start of the row, in Unix seconds. */
  start_at: number
  /** Its end, not included, in Unix seconds. */
  end_at: number
  /** Price of the first trade. */
  first_price_dollars_per_node_hour: string
  /** Price of the last trade. */
  last_price_dollars_per_node_hour: string
  /** Lowest price of a trade. */
  low_price_dollars_per_node_hour: string
  /** Highest price of a trade. */
  high_price_dollars_per_node_hour: string
  /** Average price, weighted by node-minutes and rounded half up. */
  vwap_price_dollars_per_node_hour: string
  /** Node-minutes that were traded. */
  node_minutes: number
  /** Value of the trades. */
  total_dollars: string
  /** How many trades. */
  fill_count: number
}

/** One page of a list. */
export type PriceBucketPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: PriceBucket[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** What nodes cost in one delivery window. */
export type OrderbookCurvePoint = {
  /** First minute of the window, in Unix seconds. */
  start_at: number
  /** End of the window, not included, in Unix seconds. */
  end_at: number
  /** Average price that an order for all nodes would pay now, rounded half up. `null`: not all nodes are offered. */
  average_price_dollars_per_node_hour: string | null
  /** The lowest limit price at which an order for all nodes would be filled now. */
  limit_price_dollars_per_node_hour: string | null
  /** The best bid in any minute of the window. */
  best_bid_dollars_per_node_hour: string | null
  /** The best offer in any minute of the window. */
  best_ask_dollars_per_node_hour: string | null
  /** How many nodes other accounts offer in every minute of the window, at any price. */
  offered_node_count: number
}

/** What nodes of a SKU cost in windows of one length. */
export type OrderbookCurve = {
  object: 'orderbook_curve'
  /** SKU id. */
  sku: SkuId
  /** Start of the first window, in Unix seconds. */
  from: number
  /** No window starts at or after it, in Unix seconds. */
  to: number
  /** From the start of a window to the next one. */
  step_minutes: number
  /** Length of each window. */
  length_minutes: number
  /** Number of nodes of the order. */
  node_count: number
  /** When it was read, in Unix seconds. */
  requested_at: number
  /** The windows, one after the other. */
  points: OrderbookCurvePoint[]
}

/** A cell of the heat map: one SKU in one window. */
export type OrderbookHeatmapCell = {
  /** First minute of the window, in Unix seconds. */
  start_at: number
  /** End of the window, not included, in Unix seconds. */
  end_at: number
  /** The best offer in any minute of the window. */
  best_ask_dollars_per_node_hour: string | null
  /** How many nodes other accounts offer in every minute of the window, at any price. */
  offered_node_count: number
  /** Price of the newest trade that overlaps the cell, out of the last 500 trades of the SKU in 30 days. */
  last_price_dollars_per_node_hour: string | null
}

/** One SKU of the heat map. */
export type OrderbookHeatmapRow = {
  sku: SkuSummary
  /** Its windows, one after the other. */
  cells: OrderbookHeatmapCell[]
}

/** Best offers, offered nodes and last prices of several SKUs over time. */
export type OrderbookHeatmap = {
  object: 'orderbook_heatmap'
  /** Start of the first window, in Unix seconds. */
  from: number
  /** No window starts at or after it, in Unix seconds. */
  to: number
  /** From the start of a window to the next one. */
  step_minutes: number
  /** When it was read, in Unix seconds. */
  requested_at: number
  /** The SKUs, by id. */
  rows: OrderbookHeatmapRow[]
  /** Whether more SKUs fit. */
  has_more: boolean
}

/** One SKU of the board. */
export type OrderbookBoardRow = {
  sku: Sku
  /** Whether new orders for it are refused. */
  halted: boolean
  /** The best bid in any of the next 60 minutes. */
  best_bid_dollars_per_node_hour: string | null
  /** The best offer in any of the next 60 minutes. */
  best_ask_dollars_per_node_hour: string | null
  /** The best offer less the best bid. `null`: one of them is missing. */
  spread_dollars_per_node_hour: string | null
  /** Price of the newest trade of the last seven days. */
  last_price_dollars_per_node_hour: string | null
  /**
   * Change of the last price in hundredths of a percent, against the last trade that is in an hour which
   * ended at least 24 hours ago. `null`: there was no trade in one of the six days before, or none since.
   */
  change_bps: number | null
  /** How many nodes other accounts offer in every minute of the rest of the current hour, at any price. */
  free_node_count: number
  /** Average price of the trades of each past hour and of the current one, oldest first, by volume. */
  traded_dollars_per_node_hour: (string | null)[]
  /** The best offer for delivery in the current hour and each one after it: the forward curve. */
  asked_dollars_per_node_hour: (string | null)[]
  /** How many nodes other accounts offer in every minute of these hours, at any price. */
  offered_node_counts: number[]
}

/** Prices, past and ahead, and free nodes of several SKUs. */
export type OrderbookBoard = {
  object: 'orderbook_board'
  /** Start of the first past hour, in Unix seconds. */
  from: number
  /** Start of the current hour, in Unix seconds. */
  current_hour_at: number
  /** End of the last hour ahead, in Unix seconds. */
  to: number
  /** How many hours before the current one are shown, and how many from it on. */
  hours: number
  /** When it was read, in Unix seconds. */
  requested_at: number
  /** The SKUs, in the order of `list_skus`. */
  rows: OrderbookBoardRow[]
  /** Whether more SKUs fit. */
  has_more: boolean
}

/** Nodes in resting sell orders over time, without the caller's own. */
export type SkuAvailability = {
  object: 'sku_availability'
  sku: SkuSummary
  /** Nodes that others offer: ascending, without overlap, zero where there is no entry. */
  schedule: ScheduleEntry[]
}

/** One page of a list. */
export type SkuAvailabilityPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: SkuAvailability[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** A disk image that instances start from. */
export type Image = {
  object: 'image'
  /** Image id. */
  id: ImageId
  /** Resource path, `svc:image:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  /** Whether every account can use it. */
  is_public: boolean
  /** Whether instances can start from it. Known values: started, uploading, verifying, completed, revoked, failed. New ones may be added; clients must accept them. */
  state: 'started' | 'uploading' | 'verifying' | 'completed' | 'revoked' | 'failed' | OpenWord
  /** Why the image has failed. `null` in other states. Known values: upload_expired, digest_mismatch. New ones may be added; clients must accept them. */
  failure_reason: 'upload_expired' | 'digest_mismatch' | OpenWord | null
  /** SHA-256 of the whole image, in hexadecimal digits. `null`: the upload is not complete. */
  sha256: string | null
  /** Size of the file in bytes. `null`: the upload is not complete. */
  size_bytes: number | null
  /** How hosts read it. `null` until the image is complete, or if not known. Known values: qcow2, raw. New ones may be added; clients must accept them. */
  format: 'qcow2' | 'raw' | OpenWord | null
  /** Size of the disk that an instance sees, if it is known. */
  virtual_size_bytes: number | null
  /** When it was marked as outdated, in Unix seconds. `null`: it is not. */
  deprecated_at: number | null
  /** Message for people, such as what to use instead. */
  deprecation_message: string | null
  /** When it was revoked, in Unix seconds. `null`: it is not. */
  revoked_at: number | null
  /** When it was created, in Unix seconds. */
  created_at: number
}

/** The upload URL of a part. */
export type ImagePartUrl = {
  object: 'image_part_url'
  /** Number of the part: 1, 2, 3 and so on, without gaps. */
  part_id: number
  /** Signed URL. It needs no token: anyone who has it can use it. */
  url: string
  /** When the URL expires, in Unix seconds. */
  expires_at: number
}

/** An uploaded part. */
export type ImagePart = {
  object: 'image_part'
  /** Number of the part: 1, 2, 3 and so on, without gaps. */
  part_id: number
  /** Size of the part in bytes. */
  size_bytes: number
  /** MD5 of the part in hexadecimal digits, between double quotes. */
  etag: string
  /** When it was uploaded, in Unix seconds. */
  uploaded_at: number
}

/** A list that is always complete. */
export type ImagePartList = {
  object: 'list'
  /** All rows, in the order of the list. */
  data: ImagePart[]
  /** Always false: the list is complete. */
  has_more: boolean
}

/** The download URL of an image. */
export type ImageDownload = {
  object: 'image_download'
  /** Signed URL. It needs no token: anyone who has it can use it. */
  url: string
  /** When the URL expires, in Unix seconds. */
  expires_at: number
  /** SHA-256 of the whole image, in lower-case hexadecimal digits. */
  sha256: string
  /** Size of the file in bytes. */
  size_bytes: number
}

/** One page of a list. */
export type ImagePage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Image[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** One rule, which allows inbound traffic. */
export type FirewallRule = {
  /** Protocol that it allows. */
  protocol: 'tcp' | 'udp' | 'icmp' | 'all'
  /** First port that it opens. Required with `tcp` and `udp`, refused with `icmp` and `all`. */
  port_from?: number
  /** Last port that it opens. Default: the first one. */
  port_to?: number
  /** IPv4 network from which traffic may come, without host bits. 0.0.0.0/0: from everywhere. */
  source_cidr: string
  /** A note for people. */
  description?: string
}

/** The filter of inbound traffic to the public address of instances. Traffic that no rule allows is dropped. */
export type Firewall = {
  object: 'firewall'
  /** Firewall id. */
  id: FirewallId
  /** Resource path, `svc:firewall:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  /** Whether it is the default firewall of the workspace, which instances with a public address get unless they name another. */
  is_default: boolean
  /** The rules for inbound traffic. Traffic that no rule allows is dropped. */
  rules: FirewallRule[]
  /** Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a comma or an equals sign. */
  tags: Record<string, string> | null
  /** When it was created, in Unix seconds. */
  created_at: number
  /** When it last changed, in Unix seconds. */
  updated_at: number
}

/** One page of a list. */
export type FirewallPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Firewall[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** A private network of one workspace in one region: its instances reach only each other. */
export type Subnet = {
  object: 'subnet'
  /** Subnet id. */
  id: SubnetId
  /** Resource path, `svc:subnet:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  /** Region of the SKUs whose instances may use it, such as `us-west`. */
  region: string
  /** Its IPv4 network. */
  cidr: string
  /** How many addresses are free for instances. */
  available_addresses: number
  /** Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a comma or an equals sign. */
  tags: Record<string, string> | null
  /** When it was created, in Unix seconds. */
  created_at: number
  /** When it last changed, in Unix seconds. */
  updated_at: number
}

/** One page of a list. */
export type SubnetPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Subnet[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** An isolated group of instances on one InfiniBand fabric. */
export type InfinibandPartition = {
  object: 'infiniband_partition'
  /** InfiniBand partition id. */
  id: InfinibandPartitionId
  /** Resource path, `svc:infiniband_partition:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  /** Fabric of the SKUs whose instances may use it. */
  infiniband_fabric: string
  /** Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a comma or an equals sign. */
  tags: Record<string, string> | null
  /** When it was created, in Unix seconds. */
  created_at: number
  /** When it last changed, in Unix seconds. */
  updated_at: number
}

/** One page of a list. */
export type InfinibandPartitionPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: InfinibandPartition[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** The image of an instance or template. It stays here after the image is deleted. */
export type ImageSummary = {
  object: 'image'
  /** Image id. */
  id: ImageId
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  /** Resource path, `svc:image:…`. */
  resource_path: string
}

/** The settings that a deployment starts its instances with. Templates are immutable: create a new one instead. */
export type InstanceTemplate = {
  object: 'instance_template'
  /** Instance template id. */
  id: InstanceTemplateId
  /** Resource path, `svc:instance_template:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  image: ImageSummary
  /** Whether it has user data. A separate operation reads the data. */
  cloud_init_user_data_used: boolean
  /** SSH keys of its instances, as they were named. Instances get the keys that still exist. */
  ssh_keys: SshKeyId[]
  /** Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a comma or an equals sign. */
  tags: Record<string, string> | null
  /** When allocation falls, instances of lower levels end first. */
  priority_level: 'yield' | 'normal' | 'preferred' | 'critical'
  /** Whether instances get a public address. */
  _preview_enable_public_ipv4: boolean
  /** Firewall of the public address. `null`: the default firewall of the workspace. */
  _preview_firewall: FirewallId | null
  /** Subnet id. `null`: an isolated subnet for each instance. */
  subnet: SubnetId | null
  /** InfiniBand partition id. `null`: none. */
  _preview_infiniband_partition: InfinibandPartitionId | null
  /** When it was created, in Unix seconds. */
  created_at: number
}

/** One page of a list. */
export type InstanceTemplatePage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: InstanceTemplate[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** The cloud-init user data of an instance or template. */
export type CloudInitUserData = {
  object: 'cloud_init_user_data'
  /** User data for cloud-init, at most 65,536 bytes. Sent in base64. */
  cloud_init_user_data: string
}

/** An SSH key that the platform gives to an instance. */
export type InstanceSshKey = {
  /** Ssh key id. */
  id: SshKeyId
  /** Name of the key, when the instance was created. */
  name: string
  /** SHA-256 of the key, as `ssh-keygen -l` prints it. */
  fingerprint: string
  /** `waiting`: the instance does not have it yet. `present`: it opens the instance. `removing`: it is deleted, and the host removes it. `left`: it is deleted, and still opens the instance, which does not run the QEMU guest agent. Later versions may add values; clients must accept them. */
  state: 'waiting' | 'present' | 'removing' | 'left' | OpenWord
}

/** One GPU of an instance. */
export type InstanceAccelerator = {
  /** Kind of GPU, such as `h100`. */
  kind: string
  /** The PCI address on its host. */
  pci: string
}

/** What an instance runs on, from the facts of its host. */
export type InstanceHardware = {
  /** Equal for instances of the account that share a host. It identifies no host. */
  host: string
  /** Its GPUs. */
  accelerators: InstanceAccelerator[]
  /** The NUMA nodes of its GPUs. */
  numa: number[]
  /** The PCI addresses of its InfiniBand adapters on its host. */
  rdma?: string[]
  /** The PCI addresses of the NVSwitches between its GPUs on its host. Absent: none. */
  nvswitches?: string[]
  /** When its host last reported its hardware, in Unix seconds. */
  verified_at: number
}

/** A virtual machine of a customer, from its creation until its record is removed. */
export type Instance = {
  object: 'instance'
  /** Instance id. */
  id: InstanceId
  /** Resource path, `svc:instance:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  /** Whether it waits, runs or has ended. Later versions may add values; clients must accept them. */
  state: 'awaiting_allocation' | 'running' | 'failed' | 'terminated' | OpenWord
  sku: SkuSummary
  image: ImageSummary
  /** The pool whose allocation it uses. `null`: the pool is deleted. */
  pool: PoolSummary | null
  managed_by?: DeploymentSummary
  /** When it was created, in Unix seconds. */
  created_at: number
  /** When the record last changed, in Unix seconds. */
  _preview_updated_at: number
  /** Whether user data was given. A separate operation reads the data. */
  cloud_init_user_data_used: boolean
  /** The SSH keys that the platform puts into it, and deleted ones that it still has. Absent: none. */
  ssh_keys?: InstanceSshKey[]
  /** Subnet id. `null`: an isolated subnet of its own. */
  subnet: SubnetId | null
  /** IPv4 address within the subnet. Absent: it has none. */
  private_ip?: string
  /** Whether it gets a public address. Without a public address only SSH (TCP port 22) reaches it. */
  _preview_enable_public_ipv4: boolean
  /** Public IPv4 address. Absent: it has none, or not yet. */
  _preview_public_ip?: string
  /** Firewall of the public address. Absent without one. */
  _preview_firewall?: FirewallId | null
  /** InfiniBand partition id. `null`: none. */
  _preview_infiniband_partition: InfinibandPartitionId | null
  /** Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a comma or an equals sign. */
  tags: Record<string, string> | null
  /** When allocation falls, instances of lower levels end first. */
  priority_level: 'yield' | 'normal' | 'preferred' | 'critical' | null
  /** Order that `buy` placed at its creation. Absent: there was none. */
  order?: OrderId
  hardware?: InstanceHardware
}

/** One page of a list. */
export type InstancePage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Instance[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** A list that is always complete. */
export type InstanceList = {
  object: 'list'
  /** All rows, in the order of the list. */
  data: Instance[]
  /** Always false: the list is complete. */
  has_more: boolean
}

/** A chunk of console output. */
export type LogChunk = {
  /** Increases by one from chunk to chunk. Numbers of chunks that were dropped are missing. */
  seqnum: number
  /** When it was written, in Unix seconds. */
  logged_at: number
  /** The bytes, at most 4,096, in base64. */
  data: string
}

/** Chunks of console output. */
export type LogChunkList = {
  object: 'list'
  /** The chunks, in the order of the request. */
  data: LogChunk[]
  /** Whether more chunks match. Continue after the last `seqnum`. */
  has_more: boolean
}

/** An SSH host key, by which clients recognize an instance. */
export type SshHostKey = {
  /** Kind of key, such as `ssh-ed25519`. */
  key_type: string
  /** The public key in base64, as in a file of known hosts. */
  key: string
}

/** The SSH endpoint of an instance and its host keys. */
export type InstanceSsh = {
  object: 'instance_ssh'
  /** Address or name to connect to. */
  hostname: string
  /** TCP port. */
  port: number
  /** The host keys of the instance. Accept no other keys. */
  host_keys: SshHostKey[]
  /** When its host reported the keys, in Unix seconds. */
  keys_read_at: number
}

/** One GPU of a machine. */
export type MachineAccelerator = {
  /** Kind, as SKUs name it, such as `h100`. `null`: the agent does not know this model. */
  kind: string | null
  /** Name of the model. */
  name: string
  /** Form factor, as SKUs name it. `null`: not known. */
  form_factor: string | null
  /** Memory of one device in bytes. `null`: not known. */
  memory_bytes: number | null
  /** PCI ids of the vendor and the device. */
  pci_id: string
  /** PCI address on the host. */
  pci: string
  /** NUMA node that it is on. `null`: the host does not say. */
  numa_node: number | null
}

/** One RDMA adapter of a machine, or a virtual function of one. */
export type MachineRdmaFunction = {
  /** PCI address on the host. */
  pci: string
  /** Protocol of its link. Known values: infiniband, ethernet. New ones may be added; clients must accept them. */
  link_layer: 'infiniband' | 'ethernet' | OpenWord
  /** Rate in gigabits per second. */
  gigabits_per_second: number
  /** NUMA node that it is on. `null`: the host does not say. */
  numa_node: number | null
}

/** One NVSwitch between the GPUs of a machine. */
export type MachineNvSwitch = {
  /** PCI address on the host. */
  pci: string
  /** NUMA node that it is on. `null`: the host does not say. */
  numa_node: number | null
}

/** The processors of a host. */
export type HostProcessors = {
  /** Model, as the processor names itself. */
  model: string
  /** Number of sockets. */
  sockets: number
  /** Number of cores in all sockets. */
  cores: number
  /** Number of threads in all sockets. */
  threads: number
  /** Features of the processors, out of `vmx`, `svm`, `avx2`, `avx512f`, `amx_tile`. */
  features: string[]
}

/** The part of a host that one machine has or can observe. */
export type MachineHardware = {
  /** Its virtual processors. `null`: the SKU does not say. */
  num_vcpus: number | null
  /** Its memory in bytes. `null`: the SKU does not say. */
  memory_bytes: number | null
  /** Its storage in bytes. `null`: the SKU does not say. */
  storage_bytes: number | null
  /** The devices that the machine has. */
  accelerators: MachineAccelerator[]
  /** Its RDMA adapters or their virtual functions. Absent: none, or the agent is of an older version. */
  rdma?: MachineRdmaFunction[]
  /** The switches between its GPUs. Absent: none, or the agent is of an older version. */
  nvswitches?: MachineNvSwitch[]
  processors: HostProcessors
  /** Number of NUMA nodes of the host. */
  numa_nodes: number
  /** Whether the IOMMU of the host is on. */
  is_iommu_on: boolean
  /** Whether the host started by Secure Boot. `null`: its firmware does not say. */
  is_secure_boot_on: boolean | null
  /** Whether it runs with KVM. `null`: the agent has not tried. */
  is_kvm_usable: boolean | null
  /** Version of the kernel of the host. */
  kernel: string
  /** Version of its QEMU. `null`: it has none. */
  qemu: string | null
}

/** What an instance runs on, as its host stated it. `jws` is the signed text; the other members repeat it. */
export type InstanceAttestation = {
  object: 'instance_attestation'
  /** Instance id. */
  instance: InstanceId
  /** SKU id. */
  sku: SkuId
  /** Equal for instances of the account that share a host, as in the hardware of the instance. */
  host: string
  /** The host is simulated, or hosts of the SKU need not have its hardware. Then the attestation proves no hardware. */
  simulated: boolean
  /** When the server signed it, in Unix seconds. */
  attested_at: number
  /** When it expires, in Unix seconds. */
  expires_at: number
  hardware: MachineHardware
  /** A JSON Web Signature of the server, with that of the host inside. `/.well-known/jwks.json` has the keys. */
  jws: string
}

/** One reason why an instance waits. */
export type InstanceWaitingReason = {
  /** Why, as a word. Known values: no_allocation, outranked, no_free_host, host_unreachable, predecessor_stopping, no_public_ipv4. New ones may be added; clients must accept them. */
  code: 'no_allocation' | 'outranked' | 'no_free_host' | 'host_unreachable' | 'predecessor_stopping' | 'no_public_ipv4' | OpenWord
  /** Why, for people. */
  message: string
}

/** Why an instance waits. */
export type InstanceWaiting = {
  /** Empty while the instance is being placed, or until its host has reported it. */
  reasons: InstanceWaitingReason[]
  /** When the allocation of its pool suffices for it, from what is bought now. `null` if it never does. */
  next_allocation_at: number | null
  /** Position in the queue of its pool and SKU; 1 starts next. */
  rank: number
  /** Nodes of the SKU that its pool owns now. */
  pool_allocation_now: number
  /** Instances that use allocation now, including those that are placed but not running. */
  pool_instances_now: number
}

/** One reason why an instance is still booting. */
export type InstanceBootReason = {
  /** Why, as a word. Known values: fetching_image, starting, start_retry. New ones may be added; clients must accept them. */
  code: 'fetching_image' | 'starting' | 'start_retry' | OpenWord
  /** Why, for people. */
  message: string
}

/** Why a running instance is still booting. */
export type InstanceBoot = {
  /** All reasons that apply. */
  reasons: InstanceBootReason[]
}

/** Why an instance will end or has ended. */
export type InstanceTermination = {
  /** Why it ends or has ended. Known values: user, guest_shutdown, replaced, deployment_deleted, scaled_down, allocation_ended, sold, transferred, host_retired, host_unfit, host_lost. New ones may be added; clients must accept them. */
  reason: 'user' | 'guest_shutdown' | 'replaced' | 'deployment_deleted' | 'scaled_down' | 'allocation_ended' | 'sold' | 'transferred' | 'host_retired' | 'host_unfit' | 'host_lost' | OpenWord
  /** When the notice was given. `null`: no notice has been given. */
  notice_at: number | null
  /** When it is expected to end. This can change until notice is given. */
  deadline_at: number | null
  /** When it ended, in Unix seconds. `null`: it has not. */
  ended_at: number | null
  /** Nodes of the SKU that its pool owned before the change. */
  allocation_before: number
  /** Nodes that its pool owns after the change. Equal to `allocation_before`: the instance ends for another reason. */
  allocation_after: number
  /** Its priority. */
  priority_level: 'yield' | 'normal' | 'preferred' | 'critical'
  /** Which instances end first when allocation falls. Known values: lowest_priority_then_newest_then_id. New ones may be added; clients must accept them. */
  rule: 'lowest_priority_then_newest_then_id' | OpenWord
}

/** Why an instance is in its state. Parts that do not apply are null. All reasons that apply are listed, in order. */
export type InstanceExplanation = {
  object: 'instance_explanation'
  /** Instance id. */
  instance: InstanceId
  /** Its state. Later versions may add values; clients must accept them. */
  state: 'awaiting_allocation' | 'running' | 'failed' | 'terminated' | OpenWord
  /** The time of the explanation, in Unix seconds. */
  as_of: number
  /** The explanation in one sentence, for people. */
  summary: string
  waiting: InstanceWaiting | null
  boot: InstanceBoot | null
  termination: InstanceTermination | null
  /** Since when its host has not reported, in Unix seconds. `null`: it reports. */
  connection_lost_at: number | null
  /** The instance that it replaced. `null`: none. */
  replaces: InstanceId | null
  /** The instance that replaced it. `null`: none. */
  replaced_by: InstanceId | null
}

/** A NUMA node of a host. */
export type HostNumaNode = {
  /** Number of the NUMA node. */
  node: number
  /** Number of its threads. */
  threads: number
  /** Its memory in bytes. */
  memory_bytes: number
  /** Free huge pages of 2 MiB. */
  free_2mib_pages: number
  /** Free huge pages of 1 GiB. */
  free_1gib_pages: number
  /** Huge pages of 2 MiB that are set aside, used or free. Absent: none, or an older agent. */
  total_2mib_pages?: number
  /** Huge pages of 1 GiB that are set aside, used or free. Absent: none, or an older agent. */
  total_1gib_pages?: number
}

/** The file system that stores the machines of a host. */
export type HostStorage = {
  /** Size in bytes. */
  size_bytes: number
  /** Free space in bytes. */
  free_bytes: number
  /** Whether it is on rotating disks. `null`: the host does not say. */
  is_rotational: boolean | null
  /** Whether nothing can be written to it. */
  is_read_only: boolean
}

/** One GPU of a host. */
export type HostAcceleratorDevice = {
  /** PCI address on the host. */
  pci: string
  /** NUMA node that it is on. `null`: the host does not say. */
  numa_node: number | null
  /** IOMMU group. `null`: no machine can get this device. */
  iommu_group: number | null
  /** Driver that has it now. `null`: none. */
  driver: string | null
  /** PCIe generation of its link now. `null`: the host does not say. */
  pcie_generation: number | null
  /** PCIe lanes of its link now. `null`: the host does not say. */
  pcie_lanes: number | null
}

/** The GPUs of one model in a host. */
export type HostAcceleratorModel = {
  /** Kind, as SKUs name it, such as `h100`. `null`: the agent does not know this model. */
  kind: string | null
  /** Name of the model. */
  name: string
  /** Form factor, as SKUs name it. `null`: not known. */
  form_factor: string | null
  /** Memory of one device in bytes. `null`: not known. */
  memory_bytes: number | null
  /** PCI ids of the vendor and the device. */
  pci_id: string
  /** PCI ids of the vendor and the model of the board. `null`: not known. */
  subsystem_id: string | null
  /** Size in bytes of all memory regions of one device. */
  bar_bytes: number
  /** Highest PCIe generation of one device. `null`: the host does not say. */
  pcie_generation_max: number | null
  /** Most PCIe lanes of one device. `null`: the host does not say. */
  pcie_lanes_max: number | null
  /** The devices of the model. */
  devices: HostAcceleratorDevice[]
}

/** A port of an RDMA adapter. */
export type HostRdmaPort = {
  /** Name of its adapter in the kernel, such as `mlx5_0`. */
  device: string
  /** Number of the port of its adapter. */
  port: number
  /** Protocol of its link. Known values: infiniband, ethernet. New ones may be added; clients must accept them. */
  link_layer: 'infiniband' | 'ethernet' | OpenWord
  /** State of its link, as the kernel names it. */
  state: string
  /** Rate in gigabits per second. */
  gigabits_per_second: number
  /** NUMA node that it is on. `null`: the host does not say. */
  numa_node: number | null
  /** GUID of its adapter. `null`: not known. */
  guid: string | null
  /** Prefix of its InfiniBand subnet. `null`: not known, or Ethernet. */
  subnet_prefix: string | null
  /** What machines can be given: the adapter itself, or its virtual functions. Absent: not known. */
  functions?: string[]
}

/** A switch between the GPUs of an NVIDIA HGX board. */
export type HostNvSwitch = {
  /** PCI address on the host. */
  pci: string
  /** NUMA node that it is on. `null`: the host does not say. */
  numa_node: number | null
  /** IOMMU group. `null`: no machine can get this switch. */
  iommu_group: number | null
}

/** Settings and software of a host on which its machines depend. */
export type HostDelivery = {
  /** Whether the agent runs as root, which it needs to give devices to machines. */
  is_root: boolean
  /** Whether the kernel has `vfio-pci`, through which machines get devices. */
  is_vfio_loaded: boolean
  /** Whether the firmware for machines that start by UEFI is installed. */
  has_uefi: boolean
}

/** The last check of a slot by a probe machine. */
export type HostSlotCheck = {
  /** Number of the slot, from 0. */
  slot: number
  /** When it was checked, in Unix seconds. */
  checked_at: number
  /** Whether a machine found all devices of the slot, and no others. */
  is_good: boolean
}

/** The hardware of a host, as its agent read it. */
export type HostHardware = {
  processors: HostProcessors
  /** Memory in bytes. */
  memory_bytes: number
  /** Its NUMA nodes. */
  numa_nodes: HostNumaNode[]
  storage: HostStorage
  /** Its GPUs, by model. */
  accelerators: HostAcceleratorModel[]
  /** The ports of its RDMA adapters. */
  rdma: HostRdmaPort[]
  /** Its NVSwitches. A machine with all GPUs behind them gets them too. Absent: none, or an older agent. */
  nvswitches?: HostNvSwitch[]
  /** Whether its IOMMU is on, without which no device can be given to a machine. */
  is_iommu_on: boolean
  /** Whether it started by Secure Boot. `null`: the host does not say. */
  is_secure_boot_on: boolean | null
  /** Whether machines run with KVM. `null`: the agent has not tried. */
  is_kvm_usable: boolean | null
  delivery?: HostDelivery
  /** Version of its kernel. */
  kernel: string
  /** Version of its QEMU. `null`: it has none. */
  qemu: string | null
  /** The last check of each slot by a probe machine. Absent: the agent makes none. */
  slot_checks?: HostSlotCheck[]
  /** What could not be read, or is left out because it is too long. */
  problems: string[]
}

/** What an agent reported about its host when it enrolled. */
export type HostFacts = {
  /** Host name in its operating system. */
  hostname: string
  /** Number of processors, counted in threads. */
  cpu_count: number
  /** Memory in bytes. */
  memory_bytes: number
  /** Size in bytes of the file system that stores its instances. */
  storage_bytes: number
  /** The kind of each GPU, up to 256. `hardware` says more. */
  accelerators: string[]
  /** `ssh_only`: instances here have no outbound traffic, and instances with a subnet or public IPv4 are not placed here. */
  network: 'full' | 'ssh_only'
  /** IPv4 address at which other hosts reach the host. */
  host_address: string
  /** Public IPv4 addresses that its instances can get. */
  public_ipv4s: string[]
  /** Whether the host can put machines into InfiniBand partitions. Absent: not reported. */
  sets_partitions?: boolean
  /** Whether the host has WireGuard for traffic to other hosts. Absent: not reported. */
  encrypts_traffic?: boolean
  hardware?: HostHardware
}

/** One figure of a benchmark. */
export type BenchmarkFigure = {
  /** Name of the figure. */
  name: string
  /** Measured value, in the unit. */
  value: string
  /** Unit of the figure. */
  unit: string
}

/** The figures that the script of the host owner has measured on a host. */
export type HostBenchmark = {
  /** When it was measured, in Unix seconds by the clock of the host, and not later than the report. */
  measured_at: number
  /** What was measured. */
  figures: BenchmarkFigure[]
}

/** The WireGuard tunnel of a host. */
export type HostTunnel = {
  /** The address of the host inside of tunnels. */
  address: string
  /** The UDP port, at the `host_address`. */
  port: number
  /** WireGuard public key in base64, as `wg` shows it. */
  public_key: string
  /** The key that it uses next. `null`: it does not change its key. */
  next_public_key: string | null
  /** When the host last declared another key or port, in Unix seconds. */
  changed_at: number
}

/** A server that runs instances. Each of its slots is one node of its SKU. */
export type Host = {
  object: 'host'
  /** Host id. */
  id: HostId
  /** Resource path, `svc:host:…`. */
  resource_path: string
  /** Id of the account that supplies it. */
  account: string
  workspace: WorkspaceSummary
  sku: SkuSummary
  /** The originating pool that gets its nodes. */
  pool: PoolSummary
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  /** Whether it takes instances. Known values: active, cordoned, draining, drained, retired. New ones may be added; clients must accept them. */
  state: 'active' | 'cordoned' | 'draining' | 'drained' | 'retired' | OpenWord
  /** Whether it reports, and can run instances. Known values: healthy, unreachable, faulted. New ones may be added; clients must accept them. */
  health: 'healthy' | 'unreachable' | 'faulted' | OpenWord
  /** Why it is not healthy, for people: missing hardware, or the last message of its agent. `null`: nothing. */
  health_message: string | null
  /** Nodes of the SKU that it can run. */
  slots: number
  /** How many of its slots are in use. */
  used_slots: number
  /** Ids of the instances on it. */
  instances: InstanceId[]
  /** Version of its agent. `null`: it is simulated. */
  agent_version: string | null
  /** Commit that its agent was built from. `null`: not known. */
  agent_commit: string | null
  /** What updates its agent: its updater, the package manager of its system, or nothing that reports. Known values: updater, package, none. New ones may be added; clients must accept them. */
  agent_managed_by: 'updater' | 'package' | 'none' | OpenWord
  /** Whether rollouts of the agent leave it out. */
  agent_pinned: boolean
  facts: HostFacts
  /** The last figures of its benchmark. `null`: none. */
  benchmark: HostBenchmark | null
  /** How the host carries traffic of subnets to other hosts. `none`: it has no tunnel and carries no such traffic, or it is simulated. `unencrypted`: it has no tunnel, and the platform operator accepts that. Known values: encrypted, unencrypted, none. New ones may be added; clients must accept them. */
  traffic: 'encrypted' | 'unencrypted' | 'none' | OpenWord
  /** Its WireGuard tunnel. `null`: it has none. */
  tunnel: HostTunnel | null
  /** When it last reported, in Unix seconds. `null`: never. */
  last_seen_at: number | null
  /** Deadline of its drain, in Unix seconds. `null`: it is not drained. */
  drain_deadline_at: number | null
  /** When its nodes leave their pool, in Unix seconds. `null`: it is not drained. */
  supply_ends_at: number | null
  /** When it was created, in Unix seconds. */
  created_at: number
  /** When it was retired, in Unix seconds. `null`: it is not. */
  retired_at: number | null
}

/** One page of a list. */
export type HostPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Host[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** A new permit, with its secret and the command that uses it. */
export type CreatedHostEnrolment = {
  object: 'host_enrolment'
  /** Host enrolment id. */
  id: HostEnrolmentId
  workspace: WorkspaceSummary
  sku: SkuSummary
  /** Nodes of the SKU that each host can run. */
  slots: number
  /** Number of hosts that may enrol with it. */
  uses: number
  /** Number of hosts that have enrolled with it. */
  used: number
  /** When the permit ends, in Unix seconds. */
  expires_at: number
  /** When it was created, in Unix seconds. */
  created_at: number
  /** The secret. Only this response contains it. */
  token: string
  /** Shell command for the host. It downloads the agent from this server, enrols the host and runs the agent. */
  command: string
}

/** A permit to enrol hosts, without the secret itself. */
export type HostEnrolment = {
  object: 'host_enrolment'
  /** Host enrolment id. */
  id: HostEnrolmentId
  workspace: WorkspaceSummary
  sku: SkuSummary
  /** Nodes of the SKU that each host can run. */
  slots: number
  /** Number of hosts that may enrol with it. */
  uses: number
  /** Number of hosts that have enrolled with it. */
  used: number
  /** When the permit ends, in Unix seconds. */
  expires_at: number
  /** When it was created, in Unix seconds. */
  created_at: number
}

/** One page of a list. */
export type HostEnrolmentPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: HostEnrolment[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** The instance template of a deployment. */
export type InstanceTemplateSummary = {
  object: 'instance_template'
  /** Instance template id. */
  id: InstanceTemplateId
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  /** Resource path, `svc:instance_template:…`. */
  resource_path: string
}

/** The status of an automation, with the reason if it cannot work. */
export type AutomationStatus = {
  /** `info`: it works. `warning`: it cannot act now, and tries again. `error`: something has to be changed. */
  state: 'info' | 'warning' | 'error'
  /** Its activity, or why it cannot work: a word such as `no_offer_at_price`. */
  code: string
  /** The same as a sentence for people. */
  message: string
}

/** An automation that keeps a fleet of instances. Generic and spot ones share ids and paths. */
export type Deployment = {
  /** `deployment`: it uses what its pool has. `spot_deployment`: it also buys and sells nodes. */
  object: 'deployment' | 'spot_deployment'
  /** Deployment id. */
  id: DeploymentId
  /** Resource path, `svc:deployment:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  pool: PoolSummary
  sku: SkuSummary
  instance_template: InstanceTemplateSummary
  /** Whether it is enabled. While false nothing is created, ended or bought; running instances stay. */
  enabled: boolean
  /** How many instances it keeps. */
  target_instance_count: number
  /** Instances that are not terminated. */
  live_instance_count: number
  /** Pattern of the names of its instances. */
  instance_name_template: string
  /** Most that it pays. Spot deployments only. */
  max_buy_price_dollars_per_node_hour?: string
  status: AutomationStatus
  /** When it was created, in Unix seconds. */
  created_at: number
  /** When it last changed, in Unix seconds. */
  updated_at: number
}

/** One page of a list. */
export type DeploymentPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Deployment[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** An automation that keeps a pool at a number of nodes, by buying missing nodes and selling surplus ones. */
export type Procurement = {
  object: 'procurement'
  /** Procurement id. */
  id: ProcurementId
  /** Resource path, `svc:procurement:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  pool: PoolSummary
  sku: SkuSummary
  /** How many nodes the pool should have in each minute. `node_count`: as many as it has live instances of the SKU. */
  target: 'node_count' | number
  /** Lowest price at which it sells nodes above the target. */
  min_sell_price_dollars_per_node_hour: string
  /** Most that it pays. `null`: its pool is an originating one, which never buys. */
  max_buy_price_dollars_per_node_hour: string | null
  /** Length of its window in minutes, from the next minute on: 1440 is a day. */
  managed_window_minutes: number
  /** Whether it is enabled. While false nothing is bought or sold, and none of its orders is open. */
  enabled: boolean
  status: AutomationStatus
  /** When it was created, in Unix seconds. */
  created_at: number
  /** When it last changed, in Unix seconds. */
  updated_at: number
}

/** One page of a list. */
export type ProcurementPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: Procurement[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** The orders of one side that an automation would place, and what they would trade at once. */
export type EstimatedOrders = {
  /** How many orders. */
  order_count: number
  /** What the orders ask for. */
  node_minutes: number
  /** What they trade at once; the rest waits on the order book. */
  traded_node_minutes: number
  /** The price levels that they trade with, best first; the best 100 of them. */
  offers: EstimatedOffer[]
  /** How many price levels they trade with. */
  offer_count: number
  /** The value of what they trade at once. */
  total_dollars: string
  /** Average price of what they trade at once. `null`: nothing. */
  average_price_dollars_per_node_hour: string | null
  /** Paid out of the proceeds of sells; zero for buys. */
  fee_dollars: string
  /** The most that the buys can cost, which they hold. Zero for sells. */
  worst_case_dollars: string
}

/** Why nothing would be traded now. */
export type EstimatedIdleReason = {
  /** Why, as a word. Known values: never_buys, disabled, sku_not_available, market_halted, nothing_missing, no_offer_at_price, refused. New ones may be added; clients must accept them. */
  code: 'never_buys' | 'disabled' | 'sku_not_available' | 'market_halted' | 'nothing_missing' | 'no_offer_at_price' | 'refused' | OpenWord
  /** Why, for people. */
  message: string
}

/** The next step of an automation, and what it can cost while it runs. */
export type AutomationEstimate = {
  object: 'automation_estimate'
  /** Pool id. */
  pool: PoolId
  /** SKU id. */
  sku: SkuId
  /** Whether it is enabled. */
  enabled: boolean
  /** Start of its window now, in Unix seconds. */
  start_at: number
  /** End of its window now, not included, in Unix seconds. */
  end_at: number
  /** The nodes that it keeps in each minute. */
  target_node_count: number
  /** The most that it pays. `null`: it never buys. */
  max_buy_price_dollars_per_node_hour: string | null
  /** Whether it can place orders that it would not place without this creation or change. */
  can_trade_more: boolean
  buy: EstimatedOrders
  sell: EstimatedOrders
  /** The target for an hour at the maximum price. */
  worst_case_dollars_per_hour: string
  /** The target for a day at the maximum price. */
  worst_case_dollars_per_day: string
  /** The target for the whole window at the maximum price. */
  worst_case_dollars_of_window: string
  /** What the account can spend now. `null`: the permission `billing:read` is missing. */
  available_dollars: string | null
  /** The available dollars after the trades and the holds of resting orders. `null` like `available_dollars`. */
  available_after_dollars: string | null
  /** Why its orders would be refused now. `null`: they would not. */
  refusal: EstimatedRefusal | null
  /** Why it would trade nothing now. `null`: it would. */
  reason: EstimatedIdleReason | null
  /** The time of the estimate, in Unix seconds. */
  as_of: number
}

/** A new account, with its first API token, which is an admin of the whole account. */
export type CreatedAccount = {
  object: 'account'
  /** Account id, such as `acme`. */
  id: string
  /** Name of the account, for people. */
  name: string
  /** Whether the account belongs to a person or a business. */
  entity_type: 'personal' | 'business' | null
  /** How far the account is trusted. Its limits depend on it. */
  trust_level: 'untrusted' | 'basic' | 'trusted' | 'partner'
  /** A frozen account may only read. */
  is_frozen: boolean
  /** Whether it is the account of the platform operator. */
  is_platform: boolean
  /** The longest life of tokens that people make. */
  token_lifetime_max_days: number
  /** When it was created, in Unix seconds. */
  created_at: number
  balance: Balance
  /** The JWT. Shown here only. */
  token: string
}

/** An account as the platform operator sees it. */
export type AdministeredAccount = {
  object: 'account'
  /** Account id, such as `acme`. */
  id: string
  /** Name of the account, for people. */
  name: string
  /** Whether the account belongs to a person or a business. */
  entity_type: 'personal' | 'business' | null
  /** How far the account is trusted. Its limits depend on it. */
  trust_level: 'untrusted' | 'basic' | 'trusted' | 'partner'
  /** A frozen account may only read. */
  is_frozen: boolean
  /** Whether it is the account of the platform operator. */
  is_platform: boolean
  /** The longest life of tokens that people make. */
  token_lifetime_max_days: number
  /** When it was created, in Unix seconds. */
  created_at: number
  balance: Balance
}

/** One page of a list. */
export type AdministeredAccountPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: AdministeredAccount[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** Fees that a SKU earned the platform operator in one month, and the trades of it. */
export type Revenue = {
  object: 'revenue'
  /** A month of UTC, such as 2026-01. */
  month: string
  /** SKU id. */
  sku: SkuId
  /** Fees that sellers paid. */
  fees_dollars: string
  /** The value of all fills. */
  volume_dollars: string
  /** Node-minutes that changed hands. */
  node_minutes: number
  /** How many fills. */
  fill_count: number
}

/** A list that is always complete. */
export type RevenueList = {
  object: 'list'
  /** All rows, in the order of the list. */
  data: Revenue[]
  /** Always false: the list is complete. */
  has_more: boolean
}

/** The usage of one account and SKU. */
export type PlatformSkuUsage = {
  sku: SkuSummary
  /** Node-minutes that the pools own. */
  allocated_node_minutes: number
  /** Node-minutes in which instances were running or failed; never more than are allocated. */
  used_node_minutes: number
  /** Purchases that were filled in the period. */
  bought_dollars: string
  /** Proceeds of sales that were filled in the period, less their fees. */
  sold_dollars: string
  /** Cost of the node-minutes of the period that were kept. */
  effective_cost_dollars: string
}

/** The usage of one account in a window, by SKU. */
export type PlatformUsage = {
  object: 'platform_usage'
  /** Id of the account. */
  account: string
  /** Node-minutes that the pools own. */
  allocated_node_minutes: number
  /** Node-minutes in which instances were running or failed; never more than are allocated. */
  used_node_minutes: number
  /** Purchases that were filled in the period. */
  bought_dollars: string
  /** Proceeds of sales that were filled in the period, less their fees. */
  sold_dollars: string
  /** Cost of the node-minutes of the period that were kept. */
  effective_cost_dollars: string
  /** The same by SKU. Their sums are those of the account. */
  skus: PlatformSkuUsage[]
}

/** One page of a list. */
export type PlatformUsagePage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: PlatformUsage[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** A trade of an order as the platform operator sees it. */
export type PlatformFill = {
  object: 'fill'
  /** Fill id. */
  id: FillId
  /** When they traded, in Unix seconds. */
  filled_at: number
  /** Nodes that were traded: ascending, without overlap, zero where there is no entry. */
  allocation_schedule_delta: ScheduleEntry[]
  /** Price of the trade: the limit of the older order. */
  price_dollars_per_node_hour: string
  /** Value of the trade: price times node-hours, rounded down. */
  total_dollars: string
  /** Fee that the seller pays out of the value. Zero for a buy. */
  fee_dollars: string
  /** Whether the accounts shared a person when they traded. */
  related: boolean
}

/** An order as the platform operator sees it. */
export type PlatformOrder = {
  object: 'order'
  /** Order id. */
  id: OrderId
  workspace: WorkspaceSummary
  /** The pool that it buys for or sells from. `null`: it is deleted. */
  pool: PoolSummary | null
  sku: SkuSummary
  /** Whether the order buys or sells. */
  side: 'buy' | 'sell'
  /** State of the order. Known values: pending, standing, partially_filled, filled, cancelled, rejected. New ones may be added; clients must accept them. */
  state: 'pending' | 'standing' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected' | OpenWord
  /** Whether the part that is not filled at once waits on the order book. */
  allow_standing: boolean
  /** Whether the order may be filled in part. */
  allow_partial: boolean
  /** Nodes that the order asks for: ascending, without overlap, zero where there is no entry. */
  allocation_schedule_delta: ScheduleEntry[]
  /** Nodes that were filled so far: ascending, without overlap, zero where there is no entry. */
  filled_allocation_schedule_delta: ScheduleEntry[]
  /** Nodes that it asks for plus nodes that the orders which it amends had filled. */
  total: OrderTotal
  /** Nodes that the orders which it amends had filled: ascending, without overlap, zero where there is no entry. */
  filled_before_allocation_schedule_delta: ScheduleEntry[]
  /** Highest price of a buy, lowest of a sell. */
  limit_price_dollars_per_node_hour: string
  /** Average price of the filled part, rounded half up. `null`: nothing was filled. */
  filled_average_price_dollars_per_node_hour: string | null
  /** Money set aside for the open part of a buy. Zero for a sell. */
  held_dollars: string
  /** The newest 100 fills. */
  fills: PlatformFill[]
  /** The order that it amends. `null`: none. */
  amends: OrderId | null
  /** The order that amends it. `null`: none. */
  amended_by: OrderId | null
  /** The automation that placed it. `null`: a request did. */
  managed_by: OrderManager | null
  /** Who placed it. */
  created_by: Principal
  /** When it was created, in Unix seconds. */
  created_at: number
  /** When it was filled completely, in Unix seconds. `null`: it is not. */
  filled_at: number | null
  /** When it was cancelled, in Unix seconds. `null`: it is not. */
  cancelled_at: number | null
  /** Why it was cancelled. `null`: it is not. Known values: user, amended, unfilled, expired, automation, deployment_deleted, sku_retired, account_frozen. New ones may be added; clients must accept them. */
  cancel_reason: 'user' | 'amended' | 'unfilled' | 'expired' | 'automation' | 'deployment_deleted' | 'sku_retired' | 'account_frozen' | OpenWord | null
  /** Why it could not be processed. `null`: it could. */
  rejected_reason: string | null
  /** Id of the account that it belongs to. */
  account: string
}

/** One page of a list. */
export type PlatformOrderPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: PlatformOrder[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** A pool as the platform operator sees it. */
export type PlatformPool = {
  object: 'pool'
  /** Pool id. */
  id: PoolId
  /** Resource path, `svc:pool:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  /** `market`: it buys and sells. `originating`: it gets the nodes of hosts, and only sells. `read_only`: the platform operator granted its nodes, and it does not trade. */
  kind: 'market' | 'originating' | 'read_only'
  allocation_schedule: AllocationSchedule
  /** The procurements that keep it at a number of nodes. */
  procurements: ProcurementSummary[]
  /** The deployments whose instances use it. */
  deployments: DeploymentSummary[]
  /** Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a comma or an equals sign. */
  tags: Record<string, string> | null
  /** When it was created, in Unix seconds. */
  created_at: number
  /** Id of the account that it belongs to. */
  account: string
}

/** One page of a list. */
export type PlatformPoolPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: PlatformPool[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** A SKU as the platform operator sees it. */
export type AdministeredSku = {
  object: 'sku'
  /** SKU id. */
  id: SkuId
  /** A name for people, unique among SKUs that are not retired. Requests refer to SKUs by id. */
  alias: string
  region?: TextProperty
  availability_zone?: TextProperty
  accelerator?: TextProperty
  form_factor?: TextProperty
  rdma_type?: RdmaTypeProperty
  rdma_gigabits_per_second?: RdmaRateProperty
  /** Name of the InfiniBand fabric that the nodes are on. Only with `rdma_type` `infiniband`. */
  infiniband_fabric?: string
  num_accelerators?: AcceleratorCountProperty
  num_vcpus?: VcpuCountProperty
  memory_bytes?: ByteProperty
  local_storage_bytes?: ByteProperty
  supports_public_ipv4?: BooleanProperty
  /** Hosts of this SKU need not have its hardware: for development. */
  simulated?: boolean
  /** Let only the platform operator supply hosts of the SKU, and no partner. */
  operator_hosts_only?: boolean
  /** Benchmark figures that suppliers of hosts measured. Absent: nobody did. */
  benchmarks?: SkuBenchmark[]
  /** Prices are multiples of it. */
  price_step_dollars_per_node_hour: string
  /** When it was retired, in Unix seconds. Absent: it is not. */
  deleted_at?: number
  /** Figures of benchmarks that the SKU shows, in this order, each with its unit, such as `memory_bandwidth GB/s`. */
  benchmark_figures: string[]
  /** An unlisted SKU is visible only to accounts that hold allocation of it or have an override. */
  listed: boolean
  /** Fee of the platform operator for each node-hour that is sold. */
  flat_fee_dollars_per_node_hour: string
  /** Fee of the platform operator in basis points of the value of a fill. The seller pays it. */
  fee_bps: number
  /** Leave trades of accounts that share a person out of public prices of the SKU: price history, trades and last prices. It counts for earlier trades too. Whether accounts share a person is decided as they trade, by sign-ins and e-mail addresses. */
  public_prices_exclude_related: boolean
  /** When it was created, in Unix seconds. */
  created_at: number
  /** When it last changed, in Unix seconds. */
  updated_at: number
}

/** One page of a list. */
export type AdministeredSkuPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: AdministeredSku[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** An instance as the platform operator sees it. */
export type PlatformInstance = {
  object: 'instance'
  /** Instance id. */
  id: InstanceId
  /** Resource path, `svc:instance:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  /** Name, unique among resources of its kind in the workspace. */
  name: string
  /** Whether it waits, runs or has ended. Later versions may add values; clients must accept them. */
  state: 'awaiting_allocation' | 'running' | 'failed' | 'terminated' | OpenWord
  sku: SkuSummary
  image: ImageSummary
  /** The pool whose allocation it uses. `null`: the pool is deleted. */
  pool: PoolSummary | null
  managed_by?: DeploymentSummary
  /** When it was created, in Unix seconds. */
  created_at: number
  /** When the record last changed, in Unix seconds. */
  _preview_updated_at: number
  /** Whether user data was given. A separate operation reads the data. */
  cloud_init_user_data_used: boolean
  /** The SSH keys that the platform puts into it, and deleted ones that it still has. Absent: none. */
  ssh_keys?: InstanceSshKey[]
  /** Subnet id. `null`: an isolated subnet of its own. */
  subnet: SubnetId | null
  /** IPv4 address within the subnet. Absent: it has none. */
  private_ip?: string
  /** Whether it gets a public address. Without a public address only SSH (TCP port 22) reaches it. */
  _preview_enable_public_ipv4: boolean
  /** Public IPv4 address. Absent: it has none, or not yet. */
  _preview_public_ip?: string
  /** Firewall of the public address. Absent without one. */
  _preview_firewall?: FirewallId | null
  /** InfiniBand partition id. `null`: none. */
  _preview_infiniband_partition: InfinibandPartitionId | null
  /** Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a comma or an equals sign. */
  tags: Record<string, string> | null
  /** When allocation falls, instances of lower levels end first. */
  priority_level: 'yield' | 'normal' | 'preferred' | 'critical' | null
  /** Order that `buy` placed at its creation. Absent: there was none. */
  order?: OrderId
  hardware?: InstanceHardware
  /** Id of the account that it belongs to. */
  account: string
}

/** One page of a list. */
export type PlatformInstancePage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: PlatformInstance[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** A version of the agent that can be rolled out to hosts. */
export type AgentBundle = {
  object: 'agent_bundle'
  /** Agent bundle id. */
  id: AgentBundleId
  /** The version. */
  version: string
  /** Commit that it was built from. `null`: not known. */
  commit: string | null
  /** The processors that it runs on. Known values: any, x64, arm64. New ones may be added; clients must accept them. */
  architecture: 'any' | 'x64' | 'arm64' | OpenWord
  /** Version of the agent protocol that it speaks. */
  protocol: number
  /** Oldest version of the protocol with which a server can use it. */
  oldest_server_protocol: number
  /** SHA-256 of the archive, in hexadecimal. */
  sha256: string
  /** Size of the archive in bytes. */
  size_bytes: number
  /** Public key that has signed it, as OpenSSH writes it. */
  signer: string
  /** When it was created, in Unix seconds. */
  created_at: number
}

/** One page of a list. */
export type AgentBundlePage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: AgentBundle[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** A group of hosts of a rollout, and how far it is. */
export type AgentRolloutGroup = {
  /** Name of the group. */
  name: string
  /** Its share of the hosts. `null`: all that are left. */
  percent: number | null
  /** Hosts in the group. */
  hosts: number
  /** Hosts that wait for their turn. */
  pending: number
  /** Hosts that are being updated or watched. */
  updating: number
  /** Hosts that have the version. */
  updated: number
  /** Hosts whose update failed. */
  failed: number
  /** Hosts that are left out for now. */
  skipped: number
}

/** A host of a rollout that is being updated, failed or was left out. */
export type AgentRolloutHost = {
  /** Host id. */
  host: HostId
  /** Name of the group. */
  group: string
  /** State of the host in the rollout. Known values: pending, updating, updated, failed, skipped. New ones may be added; clients must accept them. */
  state: 'pending' | 'updating' | 'updated' | 'failed' | 'skipped' | OpenWord
  /** Version that it had before. `null`: not known. */
  from_version: string | null
  /** Version that it gets. */
  to_version: string
  /** Why it failed or is left out, for people. */
  reason: string | null
}

/** The update of the agents of all hosts, in groups. */
export type AgentRollout = {
  object: 'agent_rollout'
  /** Agent rollout id. */
  id: AgentRolloutId
  /** Version that the hosts get. For a rollback: the version that they leave. */
  agent_version: string
  /** Rollout that this one rolls back. `null`: none. */
  rolls_back: AgentRolloutId | null
  /** Whether it runs, is halted or has ended. Known values: running, halted, completed, cancelled. New ones may be added; clients must accept them. */
  state: 'running' | 'halted' | 'completed' | 'cancelled' | OpenWord
  /** Why it is halted. `null`: it is not. Known values: operator, not_back, update_failed, instance_lost, new_problem. New ones may be added; clients must accept them. */
  halt_reason: 'operator' | 'not_back' | 'update_failed' | 'instance_lost' | 'new_problem' | OpenWord | null
  /** The reason as a sentence for people, with the host. */
  halt_message: string | null
  /** Group whose turn it is. `null`: all groups had their turn. */
  group: string | null
  /** The groups, in the order of their turns. */
  groups: AgentRolloutGroup[]
  /** Hosts that are being updated, failed or were left out, up to 100. Empty 30 days after the end, unless it is the newest rollout. */
  hosts: AgentRolloutHost[]
  /** For how many seconds a host is watched after its update before the next update begins. */
  health_seconds: number
  /** Within how many seconds a host must report the new version and be well. */
  return_seconds: number
  /** How many hosts of a SKU, and of an InfiniBand fabric, are updated at once. */
  hosts_at_once: number
  /** When it was created, in Unix seconds. */
  created_at: number
  /** When it completed or was cancelled. `null`: it has not ended. */
  ended_at: number | null
}

/** One page of a list. */
export type AgentRolloutPage = {
  object: 'list'
  /** The rows of the page, in the order of the list. */
  data: AgentRollout[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
}

/** The properties that differ for the account. */
export type SkuOverrideProperties = {
  region?: TextProperty
  availability_zone?: TextProperty
  accelerator?: TextProperty
  form_factor?: TextProperty
  rdma_type?: RdmaTypeProperty
  rdma_gigabits_per_second?: RdmaRateProperty
  /** Name of the InfiniBand fabric that the nodes are on. Only with `rdma_type` `infiniband`. */
  infiniband_fabric?: string
  num_accelerators?: AcceleratorCountProperty
  num_vcpus?: VcpuCountProperty
  memory_bytes?: ByteProperty
  local_storage_bytes?: ByteProperty
  supports_public_ipv4?: BooleanProperty
}

/** The properties for one account, which override the SKU's own. */
export type SkuOverride = {
  object: 'sku_override'
  /** Account id, such as `acme`. */
  account: string
  sku: SkuSummary
  properties: SkuOverrideProperties
  /** When it last changed, in Unix seconds. */
  updated_at: number
}

/** A list that is always complete. */
export type SkuOverrideList = {
  object: 'list'
  /** All rows, in the order of the list. */
  data: SkuOverride[]
  /** Always false: the list is complete. */
  has_more: boolean
}

/** The clock of the sandbox. It never passes due work that is not done. */
export type SandboxClock = {
  object: 'clock'
  /** The time of the business clock, in Unix seconds. */
  now: number
  /** The time of the real clock, in Unix seconds. */
  real_now: number
  /** How far the business clock is ahead of the real clock. */
  offset_seconds: number
  /** Whether the clock stands still. */
  frozen: boolean
  /** Most clock seconds per real second. */
  rate: number
  /** When something is due next, such as a deadline, in Unix seconds. `null`: nothing is. */
  next_due_at: number | null
}

/** The clock after a change. */
export type AdvancedClock = {
  object: 'clock'
  /** The time of the business clock, in Unix seconds. */
  now: number
  /** The time of the real clock, in Unix seconds. */
  real_now: number
  /** How far the business clock is ahead of the real clock. */
  offset_seconds: number
  /** Whether the clock stands still. */
  frozen: boolean
  /** Most clock seconds per real second. */
  rate: number
  /** When something is due next, such as a deadline, in Unix seconds. `null`: nothing is. */
  next_due_at: number | null
  /** Whether all work on the way is done. False: it was not done within 60 s of real time, and goes on. */
  settled: boolean
}

/** The result of the wait. */
export type Settlement = {
  object: 'settlement'
  /** Whether nothing is due any more. False: the time to wait was too short. */
  settled: boolean
}

/** A world that can be loaded. */
export type Scenario = {
  object: 'scenario'
  /** Name of the scenario. */
  name: 'empty' | 'quickstart' | 'busy_market' | 'preemption' | 'host_failures' | 'long_history'
  /** What it is for. */
  description: string
}

/** A list that is always complete. */
export type ScenarioList = {
  object: 'list'
  /** All rows, in the order of the list. */
  data: Scenario[]
  /** Always false: the list is complete. */
  has_more: boolean
}

/** One account of the world. */
export type ScenarioAccount = {
  /** Account id, such as `acme`. */
  id: string
  /** An API token of an admin. */
  token: string
}

/** The result of loading a world: its accounts and its points of interest. */
export type LoadedScenario = {
  object: 'loaded_scenario'
  /** The world that was loaded. */
  scenario: 'empty' | 'quickstart' | 'busy_market' | 'preemption' | 'host_failures' | 'long_history'
  /** The number that it was made from. */
  seed: number
  /** The time of the sandbox clock, in Unix seconds. */
  now: number
  /** The accounts of the world, each with a token. */
  accounts: ScenarioAccount[]
  /** Ids of resources of the world, by their part in it. */
  ids: Record<string, string>
}

/** Accounts of the sandbox that keep orders on both sides of a book, and buy and sell small amounts. */
export type MarketMaker = {
  object: 'market_maker'
  sku: SkuSummary
  /** Whether it trades. */
  enabled: boolean
  /** Number of nodes of its own hosts, which it offers. */
  node_count: number
  /** Price around which it trades. */
  base_price_dollars_per_node_hour: string
  /** Price that it regards as fair at this minute. */
  fair_price_dollars_per_node_hour: string
  /**
   * Whether its prices and nodes differ by hour: nights and weekends are cheap, working hours dear, one
   * day is scarce, one supplier fails and a new one arrives.
   */
  weather: boolean
  /** When its weather changes. `null`: it has none. */
  forecast: {
    /** Offset of its days and hours from UTC. There is no summer time. */
    utc_offset_minutes: number
    /** Start of the scarce day, in Unix seconds. It comes again every four weeks. */
    scarce_start_at: number
    /** End of the scarce day, in Unix seconds. */
    scarce_end_at: number
    /** When one supplier withdraws its offers, in Unix seconds. What it has sold stays sold. */
    supplier_fails_at: number
    /** From when on a new supplier offers nodes below the prices of the others, in Unix seconds. */
    supplier_arrives_at: number
  } | null
  /** When it was created, in Unix seconds. */
  created_at: number
}

/** A list that is always complete. */
export type MarketMakerList = {
  object: 'list'
  /** All rows, in the order of the list. */
  data: MarketMaker[]
  /** Always false: the list is complete. */
  has_more: boolean
}

/** A list that is always complete. */
export type HostList = {
  object: 'list'
  /** All rows, in the order of the list. */
  data: Host[]
  /** Always false: the list is complete. */
  has_more: boolean
}

/** An injected fault. */
export type Fault = {
  object: 'fault'
  /** Sandbox fault id. */
  id: SandboxFaultId
  /** What goes wrong. */
  kind: 'http_error' | 'http_latency' | 'connection_cut' | 'database_down' | 'market_halt' | 'host_silent' | 'host_crash' | 'start_failure' | 'checksum_mismatch' | 'instance_unhealthy' | 'webhook_failure' | 'preempt'
  /** Status of the responses. 410 only with `webhook_failure`. */
  status?: 410 | 429 | 500 | 503
  /** By how much responses are delayed. */
  milliseconds?: number
  /** Whether the connection breaks before or after the work. */
  moment?: 'before' | 'after'
  /** Operation that it hits, such as `list_skus`. Default: every operation. */
  operation?: string
  /** How many of the calls it hits, in percent. */
  probability_percent?: number
  /** SKU of the nodes that are sold off. */
  sku?: SkuId
  /** Number of nodes that are sold off. */
  node_count?: number
  /** How often it happens. 0: until it is removed. */
  times?: number
  /** End it after this time of the sandbox clock. */
  for_seconds?: number
  /** Host id. */
  host?: HostId
  /** Instance id. */
  instance?: InstanceId
  /** Pool id. */
  pool?: PoolId
  /** Webhook id. */
  webhook?: WebhookId
  /** How often it has happened. */
  hits: number
  /** Whether it can still happen. */
  active: boolean
  /** When it was created, in Unix seconds. */
  created_at: number
}

/** A list that is always complete. */
export type FaultList = {
  object: 'list'
  /** All rows, in the order of the list. */
  data: Fault[]
  /** Always false: the list is complete. */
  has_more: boolean
}

/** That the process serves. */
export type Health = {
  status: 'ok'
}

/** One part of the process. */
export type ReadinessPart = {
  /** Which part. */
  name: 'database' | 'schema' | 'storage_settings' | 'clock' | 'reconcilers'
  /** `ok`, or what is wrong with it, for people. */
  message: string
}

/** The state of each part of the process. */
export type Readiness = {
  status: 'ok'
  /** Each part that must work before it takes calls. */
  parts: ReadinessPart[]
}

/** The running build. */
export type Version = {
  name: 'bourse'
  /** Version of the server. */
  version: string
  /** Version of the API that it serves. */
  interface_version: string
  /** `sandbox`: a server to try things on, with its own clock and simulated hosts. */
  mode: 'production' | 'sandbox'
  /** The commit of the build. `unknown`: the build does not say. */
  commit: string
}

/** One public key, in the form of RFC 7517. */
export type JsonWebKey = {
  kty: 'OKP'
  crv: 'Ed25519'
  /** The public key: 32 bytes in base64url. */
  x: string
  /** Name of the key, which the header of a signed text gives. */
  kid: string
  use: 'sig'
  alg: 'EdDSA'
}

/** The public keys that sign for the installation, as RFC 7517 has them. */
export type JsonWebKeySet = {
  /** The keys, the present one first. */
  keys: JsonWebKey[]
}

/** The body of `create_workspace`. */
export type CreateWorkspaceBody = {
  /** Name. Default: a generated one. */
  name?: string | undefined
}

/** The body of `update_workspace`. */
export type UpdateWorkspaceBody = {
  /** New name. */
  name?: string | undefined
}

/** The body of `create_user`. */
export type CreateUserBody = {
  /** E-mail address, unique in the account without regard to case. Stored in Unicode form NFC, with the domain in lower case. */
  email: string
  /** Name. Default: a generated one. */
  name?: string | undefined
  /** First name. */
  first_name?: string | undefined
  /** Last name. */
  last_name?: string | undefined
}

/** The body of `update_user`. */
export type UpdateUserBody = {
  /** New name. */
  name?: string | undefined
  /** First name. */
  first_name?: string | null | undefined
  /** Last name. */
  last_name?: string | null | undefined
}

/** The body of `create_user_passkey`. */
export type CreateUserPasskeyBody = {
  /** Name of the passkey, for people. Default: after the device. */
  name?: string | undefined
  /** The id of the credential, in base64url. */
  credential_id: string
  /** `clientDataJSON` of the response of the browser, in base64url. */
  client_data_json: string
  /** `attestationObject` of the response of the browser, in base64url. */
  attestation_object: string
  /** How a browser reaches the authenticator, as returned by `getTransports()` of the browser. */
  transports?: readonly string[] | undefined
}

/** The body of `update_user_passkey`. */
export type UpdateUserPasskeyBody = {
  /** New name. */
  name: string
}

/** The body of `create_ssh_key`. */
export type CreateSshKeyBody = {
  /** The public key in the one-line form of OpenSSH, as in a file that ends in `.pub`. */
  public_key: string
  /** Name, for people. Default: the comment of the key. */
  name?: string | undefined
}

/** The body of `create_role`. */
export type CreateRoleBody = {
  /** Name of the role, unique in the account. */
  name: string
  /** Rules of the role: which verbs it allows on which kinds of resource. A new policy replaces the old one. */
  policy: {
    /** Version of the policy format. */
    api_version: 'roles/v1'
    /** A note for people. */
    description?: string | undefined
    /** What the role allows. The rules add up. */
    rules: readonly ({
      /** Rules only allow. */
      effect: 'allow'
      /** The verbs that it allows, by kind of resource. `*` stands for all. */
      actions: {
        /** Verbs on all kinds of resources. */
        '*'?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `workspace`. */
        workspace?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `user`. */
        user?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `role`. */
        role?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `grant`. */
        grant?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `token`. */
        token?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `image`. */
        image?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `instance_template`. */
        instance_template?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `instance`. */
        instance?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `secret`. */
        secret?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `pool`. */
        pool?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `pool_transfer`. */
        pool_transfer?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `order`. */
        order?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `procurement`. */
        procurement?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `deployment`. */
        deployment?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `firewall`. */
        firewall?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `subnet`. */
        subnet?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `infiniband_partition`. */
        infiniband_partition?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `billing`. */
        billing?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `event`. */
        event?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `audit`. */
        audit?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `webhook`. */
        webhook?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `host`. */
        host?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `platform`. */
        platform?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
      }
    })[]
  }
}

/** The body of `update_role`. */
export type UpdateRoleBody = {
  /** New name. */
  name?: string | undefined
  /** Rules of the role: which verbs it allows on which kinds of resource. A new policy replaces the old one. */
  policy?: {
    /** Version of the policy format. */
    api_version: 'roles/v1'
    /** A note for people. */
    description?: string | undefined
    /** What the role allows. The rules add up. */
    rules: readonly ({
      /** Rules only allow. */
      effect: 'allow'
      /** The verbs that it allows, by kind of resource. `*` stands for all. */
      actions: {
        /** Verbs on all kinds of resources. */
        '*'?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `workspace`. */
        workspace?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `user`. */
        user?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `role`. */
        role?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `grant`. */
        grant?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `token`. */
        token?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `image`. */
        image?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `instance_template`. */
        instance_template?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `instance`. */
        instance?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `secret`. */
        secret?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `pool`. */
        pool?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `pool_transfer`. */
        pool_transfer?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `order`. */
        order?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `procurement`. */
        procurement?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `deployment`. */
        deployment?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `firewall`. */
        firewall?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `subnet`. */
        subnet?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `infiniband_partition`. */
        infiniband_partition?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `billing`. */
        billing?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `event`. */
        event?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `audit`. */
        audit?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `webhook`. */
        webhook?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `host`. */
        host?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        /** Verbs on the kind `platform`. */
        platform?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
      }
    })[]
  } | undefined
}

/** The body of `create_grant`. */
export type CreateGrantBody = {
  /** Whether a user or a token has the role. */
  principal_type: 'user' | 'token'
  /** Id of the user or token that has the role. */
  principal_id: string
  /** Role: id or resource path. */
  role: RoleRef
  /** Workspace in which the role counts: id or resource path. Default: the whole account. */
  workspace?: WorkspaceRef | undefined
}

/** The body of `check_permissions`. */
export type CheckPermissionsBody = {
  /** Permissions to check, such as `firewall:delete`. */
  actions: readonly string[]
  /** Workspace to check: id or resource path. Default: the whole account. */
  workspace?: WorkspaceRef | undefined
}

/** The body of `create_token`. */
export type CreateTokenBody = {
  /** Name. Default: a generated one. */
  name?: string | undefined
  /** Workspace of the token: id or resource path. Default: that of the token that makes it. */
  workspace?: WorkspaceRef | undefined
  /** Roles of the token in its workspace. Default: `viewer`. You need all rights of these roles yourself. */
  roles?: readonly RoleRef[] | undefined
  /** When the token ends, in Unix seconds. At most 5 years ahead, and not after the token that makes it; `null`: never. Default: in 90 days, or when that token ends if it is earlier. A session makes tokens for at most `token_lifetime_max_days` of the account. */
  expires_at?: number | null | undefined
  /** Networks from which the token may be used, such as 203.0.113.0/24. Default: all. Each is in its shortest form, without host bits. Behind a proxy, the server sees the address of the proxy. Other addresses get 403 `network_not_allowed`. */
  allowed_cidrs?: readonly string[] | undefined
  /** Resources that the token may act on: ids, or paths with at most one `*` in the name. Default: all. Each resource that a request uses has to match, also pools, templates and images. Others appear to be absent. */
  resources?: readonly string[] | undefined
}

/** The body of `start_device_login`. */
export type StartDeviceLoginBody = {
  /** Shown to the person. */
  client_name?: string | undefined
}

/** The body of `finish_device_login`. */
export type FinishDeviceLoginBody = {
  /** A secret of the program. It is no token. */
  device_code: string
}

/** The body of `start_passkey_registration`. */
export type StartPasskeyRegistrationBody = {

}

/** The body of `start_passkey_sign_in`. */
export type StartPasskeySignInBody = {

}

/** The body of `finish_passkey_sign_in`. */
export type FinishPasskeySignInBody = {
  /** The id of the credential, in base64url. */
  credential_id: string
  /** `clientDataJSON` of the response of the browser, in base64url. */
  client_data_json: string
  /** `authenticatorData` of the response of the browser, in base64url. */
  authenticator_data: string
  /** `signature` of the response of the browser, in base64url. */
  signature: string
  /** `userHandle` of the response of the browser, in base64url. */
  user_handle?: string | undefined
  /** Accept only the person who is signed in already. Default false. */
  is_step_up?: boolean | undefined
}

/** The body of `use_recovery_code`. */
export type UseRecoveryCodeBody = {
  /** The recovery code, in upper or lower case, with or without separators. */
  code: string
  /** Accept only the person who is signed in already. Default false. */
  is_step_up?: boolean | undefined
}

/** The body of `create_webhook`. */
export type CreateWebhookBody = {
  /** URL of the receiver: https, with a public address, without user, password and fragment. The address is checked at each connection. A sandbox also takes http and private addresses. */
  url: string
  /** A note for people. */
  description?: string | undefined
  /** Only events with these actions, such as `order.filled` or `instance.*`. Empty: all. */
  actions?: readonly string[] | undefined
  /** Only events about these kinds of resources, such as `instance`. Empty: all. */
  target_types?: readonly string[] | undefined
  /** Only events about these resources: their ids. Empty: all. */
  targets?: readonly string[] | undefined
  /** `per_target`: events about one resource are sent one after the other, the next only after success or the last attempt. `none`: in any order. Default `none`. */
  ordering?: 'none' | 'per_target' | undefined
  /** Send events at once. */
  enabled?: boolean | undefined
  /** Also send the events after this one: the cursor of an event of a list without filters. Default: only new ones. */
  starting_after?: string | undefined
}

/** The body of `update_webhook`. */
export type UpdateWebhookBody = {
  /** URL of the receiver: https, with a public address, without user, password and fragment. The address is checked at each connection. A sandbox also takes http and private addresses. */
  url?: string | undefined
  /** A note for people. */
  description?: string | null | undefined
  /** Only events with these actions, such as `order.filled` or `instance.*`. Empty: all. */
  actions?: readonly string[] | undefined
  /** Only events about these kinds of resources, such as `instance`. Empty: all. */
  target_types?: readonly string[] | undefined
  /** Only events about these resources: their ids. Empty: all. */
  targets?: readonly string[] | undefined
  /** `per_target`: events about one resource are sent one after the other, the next only after success or the last attempt. `none`: in any order. */
  ordering?: 'none' | 'per_target' | undefined
  /** Send events. */
  enabled?: boolean | undefined
}

/** The body of `replay_webhook`. */
export type ReplayWebhookBody = {
  /** Send the events again that happened at this time or later, in Unix seconds. */
  since?: number | undefined
  /** Send the events after this one again: the cursor of an event of a list without filters. */
  starting_after?: string | undefined
}

/** The body of `put_balance_threshold`. */
export type PutBalanceThresholdBody = {
  /** Available dollars at which the balance is low, such as 50.00. Not zero; `null`: no threshold. */
  low_at_dollars: string | null
}

/** The body of `create_account_transaction`. */
export type CreateAccountTransactionBody = {
  /** Why the amount is posted. */
  type: 'credit_grant' | 'manual_payment' | 'refund' | 'adjustment'
  /** Amount in dollars, such as 1000.00. A negative amount takes money away. Not zero. */
  amount_dollars: string
  /** Reason, shown in the statement of the account. */
  description: string
}

/** The body of `put_credit_limit`. */
export type PutCreditLimitBody = {
  /** Dollars by which the balance may fall below zero, such as 500.00. */
  credit_limit_dollars: string
}

/** The body of `create_pending_credit`. */
export type CreatePendingCreditBody = {
  /** Why the amount is credited. `credit_limit`: the credit limit becomes the amount instead. */
  type: 'credit_grant' | 'manual_payment' | 'refund' | 'adjustment' | 'credit_limit'
  /** Amount in dollars, such as 250000.00. Not zero. */
  amount_dollars: string
  /** Reason, shown to the second platform operator. The reason of a credit also appears in the statement of the account. */
  description: string
}

/** The body of `create_budget`. */
export type CreateBudgetBody = {
  /** Name of the budget, for people. */
  name?: string | undefined
  /** Workspace that the budget is for: id or resource path. Default: the whole account. */
  workspace?: WorkspaceRef | undefined
  /** Period of the amount: a day or a month in UTC, or all time. */
  period: 'day' | 'month' | 'total'
  /** Amount of a period in dollars, such as 5000.00. Not zero. */
  amount_dollars: string
  /** Rising percentages of the amount, such as 50, 80, 100. Reaching one emits `budget.threshold_reached`, once a period. */
  thresholds_percent?: readonly number[] | undefined
  /** What is compared with the thresholds. `actual`: the amount spent. `forecast`: the expected amount at the end of the period; not for `total`. */
  threshold_basis?: 'actual' | 'forecast' | undefined
  /** Refuse buys that would exceed the amount, and let automations stop buying. */
  hard_stop?: boolean | undefined
}

/** The body of `update_budget`. */
export type UpdateBudgetBody = {
  /** Name of the budget, for people. */
  name?: string | null | undefined
  /** Amount of a period in dollars, such as 5000.00. Not zero. */
  amount_dollars?: string | undefined
  /** Rising percentages of the amount, such as 50, 80, 100. Reaching one emits `budget.threshold_reached`, once a period. */
  thresholds_percent?: readonly number[] | undefined
  /** What is compared with the thresholds. `actual`: the amount spent. `forecast`: the expected amount at the end of the period; not for `total`. */
  threshold_basis?: 'actual' | 'forecast' | undefined
  /** Refuse buys that would exceed the amount, and let automations stop buying. */
  hard_stop?: boolean | undefined
}

/** The body of `create_pool`. */
export type CreatePoolBody = {
  /** Name. Default: a generated one. */
  name?: string | undefined
  /** Workspace that it belongs to: id or resource path. Default: the workspace of the API token. */
  workspace?: WorkspaceRef | undefined
  /** Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | undefined
}

/** The body of `update_pool`. */
export type UpdatePoolBody = {
  /** New name. */
  name?: string | undefined
  /** Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | null | undefined
}

/** The body of `create_read_only_pool`. */
export type CreateReadOnlyPoolBody = {
  /** Account that gets the pool: its id. */
  account: string
  /** Workspace of that account: its id or path. */
  workspace: WorkspaceRef
  /** Name. Default: a generated one. */
  name?: string | undefined
  /** Originating pool that gives the nodes: id or resource path. */
  from_pool: PoolRef
  /** SKU id. */
  sku: SkuId
  /** Nodes that the pool gets: ascending, without overlap. Gaps count as zero. Only the last entry may be open. */
  allocation_schedule: readonly ({
    /** First minute of the window, in Unix seconds. */
    start_at: number
    /** End of the window, not included, in Unix seconds. Absent: the start of the next entry; `null`: without end. */
    end_at?: number | null | undefined
    /** Number of nodes in each minute of the window. */
    node_count: number
  })[]
}

/** The body of `halt_market`. */
export type HaltMarketBody = {
  /** Reason, shown to everyone whose order is refused. */
  message?: string | undefined
  /** Halt only this SKU. Default: the whole market. */
  sku?: SkuId | undefined
}

/** The body of `resume_market`. */
export type ResumeMarketBody = {
  /** A note for people. */
  message?: string | undefined
  /** Resume only this SKU. Default: the whole market. */
  sku?: SkuId | undefined
}

/** The body of `create_maintenance_window`. */
export type CreateMaintenanceWindowBody = {
  /** When it begins, in Unix seconds, a multiple of 60. */
  start_at: number
  /** When it ends, in Unix seconds, a multiple of 60. */
  end_at: number
  /** How severe the maintenance is. */
  maintenance_type: 'info' | 'degraded_performance' | 'unavailable'
  /** Title, for customers. */
  title: string
  /** What happens, for customers. */
  description: string
  /** What customers should do. */
  action_message?: string | undefined
  /** SKUs that it affects. Default: all. */
  sku?: readonly SkuId[] | undefined
}

/** The body of `create_pool_transfer`. */
export type CreatePoolTransferBody = {
  /** Pool that gives the nodes: id or resource path. */
  from_pool: PoolRef
  /** Pool that gets them: id or resource path. */
  to_pool: PoolRef
  /** SKU id. */
  sku: SkuId
  /** Nodes to move: ascending, without overlap. Gaps count as zero. Only the last entry may be open. */
  allocation_schedule_delta: readonly ({
    /** First minute of the window, in Unix seconds. */
    start_at: number
    /** End of the window, not included, in Unix seconds. Absent: the start of the next entry; `null`: without end. */
    end_at?: number | null | undefined
    /** Number of nodes in each minute of the window. */
    node_count: number
  })[]
}

/** The body of `create_order`. */
export type CreateOrderBody = {
  /** Pool that gets the bought nodes, or gives the sold nodes: id or resource path. */
  pool: PoolRef
  /** Whether the order buys or sells. */
  side: 'buy' | 'sell'
  /** SKU id. */
  sku: SkuId
  /** Times and number of nodes: exactly one window. */
  allocation_schedule_delta: readonly ({
    /** First minute of the window, in Unix seconds. */
    start_at: number
    /** End of the window, not included, in Unix seconds. */
    end_at: number
    /** Number of nodes. */
    node_count: number
  })[]
  /** Highest price of a buy, lowest of a sell, in dollars per node-hour, such as 18.50. */
  limit_price_dollars_per_node_hour: string
  /** Let the part that is not filled at once wait on the order book. */
  allow_standing?: boolean | undefined
  /** Accept a partial fill. Otherwise the order is filled whole or not at all. */
  allow_partial?: boolean | undefined
}

/** The body of `amend_order`. */
export type AmendOrderBody = {
  /** Number of nodes in total, including filled nodes. Default: as before. */
  node_count?: number | undefined
  /** First minute of the window, in Unix seconds. Default: as before, or the running minute. */
  start_at?: number | undefined
  /** End of the window, not included, in Unix seconds. Default: as before. */
  end_at?: number | undefined
  /** Highest price of a buy, lowest of a sell, in dollars per node-hour, such as 18.50. Default: as before. */
  limit_price_dollars_per_node_hour?: string | undefined
  /** Let the part that is not filled at once wait on the order book. Default: as before. */
  allow_standing?: boolean | undefined
  /** Accept a partial fill. Default: as before. */
  allow_partial?: boolean | undefined
}

/** The body of `create_order_estimate`. */
export type CreateOrderEstimateBody = {
  /** Whether the order buys or sells. */
  side: 'buy' | 'sell'
  /** SKU. Without it, every SKU that fits the requirements is looked at. */
  sku?: SkuId | undefined
  /** What the SKU must have, instead of its id. Fields: `id`, `alias`, the SKU properties, `simulated`, `operator_hosts_only`, each with a list of its possible values. Empty: any SKU. */
  requirements?: Record<string, readonly string[]> | undefined
  /** First minute of the window, in Unix seconds. */
  start_at: number
  /** Length of the window, a multiple of 60. */
  duration_seconds: number
  /** Number of nodes. */
  node_count: number
  /** Pool of the order: id or resource path. With it, limits and money are checked. */
  pool?: PoolRef | undefined
  /** Open order of the same side, SKU and pool that it would amend: money and nodes that the open order holds count as free, and filled nodes are not ordered again. */
  amends?: OrderId | undefined
  /** Highest price of a buy, lowest of a sell, in dollars per node-hour, such as 18.50. Default: any price. */
  limit_price_dollars_per_node_hour?: string | undefined
  /** Let the part that is not filled at once wait on the order book. */
  allow_standing?: boolean | undefined
  /** Accept a partial fill. Otherwise the order is filled whole or not at all. */
  allow_partial?: boolean | undefined
}

/** The body of `create_image`. */
export type CreateImageBody = {
  /** Name. Default: a generated one. */
  name?: string | undefined
  /** Workspace that it belongs to: id or resource path. Default: the workspace of the API token. */
  workspace?: WorkspaceRef | undefined
}

/** The body of `create_image_part`. */
export type CreateImagePartBody = {
  /** Number of the part: 1, 2, 3 and so on, without gaps. */
  part_id: number
}

/** The body of `complete_image`. */
export type CompleteImageBody = {
  /** SHA-256 of the whole image, in lower-case hexadecimal digits. */
  sha256: string
  /** Use bytes of an unknown format as a raw disk. It never accepts a qcow2 file that is refused. */
  accept_unknown_format?: boolean | undefined
}

/** The body of `deprecate_image`. */
export type DeprecateImageBody = {
  /** Message for people, such as what to use instead. */
  message?: string | undefined
}

/** The body of `create_firewall`. */
export type CreateFirewallBody = {
  /** Name. Default: a generated one. */
  name?: string | undefined
  /** Workspace that it belongs to: id or resource path. Default: the workspace of the API token. */
  workspace?: WorkspaceRef | undefined
  /** The rules for inbound traffic. Traffic that no rule allows is dropped. */
  rules?: readonly ({
    /** Protocol that it allows. */
    protocol: 'tcp' | 'udp' | 'icmp' | 'all'
    /** First port that it opens. Required with `tcp` and `udp`, refused with `icmp` and `all`. */
    port_from?: number | undefined
    /** Last port that it opens. Default: the first one. */
    port_to?: number | undefined
    /** IPv4 network from which traffic may come, without host bits. 0.0.0.0/0: from everywhere. */
    source_cidr: string
    /** A note for people. */
    description?: string | undefined
  })[] | undefined
  /** Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | undefined
}

/** The body of `update_firewall`. */
export type UpdateFirewallBody = {
  /** New name. */
  name?: string | undefined
  /** Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | null | undefined
}

/** The body of `replace_firewall_rules`. */
export type ReplaceFirewallRulesBody = {
  /** All rules for inbound traffic from now on. Traffic that no rule allows is dropped. */
  rules: readonly ({
    /** Protocol that it allows. */
    protocol: 'tcp' | 'udp' | 'icmp' | 'all'
    /** First port that it opens. Required with `tcp` and `udp`, refused with `icmp` and `all`. */
    port_from?: number | undefined
    /** Last port that it opens. Default: the first one. */
    port_to?: number | undefined
    /** IPv4 network from which traffic may come, without host bits. 0.0.0.0/0: from everywhere. */
    source_cidr: string
    /** A note for people. */
    description?: string | undefined
  })[]
}

/** The body of `create_subnet`. */
export type CreateSubnetBody = {
  /** Name. Default: a generated one. */
  name?: string | undefined
  /** Workspace that it belongs to: id or resource path. Default: the workspace of the API token. */
  workspace?: WorkspaceRef | undefined
  /** Region of the SKUs whose instances may use it, such as `us-west`. */
  region: string
  /** Private IPv4 network of /16 to /28, such as 10.40.0.0/20. Default: the first free /20 of 10.64.0.0/10. */
  cidr?: string | undefined
  /** Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | undefined
}

/** The body of `update_subnet`. */
export type UpdateSubnetBody = {
  /** New name. */
  name?: string | undefined
  /** Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | null | undefined
}

/** The body of `create_infiniband_partition`. */
export type CreateInfinibandPartitionBody = {
  /** Name. Default: a generated one. */
  name?: string | undefined
  /** Workspace that it belongs to: id or resource path. Default: the workspace of the API token. */
  workspace?: WorkspaceRef | undefined
  /** InfiniBand fabric, such as `west-ib`: that of a SKU which you can see. */
  infiniband_fabric: string
  /** Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | undefined
}

/** The body of `update_infiniband_partition`. */
export type UpdateInfinibandPartitionBody = {
  /** New name. */
  name?: string | undefined
  /** Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | null | undefined
}

/** The body of `create_instance_template`. */
export type CreateInstanceTemplateBody = {
  /** Name. Default: a generated one. */
  name?: string | undefined
  /** Workspace that it belongs to: id or resource path. Default: the workspace of the API token. */
  workspace?: WorkspaceRef | undefined
  /** Image: id or resource path. */
  image: ImageRef
  /** User data for cloud-init, at most 65,536 bytes. Sent in base64. */
  cloud_init_user_data?: string | undefined
  /** Ids of the SSH keys that open it. Default: the newest 32 keys of its creator. Empty: none. Keys of others need the permission `user:read`. */
  ssh_keys?: readonly SshKeyId[] | undefined
  /** Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | undefined
  /** When allocation falls, instances of lower levels end first. Default `normal`. */
  priority_level?: 'yield' | 'normal' | 'preferred' | 'critical' | undefined
  /** Subnet: id or resource path. Default: an isolated subnet of its own. */
  subnet?: SubnetRef | undefined
  /** Give it a public address. Without a public address only SSH (TCP port 22) reaches it. */
  _preview_enable_public_ipv4?: boolean | undefined
  /** Firewall of the public address: id or resource path. Default: the default firewall of the workspace. */
  _preview_firewall?: FirewallRef | undefined
  /** InfiniBand partition: id or resource path. It cannot be changed later. */
  _preview_infiniband_partition?: InfinibandPartitionRef | undefined
}

/** The body of `create_instance`. */
export type CreateInstanceBody = {
  /** Pool whose allocation it uses: id or resource path. The instance belongs to the workspace of the pool. */
  pool: PoolRef
  /** SKU id. */
  sku: SkuId
  /** Image: id or resource path. */
  image: ImageRef
  /** Name. Default: a generated one. */
  name?: string | undefined
  /** User data for cloud-init, at most 65,536 bytes. Sent in base64. */
  cloud_init_user_data?: string | undefined
  /** Ids of the SSH keys that open it. Default: the newest 32 keys of its creator. Empty: none. Keys of others need the permission `user:read`. */
  ssh_keys?: readonly SshKeyId[] | undefined
  /** Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | undefined
  /** When allocation falls, instances of lower levels end first. Default `normal`. */
  priority_level?: 'yield' | 'normal' | 'preferred' | 'critical' | undefined
  /** Subnet: id or resource path. Default: an isolated subnet of its own. */
  subnet?: SubnetRef | undefined
  /** Give it a public address. Without a public address only SSH (TCP port 22) reaches it. */
  _preview_enable_public_ipv4?: boolean | undefined
  /** Firewall of the public address: id or resource path. Default: the default firewall of the workspace. */
  _preview_firewall?: FirewallRef | undefined
  /** InfiniBand partition: id or resource path. It cannot be changed later. */
  _preview_infiniband_partition?: InfinibandPartitionRef | undefined
  /** Buy one node of the SKU for the pool at once, for this window. By default nothing is bought. */
  buy?: {
    /** First minute to buy, in Unix seconds. Default: the running minute. */
    start_at?: number | undefined
    /** End of the window, not included, in Unix seconds. */
    end_at: number
    /** Highest price, in dollars per node-hour, such as 18.50. It is set aside until the purchase is made. */
    limit_price_dollars_per_node_hour: string
    /** Most that the purchase may cost, in dollars, such as 55.00. */
    max_cost_dollars?: string | undefined
  } | undefined
}

/** The body of `update_instance_priorities`. */
export type UpdateInstancePrioritiesBody = {
  /** Instances with their priorities. */
  data: readonly ({
    /** Instance: id or resource path. */
    id: InstanceRef
    /** When allocation falls, instances of lower levels end first. */
    priority_level: 'yield' | 'normal' | 'preferred' | 'critical' | null
  })[]
}

/** The body of `update_instance`. */
export type UpdateInstanceBody = {
  /** New name. */
  name?: string | undefined
  /** Up to 50 tags, each a key with a value. A key has 1 to 128 characters, a value up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | null | undefined
  /** When allocation falls, instances of lower levels end first. `null`: `normal`. */
  priority_level?: 'yield' | 'normal' | 'preferred' | 'critical' | null | undefined
  /** Firewall of the public address: id or resource path. It takes effect at once. Only with public IPv4. */
  _preview_firewall?: FirewallRef | undefined
}

/** The body of `replace_instance`. */
export type ReplaceInstanceBody = {
  /** Image: id or resource path. */
  image: ImageRef
  /** User data for cloud-init, at most 65,536 bytes. Sent in base64. */
  cloud_init_user_data?: string | undefined
  /** Name of the new instance. Default: a generated one. It differs from that of the old one. */
  name?: string | undefined
}

/** The body of `update_host`. */
export type UpdateHostBody = {
  /** New name. */
  name?: string | undefined
}

/** The body of `drain_host`. */
export type DrainHostBody = {
  /** When its supply and its instances end, in Unix seconds. Not in the past. The supply ends at the start of this minute. */
  deadline_at: number
  /** Drain even if nodes after the deadline are sold or offered. They stay so. */
  force?: boolean | undefined
}

/** The body of `retire_host`. */
export type RetireHostBody = {
  /** Retire a host that is unreachable, although it is not drained. Its instances end. */
  force?: boolean | undefined
}

/** The body of `create_host_enrolment`. */
export type CreateHostEnrolmentBody = {
  /** SKU id. */
  sku: SkuId
  /** Workspace that the hosts belong to: id or resource path. Default: that of the token. */
  workspace?: WorkspaceRef | undefined
  /** Nodes of the SKU that each host can run. */
  slots?: number | undefined
  /** How long the permit is valid. */
  expires_in_seconds?: number | undefined
  /** Number of hosts that may enrol with it. */
  uses?: number | undefined
}

/** The body of `create_deployment`. */
export type CreateDeploymentBody = {
  /** `generic`: it uses what its pool has. `spot`: it also buys nodes. Default `generic`. */
  kind?: 'generic' | 'spot' | undefined
  /** Name. Default: a generated one. */
  name?: string | undefined
  /** Pool whose allocation its instances use: id or resource path. A market pool, or for a generic one a read-only pool. */
  pool: PoolRef
  /** SKU id. */
  sku: SkuId
  /** Template of its instances: id or resource path. */
  instance_template: InstanceTemplateRef
  /** How many instances it keeps. */
  target_instance_count: number
  /** Pattern of the names of its instances, such as `web-{{adjective}}-{{noun}}`. Variables: `{{adjective}}`, `{{noun}}`, `{{nanoid(N)}}` with N from 1 to 21. */
  instance_name_template?: string | undefined
  /** Keep its instances at the target. */
  enabled?: boolean | undefined
  /** Most that it pays, in dollars per node-hour, such as 20.00. Spot deployments only. */
  max_buy_price_dollars_per_node_hour?: string | undefined
}

/** The body of `update_deployment`. */
export type UpdateDeploymentBody = {
  /** New name. */
  name?: string | undefined
  /** Template of its instances: id or resource path. */
  instance_template?: InstanceTemplateRef | undefined
  /** Keep its instances at the target. */
  enabled?: boolean | undefined
  /** How many instances it keeps. */
  target_instance_count?: number | undefined
  /** Pattern of the names of its instances, such as `web-{{adjective}}-{{noun}}`. Variables: `{{adjective}}`, `{{noun}}`, `{{nanoid(N)}}` with N from 1 to 21. */
  instance_name_template?: string | undefined
  /** Most that it pays, in dollars per node-hour, such as 20.00. Spot deployments only. */
  max_buy_price_dollars_per_node_hour?: string | undefined
}

/** The body of `create_procurement`. */
export type CreateProcurementBody = {
  /** Name. Default: a generated one. */
  name?: string | undefined
  /** Pool that it fills: id or resource path. A market pool, or an originating one to sell only. */
  pool: PoolRef
  /** SKU id. */
  sku: SkuId
  /** How many nodes the pool should have in each minute. `node_count`: as many as it has live instances of the SKU. */
  target: 'node_count' | number
  /** Lowest price at which it sells nodes above the target, in dollars per node-hour, such as 24.00. */
  min_sell_price_dollars_per_node_hour: string
  /** Highest price at which it buys, in dollars per node-hour, such as 20.00. Required for a market pool, not applicable to an originating pool. */
  max_buy_price_dollars_per_node_hour?: string | undefined
  /** Length of its window in minutes, from the next minute on: 1440 is a day. */
  managed_window_minutes: number
  /** Keep the pool at the target. */
  enabled?: boolean | undefined
}

/** The body of `update_procurement`. */
export type UpdateProcurementBody = {
  /** New name. */
  name?: string | undefined
  /** SKU id. */
  sku?: SkuId | undefined
  /** How many nodes the pool should have in each minute. `node_count`: as many as it has live instances of the SKU. */
  target?: 'node_count' | number | undefined
  /** Lowest price at which it sells nodes above the target, in dollars per node-hour, such as 24.00. */
  min_sell_price_dollars_per_node_hour?: string | undefined
  /** Highest price at which it buys, in dollars per node-hour, such as 20.00. Required for a market pool, not applicable to an originating pool. */
  max_buy_price_dollars_per_node_hour?: string | undefined
  /** Length of its window in minutes, from the next minute on: 1440 is a day. */
  managed_window_minutes?: number | undefined
  /** Keep the pool at the target. */
  enabled?: boolean | undefined
}

/** The body of `create_deployment_estimate`. */
export type CreateDeploymentEstimateBody = {
  /** `generic`: it uses what its pool has. `spot`: it also buys nodes. Default `generic`. */
  kind?: 'generic' | 'spot' | undefined
  /** Name. Default: a generated one. */
  name?: string | undefined
  /** Pool whose allocation its instances use: id or resource path. A market pool, or for a generic one a read-only pool. */
  pool: PoolRef
  /** SKU id. */
  sku: SkuId
  /** Template of its instances: id or resource path. */
  instance_template: InstanceTemplateRef
  /** How many instances it keeps. */
  target_instance_count: number
  /** Pattern of the names of its instances, such as `web-{{adjective}}-{{noun}}`. Variables: `{{adjective}}`, `{{noun}}`, `{{nanoid(N)}}` with N from 1 to 21. */
  instance_name_template?: string | undefined
  /** Keep its instances at the target. */
  enabled?: boolean | undefined
  /** Most that it pays, in dollars per node-hour, such as 20.00. Spot deployments only. */
  max_buy_price_dollars_per_node_hour?: string | undefined
}

/** The body of `create_deployment_update_estimate`. */
export type CreateDeploymentUpdateEstimateBody = {
  /** New name. */
  name?: string | undefined
  /** Template of its instances: id or resource path. */
  instance_template?: InstanceTemplateRef | undefined
  /** Keep its instances at the target. */
  enabled?: boolean | undefined
  /** How many instances it keeps. */
  target_instance_count?: number | undefined
  /** Pattern of the names of its instances, such as `web-{{adjective}}-{{noun}}`. Variables: `{{adjective}}`, `{{noun}}`, `{{nanoid(N)}}` with N from 1 to 21. */
  instance_name_template?: string | undefined
  /** Most that it pays, in dollars per node-hour, such as 20.00. Spot deployments only. */
  max_buy_price_dollars_per_node_hour?: string | undefined
}

/** The body of `create_procurement_estimate`. */
export type CreateProcurementEstimateBody = {
  /** Name. Default: a generated one. */
  name?: string | undefined
  /** Pool that it fills: id or resource path. A market pool, or an originating one to sell only. */
  pool: PoolRef
  /** SKU id. */
  sku: SkuId
  /** How many nodes the pool should have in each minute. `node_count`: as many as it has live instances of the SKU. */
  target: 'node_count' | number
  /** Lowest price at which it sells nodes above the target, in dollars per node-hour, such as 24.00. */
  min_sell_price_dollars_per_node_hour: string
  /** Highest price at which it buys, in dollars per node-hour, such as 20.00. Required for a market pool, not applicable to an originating pool. */
  max_buy_price_dollars_per_node_hour?: string | undefined
  /** Length of its window in minutes, from the next minute on: 1440 is a day. */
  managed_window_minutes: number
  /** Keep the pool at the target. */
  enabled?: boolean | undefined
}

/** The body of `create_procurement_update_estimate`. */
export type CreateProcurementUpdateEstimateBody = {
  /** New name. */
  name?: string | undefined
  /** SKU id. */
  sku?: SkuId | undefined
  /** How many nodes the pool should have in each minute. `node_count`: as many as it has live instances of the SKU. */
  target?: 'node_count' | number | undefined
  /** Lowest price at which it sells nodes above the target, in dollars per node-hour, such as 24.00. */
  min_sell_price_dollars_per_node_hour?: string | undefined
  /** Highest price at which it buys, in dollars per node-hour, such as 20.00. Required for a market pool, not applicable to an originating pool. */
  max_buy_price_dollars_per_node_hour?: string | undefined
  /** Length of its window in minutes, from the next minute on: 1440 is a day. */
  managed_window_minutes?: number | undefined
  /** Keep the pool at the target. */
  enabled?: boolean | undefined
}

/** The body of `create_account`. */
export type CreateAccountBody = {
  /** Id of the account: 3 to 40 small letters, digits and hyphens. It never changes. */
  id: string
  /** Name of the account, for people. */
  name?: string | undefined
  /** Whether the account belongs to a person or a business. */
  entity_type?: 'personal' | 'business' | undefined
  /** How far the account is trusted. Its limits depend on it. Default `basic`. */
  trust_level?: 'untrusted' | 'basic' | 'trusted' | 'partner' | undefined
}

/** The body of `update_account`. */
export type UpdateAccountBody = {
  /** Name of the account, for people. */
  name?: string | undefined
  /** Whether the account belongs to a person or a business. */
  entity_type?: 'personal' | 'business' | undefined
  /** Longest life of tokens that people make from now on, in days. */
  token_lifetime_max_days?: number | undefined
}

/** The body of `set_trust_level`. */
export type SetTrustLevelBody = {
  /** How far the account is trusted. Its limits depend on it. */
  trust_level: 'untrusted' | 'basic' | 'trusted' | 'partner'
}

/** The body of `put_account_limit`. */
export type PutAccountLimitBody = {
  /** The most that is allowed. `null`: no limit. */
  value: number | null
}

/** The body of `create_account_user`. */
export type CreateAccountUserBody = {
  /** E-mail address, unique in the account without regard to case. Stored in Unicode form NFC, with the domain in lower case. */
  email: string
  /** Name. Default: a generated one. */
  name?: string | undefined
  /** First name. */
  first_name?: string | undefined
  /** Last name. */
  last_name?: string | undefined
  /** Role of the user in the whole account: id or resource path. Default: `admin`. */
  role?: RoleRef | undefined
}

/** The body of `create_account_sign_in_link`. */
export type CreateAccountSignInLinkBody = {
  /** Id of the user of that account who may sign in. */
  user: UserId
}

/** The body of `create_agent_bundle`. */
export type CreateAgentBundleBody = {
  /** The manifest, a JSON text: version, commit, processors, protocol, SHA-256 and size of the archive. */
  manifest: string
  /** Signature of the manifest by `ssh-keygen -Y sign -n bourse-agent`, by an Ed25519 key. */
  signature: string
  /** The archive, at most 1.25 MiB. Sent in base64. */
  content: string
}

/** The body of `create_agent_rollout`. */
export type CreateAgentRolloutBody = {
  /** Version of a bundle. */
  agent_version: string
  /** Groups in the order of their turns, such as `canary=1%`, `early=10%`, `rest`. The last one has no share and gets all other hosts. Default: these three. */
  groups?: readonly string[] | undefined
  /** For how many seconds a host is watched after its update before the next update begins. */
  health_seconds?: number | undefined
  /** Within how many seconds a host must report the new version and be well. */
  return_seconds?: number | undefined
  /** How many hosts of a SKU, and of an InfiniBand fabric, are updated at once. */
  hosts_at_once?: number | undefined
  /** Create it halted. `resume_agent_rollout` starts it. */
  halted?: boolean | undefined
}

/** The body of `create_sku`. */
export type CreateSkuBody = {
  /** Name of the SKU for people, such as `h100-west`. A new SKU without one gets a generated name. */
  alias?: string | undefined
  /** Show the SKU on the market. */
  listed?: boolean | undefined
  /** Hosts of this SKU need not have its hardware: for development. */
  simulated?: boolean | undefined
  /** Let only the platform operator supply hosts of the SKU, and no partner. */
  operator_hosts_only?: boolean | undefined
  /** Leave trades of accounts that share a person out of public prices of the SKU: price history, trades and last prices. It counts for earlier trades too. Whether accounts share a person is decided as they trade, by sign-ins and e-mail addresses. */
  public_prices_exclude_related?: boolean | undefined
  /** Figures of benchmarks that the SKU shows, in this order, each with its unit, such as `memory_bandwidth GB/s`. */
  benchmark_figures?: readonly string[] | undefined
  /** Fee of the platform operator for each node-hour that is sold, in dollars. A new SKU without it has none. */
  flat_fee_dollars_per_node_hour?: string | undefined
  /** Fee of the platform operator in basis points, hundredths of a percent, of the value of a sale. A new SKU without it has none. */
  fee_bps?: number | undefined
  /** Prices of orders and automations must be multiples of this, in dollars. A new SKU without it has 0.000001. Resting orders keep their prices. */
  price_step_dollars_per_node_hour?: string | undefined
  /** Region, such as `us-west`. */
  region?: string | {
    /** The value itself, which requirements compare. */
    value: string
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Availability zone, such as `us-west-1a`. */
  availability_zone?: string | {
    /** The value itself, which requirements compare. */
    value: string
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Kind of GPU, such as `h100`. */
  accelerator?: string | {
    /** The value itself, which requirements compare. */
    value: string
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Form factor of the GPUs, such as `sxm`. */
  form_factor?: string | {
    /** The value itself, which requirements compare. */
    value: string
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Network between nodes: `infiniband` or `roce`. */
  rdma_type?: string | {
    /** The value itself, which requirements compare. */
    value: string
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Rate of the fastest RDMA port, in gigabits per second. */
  rdma_gigabits_per_second?: number | {
    /** The value itself, which requirements compare. */
    value: number
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Name of the InfiniBand fabric, such as `west-ib`. */
  infiniband_fabric?: string | undefined
  /** Number of GPUs. */
  num_accelerators?: number | {
    /** The value itself, which requirements compare. */
    value: number
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Number of virtual processors. */
  num_vcpus?: number | {
    /** The value itself, which requirements compare. */
    value: number
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Memory of a node, in bytes. */
  memory_bytes?: number | {
    /** The value itself, which requirements compare. */
    value: number
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Local storage of a node, in bytes. */
  local_storage_bytes?: number | {
    /** The value itself, which requirements compare. */
    value: number
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Instances can have public addresses. */
  supports_public_ipv4?: boolean | {
    /** The value itself, which requirements compare. */
    value: boolean
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
}

/** The body of `update_sku`. */
export type UpdateSkuBody = {
  /** Name of the SKU for people, such as `h100-west`. A new SKU without one gets a generated name. */
  alias?: string | undefined
  /** Show the SKU on the market. */
  listed?: boolean | undefined
  /** Hosts of this SKU need not have its hardware: for development. */
  simulated?: boolean | undefined
  /** Let only the platform operator supply hosts of the SKU, and no partner. */
  operator_hosts_only?: boolean | undefined
  /** Leave trades of accounts that share a person out of public prices of the SKU: price history, trades and last prices. It counts for earlier trades too. Whether accounts share a person is decided as they trade, by sign-ins and e-mail addresses. */
  public_prices_exclude_related?: boolean | undefined
  /** Figures of benchmarks that the SKU shows, in this order, each with its unit, such as `memory_bandwidth GB/s`. */
  benchmark_figures?: readonly string[] | undefined
  /** Fee of the platform operator for each node-hour that is sold, in dollars. A new SKU without it has none. */
  flat_fee_dollars_per_node_hour?: string | undefined
  /** Fee of the platform operator in basis points, hundredths of a percent, of the value of a sale. A new SKU without it has none. */
  fee_bps?: number | undefined
  /** Prices of orders and automations must be multiples of this, in dollars. A new SKU without it has 0.000001. Resting orders keep their prices. */
  price_step_dollars_per_node_hour?: string | undefined
  /** Region, such as `us-west`. */
  region?: string | {
    /** The value itself, which requirements compare. */
    value: string
    /** The value as people read it. */
    display_value?: string | undefined
  } | null | undefined
  /** Availability zone, such as `us-west-1a`. */
  availability_zone?: string | {
    /** The value itself, which requirements compare. */
    value: string
    /** The value as people read it. */
    display_value?: string | undefined
  } | null | undefined
  /** Kind of GPU, such as `h100`. */
  accelerator?: string | {
    /** The value itself, which requirements compare. */
    value: string
    /** The value as people read it. */
    display_value?: string | undefined
  } | null | undefined
  /** Form factor of the GPUs, such as `sxm`. */
  form_factor?: string | {
    /** The value itself, which requirements compare. */
    value: string
    /** The value as people read it. */
    display_value?: string | undefined
  } | null | undefined
  /** Network between nodes: `infiniband` or `roce`. */
  rdma_type?: string | {
    /** The value itself, which requirements compare. */
    value: string
    /** The value as people read it. */
    display_value?: string | undefined
  } | null | undefined
  /** Rate of the fastest RDMA port, in gigabits per second. */
  rdma_gigabits_per_second?: number | {
    /** The value itself, which requirements compare. */
    value: number
    /** The value as people read it. */
    display_value?: string | undefined
  } | null | undefined
  /** Name of the InfiniBand fabric, such as `west-ib`. */
  infiniband_fabric?: string | null | undefined
  /** Number of GPUs. */
  num_accelerators?: number | {
    /** The value itself, which requirements compare. */
    value: number
    /** The value as people read it. */
    display_value?: string | undefined
  } | null | undefined
  /** Number of virtual processors. */
  num_vcpus?: number | {
    /** The value itself, which requirements compare. */
    value: number
    /** The value as people read it. */
    display_value?: string | undefined
  } | null | undefined
  /** Memory of a node, in bytes. */
  memory_bytes?: number | {
    /** The value itself, which requirements compare. */
    value: number
    /** The value as people read it. */
    display_value?: string | undefined
  } | null | undefined
  /** Local storage of a node, in bytes. */
  local_storage_bytes?: number | {
    /** The value itself, which requirements compare. */
    value: number
    /** The value as people read it. */
    display_value?: string | undefined
  } | null | undefined
  /** Instances can have public addresses. */
  supports_public_ipv4?: boolean | {
    /** The value itself, which requirements compare. */
    value: boolean
    /** The value as people read it. */
    display_value?: string | undefined
  } | null | undefined
}

/** The body of `put_sku_property_value`. */
export type PutSkuPropertyValueBody = {
  /** The text that people read. */
  display_name: string
  /** What the value means. */
  description?: string | undefined
  /** A page that explains the value. */
  documentation_link?: string | null | undefined
  /** Since when the value is outdated, in Unix seconds. `null`: it is not. */
  deprecated_at?: number | null | undefined
  /** What to use instead. */
  deprecation_info?: string | null | undefined
}

/** The body of `put_sku_override`. */
export type PutSkuOverrideBody = {
  /** Region, such as `us-west`. */
  region?: string | {
    /** The value itself, which requirements compare. */
    value: string
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Availability zone, such as `us-west-1a`. */
  availability_zone?: string | {
    /** The value itself, which requirements compare. */
    value: string
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Kind of GPU, such as `h100`. */
  accelerator?: string | {
    /** The value itself, which requirements compare. */
    value: string
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Form factor of the GPUs, such as `sxm`. */
  form_factor?: string | {
    /** The value itself, which requirements compare. */
    value: string
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Network between nodes: `infiniband` or `roce`. */
  rdma_type?: string | {
    /** The value itself, which requirements compare. */
    value: string
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Rate of the fastest RDMA port, in gigabits per second. */
  rdma_gigabits_per_second?: number | {
    /** The value itself, which requirements compare. */
    value: number
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Name of the InfiniBand fabric, such as `west-ib`. */
  infiniband_fabric?: string | undefined
  /** Number of GPUs. */
  num_accelerators?: number | {
    /** The value itself, which requirements compare. */
    value: number
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Number of virtual processors. */
  num_vcpus?: number | {
    /** The value itself, which requirements compare. */
    value: number
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Memory of a node, in bytes. */
  memory_bytes?: number | {
    /** The value itself, which requirements compare. */
    value: number
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Local storage of a node, in bytes. */
  local_storage_bytes?: number | {
    /** The value itself, which requirements compare. */
    value: number
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
  /** Instances can have public addresses. */
  supports_public_ipv4?: boolean | {
    /** The value itself, which requirements compare. */
    value: boolean
    /** The value as people read it. */
    display_value?: string | undefined
  } | undefined
}

/** The body of `deprecate_public_image`. */
export type DeprecatePublicImageBody = {
  /** Message for people, such as what to use instead. */
  message?: string | undefined
}

/** The body of `advance_clock`. */
export type AdvanceClockBody = {
  /** By how much to advance, instead of to a time. */
  seconds?: number | undefined
  /** Advance to this time, in Unix seconds, instead of by a duration. It must be later than now. */
  to?: number | undefined
}

/** The body of `set_clock_rate`. */
export type SetClockRateBody = {
  /** Most seconds of the sandbox clock per real second. */
  rate: number
}

/** The body of `settle`. */
export type SettleBody = {
  /** How long to wait at most. */
  timeout_seconds?: number | undefined
}

/** The body of `load_scenario`. */
export type LoadScenarioBody = {
  /** A number. The same number gives the same world. */
  seed?: number | undefined
}

/** The body of `reset_sandbox`. */
export type ResetSandboxBody = {
  /** The world to load. Default `quickstart`. */
  scenario?: 'empty' | 'quickstart' | 'busy_market' | 'preemption' | 'host_failures' | 'long_history' | undefined
  /** A number. The same number gives the same world. */
  seed?: number | undefined
}

/** The body of `create_market_maker`. */
export type CreateMarketMakerBody = {
  /** SKU id. */
  sku: SkuId
  /** Price around which it trades, in dollars per node-hour, such as 17.00. */
  base_price_dollars_per_node_hour: string
  /** Number of nodes of its own hosts, which it offers. */
  node_count?: number | undefined
  /** Let its prices and nodes differ by hour. */
  weather?: boolean | undefined
}

/** The body of `update_market_maker`. */
export type UpdateMarketMakerBody = {
  /** Let it trade. */
  enabled?: boolean | undefined
  /** Price around which it trades, in dollars per node-hour, such as 17.00. Its offers follow at once. */
  base_price_dollars_per_node_hour?: string | undefined
  /** Let its prices and nodes differ by hour, with the events of its forecast from now on. */
  weather?: boolean | undefined
}

/** The body of `create_simulated_hosts`. */
export type CreateSimulatedHostsBody = {
  /** Account that gets the hosts: its id. Default: your own. */
  account?: string | undefined
  /** SKU id. */
  sku: SkuId
  /** Number of hosts. */
  count: number
  /** Nodes that each host can run. */
  slots?: number | undefined
}

/** The body of `create_ready_image`. */
export type CreateReadyImageBody = {
  /** Name of the image. */
  name: string
  /** Workspace that it belongs to: id or resource path. Default: the workspace of the API token. */
  workspace?: WorkspaceRef | undefined
  /** Let every account use it. Only in the workspace `public` of the platform account. */
  is_public?: boolean | undefined
}

/** The body of `create_fault`. */
export type CreateFaultBody = {
  /** What goes wrong. */
  kind: 'http_error' | 'http_latency' | 'connection_cut' | 'database_down' | 'market_halt' | 'host_silent' | 'host_crash' | 'start_failure' | 'checksum_mismatch' | 'instance_unhealthy' | 'webhook_failure' | 'preempt'
  /** Status of the responses. 410 only with `webhook_failure`. */
  status?: 410 | 429 | 500 | 503 | undefined
  /** By how much responses are delayed. */
  milliseconds?: number | undefined
  /** Whether the connection breaks before or after the work. */
  moment?: 'before' | 'after' | undefined
  /** Operation that it hits, such as `list_skus`. Default: every operation. */
  operation?: string | undefined
  /** How many of the calls it hits, in percent. */
  probability_percent?: number | undefined
  /** SKU of the nodes that are sold off. */
  sku?: SkuId | undefined
  /** Number of nodes that are sold off. */
  node_count?: number | undefined
  /** How often it happens. 0: until it is removed. */
  times?: number | undefined
  /** End it after this time of the sandbox clock. */
  for_seconds?: number | undefined
  /** Host that it hits: id or resource path. */
  host?: HostRef | undefined
  /** Instance that it hits: id or resource path. */
  instance?: InstanceRef | undefined
  /** Pool that it hits: id or resource path. */
  pool?: PoolRef | undefined
  /** Webhook that it hits. */
  webhook?: WebhookId | undefined
}

/** The query of `list_workspaces`. */
export type ListWorkspacesQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  id?: WorkspaceRef | readonly WorkspaceRef[] | undefined
}

/** The query of `list_users`. */
export type ListUsersQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  id?: UserRef | readonly UserRef[] | undefined
  /** Only the user with this e-mail address, without regard to case. */
  email?: string | undefined
}

/** The query of `end_user_sessions`. */
export type EndUserSessionsQuery = {
  /** Also end the tokens, sessions and credentials that were made in these sessions. Default false. */
  cascade?: boolean | undefined
}

/** The query of `list_ssh_keys`. */
export type ListSshKeysQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  id?: SshKeyId | readonly SshKeyId[] | undefined
  /** Only keys of this user or token: its id. */
  owner?: string | undefined
  /** Only the key with this fingerprint. */
  fingerprint?: string | undefined
}

/** The query of `list_roles`. */
export type ListRolesQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  id?: RoleRef | readonly RoleRef[] | undefined
}

/** The query of `list_grants`. */
export type ListGrantsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
  /** Only grants of this user or token: its id. May be repeated; any may match. */
  principal_id?: string | readonly string[] | undefined
  /** Only rows of this role: id or resource path. */
  role?: RoleRef | undefined
}

/** The query of `list_names`. */
export type ListNamesQuery = {
  ids?: string | readonly string[] | undefined
}

/** The query of `get_permissions`. */
export type GetPermissionsQuery = {
  /** Whether the principal is a user or a token. Only together with its id. Default: the caller. */
  principal_type?: 'user' | 'token' | undefined
  /** Whose permissions to show: the id of a user or token. Default: your own. */
  principal_id?: string | undefined
}

/** The query of `list_tokens`. */
export type ListTokensQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: TokenId | readonly TokenId[] | undefined
  /** Only tokens of this kind. */
  kind?: 'service' | 'session' | undefined
}

/** The query of `delete_token`. */
export type DeleteTokenQuery = {
  /** Also end the tokens, sessions and credentials that were made with it or in it. Default false. */
  cascade?: boolean | undefined
}

/** The query of `list_audit_entries`. */
export type ListAuditEntriesQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only entries of this token or user: its id. */
  actor?: string | undefined
  /** Only entries of this operation, such as `create_token`. */
  operation?: string | undefined
  /** Only entries about this resource: its id. */
  target?: string | undefined
  /** Only entries with this outcome. */
  outcome?: 'done' | 'refused' | undefined
  /** Only entries of this time or later, in Unix seconds. */
  from?: number | undefined
  /** Only entries before this time, in Unix seconds. */
  to?: number | undefined
}

/** The query of `list_all_audit_entries`. */
export type ListAllAuditEntriesQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only the trail of this account. */
  account?: string | undefined
  /** Only entries of this token or user: its id. */
  actor?: string | undefined
  /** Only entries of this operation, such as `create_token`. */
  operation?: string | undefined
  /** Only entries about this resource: its id. */
  target?: string | undefined
  /** Only entries with this outcome. */
  outcome?: 'done' | 'refused' | undefined
  /** Only entries of this time or later, in Unix seconds. */
  from?: number | undefined
  /** Only entries before this time, in Unix seconds. */
  to?: number | undefined
}

/** The query of `list_events`. */
export type ListEventsQuery = {
  /** Start after this event: the cursor of an event or of a page. Default: the oldest event. */
  starting_after?: string | undefined
  /** Events on a page; may change between pages. */
  limit?: number | undefined
  /** Only events with exactly this action, such as `order.filled`. */
  action?: string | undefined
  /** Only events about this resource: its id. */
  target?: string | undefined
  /** Only events about this kind of resource, such as `instance`. Adds nothing where `action` is given. */
  target_type?: string | undefined
  /** Only events that happened at this time or later, in Unix seconds. */
  since?: bigint | number | undefined
  /** Only events that happened at this time or earlier, in Unix seconds. */
  until?: bigint | number | undefined
  /** For a stream: if the cursor is too old, continue with the oldest events. Default: such a cursor gets 410. */
  on_gap?: 'continue' | undefined
}

/** The query of `list_webhooks`. */
export type ListWebhooksQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  id?: WebhookId | readonly WebhookId[] | undefined
}

/** The query of `list_webhook_deliveries`. */
export type ListWebhookDeliveriesQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  state?: 'pending' | 'succeeded' | 'failed' | readonly ('pending' | 'succeeded' | 'failed')[] | undefined
  /** Only deliveries of this event. */
  event?: EventId | undefined
}

/** The query of `list_transactions`. */
export type ListTransactionsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  type?: 'buy_fill' | 'sell_fill' | 'credit_grant' | 'manual_payment' | 'refund' | 'adjustment' | readonly ('buy_fill' | 'sell_fill' | 'credit_grant' | 'manual_payment' | 'refund' | 'adjustment')[] | undefined
  /** Only rows of this order. */
  order?: OrderId | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
  /** Only entries that were created at this time or later, in Unix seconds. */
  created_after?: number | undefined
  /** Only entries that were created at this time or earlier, in Unix seconds. */
  created_before?: number | undefined
}

/** The query of `list_holds`. */
export type ListHoldsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
}

/** The query of `list_account_transactions`. */
export type ListAccountTransactionsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  type?: 'buy_fill' | 'sell_fill' | 'credit_grant' | 'manual_payment' | 'refund' | 'adjustment' | readonly ('buy_fill' | 'sell_fill' | 'credit_grant' | 'manual_payment' | 'refund' | 'adjustment')[] | undefined
  /** Only rows of this order. */
  order?: OrderId | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
  /** Only entries that were created at this time or later, in Unix seconds. */
  created_after?: number | undefined
  /** Only entries that were created at this time or earlier, in Unix seconds. */
  created_before?: number | undefined
}

/** The query of `list_pending_credits`. */
export type ListPendingCreditsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only credits to this account: its id. */
  account?: string | undefined
  state?: 'pending' | 'approved' | 'refused' | 'expired' | readonly ('pending' | 'approved' | 'refused' | 'expired')[] | undefined
}

/** The query of `list_usage`. */
export type ListUsageQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** First hour, day or month: its beginning in UTC, in Unix seconds. */
  from: number
  /** End, not included: the beginning of an hour, day or month. At most 400 days later, 31 by hour. */
  to: number
  /** Length of a row. Default `day`. */
  granularity?: 'hour' | 'day' | 'month' | undefined
  /** Split rows: `sku`, `pool`, `workspace`, or a tag of pools such as `tag:team`. Tags are the present tags of the pools. Default: rows are not split. */
  group_by?: string | readonly string[] | undefined
}

/** The query of `export_usage`. */
export type ExportUsageQuery = {
  /** First day: the beginning of a day in UTC, in Unix seconds. */
  from: number
  /** Day at which to end, not included: the beginning of a day in UTC, at most 400 days later. */
  to: number
  /** Rows of FOCUS, or the ledger. Default `focus`. */
  format?: 'focus' | 'ledger_csv' | 'ledger_jsonl' | 'ledger_parquet' | undefined
  /** Version of FOCUS. Default `1.4`. Only with `focus`. */
  focus_version?: '1.4' | '1.2' | undefined
  /** Dataset of FOCUS. Default `cost_and_usage`. Only with `focus`. */
  dataset?: 'cost_and_usage' | 'contract_commitments' | 'billing_periods' | undefined
  /** Form of the file. Default `csv`. Only with `focus`. */
  encoding?: 'csv' | 'jsonl' | 'parquet' | undefined
}

/** The query of `list_budgets`. */
export type ListBudgetsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
}

/** The query of `list_skus`. */
export type ListSkusQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Also show retired SKUs. */
  include_deleted?: boolean | undefined
}

/** The query of `list_pools`. */
export type ListPoolsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: PoolRef | readonly PoolRef[] | undefined
  /** Only pools of this kind. */
  kind?: 'market' | 'originating' | 'read_only' | undefined
  /** Only rows with this tag, `key=value`. May be repeated; all must match. */
  tag?: string | readonly string[] | undefined
  /** Only rows that have a tag with this key. May be repeated; all must match. */
  tag_key?: string | readonly string[] | undefined
  /** How many minutes of the past the schedules show. */
  schedule_history_minutes?: number | undefined
}

/** The query of `get_pool`. */
export type GetPoolQuery = {
  /** How many minutes of the past the schedules show. */
  schedule_history_minutes?: number | undefined
}

/** The query of `list_maintenance_windows`. */
export type ListMaintenanceWindowsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
}

/** The query of `list_pool_transfers`. */
export type ListPoolTransfersQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  pool?: PoolRef | readonly PoolRef[] | undefined
  /** Only transfers in this state. */
  state?: 'pending' | 'executed' | 'rejected' | undefined
}

/** The query of `list_orders`. */
export type ListOrdersQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  id?: OrderId | readonly OrderId[] | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
  /** Only rows of this pool: id or resource path. */
  pool?: PoolRef | undefined
  sku?: SkuId | readonly SkuId[] | undefined
  /** Only orders of this side. */
  side?: 'buy' | 'sell' | undefined
  state?: 'pending' | 'standing' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected' | readonly ('pending' | 'standing' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected')[] | undefined
  /** Only entries that were created at this time or later, in Unix seconds. */
  created_after?: number | undefined
  /** Only entries that were created at this time or earlier, in Unix seconds. */
  created_before?: number | undefined
  /** Only rows of this procurement: id or resource path. */
  procurement?: ProcurementRef | undefined
  /** Only rows of this deployment: id or resource path. */
  deployment?: DeploymentRef | undefined
  /** Also show orders of procurements and spot deployments. */
  include_managed?: boolean | undefined
  /** Order of the rows. A minus before the word reverses it. Default `-created_at`: newest first. */
  sort_by?: '-created_at' | 'created_at' | 'start_at' | '-start_at' | undefined
}

/** The query of `list_order_fills`. */
export type ListOrderFillsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
}

/** The query of `get_orderbook_status`. */
export type GetOrderbookStatusQuery = {
  /** Also whether this SKU is halted on its own. Default: none. */
  sku?: SkuId | undefined
}

/** The query of `list_orderbook_windows`. */
export type ListOrderbookWindowsQuery = {
  /** Only SKUs that fit, such as `accelerator:h100,h200;num_accelerators:gte:8`. Conditions are joined by `;`. Each is `field[:op]:value[,value…]`; commas are alternatives. Fields: `id`, `alias`, the SKU properties, `simulated`, `operator_hosts_only`. Ops: `eq` (also without one), `ne`, for integers `gt gte lt lte`. Default: every SKU. */
  requirements?: string | undefined
  /** Only windows that start at this time or later, in Unix seconds. */
  range_start_at: number
  /** Only windows that end at this time or earlier, in Unix seconds. */
  range_end_at: number
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
}

/** The query of `get_orderbook_quote`. */
export type GetOrderbookQuoteQuery = {
  /** Only SKUs that fit, such as `accelerator:h100,h200;num_accelerators:gte:8`. Conditions are joined by `;`. Each is `field[:op]:value[,value…]`; commas are alternatives. Fields: `id`, `alias`, the SKU properties, `simulated`, `operator_hosts_only`. Ops: `eq` (also without one), `ne`, for integers `gt gte lt lte`. Default: every SKU. */
  requirements?: string | undefined
  /** First minute of the window, in Unix seconds. */
  start_at: number
  /** End of the window, not included, in Unix seconds. */
  end_at: number
}

/** The query of `get_orderbook_depth`. */
export type GetOrderbookDepthQuery = {
  /** Only SKUs that fit, such as `accelerator:h100,h200;num_accelerators:gte:8`. Conditions are joined by `;`. Each is `field[:op]:value[,value…]`; commas are alternatives. Fields: `id`, `alias`, the SKU properties, `simulated`, `operator_hosts_only`. Ops: `eq` (also without one), `ne`, for integers `gt gte lt lte`. Default: every SKU. */
  requirements?: string | undefined
  /** First minute of the window, in Unix seconds. */
  start_at: number
  /** End of the window, not included, in Unix seconds. */
  end_at: number
  /** Number of prices of each side. */
  depth?: number | undefined
}

/** The query of `list_orderbook_fills`. */
export type ListOrderbookFillsQuery = {
  /** Only SKUs that fit, such as `accelerator:h100,h200;num_accelerators:gte:8`. Conditions are joined by `;`. Each is `field[:op]:value[,value…]`; commas are alternatives. Fields: `id`, `alias`, the SKU properties, `simulated`, `operator_hosts_only`. Ops: `eq` (also without one), `ne`, for integers `gt gte lt lte`. Default: every SKU. */
  requirements?: string | undefined
  /** Only trades of nodes after this time, in Unix seconds. */
  start_at: number
  /** Only trades of nodes before this time, in Unix seconds. */
  end_at: number
  /** Only trades since this time, in Unix seconds. Default: 7 days ago; at most 30. */
  since_at?: number | undefined
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
}

/** The query of `list_price_history`. */
export type ListPriceHistoryQuery = {
  /** Only SKUs that fit, such as `accelerator:h100,h200;num_accelerators:gte:8`. Conditions are joined by `;`. Each is `field[:op]:value[,value…]`; commas are alternatives. Fields: `id`, `alias`, the SKU properties, `simulated`, `operator_hosts_only`. Ops: `eq` (also without one), `ne`, for integers `gt gte lt lte`. Default: every SKU. */
  requirements?: string | undefined
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only rows of this SKU. */
  sku?: SkuId | undefined
  /** Length of a row. Default `hour`. */
  interval?: 'minute' | 'hour' | 'day' | undefined
  /** Start: the beginning of a row, in Unix seconds. Default: 7 days ago, with `minute` 1 day ago. */
  since?: number | undefined
  /** End: the beginning of a row, in Unix seconds. Default: the end of the present one. */
  until?: number | undefined
}

/** The query of `get_orderbook_curve`. */
export type GetOrderbookCurveQuery = {
  /** SKU id. */
  sku: SkuId
  /** Start of the first window, in Unix seconds. Default: the current minute. */
  from?: number | undefined
  /** No window starts at or after it, in Unix seconds. Default: 48 windows later. */
  to?: number | undefined
  /** From the start of a window to the next one. */
  step_minutes?: number | undefined
  /** Length of each window. */
  length_minutes?: number | undefined
  /** How many nodes the order would have. */
  node_count?: number | undefined
}

/** The query of `get_orderbook_heatmap`. */
export type GetOrderbookHeatmapQuery = {
  /** Only SKUs that fit, such as `accelerator:h100,h200;num_accelerators:gte:8`. Conditions are joined by `;`. Each is `field[:op]:value[,value…]`; commas are alternatives. Fields: `id`, `alias`, the SKU properties, `simulated`, `operator_hosts_only`. Ops: `eq` (also without one), `ne`, for integers `gt gte lt lte`. Default: every SKU. */
  requirements?: string | undefined
  /** Only these SKUs: their ids. Default: the SKUs that fit the requirements, the first 16 by id. */
  sku?: SkuId | readonly SkuId[] | undefined
  /** Start of the first window, in Unix seconds. Default: the current minute. */
  from?: number | undefined
  /** No window starts at or after it, in Unix seconds. Default: 48 windows later. */
  to?: number | undefined
  /** From the start of a window to the next one. */
  step_minutes?: number | undefined
}

/** The query of `get_orderbook_board`. */
export type GetOrderbookBoardQuery = {
  /** Only SKUs that fit, such as `accelerator:h100,h200;num_accelerators:gte:8`. Conditions are joined by `;`. Each is `field[:op]:value[,value…]`; commas are alternatives. Fields: `id`, `alias`, the SKU properties, `simulated`, `operator_hosts_only`. Ops: `eq` (also without one), `ne`, for integers `gt gte lt lte`. Default: every SKU. */
  requirements?: string | undefined
  /** Only these SKUs: their ids. Default: the SKUs that fit the requirements, the first 32. */
  sku?: SkuId | readonly SkuId[] | undefined
  /** How many hours before the current one are shown, and how many from it on. */
  hours?: number | undefined
}

/** The query of `list_sku_availability`. */
export type ListSkuAvailabilityQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only SKUs that fit, such as `accelerator:h100,h200;num_accelerators:gte:8`. Conditions are joined by `;`. Each is `field[:op]:value[,value…]`; commas are alternatives. Fields: `id`, `alias`, the SKU properties, `simulated`, `operator_hosts_only`. Ops: `eq` (also without one), `ne`, for integers `gt gte lt lte`. Default: every SKU. */
  requirements?: string | undefined
  id?: SkuId | readonly SkuId[] | undefined
  /** Start of the time to show, in Unix seconds. Default: the current minute. */
  start_at?: number | undefined
  /** End of the time to show, in Unix seconds. Default: 30 days after its start; at most 3 years. */
  end_at?: number | undefined
}

/** The query of `get_sku_availability`. */
export type GetSkuAvailabilityQuery = {
  /** Start of the time to show, in Unix seconds. Default: the current minute. */
  start_at?: number | undefined
  /** End of the time to show, in Unix seconds. Default: 30 days after its start; at most 3 years. */
  end_at?: number | undefined
}

/** The query of `list_images`. */
export type ListImagesQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: ImageRef | readonly ImageRef[] | undefined
  state?: 'started' | 'uploading' | 'verifying' | 'completed' | 'revoked' | 'failed' | readonly ('started' | 'uploading' | 'verifying' | 'completed' | 'revoked' | 'failed')[] | undefined
  /** List the public images instead, which the platform operator offers to every account. Without `workspace`. */
  public?: boolean | undefined
}

/** The query of `list_firewalls`. */
export type ListFirewallsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: FirewallRef | readonly FirewallRef[] | undefined
  /** Only rows with this tag, `key=value`. May be repeated; all must match. */
  tag?: string | readonly string[] | undefined
  /** Only rows that have a tag with this key. May be repeated; all must match. */
  tag_key?: string | readonly string[] | undefined
}

/** The query of `list_subnets`. */
export type ListSubnetsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: SubnetRef | readonly SubnetRef[] | undefined
  /** Only subnets of this region, such as `us-west`. */
  region?: string | undefined
  /** Only rows with this tag, `key=value`. May be repeated; all must match. */
  tag?: string | readonly string[] | undefined
  /** Only rows that have a tag with this key. May be repeated; all must match. */
  tag_key?: string | readonly string[] | undefined
}

/** The query of `list_infiniband_partitions`. */
export type ListInfinibandPartitionsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: InfinibandPartitionRef | readonly InfinibandPartitionRef[] | undefined
  /** Only partitions on this InfiniBand fabric, such as `west-ib`. */
  infiniband_fabric?: string | undefined
  /** Only rows with this tag, `key=value`. May be repeated; all must match. */
  tag?: string | readonly string[] | undefined
  /** Only rows that have a tag with this key. May be repeated; all must match. */
  tag_key?: string | readonly string[] | undefined
}

/** The query of `list_instance_templates`. */
export type ListInstanceTemplatesQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: InstanceTemplateRef | readonly InstanceTemplateRef[] | undefined
  image?: ImageRef | readonly ImageRef[] | undefined
  /** Only rows with this tag, `key=value`. May be repeated; all must match. */
  tag?: string | readonly string[] | undefined
  /** Only rows that have a tag with this key. May be repeated; all must match. */
  tag_key?: string | readonly string[] | undefined
}

/** The query of `list_instances`. */
export type ListInstancesQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: InstanceRef | readonly InstanceRef[] | undefined
  /** Only instances with this name. `*` stands for any characters, as in `web-*`. */
  name?: string | undefined
  pool?: PoolRef | readonly PoolRef[] | undefined
  sku?: SkuId | readonly SkuId[] | undefined
  image?: ImageRef | readonly ImageRef[] | undefined
  state?: 'awaiting_allocation' | 'running' | 'failed' | 'terminated' | readonly ('awaiting_allocation' | 'running' | 'failed' | 'terminated')[] | undefined
  /** Only rows of this deployment: id or resource path. */
  deployment?: DeploymentRef | undefined
  /** Only entries that were created at this time or later, in Unix seconds. */
  created_after?: number | undefined
  /** Only entries that were created at this time or earlier, in Unix seconds. */
  created_before?: number | undefined
  /** Only rows with this tag, `key=value`. May be repeated; all must match. */
  tag?: string | readonly string[] | undefined
  /** Only rows that have a tag with this key. May be repeated; all must match. */
  tag_key?: string | readonly string[] | undefined
}

/** The query of `list_instance_logs`. */
export type ListInstanceLogsQuery = {
  /** Only chunks with this number or a higher one. */
  seqnum_after?: number | undefined
  /** Only chunks with this number or a lower one. */
  seqnum_before?: number | undefined
  /** Only output of this time or later, in Unix seconds. */
  logged_after?: number | undefined
  /** Only output of this time or earlier, in Unix seconds. */
  logged_before?: number | undefined
  /** Order of the chunks. `seqnum`, the default: oldest first. `-seqnum`: newest first. */
  sort_by?: 'seqnum' | '-seqnum' | undefined
  /** The most chunks in one response, which has at most 1 MiB. */
  limit?: number | undefined
}

/** The query of `list_hosts`. */
export type ListHostsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: HostRef | readonly HostRef[] | undefined
  sku?: SkuId | readonly SkuId[] | undefined
  state?: 'active' | 'cordoned' | 'draining' | 'drained' | 'retired' | readonly ('active' | 'cordoned' | 'draining' | 'drained' | 'retired')[] | undefined
  health?: 'healthy' | 'unreachable' | 'faulted' | readonly ('healthy' | 'unreachable' | 'faulted')[] | undefined
  /** Only hosts of this account: its id. For the platform operator. */
  account?: string | undefined
}

/** The query of `list_host_enrolments`. */
export type ListHostEnrolmentsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
}

/** The query of `list_deployments`. */
export type ListDeploymentsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
  /** Only rows of this pool: id or resource path. */
  pool?: PoolRef | undefined
  id?: DeploymentRef | readonly DeploymentRef[] | undefined
  /** Only deployments of this kind. */
  kind?: 'generic' | 'spot' | undefined
}

/** The query of `list_procurements`. */
export type ListProcurementsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
  /** Only rows of this pool: id or resource path. */
  pool?: PoolRef | undefined
  sku?: SkuId | readonly SkuId[] | undefined
  id?: ProcurementRef | readonly ProcurementRef[] | undefined
}

/** The query of `list_accounts`. */
export type ListAccountsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  id?: string | readonly string[] | undefined
  /** Only accounts of this level. */
  trust_level?: 'untrusted' | 'basic' | 'trusted' | 'partner' | undefined
  /** Only frozen accounts; false: only the others. */
  is_frozen?: boolean | undefined
}

/** The query of `freeze_account`. */
export type FreezeAccountQuery = {
  /** Also end all sessions and sign-in links of its people, and the device logins that they approved, even if it is frozen already. They may sign in again. Default false. */
  end_sessions?: boolean | undefined
}

/** The query of `list_revenue`. */
export type ListRevenueQuery = {
  /** First month, such as 2026-01. */
  from: string
  /** Last month, included. Default: the first one. At most 24 months in all. */
  to?: string | undefined
}

/** The query of `export_ledger`. */
export type ExportLedgerQuery = {
  /** First day: the beginning of a day in UTC, in Unix seconds. */
  from: number
  /** Day at which to end, not included: the beginning of a day in UTC, at most 400 days later. */
  to: number
  /** Form of the file. Default `csv`. */
  encoding?: 'csv' | 'jsonl' | 'parquet' | undefined
}

/** The query of `list_platform_usage`. */
export type ListPlatformUsageQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only this account: its id. */
  account?: string | undefined
  /** First day: the beginning of a day in UTC, in Unix seconds. */
  from: number
  /** Day at which to end, not included: the beginning of a day in UTC, at most 400 days later. */
  to: number
}

/** The query of `list_platform_orders`. */
export type ListPlatformOrdersQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  id?: OrderId | readonly OrderId[] | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
  /** Only rows of this pool: id or resource path. */
  pool?: PoolRef | undefined
  sku?: SkuId | readonly SkuId[] | undefined
  /** Only orders of this side. */
  side?: 'buy' | 'sell' | undefined
  state?: 'pending' | 'standing' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected' | readonly ('pending' | 'standing' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected')[] | undefined
  /** Only entries that were created at this time or later, in Unix seconds. */
  created_after?: number | undefined
  /** Only entries that were created at this time or earlier, in Unix seconds. */
  created_before?: number | undefined
  /** Only rows of this procurement: id or resource path. */
  procurement?: ProcurementRef | undefined
  /** Only rows of this deployment: id or resource path. */
  deployment?: DeploymentRef | undefined
  /** Also show orders of procurements and spot deployments. */
  include_managed?: boolean | undefined
  /** Only rows of this account: its id. */
  account?: string | undefined
  /** Order of the rows. A minus before the word reverses it. Default `-created_at`: newest first. */
  sort_by?: '-created_at' | 'created_at' | undefined
}

/** The query of `list_platform_pools`. */
export type ListPlatformPoolsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: PoolRef | readonly PoolRef[] | undefined
  /** Only pools of this kind. */
  kind?: 'market' | 'originating' | 'read_only' | undefined
  /** Only rows with this tag, `key=value`. May be repeated; all must match. */
  tag?: string | readonly string[] | undefined
  /** Only rows that have a tag with this key. May be repeated; all must match. */
  tag_key?: string | readonly string[] | undefined
  /** How many minutes of the past the schedules show. */
  schedule_history_minutes?: number | undefined
  /** Only rows of this account: its id. */
  account?: string | undefined
}

/** The query of `list_platform_skus`. */
export type ListPlatformSkusQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  id?: SkuId | readonly SkuId[] | undefined
  /** Only SKUs that this account sees: its id. */
  account?: string | undefined
  /** Only SKUs that are listed on the market; false: only the others. */
  listed?: boolean | undefined
  /** Also show retired SKUs. */
  include_deleted?: boolean | undefined
}

/** The query of `list_platform_instances`. */
export type ListPlatformInstancesQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only rows of this workspace: id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: InstanceRef | readonly InstanceRef[] | undefined
  /** Only instances with this name. `*` stands for any characters, as in `web-*`. */
  name?: string | undefined
  pool?: PoolRef | readonly PoolRef[] | undefined
  sku?: SkuId | readonly SkuId[] | undefined
  image?: ImageRef | readonly ImageRef[] | undefined
  state?: 'awaiting_allocation' | 'running' | 'failed' | 'terminated' | readonly ('awaiting_allocation' | 'running' | 'failed' | 'terminated')[] | undefined
  /** Only rows of this deployment: id or resource path. */
  deployment?: DeploymentRef | undefined
  /** Only entries that were created at this time or later, in Unix seconds. */
  created_after?: number | undefined
  /** Only entries that were created at this time or earlier, in Unix seconds. */
  created_before?: number | undefined
  /** Only rows with this tag, `key=value`. May be repeated; all must match. */
  tag?: string | readonly string[] | undefined
  /** Only rows that have a tag with this key. May be repeated; all must match. */
  tag_key?: string | readonly string[] | undefined
  /** Only instances of this account: its id. */
  account?: string | undefined
}

/** The query of `list_agent_bundles`. */
export type ListAgentBundlesQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
}

/** The query of `list_agent_rollouts`. */
export type ListAgentRolloutsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. Default: the first page. */
  starting_after?: string | undefined
  /** Show the rows before the page with this cursor. */
  ending_before?: string | undefined
  state?: 'running' | 'halted' | 'completed' | 'cancelled' | readonly ('running' | 'halted' | 'completed' | 'cancelled')[] | undefined
}

/** The data of the successful response of each operation. */
export type Answers = {
  get_account: Account
  list_limits: LimitList
  get_limit: Limit
  create_workspace: Workspace
  list_workspaces: WorkspacePage
  get_workspace: Workspace
  update_workspace: Workspace
  delete_workspace: undefined
  create_user: User
  list_users: UserPage
  get_user: User
  update_user: User
  delete_user: DeletedUser
  create_user_sign_in_link: SignInLink
  end_user_sessions: undefined
  list_user_identities: IdentityList
  delete_user_identity: undefined
  list_user_passkeys: PasskeyList
  create_user_passkey: CreatedPasskey
  update_user_passkey: Passkey
  delete_user_passkey: undefined
  create_recovery_codes: RecoveryCodes
  create_ssh_key: SshKey
  list_ssh_keys: SshKeyPage
  get_ssh_key: SshKey
  delete_ssh_key: DeletedSshKey
  list_roles: RolePage
  create_role: Role
  get_role: Role
  update_role: Role
  delete_role: undefined
  create_grant: Grant
  list_grants: GrantPage
  get_grant: Grant
  delete_grant: undefined
  list_names: ShownNameList
  check_permissions: PermissionCheck
  get_permissions: Permissions
  create_token: CreatedToken
  list_tokens: TokenPage
  get_token: Token
  delete_token: undefined
  start_device_login: DeviceLogin
  finish_device_login: DeviceToken
  start_passkey_registration: PasskeyRegistration
  start_passkey_sign_in: PasskeyChallenge
  finish_passkey_sign_in: SignedIn
  use_recovery_code: SignedIn
  list_audit_entries: AuditEntryPage
  list_all_audit_entries: AuditEntryPage
  list_events: EventPage
  create_webhook: WebhookWithSecret
  list_webhooks: WebhookPage
  get_webhook: Webhook
  update_webhook: Webhook
  delete_webhook: undefined
  rotate_webhook_secret: WebhookWithSecret
  test_webhook: WebhookDelivery
  replay_webhook: Webhook
  list_webhook_deliveries: WebhookDeliveryPage
  get_webhook_delivery: WebhookDelivery
  redeliver_webhook_delivery: WebhookDelivery
  list_webhook_keys: WebhookKeyList
  get_balance: Balance
  put_balance_threshold: Balance
  list_transactions: TransactionPage
  list_holds: HoldPage
  list_account_transactions: TransactionPage
  create_account_transaction: Transaction
  put_credit_limit: Balance
  create_pending_credit: PendingCredit
  list_pending_credits: PendingCreditPage
  get_pending_credit: PendingCredit
  approve_pending_credit: PendingCredit
  refuse_pending_credit: PendingCredit
  list_usage: UsagePage
  export_usage: string
  get_statement: Statement
  create_budget: Budget
  list_budgets: BudgetPage
  get_budget: Budget
  update_budget: Budget
  delete_budget: undefined
  list_skus: SkuPage
  get_sku: Sku
  list_sku_properties: SkuPropertyList
  create_pool: Pool
  list_pools: PoolPage
  get_pool: Pool
  update_pool: Pool
  delete_pool: undefined
  create_read_only_pool: Pool
  get_market_halt: MarketHalt
  halt_market: MarketHalt
  resume_market: MarketHalt
  create_maintenance_window: MaintenanceWindow
  list_maintenance_windows: MaintenanceWindowPage
  delete_maintenance_window: undefined
  create_pool_transfer: PoolTransfer
  list_pool_transfers: PoolTransferPage
  get_pool_transfer: PoolTransfer
  create_order: Order
  list_orders: OrderPage
  get_order: Order
  list_order_fills: FillPage
  amend_order: Order
  cancel_order: undefined
  explain_order: OrderExplanation
  create_order_estimate: OrderEstimate
  get_orderbook_status: OrderbookStatus
  list_orderbook_windows: {
  object: 'list'
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
  /** As in the request. `null`: every SKU. */
  requirements: string | null
  /** As in the request. */
  range_start_at: number
  /** As in the request. */
  range_end_at: number
  /** The rows of the page, in the order of the list. */
  data: OrderbookWindow[]
}
  get_orderbook_quote: OrderbookQuote
  get_orderbook_depth: OrderbookDepth
  list_orderbook_fills: {
  object: 'list'
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Where the next page begins: send it as `starting_after`. Absent when the page is empty. */
  cursor?: string
  /** As in the request. `null`: every SKU. */
  requirements: string | null
  /** First minute of the window, in Unix seconds. */
  start_at: number
  /** End of the window, not included, in Unix seconds. */
  end_at: number
  /** The rows of the page, in the order of the list. */
  data: OrderbookFill[]
}
  list_price_history: PriceBucketPage
  get_orderbook_curve: OrderbookCurve
  get_orderbook_heatmap: OrderbookHeatmap
  get_orderbook_board: OrderbookBoard
  list_sku_availability: SkuAvailabilityPage
  get_sku_availability: SkuAvailability
  create_image: Image
  create_image_part: ImagePartUrl
  list_image_parts: ImagePartList
  complete_image: Image
  get_image_download: ImageDownload
  list_images: ImagePage
  get_image: Image
  revoke_image: Image
  reinstate_image: Image
  deprecate_image: Image
  delete_image: undefined
  create_firewall: Firewall
  list_firewalls: FirewallPage
  get_firewall: Firewall
  update_firewall: Firewall
  replace_firewall_rules: Firewall
  delete_firewall: undefined
  create_subnet: Subnet
  list_subnets: SubnetPage
  get_subnet: Subnet
  update_subnet: Subnet
  delete_subnet: undefined
  create_infiniband_partition: InfinibandPartition
  list_infiniband_partitions: InfinibandPartitionPage
  get_infiniband_partition: InfinibandPartition
  update_infiniband_partition: InfinibandPartition
  delete_infiniband_partition: undefined
  create_instance_template: InstanceTemplate
  list_instance_templates: InstanceTemplatePage
  get_instance_template: InstanceTemplate
  get_instance_template_cloud_init: CloudInitUserData
  delete_instance_template: undefined
  create_instance: Instance
  list_instances: InstancePage
  update_instance_priorities: InstanceList
  get_instance: Instance
  update_instance: Instance
  terminate_instance: Instance
  replace_instance: Instance
  delete_instance: undefined
  get_instance_cloud_init: CloudInitUserData
  list_instance_logs: LogChunkList
  get_instance_ssh: InstanceSsh
  get_instance_attestation: InstanceAttestation
  explain_instance: InstanceExplanation
  list_hosts: HostPage
  get_host: Host
  update_host: Host
  cordon_host: Host
  uncordon_host: Host
  drain_host: Host
  retire_host: Host
  create_host_enrolment: CreatedHostEnrolment
  list_host_enrolments: HostEnrolmentPage
  get_host_enrolment: HostEnrolment
  delete_host_enrolment: undefined
  create_deployment: Deployment
  list_deployments: DeploymentPage
  get_deployment: Deployment
  update_deployment: Deployment
  delete_deployment: undefined
  create_procurement: Procurement
  list_procurements: ProcurementPage
  get_procurement: Procurement
  update_procurement: Procurement
  delete_procurement: undefined
  create_deployment_estimate: AutomationEstimate
  create_deployment_update_estimate: AutomationEstimate
  create_procurement_estimate: AutomationEstimate
  create_procurement_update_estimate: AutomationEstimate
  create_account: CreatedAccount
  list_accounts: AdministeredAccountPage
  get_administered_account: AdministeredAccount
  update_account: AdministeredAccount
  freeze_account: AdministeredAccount
  unfreeze_account: AdministeredAccount
  set_trust_level: AdministeredAccount
  list_account_limits: LimitList
  put_account_limit: Limit
  delete_account_limit: undefined
  create_account_user: User
  create_account_sign_in_link: SignInLink
  list_revenue: RevenueList
  export_ledger: string
  list_platform_usage: PlatformUsagePage
  list_platform_orders: PlatformOrderPage
  list_platform_pools: PlatformPoolPage
  list_platform_skus: AdministeredSkuPage
  list_platform_instances: PlatformInstancePage
  create_agent_bundle: AgentBundle
  list_agent_bundles: AgentBundlePage
  get_agent_bundle: AgentBundle
  delete_agent_bundle: undefined
  create_agent_rollout: AgentRollout
  list_agent_rollouts: AgentRolloutPage
  get_agent_rollout: AgentRollout
  halt_agent_rollout: AgentRollout
  resume_agent_rollout: AgentRollout
  cancel_agent_rollout: AgentRollout
  roll_back_agent_rollout: AgentRollout
  pin_host_agent: Host
  unpin_host_agent: Host
  create_sku: AdministeredSku
  update_sku: AdministeredSku
  retire_sku: undefined
  restore_sku: AdministeredSku
  put_sku_property_value: SkuPropertyValue
  list_sku_overrides: SkuOverrideList
  put_sku_override: SkuOverride
  delete_sku_override: undefined
  publish_public_image: Image
  revoke_public_image: Image
  reinstate_public_image: Image
  deprecate_public_image: Image
  get_clock: SandboxClock
  freeze_clock: SandboxClock
  resume_clock: SandboxClock
  advance_clock: AdvancedClock
  set_clock_rate: SandboxClock
  settle: Settlement
  list_scenarios: ScenarioList
  load_scenario: LoadedScenario
  reset_sandbox: LoadedScenario
  create_market_maker: MarketMaker
  list_market_makers: MarketMakerList
  update_market_maker: MarketMaker
  create_simulated_hosts: HostList
  create_ready_image: Image
  create_fault: Fault
  list_faults: FaultList
  delete_fault: undefined
  get_health: Health
  get_readiness: Readiness
  get_version: Version
  get_signing_keys: JsonWebKeySet
  get_openapi: Record<string, unknown>
  get_docs: string
  get_metrics: string
}

/** The body of each operation. */
export type Bodies = {
  get_account: never
  list_limits: never
  get_limit: never
  create_workspace: CreateWorkspaceBody
  list_workspaces: never
  get_workspace: never
  update_workspace: UpdateWorkspaceBody
  delete_workspace: never
  create_user: CreateUserBody
  list_users: never
  get_user: never
  update_user: UpdateUserBody
  delete_user: never
  create_user_sign_in_link: never
  end_user_sessions: never
  list_user_identities: never
  delete_user_identity: never
  list_user_passkeys: never
  create_user_passkey: CreateUserPasskeyBody
  update_user_passkey: UpdateUserPasskeyBody
  delete_user_passkey: never
  create_recovery_codes: never
  create_ssh_key: CreateSshKeyBody
  list_ssh_keys: never
  get_ssh_key: never
  delete_ssh_key: never
  list_roles: never
  create_role: CreateRoleBody
  get_role: never
  update_role: UpdateRoleBody
  delete_role: never
  create_grant: CreateGrantBody
  list_grants: never
  get_grant: never
  delete_grant: never
  list_names: never
  check_permissions: CheckPermissionsBody
  get_permissions: never
  create_token: CreateTokenBody
  list_tokens: never
  get_token: never
  delete_token: never
  start_device_login: StartDeviceLoginBody
  finish_device_login: FinishDeviceLoginBody
  start_passkey_registration: StartPasskeyRegistrationBody
  start_passkey_sign_in: StartPasskeySignInBody
  finish_passkey_sign_in: FinishPasskeySignInBody
  use_recovery_code: UseRecoveryCodeBody
  list_audit_entries: never
  list_all_audit_entries: never
  list_events: never
  create_webhook: CreateWebhookBody
  list_webhooks: never
  get_webhook: never
  update_webhook: UpdateWebhookBody
  delete_webhook: never
  rotate_webhook_secret: never
  test_webhook: never
  replay_webhook: ReplayWebhookBody
  list_webhook_deliveries: never
  get_webhook_delivery: never
  redeliver_webhook_delivery: never
  list_webhook_keys: never
  get_balance: never
  put_balance_threshold: PutBalanceThresholdBody
  list_transactions: never
  list_holds: never
  list_account_transactions: never
  create_account_transaction: CreateAccountTransactionBody
  put_credit_limit: PutCreditLimitBody
  create_pending_credit: CreatePendingCreditBody
  list_pending_credits: never
  get_pending_credit: never
  approve_pending_credit: never
  refuse_pending_credit: never
  list_usage: never
  export_usage: never
  get_statement: never
  create_budget: CreateBudgetBody
  list_budgets: never
  get_budget: never
  update_budget: UpdateBudgetBody
  delete_budget: never
  list_skus: never
  get_sku: never
  list_sku_properties: never
  create_pool: CreatePoolBody
  list_pools: never
  get_pool: never
  update_pool: UpdatePoolBody
  delete_pool: never
  create_read_only_pool: CreateReadOnlyPoolBody
  get_market_halt: never
  halt_market: HaltMarketBody
  resume_market: ResumeMarketBody
  create_maintenance_window: CreateMaintenanceWindowBody
  list_maintenance_windows: never
  delete_maintenance_window: never
  create_pool_transfer: CreatePoolTransferBody
  list_pool_transfers: never
  get_pool_transfer: never
  create_order: CreateOrderBody
  list_orders: never
  get_order: never
  list_order_fills: never
  amend_order: AmendOrderBody
  cancel_order: never
  explain_order: never
  create_order_estimate: CreateOrderEstimateBody
  get_orderbook_status: never
  list_orderbook_windows: never
  get_orderbook_quote: never
  get_orderbook_depth: never
  list_orderbook_fills: never
  list_price_history: never
  get_orderbook_curve: never
  get_orderbook_heatmap: never
  get_orderbook_board: never
  list_sku_availability: never
  get_sku_availability: never
  create_image: CreateImageBody
  create_image_part: CreateImagePartBody
  list_image_parts: never
  complete_image: CompleteImageBody
  get_image_download: never
  list_images: never
  get_image: never
  revoke_image: never
  reinstate_image: never
  deprecate_image: DeprecateImageBody
  delete_image: never
  create_firewall: CreateFirewallBody
  list_firewalls: never
  get_firewall: never
  update_firewall: UpdateFirewallBody
  replace_firewall_rules: ReplaceFirewallRulesBody
  delete_firewall: never
  create_subnet: CreateSubnetBody
  list_subnets: never
  get_subnet: never
  update_subnet: UpdateSubnetBody
  delete_subnet: never
  create_infiniband_partition: CreateInfinibandPartitionBody
  list_infiniband_partitions: never
  get_infiniband_partition: never
  update_infiniband_partition: UpdateInfinibandPartitionBody
  delete_infiniband_partition: never
  create_instance_template: CreateInstanceTemplateBody
  list_instance_templates: never
  get_instance_template: never
  get_instance_template_cloud_init: never
  delete_instance_template: never
  create_instance: CreateInstanceBody
  list_instances: never
  update_instance_priorities: UpdateInstancePrioritiesBody
  get_instance: never
  update_instance: UpdateInstanceBody
  terminate_instance: never
  replace_instance: ReplaceInstanceBody
  delete_instance: never
  get_instance_cloud_init: never
  list_instance_logs: never
  get_instance_ssh: never
  get_instance_attestation: never
  explain_instance: never
  list_hosts: never
  get_host: never
  update_host: UpdateHostBody
  cordon_host: never
  uncordon_host: never
  drain_host: DrainHostBody
  retire_host: RetireHostBody
  create_host_enrolment: CreateHostEnrolmentBody
  list_host_enrolments: never
  get_host_enrolment: never
  delete_host_enrolment: never
  create_deployment: CreateDeploymentBody
  list_deployments: never
  get_deployment: never
  update_deployment: UpdateDeploymentBody
  delete_deployment: never
  create_procurement: CreateProcurementBody
  list_procurements: never
  get_procurement: never
  update_procurement: UpdateProcurementBody
  delete_procurement: never
  create_deployment_estimate: CreateDeploymentEstimateBody
  create_deployment_update_estimate: CreateDeploymentUpdateEstimateBody
  create_procurement_estimate: CreateProcurementEstimateBody
  create_procurement_update_estimate: CreateProcurementUpdateEstimateBody
  create_account: CreateAccountBody
  list_accounts: never
  get_administered_account: never
  update_account: UpdateAccountBody
  freeze_account: never
  unfreeze_account: never
  set_trust_level: SetTrustLevelBody
  list_account_limits: never
  put_account_limit: PutAccountLimitBody
  delete_account_limit: never
  create_account_user: CreateAccountUserBody
  create_account_sign_in_link: CreateAccountSignInLinkBody
  list_revenue: never
  export_ledger: never
  list_platform_usage: never
  list_platform_orders: never
  list_platform_pools: never
  list_platform_skus: never
  list_platform_instances: never
  create_agent_bundle: CreateAgentBundleBody
  list_agent_bundles: never
  get_agent_bundle: never
  delete_agent_bundle: never
  create_agent_rollout: CreateAgentRolloutBody
  list_agent_rollouts: never
  get_agent_rollout: never
  halt_agent_rollout: never
  resume_agent_rollout: never
  cancel_agent_rollout: never
  roll_back_agent_rollout: never
  pin_host_agent: never
  unpin_host_agent: never
  create_sku: CreateSkuBody
  update_sku: UpdateSkuBody
  retire_sku: never
  restore_sku: never
  put_sku_property_value: PutSkuPropertyValueBody
  list_sku_overrides: never
  put_sku_override: PutSkuOverrideBody
  delete_sku_override: never
  publish_public_image: never
  revoke_public_image: never
  reinstate_public_image: never
  deprecate_public_image: DeprecatePublicImageBody
  get_clock: never
  freeze_clock: never
  resume_clock: never
  advance_clock: AdvanceClockBody
  set_clock_rate: SetClockRateBody
  settle: SettleBody
  list_scenarios: never
  load_scenario: LoadScenarioBody
  reset_sandbox: ResetSandboxBody
  create_market_maker: CreateMarketMakerBody
  list_market_makers: never
  update_market_maker: UpdateMarketMakerBody
  create_simulated_hosts: CreateSimulatedHostsBody
  create_ready_image: CreateReadyImageBody
  create_fault: CreateFaultBody
  list_faults: never
  delete_fault: never
  get_health: never
  get_readiness: never
  get_version: never
  get_signing_keys: never
  get_openapi: never
  get_docs: never
  get_metrics: never
}

/** The query of each operation. */
export type Queries = {
  get_account: never
  list_limits: never
  get_limit: never
  create_workspace: never
  list_workspaces: ListWorkspacesQuery
  get_workspace: never
  update_workspace: never
  delete_workspace: never
  create_user: never
  list_users: ListUsersQuery
  get_user: never
  update_user: never
  delete_user: never
  create_user_sign_in_link: never
  end_user_sessions: EndUserSessionsQuery
  list_user_identities: never
  delete_user_identity: never
  list_user_passkeys: never
  create_user_passkey: never
  update_user_passkey: never
  delete_user_passkey: never
  create_recovery_codes: never
  create_ssh_key: never
  list_ssh_keys: ListSshKeysQuery
  get_ssh_key: never
  delete_ssh_key: never
  list_roles: ListRolesQuery
  create_role: never
  get_role: never
  update_role: never
  delete_role: never
  create_grant: never
  list_grants: ListGrantsQuery
  get_grant: never
  delete_grant: never
  list_names: ListNamesQuery
  check_permissions: never
  get_permissions: GetPermissionsQuery
  create_token: never
  list_tokens: ListTokensQuery
  get_token: never
  delete_token: DeleteTokenQuery
  start_device_login: never
  finish_device_login: never
  start_passkey_registration: never
  start_passkey_sign_in: never
  finish_passkey_sign_in: never
  use_recovery_code: never
  list_audit_entries: ListAuditEntriesQuery
  list_all_audit_entries: ListAllAuditEntriesQuery
  list_events: ListEventsQuery
  create_webhook: never
  list_webhooks: ListWebhooksQuery
  get_webhook: never
  update_webhook: never
  delete_webhook: never
  rotate_webhook_secret: never
  test_webhook: never
  replay_webhook: never
  list_webhook_deliveries: ListWebhookDeliveriesQuery
  get_webhook_delivery: never
  redeliver_webhook_delivery: never
  list_webhook_keys: never
  get_balance: never
  put_balance_threshold: never
  list_transactions: ListTransactionsQuery
  list_holds: ListHoldsQuery
  list_account_transactions: ListAccountTransactionsQuery
  create_account_transaction: never
  put_credit_limit: never
  create_pending_credit: never
  list_pending_credits: ListPendingCreditsQuery
  get_pending_credit: never
  approve_pending_credit: never
  refuse_pending_credit: never
  list_usage: ListUsageQuery
  export_usage: ExportUsageQuery
  get_statement: never
  create_budget: never
  list_budgets: ListBudgetsQuery
  get_budget: never
  update_budget: never
  delete_budget: never
  list_skus: ListSkusQuery
  get_sku: never
  list_sku_properties: never
  create_pool: never
  list_pools: ListPoolsQuery
  get_pool: GetPoolQuery
  update_pool: never
  delete_pool: never
  create_read_only_pool: never
  get_market_halt: never
  halt_market: never
  resume_market: never
  create_maintenance_window: never
  list_maintenance_windows: ListMaintenanceWindowsQuery
  delete_maintenance_window: never
  create_pool_transfer: never
  list_pool_transfers: ListPoolTransfersQuery
  get_pool_transfer: never
  create_order: never
  list_orders: ListOrdersQuery
  get_order: never
  list_order_fills: ListOrderFillsQuery
  amend_order: never
  cancel_order: never
  explain_order: never
  create_order_estimate: never
  get_orderbook_status: GetOrderbookStatusQuery
  list_orderbook_windows: ListOrderbookWindowsQuery
  get_orderbook_quote: GetOrderbookQuoteQuery
  get_orderbook_depth: GetOrderbookDepthQuery
  list_orderbook_fills: ListOrderbookFillsQuery
  list_price_history: ListPriceHistoryQuery
  get_orderbook_curve: GetOrderbookCurveQuery
  get_orderbook_heatmap: GetOrderbookHeatmapQuery
  get_orderbook_board: GetOrderbookBoardQuery
  list_sku_availability: ListSkuAvailabilityQuery
  get_sku_availability: GetSkuAvailabilityQuery
  create_image: never
  create_image_part: never
  list_image_parts: never
  complete_image: never
  get_image_download: never
  list_images: ListImagesQuery
  get_image: never
  revoke_image: never
  reinstate_image: never
  deprecate_image: never
  delete_image: never
  create_firewall: never
  list_firewalls: ListFirewallsQuery
  get_firewall: never
  update_firewall: never
  replace_firewall_rules: never
  delete_firewall: never
  create_subnet: never
  list_subnets: ListSubnetsQuery
  get_subnet: never
  update_subnet: never
  delete_subnet: never
  create_infiniband_partition: never
  list_infiniband_partitions: ListInfinibandPartitionsQuery
  get_infiniband_partition: never
  update_infiniband_partition: never
  delete_infiniband_partition: never
  create_instance_template: never
  list_instance_templates: ListInstanceTemplatesQuery
  get_instance_template: never
  get_instance_template_cloud_init: never
  delete_instance_template: never
  create_instance: never
  list_instances: ListInstancesQuery
  update_instance_priorities: never
  get_instance: never
  update_instance: never
  terminate_instance: never
  replace_instance: never
  delete_instance: never
  get_instance_cloud_init: never
  list_instance_logs: ListInstanceLogsQuery
  get_instance_ssh: never
  get_instance_attestation: never
  explain_instance: never
  list_hosts: ListHostsQuery
  get_host: never
  update_host: never
  cordon_host: never
  uncordon_host: never
  drain_host: never
  retire_host: never
  create_host_enrolment: never
  list_host_enrolments: ListHostEnrolmentsQuery
  get_host_enrolment: never
  delete_host_enrolment: never
  create_deployment: never
  list_deployments: ListDeploymentsQuery
  get_deployment: never
  update_deployment: never
  delete_deployment: never
  create_procurement: never
  list_procurements: ListProcurementsQuery
  get_procurement: never
  update_procurement: never
  delete_procurement: never
  create_deployment_estimate: never
  create_deployment_update_estimate: never
  create_procurement_estimate: never
  create_procurement_update_estimate: never
  create_account: never
  list_accounts: ListAccountsQuery
  get_administered_account: never
  update_account: never
  freeze_account: FreezeAccountQuery
  unfreeze_account: never
  set_trust_level: never
  list_account_limits: never
  put_account_limit: never
  delete_account_limit: never
  create_account_user: never
  create_account_sign_in_link: never
  list_revenue: ListRevenueQuery
  export_ledger: ExportLedgerQuery
  list_platform_usage: ListPlatformUsageQuery
  list_platform_orders: ListPlatformOrdersQuery
  list_platform_pools: ListPlatformPoolsQuery
  list_platform_skus: ListPlatformSkusQuery
  list_platform_instances: ListPlatformInstancesQuery
  create_agent_bundle: never
  list_agent_bundles: ListAgentBundlesQuery
  get_agent_bundle: never
  delete_agent_bundle: never
  create_agent_rollout: never
  list_agent_rollouts: ListAgentRolloutsQuery
  get_agent_rollout: never
  halt_agent_rollout: never
  resume_agent_rollout: never
  cancel_agent_rollout: never
  roll_back_agent_rollout: never
  pin_host_agent: never
  unpin_host_agent: never
  create_sku: never
  update_sku: never
  retire_sku: never
  restore_sku: never
  put_sku_property_value: never
  list_sku_overrides: never
  put_sku_override: never
  delete_sku_override: never
  publish_public_image: never
  revoke_public_image: never
  reinstate_public_image: never
  deprecate_public_image: never
  get_clock: never
  freeze_clock: never
  resume_clock: never
  advance_clock: never
  set_clock_rate: never
  settle: never
  list_scenarios: never
  load_scenario: never
  reset_sandbox: never
  create_market_maker: never
  list_market_makers: never
  update_market_maker: never
  create_simulated_hosts: never
  create_ready_image: never
  create_fault: never
  list_faults: never
  delete_fault: never
  get_health: never
  get_readiness: never
  get_version: never
  get_signing_keys: never
  get_openapi: never
  get_docs: never
  get_metrics: never
}

/** The path parameters of each operation. */
export type Params = {
  get_account: never
  list_limits: never
  get_limit: { name: string }
  create_workspace: never
  list_workspaces: never
  get_workspace: { id: WorkspaceRef }
  update_workspace: { id: WorkspaceRef }
  delete_workspace: { id: WorkspaceRef }
  create_user: never
  list_users: never
  get_user: { id: UserRef }
  update_user: { id: UserRef }
  delete_user: { id: UserRef }
  create_user_sign_in_link: { id: UserRef }
  end_user_sessions: { id: UserRef }
  list_user_identities: { id: UserRef }
  delete_user_identity: { id: UserRef; identity: IdentityId }
  list_user_passkeys: { id: UserRef }
  create_user_passkey: { id: UserRef }
  update_user_passkey: { id: UserRef; passkey: PasskeyId }
  delete_user_passkey: { id: UserRef; passkey: PasskeyId }
  create_recovery_codes: { id: UserRef }
  create_ssh_key: never
  list_ssh_keys: never
  get_ssh_key: { id: SshKeyId }
  delete_ssh_key: { id: SshKeyId }
  list_roles: never
  create_role: never
  get_role: { id: RoleRef }
  update_role: { id: RoleRef }
  delete_role: { id: RoleRef }
  create_grant: never
  list_grants: never
  get_grant: { id: GrantId }
  delete_grant: { id: GrantId }
  list_names: never
  check_permissions: never
  get_permissions: never
  create_token: never
  list_tokens: never
  get_token: { id: TokenId }
  delete_token: { id: TokenId }
  start_device_login: never
  finish_device_login: never
  start_passkey_registration: never
  start_passkey_sign_in: never
  finish_passkey_sign_in: never
  use_recovery_code: never
  list_audit_entries: never
  list_all_audit_entries: never
  list_events: never
  create_webhook: never
  list_webhooks: never
  get_webhook: { id: WebhookId }
  update_webhook: { id: WebhookId }
  delete_webhook: { id: WebhookId }
  rotate_webhook_secret: { id: WebhookId }
  test_webhook: { id: WebhookId }
  replay_webhook: { id: WebhookId }
  list_webhook_deliveries: { id: WebhookId }
  get_webhook_delivery: { id: WebhookId; delivery: WebhookDeliveryId }
  redeliver_webhook_delivery: { id: WebhookId; delivery: WebhookDeliveryId }
  list_webhook_keys: never
  get_balance: never
  put_balance_threshold: never
  list_transactions: never
  list_holds: never
  list_account_transactions: { account: string }
  create_account_transaction: { account: string }
  put_credit_limit: { account: string }
  create_pending_credit: { account: string }
  list_pending_credits: never
  get_pending_credit: { id: PendingCreditId }
  approve_pending_credit: { id: PendingCreditId }
  refuse_pending_credit: { id: PendingCreditId }
  list_usage: never
  export_usage: never
  get_statement: { month: string }
  create_budget: never
  list_budgets: never
  get_budget: { id: BudgetId }
  update_budget: { id: BudgetId }
  delete_budget: { id: BudgetId }
  list_skus: never
  get_sku: { id: SkuId }
  list_sku_properties: never
  create_pool: never
  list_pools: never
  get_pool: { id: PoolRef }
  update_pool: { id: PoolRef }
  delete_pool: { id: PoolRef }
  create_read_only_pool: never
  get_market_halt: never
  halt_market: never
  resume_market: never
  create_maintenance_window: never
  list_maintenance_windows: never
  delete_maintenance_window: { id: MaintenanceWindowId }
  create_pool_transfer: never
  list_pool_transfers: never
  get_pool_transfer: { id: PoolTransferId }
  create_order: never
  list_orders: never
  get_order: { id: OrderId }
  list_order_fills: { id: OrderId }
  amend_order: { id: OrderId }
  cancel_order: { id: OrderId }
  explain_order: { id: OrderId }
  create_order_estimate: never
  get_orderbook_status: never
  list_orderbook_windows: never
  get_orderbook_quote: never
  get_orderbook_depth: never
  list_orderbook_fills: never
  list_price_history: never
  get_orderbook_curve: never
  get_orderbook_heatmap: never
  get_orderbook_board: never
  list_sku_availability: never
  get_sku_availability: { id: SkuId }
  create_image: never
  create_image_part: { id: ImageRef }
  list_image_parts: { id: ImageRef }
  complete_image: { id: ImageRef }
  get_image_download: { id: ImageRef }
  list_images: never
  get_image: { id: ImageRef }
  revoke_image: { id: ImageRef }
  reinstate_image: { id: ImageRef }
  deprecate_image: { id: ImageRef }
  delete_image: { id: ImageRef }
  create_firewall: never
  list_firewalls: never
  get_firewall: { id: FirewallRef }
  update_firewall: { id: FirewallRef }
  replace_firewall_rules: { id: FirewallRef }
  delete_firewall: { id: FirewallRef }
  create_subnet: never
  list_subnets: never
  get_subnet: { id: SubnetRef }
  update_subnet: { id: SubnetRef }
  delete_subnet: { id: SubnetRef }
  create_infiniband_partition: never
  list_infiniband_partitions: never
  get_infiniband_partition: { id: InfinibandPartitionRef }
  update_infiniband_partition: { id: InfinibandPartitionRef }
  delete_infiniband_partition: { id: InfinibandPartitionRef }
  create_instance_template: never
  list_instance_templates: never
  get_instance_template: { id: InstanceTemplateRef }
  get_instance_template_cloud_init: { id: InstanceTemplateRef }
  delete_instance_template: { id: InstanceTemplateRef }
  create_instance: never
  list_instances: never
  update_instance_priorities: never
  get_instance: { id: InstanceRef }
  update_instance: { id: InstanceRef }
  terminate_instance: { id: InstanceRef }
  replace_instance: { id: InstanceRef }
  delete_instance: { id: InstanceRef }
  get_instance_cloud_init: { id: InstanceRef }
  list_instance_logs: { id: InstanceRef }
  get_instance_ssh: { id: InstanceRef }
  get_instance_attestation: { id: InstanceRef }
  explain_instance: { id: InstanceRef }
  list_hosts: never
  get_host: { id: HostRef }
  update_host: { id: HostRef }
  cordon_host: { id: HostRef }
  uncordon_host: { id: HostRef }
  drain_host: { id: HostRef }
  retire_host: { id: HostRef }
  create_host_enrolment: never
  list_host_enrolments: never
  get_host_enrolment: { id: HostEnrolmentId }
  delete_host_enrolment: { id: HostEnrolmentId }
  create_deployment: never
  list_deployments: never
  get_deployment: { id: DeploymentRef }
  update_deployment: { id: DeploymentRef }
  delete_deployment: { id: DeploymentRef }
  create_procurement: never
  list_procurements: never
  get_procurement: { id: ProcurementRef }
  update_procurement: { id: ProcurementRef }
  delete_procurement: { id: ProcurementRef }
  create_deployment_estimate: never
  create_deployment_update_estimate: { id: DeploymentRef }
  create_procurement_estimate: never
  create_procurement_update_estimate: { id: ProcurementRef }
  create_account: never
  list_accounts: never
  get_administered_account: { account: string }
  update_account: { account: string }
  freeze_account: { account: string }
  unfreeze_account: { account: string }
  set_trust_level: { account: string }
  list_account_limits: { account: string }
  put_account_limit: { account: string; name: string }
  delete_account_limit: { account: string; name: string }
  create_account_user: { account: string }
  create_account_sign_in_link: { account: string }
  list_revenue: never
  export_ledger: never
  list_platform_usage: never
  list_platform_orders: never
  list_platform_pools: never
  list_platform_skus: never
  list_platform_instances: never
  create_agent_bundle: never
  list_agent_bundles: never
  get_agent_bundle: { id: AgentBundleId }
  delete_agent_bundle: { id: AgentBundleId }
  create_agent_rollout: never
  list_agent_rollouts: never
  get_agent_rollout: { id: AgentRolloutId }
  halt_agent_rollout: { id: AgentRolloutId }
  resume_agent_rollout: { id: AgentRolloutId }
  cancel_agent_rollout: { id: AgentRolloutId }
  roll_back_agent_rollout: { id: AgentRolloutId }
  pin_host_agent: { id: HostRef }
  unpin_host_agent: { id: HostRef }
  create_sku: never
  update_sku: { id: SkuId }
  retire_sku: { id: SkuId }
  restore_sku: { id: SkuId }
  put_sku_property_value: { property: string; name: string }
  list_sku_overrides: { account: string }
  put_sku_override: { account: string; sku: SkuId }
  delete_sku_override: { account: string; sku: SkuId }
  publish_public_image: { id: ImageRef }
  revoke_public_image: { id: ImageRef }
  reinstate_public_image: { id: ImageRef }
  deprecate_public_image: { id: ImageRef }
  get_clock: never
  freeze_clock: never
  resume_clock: never
  advance_clock: never
  set_clock_rate: never
  settle: never
  list_scenarios: never
  load_scenario: { name: string }
  reset_sandbox: never
  create_market_maker: never
  list_market_makers: never
  update_market_maker: { sku: SkuId }
  create_simulated_hosts: never
  create_ready_image: never
  create_fault: never
  list_faults: never
  delete_fault: { id: SandboxFaultId }
  get_health: never
  get_readiness: never
  get_version: never
  get_signing_keys: never
  get_openapi: never
  get_docs: never
  get_metrics: never
}

/** Every group of the client with its methods. */
export type Groups = {
  readonly account: {
    /**
     * Get the caller's account
     *
     * Shows the account, the token and its workspace, and the person whose session it is. Any valid token may call it, so it is the way to test one. `get_permissions` shows what the token may do.
     */
    get(options?: RequestOptions): Call<Answers['get_account']>
  }
  readonly limits: {
    /**
     * List limits
     *
     * Shows each limit of your account, how much of it is used, and whether its trust level or the platform operator set it. A limit that holds for each resource, such as the rules of one firewall, shows no usage. Lowering a limit removes nothing; further resources are refused with `limit_exceeded`.
     */
    list(options?: RequestOptions): ListCall<Answers['list_limits']['data'][number]>
    /**
     * Get a limit
     *
     * Shows the value of one limit of your account, and how much of it is used. `list_limits` names all of them.
     */
    get(name: string, options?: RequestOptions): Call<Answers['get_limit']>
    /**
     * Set a credit limit
     *
     * Sets how far below zero the credit of an account may fall; a limit below the credit in use is refused with `insufficient_funds`. Where `BOURSE_DUAL_CONTROL_DOLLARS` is set, a limit above it is refused with `second_operator_required`, unless it is lower than the present limit: request it with `create_pending_credit` and the type `credit_limit`.
     */
    putCredit(account: string, body: Bodies['put_credit_limit'], options?: RequestOptions): Call<Answers['put_credit_limit']>
  }
  readonly workspaces: {
    /**
     * Create a workspace
     *
     * Creates an empty workspace with a default firewall. Grants for the whole account hold in it at once; other users and tokens need a grant, by `create_grant`.
     */
    create(body?: Bodies['create_workspace'], options?: RequestOptions): Call<Answers['create_workspace']>
    /**
     * List workspaces
     *
     * Newest first. Workspaces in which you may not list workspaces are left out.
     */
    list(query?: Queries['list_workspaces'], options?: RequestOptions): ListCall<Answers['list_workspaces']['data'][number]>
    /**
     * Get a workspace
     *
     * Shows the name and the path of a workspace. Lists of resources, such as `list_pools`, take it as a filter.
     */
    get(id: WorkspaceRef, options?: RequestOptions): Call<Answers['get_workspace']>
    /**
     * Rename a workspace
     *
     * The paths of the workspace and of everything in it change at once, and the old paths are no longer valid. Ids stay the same.
     */
    update(id: WorkspaceRef, body?: Bodies['update_workspace'], options?: RequestOptions): Call<Answers['update_workspace']>
    /**
     * Delete a workspace
     *
     * Only an empty workspace can be deleted; its default firewall does not count. The last workspace of an account cannot be deleted. The grants in the workspace end, and so do the sessions whose home it is. The caller needs every permission that these grants give, and every right of the users of these sessions.
     */
    delete(id: WorkspaceRef, options?: RequestOptions): Call<Answers['delete_workspace']>
  }
  readonly users: {
    /**
     * Add a user
     *
     * Adds a person to the account, without any right. `create_grant` gives rights, and `create_user_sign_in_link` lets the person in for the first time.
     */
    create(body: Bodies['create_user'], options?: RequestOptions): Call<Answers['create_user']>
    /**
     * List users
     *
     * Newest first. Deleted users are left out.
     */
    list(query?: Queries['list_users'], options?: RequestOptions): ListCall<Answers['list_users']['data'][number]>
    /**
     * Get a user
     *
     * Shows the names and the e-mail address of a person. Users may always read their own entry.
     */
    get(id: UserRef, options?: RequestOptions): Call<Answers['get_user']>
    /**
     * Change a user
     *
     * Changes the names that are given; the e-mail address and the rights stay. For another user this needs every right that the user has.
     */
    update(id: UserRef, body?: Bodies['update_user'], options?: RequestOptions): Call<Answers['update_user']>
    /**
     * Delete a user
     *
     * Ends the grants, sessions, sign-in links, identities, passkeys and SSH keys of the user in one step. The response names the instances that had one of these keys, and says whether it can be removed. This needs every right that the user has, and is refused for the last admin who can sign in.
     */
    delete(id: UserRef, options?: RequestOptions): Call<Answers['delete_user']>
    /**
     * Create a sign-in link
     *
     * The link signs the user in once, within 15 minutes, and only this response shows it. Opening it shows a page with one button, which opens a session of 12 hours in the browser. A user has at most five open links: a further link ends the oldest. A link ends when its user gets a further role. This needs every right that the user has.
     */
    createSignInLink(id: UserRef, options?: RequestOptions): Call<Answers['create_user_sign_in_link']>
    /**
     * End sessions of a user
     *
     * Ends all sessions and all sign-in links that were not used; identities and passkeys stay, so the user can sign in again. Users may always end their own sessions; for another user this needs every right that the user has. With `cascade` it also ends all tokens and sessions that descend from these sessions, as `delete_token` does for one session, and needs the permissions of all tokens that end.
     */
    endSessions(id: UserRef, query?: Queries['end_user_sessions'], options?: RequestOptions): Call<Answers['end_user_sessions']>
  }
  readonly userIdentities: {
    /**
     * List identities of a user
     *
     * Shows the accounts at sign-in providers by which the user signs in. Users may always list their own identities. `delete_user_identity` removes an identity.
     */
    list(id: UserRef, options?: RequestOptions): ListCall<Answers['list_user_identities']['data'][number]>
    /**
     * Remove an identity
     *
     * The identity no longer signs the user in; open sessions stay. Where the provider adds users, the same person can sign in again, as another user. For another user this needs every right that the user has.
     */
    delete(params: { id: UserRef; identity: IdentityId }, options?: RequestOptions): Call<Answers['delete_user_identity']>
  }
  readonly userPasskeys: {
    /**
     * List passkeys of a user
     *
     * Shows the passkeys by which the user signs in. Users may always list their own passkeys. `delete_user_passkey` removes a passkey.
     */
    list(id: UserRef, options?: RequestOptions): ListCall<Answers['list_user_passkeys']['data'][number]>
    /**
     * Add a passkey
     *
     * Adds the passkey that the browser of the signed-in person has made, after `start_passkey_registration` in the same session. Works only on requests of pages of this server. A user has at most 10 passkeys.
     */
    create(id: UserRef, body: Bodies['create_user_passkey'], options?: RequestOptions): Call<Answers['create_user_passkey']>
    /**
     * Rename a passkey
     *
     * Changes only the name that people see. Users may rename their own passkeys; for another user this needs every right that the user has.
     */
    update(params: { id: UserRef; passkey: PasskeyId }, body: Bodies['update_user_passkey'], options?: RequestOptions): Call<Answers['update_user_passkey']>
    /**
     * Remove a passkey
     *
     * The passkey no longer signs the user in; open sessions stay. With the last passkey, the recovery codes end too. For another user this needs every right that the user has.
     */
    delete(params: { id: UserRef; passkey: PasskeyId }, options?: RequestOptions): Call<Answers['delete_user_passkey']>
  }
  readonly recoveryCodes: {
    /**
     * Create recovery codes
     *
     * Creates ten codes for the signed-in person and ends the earlier ones; only this response shows them. Each code signs the person in once, for example when all passkeys are lost. The person needs a passkey.
     */
    create(id: UserRef, options?: RequestOptions): Call<Answers['create_recovery_codes']>
  }
  readonly sshKeys: {
    /**
     * Add an SSH key
     *
     * The key belongs to the caller: the person who is signed in, or the token of a program. Accepted are Ed25519, RSA with at least 3,072 bits, ECDSA (nistp256, nistp384, nistp521), and Ed25519 and ECDSA on a security key. New instances get the keys of whoever creates them, unless the request names others; running instances stay as they are. A key exists once in an account.
     */
    create(body: Bodies['create_ssh_key'], options?: RequestOptions): Call<Answers['create_ssh_key']>
    /**
     * List SSH keys
     *
     * Newest first. Shows your own keys, and with `user:list` the keys of the whole account. Deleted keys are left out.
     */
    list(query?: Queries['list_ssh_keys'], options?: RequestOptions): ListCall<Answers['list_ssh_keys']['data'][number]>
    /**
     * Get an SSH key
     *
     * Shows the public key, its fingerprint and its owner. Your own keys need no permission.
     */
    get(id: SshKeyId, options?: RequestOptions): Call<Answers['get_ssh_key']>
    /**
     * Delete an SSH key
     *
     * New instances no longer get the key. It is removed within seconds from running instances whose image runs the QEMU guest agent; the response names the instances that keep it. Your own key needs no permission; the key of another owner needs every right that the owner has.
     */
    delete(id: SshKeyId, options?: RequestOptions): Call<Answers['delete_ssh_key']>
  }
  readonly roles: {
    /**
     * List roles
     *
     * Shows the built-in roles first, then the roles of your account, newest first.
     */
    list(query?: Queries['list_roles'], options?: RequestOptions): ListCall<Answers['list_roles']['data'][number]>
    /**
     * Create a role
     *
     * Creates a named set of permissions, which nobody holds yet: `create_grant` gives it. The policy may only name permissions that the caller has for the whole account.
     */
    create(body: Bodies['create_role'], options?: RequestOptions): Call<Answers['create_role']>
    /**
     * Get a role
     *
     * Shows the name and the policy of a built-in role or of a role of your account. `list_grants` with `role` shows who holds it.
     */
    get(id: RoleRef, options?: RequestOptions): Call<Answers['get_role']>
    /**
     * Change a role
     *
     * Replaces the name or the policy of a role of your account; existing grants follow within a second. A new policy needs every permission that the old and the new policy give. Built-in roles cannot change.
     */
    update(id: RoleRef, body?: Bodies['update_role'], options?: RequestOptions): Call<Answers['update_role']>
    /**
     * Delete a role
     *
     * Deletes a role of your account that no grant gives; otherwise it is refused with `in_use`. `list_grants` with `role` finds the grants. Built-in roles stay.
     */
    delete(id: RoleRef, options?: RequestOptions): Call<Answers['delete_role']>
  }
  readonly grants: {
    /**
     * Create a grant
     *
     * Gives a role to a user or a token. Without `workspace` the role holds in all workspaces of the account, also future ones, and for resources of the account itself, such as users and billing. Grants add up: no grant takes away what another grant gives. Nobody can grant a permission or a scope that they lack.
     */
    create(body: Bodies['create_grant'], options?: RequestOptions): Call<Answers['create_grant']>
    /**
     * List grants
     *
     * Newest first. Without the permission to list grants, only your own are shown.
     */
    list(query?: Queries['list_grants'], options?: RequestOptions): ListCall<Answers['list_grants']['data'][number]>
    /**
     * Get a grant
     *
     * Shows who holds which role, and where. Your own grants are always readable.
     */
    get(id: GrantId, options?: RequestOptions): Call<Answers['get_grant']>
    /**
     * Delete a grant
     *
     * Takes the role away, on every replica within a second; other grants of the same user or token stay. This needs every permission that the grant gives. The last grant of `admin` for the whole account cannot be deleted.
     */
    delete(id: GrantId, options?: RequestOptions): Call<Answers['delete_grant']>
  }
  readonly names: {
    /**
     * List names of ids
     *
     * Shows the names of up to 200 ids of any kind. Ids that do not exist, that have no name, or that the caller may not see are left out. The response does not tell these cases apart.
     */
    list(query?: Queries['list_names'], options?: RequestOptions): ListCall<Answers['list_names']['data'][number]>
  }
  readonly permissions: {
    /**
     * Check permissions
     *
     * Says whether the caller has all of the given permissions, in one workspace or for the whole account. `get_permissions` lists what the caller has.
     */
    check(body: Bodies['check_permissions'], options?: RequestOptions): Call<Answers['check_permissions']>
    /**
     * Get effective permissions
     *
     * Shows what all grants of the caller allow together. With `grant:read` for the whole account it also shows what the grants of another user or token allow. `list_grants` shows where they come from.
     */
    get(query?: Queries['get_permissions'], options?: RequestOptions): Call<Answers['get_permissions']>
  }
  readonly tokens: {
    /**
     * Create a token
     *
     * Creates an API token in a workspace; only this response shows it, so store it as a secret. Without `roles` it may only read (`role_viewer`). It gets only rights that its maker has. One that a token creates ends no later than its maker would; if the maker is deleted before, it lives on, except after a cascade. Without `expires_at` it ends after 90 days; with `null` it does not end by itself. It can be limited to networks and to resources. Tokens that a limited token creates have the same or narrower limits.
     */
    create(body?: Bodies['create_token'], options?: RequestOptions): Call<Answers['create_token']>
    /**
     * List tokens
     *
     * Newest first. Deleted tokens are left out, and no entry shows the secret. With `kind=session` a person gets all of their own sessions and no others, and needs no permission. A service token gets the sessions of all users in the workspaces where it may list tokens.
     */
    list(query?: Queries['list_tokens'], options?: RequestOptions): ListCall<Answers['list_tokens']['data'][number]>
    /**
     * Get a token
     *
     * Shows name, limits, last use and end of a token, but not the secret itself. A token may always read itself, and a person their own sessions.
     */
    get(id: TokenId, options?: RequestOptions): Call<Answers['get_token']>
    /**
     * Delete a token
     *
     * Ends an API token with its grants, or a session: no further request is made with it. This needs
     * every permission that the token holds. A token may always delete itself, and a person their own sessions.
     *
     * With `cascade` the tokens and sessions that descend from it end too, even if a token between them has ended before.
     * This needs the permissions of each of them. Unused sign-in links, passkeys, recovery codes, identities and SSH keys that
     * descend from it also end. If a user loses such credentials, a person who calls needs a recent sign-in, and
     * `user:write` for other users.
     */
    delete(id: TokenId, query?: Queries['delete_token'], options?: RequestOptions): Call<Answers['delete_token']>
  }
  readonly deviceLogin: {
    /**
     * Start a device login
     *
     * Begins the sign-in of a program by a person, in the shape of RFC 8628. Show the person `user_code` and `verification_uri`, and poll `finish_device_login` meanwhile. The codes are valid for 10 minutes.
     */
    start(body?: Bodies['start_device_login'], options?: RequestOptions): Call<Answers['start_device_login']>
    /**
     * Finish a device login
     *
     * Returns the session that a person has approved, once, in the shape of RFC 8628. Until then the response is 400 with the code `authorization_pending`. After `slow_down`, wait five seconds longer between two polls; `access_denied` and `expired_token` are final. The session lasts 30 days, and ends when it is not used for 7.
     */
    finish(body: Bodies['finish_device_login'], options?: RequestOptions): Call<Answers['finish_device_login']>
  }
  readonly passkeyRegistration: {
    /**
     * Start adding a passkey
     *
     * Returns the options with which the browser of a signed-in person makes a passkey. The sign-in must be at most 15 minutes old. `create_user_passkey` stores the passkey. For pages of this server: the cookie that it sets counts only in their requests.
     */
    start(body?: Bodies['start_passkey_registration'], options?: RequestOptions): Call<Answers['start_passkey_registration']>
  }
  readonly passkeySignIn: {
    /**
     * Start a passkey sign-in
     *
     * Returns a challenge for the authenticator of the browser. The challenge names no user: the authenticator knows the user. `finish_passkey_sign_in` completes the sign-in. For pages of this server: the cookie that it sets counts only in their requests.
     */
    start(body?: Bodies['start_passkey_sign_in'], options?: RequestOptions): Call<Answers['start_passkey_sign_in']>
    /**
     * Finish a passkey sign-in
     *
     * Verifies the signature over the challenge of `start_passkey_sign_in`, and sets a cookie with a session of 12 hours. For pages of this server: the cookie counts only in their requests.
     */
    finish(body: Bodies['finish_passkey_sign_in'], options?: RequestOptions): Call<Answers['finish_passkey_sign_in']>
  }
  readonly recoveryCode: {
    /**
     * Use a recovery code
     *
     * Signs the person in and uses up the code. The response sets a cookie with a session of 12 hours. A network may send five wrong codes a minute. For pages of this server: the cookie counts only in their requests.
     */
    use(body: Bodies['use_recovery_code'], options?: RequestOptions): Call<Answers['use_recovery_code']>
  }
  readonly auditEntries: {
    /**
     * List audit entries
     *
     * Shows who did what in the account in the last 400 days, newest first. There is an entry for each write that was done or refused for lack of rights, each read of a secret and each sign-in. Acts of platform operators in the account are shown too, with the actor `platform`.
     */
    list(query?: Queries['list_audit_entries'], options?: RequestOptions): ListCall<Answers['list_audit_entries']['data'][number]>
  }
  readonly allAuditEntries: {
    /**
     * List all audit entries
     *
     * Shows the audit trails of all accounts, newest first, or of one with `account`. The entries are those of `list_audit_entries` of each account.
     */
    list(query?: Queries['list_all_audit_entries'], options?: RequestOptions): ListCall<Answers['list_all_audit_entries']['data'][number]>
  }
  readonly events: {
    /**
     * List events
     *
     * Shows the events of the account in the last 7 days, oldest first. Filters combine. Pass the `cursor`
     * of a page as `starting_after` to read on. An empty page with `has_more` false means that all events so far have been
     * read: keep the cursor that you sent and poll again. A cursor works only with the filters of its list; with other
     * filters the response is 400. A cursor that is older than 7 days gives 410: start again without a cursor.
     *
     * `stream_events` sends the same events as they happen, and so does this path with `Accept: text/event-stream`.
     *
     * Events of trades, `order.partially_filled` and `order.filled`, have the trade as `fill`: the fills of all events
     * of an order add up to its trades.
     *
     * The list of actions is open: expect actions that are not in this table.
     *
     * | Action | Target type | Meaning |
     * |---|---|---|
     * | `instance.created` | `instance` | Created; waits for allocation. |
     * | `instance.running` | `instance` | Its host starts it; SSH responds once the image has booted. |
     * | `instance.termination_imminent` | `instance` | Notice: it will end soon, because its allocation or its host ends. |
     * | `instance.termination_withdrawn` | `instance` | The notice no longer holds. |
     * | `instance.terminated` | `instance` | Ended: by its user, from inside, by replacement, by its deployment, with its allocation or with its host. |
     * | `instance.failed` | `instance` | Its machine did not start, was lost or is unhealthy. The instance still counts; work may be lost. Replace or terminate it. If its host was lost for good, it ends at once. |
     * | `instance.connection_lost` | `instance` | Its host no longer reports. |
     * | `host.facts_changed` | `host` | Its agent reported other hardware than before. |
     * | `host.unfit` | `host` | Its hardware no longer fits its SKU, because one of them changed. It takes no instances, and its free nodes left their pool. |
     * | `host.fit` | `host` | Its hardware fits its SKU again. Its nodes are back, unless it is being drained or is drained. |
     * | `agent_rollout.halted` | `agent_rollout` | Halted: a host failed its update, or an instance on it was lost. |
     * | `agent_rollout.completed` | `agent_rollout` | All hosts that could be updated have the version. |
     * | `order.created` | `order` | Placed. |
     * | `order.partially_filled` | `order` | Filled in part by a trade; once for each such trade. |
     * | `order.filled` | `order` | Filled completely, by this trade. |
     * | `order.cancelled` | `order` | Ended before it was filled completely: cancelled, amended or expired, not filled at once, or ended with its automation, its SKU or its account. |
     * | `image.revoked` | `image` | No new instance may start from it. |
     * | `image.reinstated` | `image` | New instances may start from it again. |
     * | `image.published` | `image` | Made public. |
     * | `image.deprecated` | `image` | Marked outdated; it still launches. |
     * | `trust_level.updated` | `account` | The account's trust level changed. |
     * | `account.balance_low` | `account` | The available amount fell to the threshold of the account. It can happen again only after the amount rose 10 % above the threshold, or the threshold was changed. |
     * | `instance_sku_override.updated` | `instance_sku` | The platform operator set or changed property overrides of a SKU for the account. |
     * | `instance_sku_override.deleted` | `instance_sku` | The platform operator removed the property overrides of a SKU for the account. |
     * | `ssh_key.created` | `ssh_key` | Added. New instances of its owner get it by default. |
     * | `ssh_key.deleted` | `ssh_key` | Deleted alone, with its owner, or with the token or session that added it. New instances no longer get it. |
     * | `webhook.failing` | `webhook` | Ten attempts to deliver failed in a row. |
     * | `webhook.recovered` | `webhook` | An attempt to deliver succeeded again. |
     * | `webhook.disabled` | `webhook` | Switched off by the server: its URL responded with 410, or only failures for five days. |
     * | `budget.threshold_reached` | `budget` | Spending, or its forecast, reached a threshold of the budget; once for each threshold and period. |
     * | `credit.requested` | `pending_credit` | A platform operator requested a credit or credit limit, which a second platform operator must approve. Only the platform account. |
     * | `credit.approved` | `pending_credit` | A second platform operator approved the credit or credit limit, and it counts. Only the platform account. |
     * | `credit.refused` | `pending_credit` | A platform operator refused the credit or credit limit, or took back the request. Only the platform account. |
     * | `credit.expired` | `pending_credit` | Nobody approved the credit or credit limit within seven days. Only the platform account. |
     * | `audit.violated` | `audit` | The hourly check of an installation in production found rows that violate an invariant, and the check before had found none of it. Only the platform account. |
     * | `order.rejected` | `order` | Could not be processed. |
     */
    list(query?: Queries['list_events'], options?: RequestOptions): ListCall<Answers['list_events']['data'][number]>
  }
  readonly webhooks: {
    /**
     * Create a webhook
     *
     * Only this response shows the secret of the webhook. The server sends a POST with the headers of
     * [Standard Webhooks](https://www.standardwebhooks.com) for each event that all filters match: `webhook-id` (the id of
     * the event), `webhook-timestamp` and `webhook-signature`. The body is `{"type": action, "timestamp": RFC 3339,
     * "account": id, "webhook": id, "data": event}`. A status 2xx within 15 seconds is a success. Events are delivered at
     * least once: `webhook-id` tells repeats apart.
     */
    create(body: Bodies['create_webhook'], options?: RequestOptions): Call<Answers['create_webhook']>
    /**
     * List webhooks
     *
     * Newest first, disabled ones too. No entry shows the secret; `state` and `replay` say how delivery goes.
     */
    list(query?: Queries['list_webhooks'], options?: RequestOptions): ListCall<Answers['list_webhooks']['data'][number]>
    /**
     * Get a webhook
     *
     * Shows the filters of a webhook, how delivery goes and how far a replay is, but not the secret. `list_webhook_deliveries` shows what failed.
     */
    get(id: WebhookId, options?: RequestOptions): Call<Answers['get_webhook']>
    /**
     * Change a webhook
     *
     * A change takes effect within about a second; until then messages are sent with the old settings. Disabling ends the pending deliveries of events. An enabled webhook gets events from now on: `replay_webhook` delivers the events in between.
     */
    update(id: WebhookId, body?: Bodies['update_webhook'], options?: RequestOptions): Call<Answers['update_webhook']>
    /**
     * Delete a webhook
     *
     * Nothing more is sent, and the deliveries of the webhook can no longer be read. The events stay in the log.
     */
    delete(id: WebhookId, options?: RequestOptions): Call<Answers['delete_webhook']>
    /**
     * Rotate a webhook secret
     *
     * Creates a new secret, which only this response shows. For 24 hours each message is signed with both, so that receivers can change over.
     */
    rotateSecret(id: WebhookId, options?: RequestOptions): Call<Answers['rotate_webhook_secret']>
    /**
     * Send a test message
     *
     * Delivers a message that is no event, also to a disabled webhook. The body is `{"type": "webhook.test", "timestamp": RFC 3339, "data": {"object": "webhook_test"}}`. `get_webhook_delivery` shows the result.
     */
    test(id: WebhookId, options?: RequestOptions): Call<Answers['test_webhook']>
    /**
     * Replay events to a webhook
     *
     * Delivers events again, from a time or a cursor up to the present, with the same `webhook-id`s. It runs beside the delivery of new events; the member `replay` of the webhook shows how far it is. A second replay, while one is running, extends it.
     */
    replay(id: WebhookId, body?: Bodies['replay_webhook'], options?: RequestOptions): Call<Answers['replay_webhook']>
    /**
     * List deliveries
     *
     * Shows deliveries that failed at the first attempt or were requested, newest first. A delivery that succeeded at once is not listed. They are kept for 7 days, the newest 10,000 of a webhook.
     */
    listDeliveries(id: WebhookId, query?: Queries['list_webhook_deliveries'], options?: RequestOptions): ListCall<Answers['list_webhook_deliveries']['data'][number]>
    /**
     * Get a delivery
     *
     * Shows each attempt of a delivery with its status, its error and how long it took, and when the next one is made. `redeliver_webhook_delivery` sends it again.
     */
    getDelivery(params: { id: WebhookId; delivery: WebhookDeliveryId }, options?: RequestOptions): Call<Answers['get_webhook_delivery']>
    /**
     * Repeat a delivery
     *
     * Sends the same message as a new delivery, with the same `webhook-id`, so that receivers can recognise it. The old delivery stays as it is.
     */
    redeliver(params: { id: WebhookId; delivery: WebhookDeliveryId }, options?: RequestOptions): Call<Answers['redeliver_webhook_delivery']>
  }
  readonly webhookKeys: {
    /**
     * List webhook keys
     *
     * Shows the public keys of the signatures `v1a` of webhook messages, newest first. Receivers verify with them instead of the secret of a webhook.
     */
    list(options?: RequestOptions): ListCall<Answers['list_webhook_keys']['data'][number]>
  }
  readonly balance: {
    /**
     * Get the balance
     *
     * Shows the money of the account, the part that open buys hold, and the part that a new order may use. `list_transactions` shows each change of the balance, `list_holds` each hold.
     */
    get(options?: RequestOptions): Call<Answers['get_balance']>
  }
  readonly balanceThreshold: {
    /**
     * Set the low balance
     *
     * When the available amount falls to the threshold, `account.balance_low` is emitted: once, and again only after the amount has risen 10 % above it. Money that open buys hold is not available. It refuses no order; a budget with a hard stop does (`create_budget`).
     */
    put(body: Bodies['put_balance_threshold'], options?: RequestOptions): Call<Answers['put_balance_threshold']>
  }
  readonly transactions: {
    /**
     * List transactions
     *
     * Shows each fill and each posting of the platform operator with the balance after it, newest first. Holds are left out, since nothing is spent yet: see `list_holds`. Transactions never change and are kept.
     */
    list(query?: Queries['list_transactions'], options?: RequestOptions): ListCall<Answers['list_transactions']['data'][number]>
  }
  readonly holds: {
    /**
     * List holds
     *
     * Shows the money that open buys set aside, newest first. A hold shrinks with each fill and each minute that passes, and ends with its order.
     */
    list(query?: Queries['list_holds'], options?: RequestOptions): ListCall<Answers['list_holds']['data'][number]>
  }
  readonly accountTransactions: {
    /**
     * List transactions of account
     *
     * Shows each fill and each posting of one account with the balance after it, newest first. Holds are left out.
     */
    list(account: string, query?: Queries['list_account_transactions'], options?: RequestOptions): ListCall<Answers['list_account_transactions']['data'][number]>
    /**
     * Post a transaction
     *
     * Adds an amount to the balance of an account at once; a negative amount takes money away, but not more than the available amount. Where `BOURSE_DUAL_CONTROL_DOLLARS` is set, credits that exceed it within 24 hours are refused with `second_operator_required`: request them with `create_pending_credit`. A wrong posting is corrected by another one.
     */
    create(account: string, body: Bodies['create_account_transaction'], options?: RequestOptions): Call<Answers['create_account_transaction']>
  }
  readonly pendingCredits: {
    /**
     * Request a credit
     *
     * Requests a credit to an account, or a higher credit limit; nothing is posted or set until a second platform operator calls `approve_pending_credit`, within seven days. `create_account_transaction` and `put_credit_limit` refuse amounts above `BOURSE_DUAL_CONTROL_DOLLARS`; here any amount can be requested, and any limit above the present limit. Emits `credit.requested` for the platform account.
     */
    create(account: string, body: Bodies['create_pending_credit'], options?: RequestOptions): Call<Answers['create_pending_credit']>
    /**
     * List pending credits
     *
     * Shows requested credits and credit limits, newest first: those that wait for a second platform operator, and those that were approved, refused or not decided in time.
     */
    list(query?: Queries['list_pending_credits'], options?: RequestOptions): ListCall<Answers['list_pending_credits']['data'][number]>
    /**
     * Get a pending credit
     *
     * Shows a requested credit or credit limit, who requested it, and its outcome.
     */
    get(id: PendingCreditId, options?: RequestOptions): Call<Answers['get_pending_credit']>
    /**
     * Approve a pending credit
     *
     * Posts the credit, or sets the limit, that another platform operator has requested. Refused with `same_operator` if the caller requested it, descends from the requester, or the requester descends from the caller. Refused with `right_too_new` if `BOURSE_DUAL_CONTROL_DOLLARS` is set and one of the two operators has had the permission for less than a day. Refused with `credit_limit_changed` if the limit has changed since the request. Emits `credit.approved` for the platform account.
     */
    approve(id: PendingCreditId, options?: RequestOptions): Call<Answers['approve_pending_credit']>
    /**
     * Refuse a pending credit
     *
     * Ends the request of another platform operator, or takes back your own; nothing is posted or set. It cannot be approved any more: request it again with `create_pending_credit`. Emits `credit.refused` for the platform account.
     */
    refuse(id: PendingCreditId, options?: RequestOptions): Call<Answers['refuse_pending_credit']>
  }
  readonly usage: {
    /**
     * List usage
     *
     * Shows node-minutes and cost by hour, day or month, oldest first. Periods and groups without any usage have no row. Minutes to come count with the nodes that are owned in them now.
     */
    list(query: Queries['list_usage'], options?: RequestOptions): ListCall<Answers['list_usage']['data'][number]>
    /**
     * Export usage
     *
     * Streams costs and usage as FOCUS, or the ledger, for up to 400 days. A FOCUS export has usage of days that have ended. Cells of CSV that a spreadsheet would run as a formula begin with an apostrophe.
     */
    export(query: Queries['export_usage'], options?: RequestOptions): Call<Answers['export_usage']>
  }
  readonly statement: {
    /**
     * Get a monthly statement
     *
     * Shows the balance at both ends of a UTC month, and the purchases, sales, fees and postings in it. It is `open` until 48 hours after the end of the month; then it never changes. As `text/csv` it has a line for each entry of `lines`.
     */
    get(month: string, options?: RequestOptions): Call<Answers['get_statement']>
  }
  readonly budgets: {
    /**
     * Create a budget
     *
     * A budget counts what an account, or one of its workspaces, spends by orders in each period. The running period includes spending before the budget was created. At each threshold `budget.threshold_reached` is emitted. With `hard_stop` buys that would exceed it are refused with `budget_exceeded`, and automations wait for the next period. A budget never ends instances.
     */
    create(body: Bodies['create_budget'], options?: RequestOptions): Call<Answers['create_budget']>
    /**
     * List budgets
     *
     * Shows each budget with what is spent, held and forecast in its period, newest first.
     */
    list(query?: Queries['list_budgets'], options?: RequestOptions): ListCall<Answers['list_budgets']['data'][number]>
    /**
     * Get a budget
     *
     * Shows what is spent, held and forecast in the running period of a budget, and which thresholds it has reached.
     */
    get(id: BudgetId, options?: RequestOptions): Call<Answers['get_budget']>
    /**
     * Change a budget
     *
     * Changes the name, amount, thresholds, their basis or the hard stop; workspace and period stay, and so do the amount spent and the thresholds reached. With a hard stop, an amount below the amount spent refuses new buys; it cancels nothing.
     */
    update(id: BudgetId, body?: Bodies['update_budget'], options?: RequestOptions): Call<Answers['update_budget']>
    /**
     * Delete a budget
     *
     * The budget no longer counts spending or refuses buys. Automations that it stopped try again at once.
     */
    delete(id: BudgetId, options?: RequestOptions): Call<Answers['delete_budget']>
  }
  readonly skus: {
    /**
     * List SKUs
     *
     * Shows the SKUs of the market, oldest first. Retired SKUs are left out without `include_deleted`; unlisted ones are shown only to accounts that hold allocation of them or have an override. If the platform operator overrode a property for your account, the overridden value is shown.
     */
    list(query?: Queries['list_skus'], options?: RequestOptions): ListCall<Answers['list_skus']['data'][number]>
    /**
     * Get a SKU
     *
     * Shows the properties of one SKU as your account sees them, also of a retired one. `get_sku_availability` shows the nodes of it that are offered.
     */
    get(id: SkuId, options?: RequestOptions): Call<Answers['get_sku']>
    /**
     * Create a SKU
     *
     * Creates a SKU with its properties, fees and price step. It has no supply yet: `create_host_enrolment` creates a permit with which its hosts enrol. `listed` says whether the market shows it.
     */
    create(body?: Bodies['create_sku'], options?: RequestOptions): Call<Answers['create_sku']>
    /**
     * Change a SKU
     *
     * Changes the given fields; `null` clears a property. `rdma_type` and `infiniband_fabric` cannot change while the SKU is in use. Other hardware is compared with its hosts at once, and new fees count for fills from then on. A SKU cannot promise less than an override of an account: 409 `in_use` names those accounts.
     */
    update(id: SkuId, body?: Bodies['update_sku'], options?: RequestOptions): Call<Answers['update_sku']>
    /**
     * Retire a SKU
     *
     * No new orders, instances or hosts start on it, and its resting orders are cancelled. Allocation that was bought and instances that run stay. `restore_sku` brings it back.
     */
    retire(id: SkuId, options?: RequestOptions): Call<Answers['retire_sku']>
    /**
     * Restore a SKU
     *
     * The retired SKU can be traded and used again. Orders that its retirement cancelled stay cancelled.
     */
    restore(id: SkuId, options?: RequestOptions): Call<Answers['restore_sku']>
  }
  readonly skuProperties: {
    /**
     * List SKU properties
     *
     * Shows each property of SKUs with the values of the catalog and what they mean. Use them in `requirements` of the order book.
     */
    list(options?: RequestOptions): ListCall<Answers['list_sku_properties']['data'][number]>
    /**
     * Set a property value
     *
     * Creates or replaces one value of an enumerated property in the catalog, with the text that people read. SKUs that have the value stay as they are. `list_sku_properties` shows the catalog.
     */
    putValue(params: { property: string; name: string }, body: Bodies['put_sku_property_value'], options?: RequestOptions): Call<Answers['put_sku_property_value']>
  }
  readonly pools: {
    /**
     * Create a pool
     *
     * Creates an empty market pool. A pool holds what an account owns of each SKU, minute by minute: orders add to it and take from it, and instances use it. Instances of one pool share its allocation, so separate pools keep teams from using the nodes of other teams.
     */
    create(body?: Bodies['create_pool'], options?: RequestOptions): Call<Answers['create_pool']>
    /**
     * List pools
     *
     * Shows pools of all kinds with their allocation from now on, newest first. `schedule_history_minutes` adds that much of the past. Deleted pools are left out.
     */
    list(query?: Queries['list_pools'], options?: RequestOptions): ListCall<Answers['list_pools']['data'][number]>
    /**
     * Get a pool
     *
     * Shows what the pool owns of each SKU from now on. `schedule_history_minutes` adds that much of the past.
     */
    get(id: PoolRef, query?: Queries['get_pool'], options?: RequestOptions): Call<Answers['get_pool']>
    /**
     * Change a pool
     *
     * Renames a market pool or replaces all of its tags; allocation, orders and instances stay. Read-only pools and originating pools cannot change.
     */
    update(id: PoolRef, body?: Bodies['update_pool'], options?: RequestOptions): Call<Answers['update_pool']>
    /**
     * Delete a pool
     *
     * Deletes a market pool without open orders, allocation from now on, living instances and automations; otherwise it is refused with `in_use`, and `details` names the obstacles. Past orders and instances can still be read.
     */
    delete(id: PoolRef, options?: RequestOptions): Call<Answers['delete_pool']>
    /**
     * Grant allocation
     *
     * Creates a read-only pool for an account, and moves allocation into it out of the free nodes of `from_pool`, an originating pool. This is the only way to give allocation away for nothing. The account can run instances in it, but not trade it.
     */
    createReadOnly(body: Bodies['create_read_only_pool'], options?: RequestOptions): Call<Answers['create_read_only_pool']>
  }
  readonly marketHalt: {
    /**
     * Get market halts
     *
     * Shows whether the whole market is halted, and which SKUs are, since when and by whom. `get_orderbook_status` shows what customers read.
     */
    get(options?: RequestOptions): Call<Answers['get_market_halt']>
  }
  readonly market: {
    /**
     * Halt the market
     *
     * Halts the whole market or one SKU: new orders and transfers are refused with the message, including orders of procurements and spot deployments, and nothing is matched. Resting orders stay on the order book, expire as usual and can be cancelled. Instances run on, and purchases stay valid. `resume_market` ends the halt, and fills resting orders that can be filled then.
     */
    halt(body?: Bodies['halt_market'], options?: RequestOptions): Call<Answers['halt_market']>
    /**
     * Resume the market
     *
     * Ends the halt of the whole market or of one SKU. Resting orders that can be filled are filled, and automations order again. A halt of the whole market and halts of single SKUs end separately.
     */
    resume(body?: Bodies['resume_market'], options?: RequestOptions): Call<Answers['resume_market']>
  }
  readonly maintenanceWindows: {
    /**
     * Create a maintenance window
     *
     * Announces maintenance of some or all SKUs: order estimates for that time show it as a notice. It stops no orders and no instances.
     */
    create(body: Bodies['create_maintenance_window'], options?: RequestOptions): Call<Answers['create_maintenance_window']>
    /**
     * List maintenance windows
     *
     * Newest first, including windows that have passed. Deleted windows are left out.
     */
    list(query?: Queries['list_maintenance_windows'], options?: RequestOptions): ListCall<Answers['list_maintenance_windows']['data'][number]>
    /**
     * Delete a maintenance window
     *
     * Order estimates no longer show it. Nothing else changes.
     */
    delete(id: MaintenanceWindowId, options?: RequestOptions): Call<Answers['delete_maintenance_window']>
  }
  readonly poolTransfers: {
    /**
     * Transfer allocation
     *
     * Moves free nodes between two pools of the account, completely or not at all, before the response. Where less is free in some minute of the window, it is refused with `insufficient_allocation`. It costs nothing. Instances in `from_pool` that no longer fit get notice.
     */
    create(body: Bodies['create_pool_transfer'], options?: RequestOptions): Call<Answers['create_pool_transfer']>
    /**
     * List transfers
     *
     * Newest first. `pool` finds transfers into or out of one pool.
     */
    list(query?: Queries['list_pool_transfers'], options?: RequestOptions): ListCall<Answers['list_pool_transfers']['data'][number]>
    /**
     * Get a transfer
     *
     * Shows which nodes moved between which pools, and when.
     */
    get(id: PoolTransferId, options?: RequestOptions): Call<Answers['get_pool_transfer']>
  }
  readonly orders: {
    /**
     * Create an order
     *
     * Matching ends before the response, which shows the order after it. A buy takes the
     * cheapest resting offers of the SKU that cover its window, up to its limit price; a sell takes the best bids. The price
     * of a trade is that of the older order. A buy sets money aside: its limit price times its node-hours.
     *
     * Two switches decide what happens to nodes that do not trade at once. `allow_partial` lets an order trade less than
     * all of its nodes;
     * without it an order trades completely or not at all. `allow_standing` leaves the rest on the book, until it is filled,
     * cancelled or its window has passed; without it the rest is cancelled with `cancel_reason` `unfilled`.
     *
     * Call `create_order_estimate` first to see the price: its `post_order_body` is a body for this operation.
     */
    create(body: Bodies['create_order'], options?: RequestOptions): Call<Answers['create_order']>
    /**
     * List orders
     *
     * Shows open and ended orders, newest first unless `sort_by` says otherwise. Orders of procurements and spot deployments are left out without `procurement`, `deployment` or `include_managed`.
     */
    list(query?: Queries['list_orders'], options?: RequestOptions): ListCall<Answers['list_orders']['data'][number]>
    /**
     * Get an order
     *
     * Shows the state of an order, its filled nodes and its hold, with its newest 100 fills. `explain_order` says why it is not filled.
     */
    get(id: OrderId, options?: RequestOptions): Call<Answers['get_order']>
    /**
     * Amend an order
     *
     * Changes the price, nodes, times or switches of an open order, and returns the order that
     * continues it. In one step on the order book, the old order ends with `cancel_reason` `amended` and the new order
     * is placed. A field that is left out stays as it is. Filled nodes stay and are not ordered again: `node_count` is the
     * total with them, and the new order asks in each minute for the nodes that are missing. Money and nodes that the old
     * order held count as free for the new order. If the new order is refused, the old order stays as it was.
     *
     * The new order keeps the place of the old order in the queue at its price if it asks for no more: the price and
     * `allow_partial` are the same, it may rest, and no minute asks for more nodes than were open. Otherwise it goes to
     * the end of the queue at its price.
     *
     * Emits `order.created` for the new order and `order.cancelled` for the old one.
     */
    amend(id: OrderId, body?: Bodies['amend_order'], options?: RequestOptions): Call<Answers['amend_order']>
    /**
     * Cancel an order
     *
     * Ends the part of the order that is still open, and frees the money or the nodes that it held. Fills made before stand. An order that has ended is refused with `order_final`.
     */
    cancel(id: OrderId, options?: RequestOptions): Call<Answers['cancel_order']>
    /**
     * Explain an order
     *
     * Says why an order is not filled, or what ended it: the nearest offers, the part that could be filled, and the orders before it. It changes nothing; `create_order_estimate` shows what another price would do.
     */
    explain(id: OrderId, options?: RequestOptions): Call<Answers['explain_order']>
    /**
     * Estimate an order
     *
     * Says what an order would trade now, on one SKU: the best that can fill all
     * of it. It reserves nothing. The response has `type` `quoted` with the price of what would trade at once, or
     * `unavailable`
     * with the reason. A quote is not a promise: other orders may come first.
     *
     * Without a limit price every price is accepted, and the worst price of the trade is the limit in `post_order_body`.
     * With `allow_partial` an order that can be filled in part has a quote. With `allow_standing` an order that only
     * rests has a quote too.
     *
     * Without `sku` every SKU that fits `requirements` is compared: a buy gets the cheapest SKU, a sell the SKU that
     * pays most.
     */
    createEstimate(body: Bodies['create_order_estimate'], options?: RequestOptions): Call<Answers['create_order_estimate']>
  }
  readonly orderFills: {
    /**
     * List fills of an order
     *
     * Shows each trade of the order with its price, value and fee, newest first. Fills of the order that it amends (`amends`) are listed with that order.
     */
    list(id: OrderId, query?: Queries['list_order_fills'], options?: RequestOptions): ListCall<Answers['list_order_fills']['data'][number]>
  }
  readonly orderbookStatus: {
    /**
     * Get the market status
     *
     * Says whether the market, or one SKU of it, is halted. While it is, new orders and transfers are refused with the message, and nothing is matched. Orders can be cancelled, and instances run on. A halt emits no event: poll this operation.
     */
    get(query?: Queries['get_orderbook_status'], options?: RequestOptions): Call<Answers['get_orderbook_status']>
  }
  readonly orderbookWindows: {
    /**
     * List delivery windows
     *
     * Shows the windows in which orders rest, with the number of buys and sells in each. Windows without resting orders are left out. `get_orderbook_depth` shows their prices.
     */
    list(query: Queries['list_orderbook_windows'], options?: RequestOptions): ListCall<Answers['list_orderbook_windows']['data'][number]>
  }
  readonly orderbookQuote: {
    /**
     * Get a quote
     *
     * Shows the best bid and the best ask for a window. If nobody bids or offers, the side is `null`, not zero. An order counts if it has a node in any minute of the window, so `create_order_estimate` says what a whole window costs.
     */
    get(query: Queries['get_orderbook_quote'], options?: RequestOptions): Call<Answers['get_orderbook_quote']>
  }
  readonly orderbookDepth: {
    /**
     * Get order book depth
     *
     * Shows the prices of both sides of a window, and the nodes at each, best first. An order counts if it has an unfilled node-minute in the window. No account and no order is named.
     */
    get(query: Queries['get_orderbook_depth'], options?: RequestOptions): Call<Answers['get_orderbook_depth']>
  }
  readonly orderbookFills: {
    /**
     * List recent trades
     *
     * Shows trades whose nodes overlap a window, newest first, from the last 7 days or with `since_at` from the last 30. No account and no order is named.
     */
    list(query: Queries['list_orderbook_fills'], options?: RequestOptions): ListCall<Answers['list_orderbook_fills']['data'][number]>
  }
  readonly priceHistory: {
    /**
     * List price history
     *
     * Shows trades summed by minute, hour or day of the trade, oldest first: prices, node-minutes, value and count. Buckets without trades are left out.
     */
    list(query?: Queries['list_price_history'], options?: RequestOptions): ListCall<Answers['list_price_history']['data'][number]>
  }
  readonly orderbookCurve: {
    /**
     * Get the forward curve
     *
     * Shows what nodes cost in windows of one length that start one after the other. Each point is the price that `create_order_estimate` gives for a buy without a limit in its window. A window that has begun, or for which not all nodes are offered, has no price. At most 336 windows, which start within 366 days and are together at most 483,840 minutes long.
     */
    get(query: Queries['get_orderbook_curve'], options?: RequestOptions): Call<Answers['get_orderbook_curve']>
  }
  readonly orderbookHeatmap: {
    /**
     * Get the heat map
     *
     * Shows the best ask, the offered nodes and the last price of several SKUs over time: a row for each SKU, a cell for each window of `step_minutes`. The cell of the current time covers only the time that is left; a cell that has passed has no offers. At most 336 cells of 16 SKUs.
     */
    get(query?: Queries['get_orderbook_heatmap'], options?: RequestOptions): Call<Answers['get_orderbook_heatmap']>
  }
  readonly orderbookBoard: {
    /**
     * Get the price board
     *
     * Shows prices, past and ahead, and free nodes of several SKUs: a row for each SKU that is not retired, in
     * the order of `list_skus`. Hours are hours of UTC. The current hour is the last hour of
     * `traded_dollars_per_node_hour`, and the first hour of the lists ahead. There only its remaining time counts. At most
     * 32 SKUs with 168 hours before and 168 from now on. In a book of 1,000 resting orders or more, the lists ahead and the
     * best prices may be older than `requested_at`: by 40 ms for each 1,000 orders.
     */
    get(query?: Queries['get_orderbook_board'], options?: RequestOptions): Call<Answers['get_orderbook_board']>
  }
  readonly skuAvailability: {
    /**
     * List SKU availability
     *
     * Shows how many nodes of each SKU other accounts offer over time, at any price. SKUs without offers have an empty schedule. `get_orderbook_depth` shows the prices.
     */
    list(query?: Queries['list_sku_availability'], options?: RequestOptions): ListCall<Answers['list_sku_availability']['data'][number]>
    /**
     * Get availability of a SKU
     *
     * Shows how many nodes of one SKU other accounts offer over time, at any price. `get_orderbook_curve` shows what they cost.
     */
    get(id: SkuId, query?: Queries['get_sku_availability'], options?: RequestOptions): Call<Answers['get_sku_availability']>
  }
  readonly images: {
    /**
     * Create an image
     *
     * Creates an image without content. Next: request a URL for each part with `create_image_part`, PUT its bytes there, and end the upload with `complete_image`. The image fails when no URL is requested for 24 hours.
     */
    create(body?: Bodies['create_image'], options?: RequestOptions): Call<Answers['create_image']>
    /**
     * Complete an image
     *
     * Ends the upload and makes an image of the parts. Part numbers must run from 1 without gaps, and the parts have at most 128 GiB. They must be qcow2 without a backing or data file, or a raw disk with a partition table or a known file system; otherwise the call is refused, and the image stays as it is. The server then computes the digest of the received bytes. A small image is `completed` or `failed` in the response; a larger image is `verifying` first. Repeating the call with the same digest is no error.
     */
    complete(id: ImageRef, body: Bodies['complete_image'], options?: RequestOptions): Call<Answers['complete_image']>
    /**
     * Get a download URL
     *
     * Returns a signed URL of the bytes of a completed image. GET it without a token; range requests are supported. Every account can download public images.
     */
    getDownload(id: ImageRef, options?: RequestOptions): Call<Answers['get_image_download']>
    /**
     * List images
     *
     * Newest first. Without `workspace` this lists your own images, and with `public` the images that every account can use. Deleted images are left out.
     */
    list(query?: Queries['list_images'], options?: RequestOptions): ListCall<Answers['list_images']['data'][number]>
    /**
     * Get an image
     *
     * Shows state, format, size and digest of an image. Every account can read public images.
     */
    get(id: ImageRef, options?: RequestOptions): Call<Answers['get_image']>
    /**
     * Revoke an image
     *
     * No new instance starts from the image; running instances are not affected. `reinstate_image` ends it. Emits `image.revoked`.
     */
    revoke(id: ImageRef, options?: RequestOptions): Call<Answers['revoke_image']>
    /**
     * Reinstate an image
     *
     * New instances can start from the revoked image again. Emits `image.reinstated`.
     */
    reinstate(id: ImageRef, options?: RequestOptions): Call<Answers['reinstate_image']>
    /**
     * Deprecate an image
     *
     * Marks the image as outdated, with a message for people. Instances can still start from it, and the mark cannot be removed. A repeated call only changes the message. Emits `image.deprecated`.
     */
    deprecate(id: ImageRef, body?: Bodies['deprecate_image'], options?: RequestOptions): Call<Answers['deprecate_image']>
    /**
     * Delete an image
     *
     * Deletes the image with its uploaded parts. Refused with `in_use` while a template or a living instance uses it. To stop new instances only, use `revoke_image`.
     */
    delete(id: ImageRef, options?: RequestOptions): Call<Answers['delete_image']>
    /**
     * Publish an image
     *
     * Lets every account use a completed image of the workspace `public`. From then on only the platform operator can change it. Emits `image.published`.
     */
    publishPublic(id: ImageRef, options?: RequestOptions): Call<Answers['publish_public_image']>
    /**
     * Revoke a public image
     *
     * No new instance of any account starts from the image; running instances are not affected. Emits `image.revoked` for the platform account and each account with a template or a living instance of it. `reinstate_public_image` ends it.
     */
    revokePublic(id: ImageRef, options?: RequestOptions): Call<Answers['revoke_public_image']>
    /**
     * Reinstate a public image
     *
     * New instances of all accounts can start from the revoked image again. Emits `image.reinstated` for the platform account and each account with a template or a living instance of it.
     */
    reinstatePublic(id: ImageRef, options?: RequestOptions): Call<Answers['reinstate_public_image']>
    /**
     * Deprecate a public image
     *
     * Marks the image as outdated, with a message for people; instances can still start from it. Emits `image.deprecated` for the platform account and each account with a template or a living instance of it.
     */
    deprecatePublic(id: ImageRef, body?: Bodies['deprecate_public_image'], options?: RequestOptions): Call<Answers['deprecate_public_image']>
    /**
     * Add a ready image
     *
     * Adds an image that is completed without an upload. Its digest and size are made up, so only simulated hosts can start it.
     */
    createReady(body: Bodies['create_ready_image'], options?: RequestOptions): Call<Answers['create_ready_image']>
  }
  readonly imageParts: {
    /**
     * Create a part URL
     *
     * Returns a signed URL for one part. PUT the raw bytes of the part there within one hour, with `Content-Length` and without a token. The response is 200 with the `ETag` of the part. A `Content-MD5` header is checked. Uploading a part again replaces it. Every part except the last has at least 5 MiB; no part has more than 5 GiB.
     */
    create(id: ImageRef, body: Bodies['create_image_part'], options?: RequestOptions): Call<Answers['create_image_part']>
    /**
     * List uploaded parts
     *
     * Shows the parts of an image that have arrived, by number, so that an upload can be resumed.
     */
    list(id: ImageRef, options?: RequestOptions): ListCall<Answers['list_image_parts']['data'][number]>
  }
  readonly firewalls: {
    /**
     * Create a firewall
     *
     * Creates a firewall with rules that allow inbound traffic to public addresses; traffic that no rule allows is dropped. It applies to instances with a public IPv4 address that name it. Other instances with such an address have the default firewall of their workspace.
     */
    create(body?: Bodies['create_firewall'], options?: RequestOptions): Call<Answers['create_firewall']>
    /**
     * List firewalls
     *
     * Newest first, including the default firewall of each workspace.
     */
    list(query?: Queries['list_firewalls'], options?: RequestOptions): ListCall<Answers['list_firewalls']['data'][number]>
    /**
     * Get a firewall
     *
     * Shows the rules of a firewall, and whether it is the default of its workspace.
     */
    get(id: FirewallRef, options?: RequestOptions): Call<Answers['get_firewall']>
    /**
     * Change a firewall
     *
     * Renames a firewall or replaces all of its tags; the rules stay. The default firewall cannot be renamed. `replace_firewall_rules` changes the rules.
     */
    update(id: FirewallRef, body?: Bodies['update_firewall'], options?: RequestOptions): Call<Answers['update_firewall']>
    /**
     * Replace firewall rules
     *
     * Replaces the whole list of rules; the hosts of attached instances apply it at once. A rule that is left out no longer allows anything.
     */
    replaceRules(id: FirewallRef, body: Bodies['replace_firewall_rules'], options?: RequestOptions): Call<Answers['replace_firewall_rules']>
    /**
     * Delete a firewall
     *
     * Refused with `firewall_in_use` while an instance or a template uses it. The default firewall is deleted only with its workspace.
     */
    delete(id: FirewallRef, options?: RequestOptions): Call<Answers['delete_firewall']>
  }
  readonly subnets: {
    /**
     * Create a subnet
     *
     * Creates a private network for the instances of one workspace in one region. Without `cidr` it gets the first free range; ranges of one workspace cannot overlap. Instances join it when they are created.
     */
    create(body: Bodies['create_subnet'], options?: RequestOptions): Call<Answers['create_subnet']>
    /**
     * List subnets
     *
     * Newest first, each with the number of its free addresses.
     */
    list(query?: Queries['list_subnets'], options?: RequestOptions): ListCall<Answers['list_subnets']['data'][number]>
    /**
     * Get a subnet
     *
     * Shows the range of a subnet and how many addresses are free.
     */
    get(id: SubnetRef, options?: RequestOptions): Call<Answers['get_subnet']>
    /**
     * Change a subnet
     *
     * Renames a subnet or replaces all of its tags. Its region, its range and the addresses of instances stay.
     */
    update(id: SubnetRef, body?: Bodies['update_subnet'], options?: RequestOptions): Call<Answers['update_subnet']>
    /**
     * Delete a subnet
     *
     * Refused with `in_use` while a template or a living instance uses it.
     */
    delete(id: SubnetRef, options?: RequestOptions): Call<Answers['delete_subnet']>
  }
  readonly infinibandPartitions: {
    /**
     * Create an InfiniBand partition
     *
     * Creates a closed group on one InfiniBand fabric: instances in it reach only each other there. Instances join it when they are created.
     */
    create(body: Bodies['create_infiniband_partition'], options?: RequestOptions): Call<Answers['create_infiniband_partition']>
    /**
     * List InfiniBand partitions
     *
     * Newest first. `infiniband_fabric` shows only partitions on one fabric.
     */
    list(query?: Queries['list_infiniband_partitions'], options?: RequestOptions): ListCall<Answers['list_infiniband_partitions']['data'][number]>
    /**
     * Get an InfiniBand partition
     *
     * Shows the name, the workspace and the fabric of a partition.
     */
    get(id: InfinibandPartitionRef, options?: RequestOptions): Call<Answers['get_infiniband_partition']>
    /**
     * Change an InfiniBand partition
     *
     * Renames a partition or replaces all of its tags. Its fabric stays, and so do the instances in it.
     */
    update(id: InfinibandPartitionRef, body?: Bodies['update_infiniband_partition'], options?: RequestOptions): Call<Answers['update_infiniband_partition']>
    /**
     * Delete an InfiniBand partition
     *
     * Refused with `in_use` while a template or a living instance uses it.
     */
    delete(id: InfinibandPartitionRef, options?: RequestOptions): Call<Answers['delete_infiniband_partition']>
  }
  readonly instanceTemplates: {
    /**
     * Create an instance template
     *
     * Creates a template from which `create_deployment` starts instances: image, SSH keys, user data and networks. A template does not change; create another one and set it with `update_deployment`.
     */
    create(body: Bodies['create_instance_template'], options?: RequestOptions): Call<Answers['create_instance_template']>
    /**
     * List instance templates
     *
     * Newest first. User data are not shown; `get_instance_template_cloud_init` reads them.
     */
    list(query?: Queries['list_instance_templates'], options?: RequestOptions): ListCall<Answers['list_instance_templates']['data'][number]>
    /**
     * Get an instance template
     *
     * Shows the image, SSH keys, priority and networks of a template, without its user data.
     */
    get(id: InstanceTemplateRef, options?: RequestOptions): Call<Answers['get_instance_template']>
    /**
     * Get template user data
     *
     * Shows the cloud-init user data of a template, which may be secret. 404 if it has none.
     */
    getCloudInit(id: InstanceTemplateRef, options?: RequestOptions): Call<Answers['get_instance_template_cloud_init']>
    /**
     * Delete an instance template
     *
     * Refused with `in_use` while a deployment uses it. Instances that it started run on. Its user data are erased.
     */
    delete(id: InstanceTemplateRef, options?: RequestOptions): Call<Answers['delete_instance_template']>
  }
  readonly instances: {
    /**
     * Create an instance
     *
     * The instance is `awaiting_allocation` at first. It starts as soon as its pool owns a
     * node of the SKU in the current minute that no instance of higher rank uses, and a host has a free slot. It runs as
     * long as that holds; before its allocation ends it gets notice (`instance.termination_imminent`).
     *
     * An instance that waits costs nothing beyond the nodes that its pool has bought. `explain_instance` says what it
     * waits for.
     *
     * With `buy`, one node of the SKU is bought for the pool in the same step. The purchase takes current offers for the
     * whole window. If they do not suffice, nothing is bought and no instance is created.
     */
    create(body: Bodies['create_instance'], options?: RequestOptions): Call<Answers['create_instance']>
    /**
     * List instances
     *
     * Newest first. Terminated instances are listed for seven days, or until `delete_instance`.
     */
    list(query?: Queries['list_instances'], options?: RequestOptions): ListCall<Answers['list_instances']['data'][number]>
    /**
     * Set instance priorities
     *
     * Sets the priority of up to 100 instances of one workspace, all or none. If entries repeat an instance, the last entry counts. Higher priorities start first and end last, so a change can give notice to one instance and withdraw it from another.
     */
    updatePriorities(body: Bodies['update_instance_priorities'], options?: RequestOptions): Call<Answers['update_instance_priorities']>
    /**
     * Get an instance
     *
     * Shows the state of an instance, its place in the market and its networks. `explain_instance` says why it waits or ends, `get_instance_ssh` how to reach it.
     */
    get(id: InstanceRef, options?: RequestOptions): Call<Answers['get_instance']>
    /**
     * Change an instance
     *
     * Changes the name, the tags, the priority or the firewall of an instance that has not ended; the host applies another firewall at once. Image, SKU, pool and networks stay: use `replace_instance` for another image.
     */
    update(id: InstanceRef, body?: Bodies['update_instance'], options?: RequestOptions): Call<Answers['update_instance']>
    /**
     * Terminate an instance
     *
     * The instance is terminated when the call returns. Its host stops it and erases its disk within about 20 seconds, and frees the slot then. The allocation stays in the pool, for another instance. The record can be read for seven days; its name is free after that, or after `delete_instance`.
     */
    terminate(id: InstanceRef, options?: RequestOptions): Call<Answers['terminate_instance']>
    /**
     * Replace an instance
     *
     * Terminates the instance and creates its successor from an image, in one step. The successor
     * takes over workspace, pool, SKU, subnet, public IPv4, firewall, InfiniBand partition, SSH keys, tags, priority and
     * `managed_by`. The request gives its image and its cloud-init user data. An instance has at most one
     * successor.
     *
     * Public images contain neither a password nor an SSH key: without SSH keys of the platform and without cloud-init user
     * data nobody can log in to an instance of such an image. A custom image without cloud-init must already contain the key.
     *
     * Emits `instance.terminated` for the old one, then `instance.created` for the new one.
     */
    replace(id: InstanceRef, body: Bodies['replace_instance'], options?: RequestOptions): Call<Answers['replace_instance']>
    /**
     * Delete an instance record
     *
     * Removes the record of a terminated instance and frees its name. An instance that has not ended is refused with `instance_not_terminated`: use `terminate_instance` first.
     */
    delete(id: InstanceRef, options?: RequestOptions): Call<Answers['delete_instance']>
    /**
     * Get instance user data
     *
     * Shows the cloud-init user data of an instance, which may be secret. 404 if it has none, or if the data were erased, 24 hours after the end of the instance. Also at `/instances/{id}/cloud_init_user_data`, with the same responses.
     */
    getCloudInit(id: InstanceRef, options?: RequestOptions): Call<Answers['get_instance_cloud_init']>
    /**
     * List console output
     *
     * Shows the newest 16 MiB of the console of an instance, until 7 days after its end. An instance that writes more than 16 KiB a second for long loses output: a line `[n bytes dropped]` stands in its place. `stream_instance_logs` sends the chunks as they are written, and so does this path with `Accept: text/event-stream`.
     */
    listLogs(id: InstanceRef, query?: Queries['list_instance_logs'], options?: RequestOptions): ListCall<Answers['list_instance_logs']['data'][number]>
    /**
     * Get SSH access
     *
     * Shows the address of an instance for SSH, and its host keys. 404 until the host keys are known, and after the end of the instance.
     */
    getSsh(id: InstanceRef, options?: RequestOptions): Call<Answers['get_instance_ssh']>
    /**
     * Get an attestation
     *
     * Shows what an instance runs on: processors, memory, devices, firmware and kernel. The agent of
     * its host signs it; the server verifies that this host runs the instance, and signs the result. Anybody can verify it
     * without the server: the SDK has `verifyAttestation`.
     *
     * It proves that the host owner states this about this instance at this time, and cannot deny it later. It does
     * not prove that the statement is true: no TPM or other hardware signs it, and whoever controls the host controls its key.
     *
     * 409 `not_attested`: the instance has no machine, or its host has not stated anything in the last two hours.
     */
    getAttestation(id: InstanceRef, options?: RequestOptions): Call<Answers['get_instance_attestation']>
    /**
     * Explain an instance
     *
     * Says why an instance waits, is still booting, will end or has ended, and when it will get allocation. It changes nothing.
     */
    explain(id: InstanceRef, options?: RequestOptions): Call<Answers['explain_instance']>
  }
  readonly hosts: {
    /**
     * List hosts
     *
     * Newest first, including retired hosts; filter by `state` to leave them out. The platform operator also sees hosts of other accounts.
     */
    list(query?: Queries['list_hosts'], options?: RequestOptions): ListCall<Answers['list_hosts']['data'][number]>
    /**
     * Get a host
     *
     * Shows state, health, slots and hardware of a host, and when it last reported.
     */
    get(id: HostRef, options?: RequestOptions): Call<Answers['get_host']>
    /**
     * Rename a host
     *
     * Changes the name in any state of the host. Its instances and its supply stay.
     */
    update(id: HostRef, body?: Bodies['update_host'], options?: RequestOptions): Call<Answers['update_host']>
    /**
     * Cordon a host
     *
     * No new instance is placed on the host. Its instances run on, and its supply stays on the market. `uncordon_host` ends it; `drain_host` empties the host.
     */
    cordon(id: HostRef, options?: RequestOptions): Call<Answers['cordon_host']>
    /**
     * Uncordon a host
     *
     * Instances are placed on the host again. A drain is cancelled: its supply returns from the next minute on, and notices are withdrawn.
     */
    uncordon(id: HostRef, options?: RequestOptions): Call<Answers['uncordon_host']>
    /**
     * Drain a host
     *
     * From now on no instance is placed on the host. Its nodes leave their pool at the deadline, and instances that still run there get notice for that time. Only free nodes can leave: if nodes after the deadline are sold or offered and no other host of the pool has free nodes, the call is refused with `supply_sold`. With `force` the drain takes the free nodes, and the others stay sold or offered.
     */
    drain(id: HostRef, body: Bodies['drain_host'], options?: RequestOptions): Call<Answers['drain_host']>
    /**
     * Retire a host
     *
     * Removes a drained host permanently: its key is no longer accepted, and it cannot enrol again. Its record stays. With `force` it also removes a host in any other state that is unreachable, for one that is gone for good. Its instances end without notice, for the reason `host_lost`, and its free nodes leave their pool; sold nodes stay sold. A host that still reports is refused with `invalid_state`: drain it.
     */
    retire(id: HostRef, body?: Bodies['retire_host'], options?: RequestOptions): Call<Answers['retire_host']>
    /**
     * Pin the agent version
     *
     * Rollouts leave the host out until `unpin_host_agent`.
     */
    pinAgent(id: HostRef, options?: RequestOptions): Call<Answers['pin_host_agent']>
    /**
     * Unpin the agent version
     *
     * The newest rollout then takes the host up.
     */
    unpinAgent(id: HostRef, options?: RequestOptions): Call<Answers['unpin_host_agent']>
    /**
     * Add simulated hosts
     *
     * The hosts are ready at once, and their nodes go to the supply pool of their account from the next minute on. They follow the clock of the sandbox.
     */
    createSimulated(body: Bodies['create_simulated_hosts'], options?: RequestOptions): Call<Answers['create_simulated_hosts']>
  }
  readonly hostEnrolments: {
    /**
     * Create a permit
     *
     * Lets a number of hosts of one SKU enrol, until it ends. Only this response contains the secret and the command to run on the host. Until the permit ends, all of its uses count against the limit `hosts`; after that, only the hosts that enrolled count.
     */
    create(body: Bodies['create_host_enrolment'], options?: RequestOptions): Call<Answers['create_host_enrolment']>
    /**
     * List permits
     *
     * Shows the permits that have not ended, newest first, without their secrets.
     */
    list(query?: Queries['list_host_enrolments'], options?: RequestOptions): ListCall<Answers['list_host_enrolments']['data'][number]>
    /**
     * Get a permit
     *
     * Shows how many hosts have enrolled with a permit, and when it ends. 404 once it has ended.
     */
    get(id: HostEnrolmentId, options?: RequestOptions): Call<Answers['get_host_enrolment']>
    /**
     * End a permit
     *
     * No further host enrols with it. Hosts that enrolled stay.
     */
    delete(id: HostEnrolmentId, options?: RequestOptions): Call<Answers['delete_host_enrolment']>
  }
  readonly deployments: {
    /**
     * Create a deployment
     *
     * Starts a number of instances from a template, and replaces instances that end. A spot deployment also buys the nodes that they run on, an hour ahead, up to a maximum price. No other automation may work on its pool and SKU. `create_deployment_estimate` shows the cost beforehand.
     */
    create(body: Bodies['create_deployment'], options?: RequestOptions): Call<Answers['create_deployment']>
    /**
     * List deployments
     *
     * Newest first, disabled ones too, each with its status. Deleted deployments are left out.
     */
    list(query?: Queries['list_deployments'], options?: RequestOptions): ListCall<Answers['list_deployments']['data'][number]>
    /**
     * Get a deployment
     *
     * Shows target, living instances and status of a deployment; the status says what it waits for.
     */
    get(id: DeploymentRef, options?: RequestOptions): Call<Answers['get_deployment']>
    /**
     * Change a deployment
     *
     * Its instances follow a new target, and enabling. A new template counts only for instances created from then on. Disabling starts and ends no instance, and cancels the open orders of a spot deployment. At a new maximum price its orders are placed anew.
     */
    update(id: DeploymentRef, body?: Bodies['update_deployment'], options?: RequestOptions): Call<Answers['update_deployment']>
    /**
     * Delete a deployment
     *
     * Terminates its instances in the same step, and cancels the open orders of a spot deployment. Nodes that it bought stay in the pool. The call is never refused because of living instances, and never rate limited.
     */
    delete(id: DeploymentRef, options?: RequestOptions): Call<Answers['delete_deployment']>
    /**
     * Estimate a deployment
     *
     * Takes the body of `create_deployment`, and says what it would buy in its first hour and the most that it can cost. A generic deployment never buys. Changes and reserves nothing: prices and balances are those of now.
     */
    createEstimate(body: Bodies['create_deployment_estimate'], options?: RequestOptions): Call<Answers['create_deployment_estimate']>
    /**
     * Estimate a deployment change
     *
     * Takes the body of `update_deployment`, and says what the deployment would buy after the change and the most that it can cost. Changes and reserves nothing: prices and balances are those of now.
     */
    createUpdateEstimate(id: DeploymentRef, body?: Bodies['create_deployment_update_estimate'], options?: RequestOptions): Call<Answers['create_deployment_update_estimate']>
  }
  readonly procurements: {
    /**
     * Create a procurement
     *
     * Keeps a pool at a number of nodes: buys missing nodes and sells surplus nodes, at your prices, over a window that moves with time. Its orders rest on the order book and may be filled in part. A pool and SKU have at most one procurement or spot deployment. `create_procurement_estimate` shows beforehand what it would trade.
     */
    create(body: Bodies['create_procurement'], options?: RequestOptions): Call<Answers['create_procurement']>
    /**
     * List procurements
     *
     * Newest first, disabled ones too, each with its status. Deleted procurements are left out.
     */
    list(query?: Queries['list_procurements'], options?: RequestOptions): ListCall<Answers['list_procurements']['data'][number]>
    /**
     * Get a procurement
     *
     * Shows target, prices, window and status of a procurement; the status says what stops it. `list_orders` with `procurement` shows its orders.
     */
    get(id: ProcurementRef, options?: RequestOptions): Call<Answers['get_procurement']>
    /**
     * Change a procurement
     *
     * Open orders that contradict the new prices, SKU or `enabled` are cancelled before the response; other orders follow a moment later. Nodes that it bought stay in the pool. `create_procurement_update_estimate` shows beforehand what the change would trade.
     */
    update(id: ProcurementRef, body?: Bodies['update_procurement'], options?: RequestOptions): Call<Answers['update_procurement']>
    /**
     * Delete a procurement
     *
     * Cancels its open orders before the response. Nodes that it bought stay in the pool.
     */
    delete(id: ProcurementRef, options?: RequestOptions): Call<Answers['delete_procurement']>
    /**
     * Estimate a procurement
     *
     * Takes the body of `create_procurement`, and says what it would buy and sell now and the most that it can cost. Changes and reserves nothing: prices and balances are those of now.
     */
    createEstimate(body: Bodies['create_procurement_estimate'], options?: RequestOptions): Call<Answers['create_procurement_estimate']>
    /**
     * Estimate a procurement change
     *
     * Takes the body of `update_procurement`, and says what the procurement would buy and sell after the change and the most that it can cost. Changes and reserves nothing: prices and balances are those of now.
     */
    createUpdateEstimate(id: ProcurementRef, body?: Bodies['create_procurement_update_estimate'], options?: RequestOptions): Call<Answers['create_procurement_update_estimate']>
  }
  readonly accounts: {
    /**
     * Create an account
     *
     * Creates an account with a workspace, its default firewall and an API token of an admin, which only this response shows. The account has no money: `create_account_transaction` posts some. Its limits follow from the trust level.
     */
    create(body: Bodies['create_account'], options?: RequestOptions): Call<Answers['create_account']>
    /**
     * List accounts
     *
     * Shows all accounts with their balances, newest first. Frozen accounts are included; `is_frozen` tells them apart.
     */
    list(query?: Queries['list_accounts'], options?: RequestOptions): ListCall<Answers['list_accounts']['data'][number]>
    /**
     * Get an account
     *
     * Shows one account with its balance, its trust level and whether it is frozen. `list_account_limits` shows its limits.
     */
    get(account: string, options?: RequestOptions): Call<Answers['get_administered_account']>
    /**
     * Change an account
     *
     * Changes the name of an account, or the longest life of tokens that its people create from now on; existing tokens stay. `entity_type` can be set once.
     */
    update(account: string, body?: Bodies['update_account'], options?: RequestOptions): Call<Answers['update_account']>
    /**
     * Freeze an account
     *
     * The account may only read and sign out; its open orders are cancelled and its automations stop. Its instances run on, and nodes that it bought stay its own. With `end_sessions` its people are signed out too. `unfreeze_account` ends it. The platform account cannot be frozen.
     */
    freeze(account: string, query?: Queries['freeze_account'], options?: RequestOptions): Call<Answers['freeze_account']>
    /**
     * Unfreeze an account
     *
     * Lets a frozen account write again, and its automations resume. Orders that were cancelled stay cancelled.
     */
    unfreeze(account: string, options?: RequestOptions): Call<Answers['unfreeze_account']>
    /**
     * Set a trust level
     *
     * Sets how far an account is trusted, and with it the limits that no override sets. A lower limit removes nothing. Emits `trust_level.updated` in that account when the level changed.
     */
    setTrustLevel(account: string, body: Bodies['set_trust_level'], options?: RequestOptions): Call<Answers['set_trust_level']>
    /**
     * Add a user to account
     *
     * Adds a person to an account, with one role for the whole account, `admin` by default. `create_account_sign_in_link` lets the first person of a new account in.
     */
    createUser(account: string, body: Bodies['create_account_user'], options?: RequestOptions): Call<Answers['create_account_user']>
    /**
     * Create an account sign-in link
     *
     * Creates a link that signs in a user of an account, for the first person of a new account and where no admin of the account can sign in. It is refused while an admin can sign in by other means: then that admin creates the link. It works once, within 15 minutes.
     */
    createSignInLink(account: string, body: Bodies['create_account_sign_in_link'], options?: RequestOptions): Call<Answers['create_account_sign_in_link']>
  }
  readonly accountLimits: {
    /**
     * List limits of an account
     *
     * Shows each limit of the account, how much of it is used, and whether the trust level or an override sets it.
     */
    list(account: string, options?: RequestOptions): ListCall<Answers['list_account_limits']['data'][number]>
    /**
     * Override a limit
     *
     * Sets one limit of an account, whatever its trust level; `null` removes the limit. A value below the present use removes nothing. `delete_account_limit` ends the override.
     */
    put(params: { account: string; name: string }, body: Bodies['put_account_limit'], options?: RequestOptions): Call<Answers['put_account_limit']>
    /**
     * Remove a limit override
     *
     * The value of the trust level holds again at once. A value below the present use removes nothing.
     */
    delete(params: { account: string; name: string }, options?: RequestOptions): Call<Answers['delete_account_limit']>
  }
  readonly revenue: {
    /**
     * List revenue
     *
     * Shows fees, volume and node-minutes by month and SKU. Months and SKUs without fills are left out.
     */
    list(query: Queries['list_revenue'], options?: RequestOptions): ListCall<Answers['list_revenue']['data'][number]>
  }
  readonly ledger: {
    /**
     * Export the ledger
     *
     * Streams all movements between accounts and the platform operator: trades by SKU and time, then postings. The amounts of each trade and of each posting add up to zero. Holds are left out, as they stay in their account.
     */
    export(query: Queries['export_ledger'], options?: RequestOptions): Call<Answers['export_ledger']>
  }
  readonly platformUsage: {
    /**
     * List usage of accounts
     *
     * Shows the usage and costs of accounts in a window, by account and SKU, the newest account first. Accounts without usage have no row, so a page may have fewer rows than its limit, or none, while more follow. A page costs about as much as the usage lists of its accounts.
     */
    list(query: Queries['list_platform_usage'], options?: RequestOptions): ListCall<Answers['list_platform_usage']['data'][number]>
  }
  readonly platformOrders: {
    /**
     * List orders of accounts
     *
     * Shows the orders of all accounts, with the filters of `list_orders` and `account`. Each fill says whether the two accounts were related.
     */
    list(query?: Queries['list_platform_orders'], options?: RequestOptions): ListCall<Answers['list_platform_orders']['data'][number]>
  }
  readonly platformPools: {
    /**
     * List pools of accounts
     *
     * Shows the pools of all accounts, newest first, with the filters of `list_pools` and `account`.
     */
    list(query?: Queries['list_platform_pools'], options?: RequestOptions): ListCall<Answers['list_platform_pools']['data'][number]>
  }
  readonly platformSkus: {
    /**
     * List all SKUs
     *
     * Shows SKUs with their fees, oldest first, also unlisted ones. Retired ones are left out without `include_deleted`. With `account`, only SKUs that this account sees. Properties are shown without overrides.
     */
    list(query?: Queries['list_platform_skus'], options?: RequestOptions): ListCall<Answers['list_platform_skus']['data'][number]>
  }
  readonly platformInstances: {
    /**
     * List instances of accounts
     *
     * Shows the instances of all accounts, newest first, with the filters of `list_instances` and `account`.
     */
    list(query?: Queries['list_platform_instances'], options?: RequestOptions): ListCall<Answers['list_platform_instances']['data'][number]>
  }
  readonly agentBundles: {
    /**
     * Add an agent bundle
     *
     * A bundle is a signed version of the agent, which `create_agent_rollout` can then roll out. `npm run pack -- agent --sign KEY` writes the three files. Refused with `bundle_refused` unless the signature fits the manifest and the manifest fits the archive, and with `bundle_exists` if the version exists already. Hosts verify the signature by the keys in their own files.
     */
    create(body: Bodies['create_agent_bundle'], options?: RequestOptions): Call<Answers['create_agent_bundle']>
    /**
     * List agent bundles
     *
     * These are the versions of the agent that can be rolled out, newest first.
     */
    list(query?: Queries['list_agent_bundles'], options?: RequestOptions): ListCall<Answers['list_agent_bundles']['data'][number]>
    /**
     * Read an agent bundle
     *
     * Shows its version, processors and signer, and not its archive.
     */
    get(id: AgentBundleId, options?: RequestOptions): Call<Answers['get_agent_bundle']>
    /**
     * Delete an agent bundle
     *
     * Hosts that run it keep it. Refused with `in_use` while the newest rollout installs it.
     */
    delete(id: AgentBundleId, options?: RequestOptions): Call<Answers['delete_agent_bundle']>
  }
  readonly agentRollouts: {
    /**
     * Create an agent rollout
     *
     * Updates the agents of all hosts to a version, group by group. In a group one host of a SKU and fabric is updated at a time, or as many as `hosts_at_once` says. The next host follows once a host has been well for `health_seconds`: its agent reports with the version, its instances run as before, and it is not `faulted` and has no new problem. The first failure halts the rollout, with the event `agent_rollout.halted` of the platform account. Hosts that are silent, pinned, or have no updater are left out; they follow when they can, while no newer rollout exists. One rollout at a time: otherwise `rollout_in_progress`.
     */
    create(body: Bodies['create_agent_rollout'], options?: RequestOptions): Call<Answers['create_agent_rollout']>
    /**
     * List agent rollouts
     *
     * The newest comes first. `get_agent_rollout` shows a single rollout.
     */
    list(query?: Queries['list_agent_rollouts'], options?: RequestOptions): ListCall<Answers['list_agent_rollouts']['data'][number]>
    /**
     * Read an agent rollout
     *
     * Shows how far each group is, and the hosts that need attention.
     */
    get(id: AgentRolloutId, options?: RequestOptions): Call<Answers['get_agent_rollout']>
    /**
     * Halt an agent rollout
     *
     * No further host begins its update. A host that has begun goes on. A completed rollout no longer takes up hosts that return.
     */
    halt(id: AgentRolloutId, options?: RequestOptions): Call<Answers['halt_agent_rollout']>
    /**
     * Resume an agent rollout
     *
     * It goes on where it was halted. Hosts whose update failed try again.
     */
    resume(id: AgentRolloutId, options?: RequestOptions): Call<Answers['resume_agent_rollout']>
    /**
     * Cancel an agent rollout
     *
     * Ends a rollout that runs or is halted. Hosts keep the version that they have; `roll_back_agent_rollout` gives them their former version.
     */
    cancel(id: AgentRolloutId, options?: RequestOptions): Call<Answers['cancel_agent_rollout']>
    /**
     * Roll back an agent rollout
     *
     * Ends the newest rollout, and gives the hosts that it has updated the versions that they had before. The response is the rollout that does it, under the same rules, in one group. Each host keeps its previous version, so the server need not have the bundle of it.
     */
    rollBack(id: AgentRolloutId, options?: RequestOptions): Call<Answers['roll_back_agent_rollout']>
  }
  readonly skuOverrides: {
    /**
     * List SKU overrides
     *
     * Shows the SKUs whose properties differ for one account, with the values that it sees.
     */
    list(account: string, options?: RequestOptions): ListCall<Answers['list_sku_overrides']['data'][number]>
    /**
     * Override a SKU
     *
     * Sets properties of a SKU as one account sees them, and replaces an earlier override of this account and SKU. An override cannot promise more than the SKU. Emits `instance_sku_override.updated` in that account if anything changed.
     */
    put(params: { account: string; sku: SkuId }, body?: Bodies['put_sku_override'], options?: RequestOptions): Call<Answers['put_sku_override']>
    /**
     * Remove a SKU override
     *
     * The account sees the properties of the SKU itself again. Emits `instance_sku_override.deleted` in that account.
     */
    delete(params: { account: string; sku: SkuId }, options?: RequestOptions): Call<Answers['delete_sku_override']>
  }
  readonly clock: {
    /**
     * Get the clock
     *
     * Shows the time of the sandbox, how fast it runs, and when something is due next.
     */
    get(options?: RequestOptions): Call<Answers['get_clock']>
    /**
     * Freeze the clock
     *
     * Stops the time of the sandbox: nothing falls due any more. Requests still work, and `advance_clock` still moves the clock. `resume_clock` starts it again.
     */
    freeze(options?: RequestOptions): Call<Answers['freeze_clock']>
    /**
     * Resume the clock
     *
     * The clock goes on from the time that it shows. It does not catch up with the time that has passed meanwhile.
     */
    resume(options?: RequestOptions): Call<Answers['resume_clock']>
    /**
     * Advance the clock
     *
     * Moves the clock ahead; everything due on the way happens in order, at its own time. The response comes when that is done, or after 60 s of real time with `settled` false. The clock never goes back.
     */
    advance(body?: Bodies['advance_clock'], options?: RequestOptions): Call<Answers['advance_clock']>
    /**
     * Set the clock rate
     *
     * Sets how many seconds of the sandbox may pass in one real second. The clock runs slower while due work is not done in time.
     */
    setRate(body: Bodies['set_clock_rate'], options?: RequestOptions): Call<Answers['set_clock_rate']>
  }
  readonly sandbox: {
    /**
     * Wait until settled
     *
     * Waits until nothing is due and each instance that should run has been reported, but no longer than `timeout_seconds`; `settled` says which. It does not move the clock.
     */
    settle(body?: Bodies['settle'], options?: RequestOptions): Call<Answers['settle']>
    /**
     * Reset the sandbox
     *
     * Deletes everything in the sandbox, sets the clock to real time and loads a world. Tokens that were printed at the start stay valid. Cursors of earlier events give 410.
     */
    reset(body?: Bodies['reset_sandbox'], options?: RequestOptions): Call<Answers['reset_sandbox']>
  }
  readonly scenarios: {
    /**
     * List scenarios
     *
     * Shows the worlds that `load_scenario` and `reset_sandbox` can load, and what each is for.
     */
    list(options?: RequestOptions): ListCall<Answers['list_scenarios']['data'][number]>
    /**
     * Load a scenario
     *
     * Deletes everything in the sandbox and loads a world. The same `seed` gives the same world. Tokens that were printed at the start stay valid. The clock shows real time again.
     */
    load(name: string, body?: Bodies['load_scenario'], options?: RequestOptions): Call<Answers['load_scenario']>
  }
  readonly marketMakers: {
    /**
     * Create a market maker
     *
     * Adds simulated accounts with hosts of their own, which keep offers on both sides of the order book of a SKU and trade small amounts. A SKU has at most one market maker; `update_market_maker` changes or stops it.
     */
    create(body: Bodies['create_market_maker'], options?: RequestOptions): Call<Answers['create_market_maker']>
    /**
     * List market makers
     *
     * Shows the SKUs that simulated accounts trade, oldest first, with their prices and when their weather changes.
     */
    list(options?: RequestOptions): ListCall<Answers['list_market_makers']['data'][number]>
    /**
     * Change a market maker
     *
     * Switches the market maker or its weather on or off, or moves its price; its offers follow at once. Nodes that it has sold stay sold.
     */
    update(sku: SkuId, body?: Bodies['update_market_maker'], options?: RequestOptions): Call<Answers['update_market_maker']>
  }
  readonly faults: {
    /**
     * Create a fault
     *
     * Makes something go wrong from now on, until its times or seconds have passed or `delete_fault` ends it. Calls of `/sandbox` and `/healthz` are never affected.
     *
     * - `http_error`: Calls get a response with this status.
     * - `http_latency`: Responses are delayed.
     * - `connection_cut`: The connection breaks before or after the work.
     * - `database_down`: The database cannot be reached.
     * - `market_halt`: The market is halted: no orders, no transfers, no matching.
     * - `host_silent`: A host stops reporting; its instances run on.
     * - `host_crash`: A host is lost with its instances, then it comes back.
     * - `start_failure`: An instance does not start.
     * - `checksum_mismatch`: A downloaded image is damaged.
     * - `instance_unhealthy`: The host of an instance reports it as unhealthy: it becomes `failed`.
     * - `webhook_failure`: Attempts to deliver to a webhook fail with this status, without a request to its receiver.
     * - `preempt`: Allocation is sold off at once: enough to end this instance, or so many nodes of a pool. Nodes that cannot be sold, as in a read-only pool or a halted market, go back to an originating pool.
     */
    create(body: Bodies['create_fault'], options?: RequestOptions): Call<Answers['create_fault']>
    /**
     * List faults
     *
     * Newest first, each with how often it has hit. Faults that have ended stay in the list until `delete_fault`.
     */
    list(options?: RequestOptions): ListCall<Answers['list_faults']['data'][number]>
    /**
     * Remove a fault
     *
     * The fault no longer happens. Its effects stay: a failed instance stays failed.
     */
    delete(id: SandboxFaultId, options?: RequestOptions): Call<Answers['delete_fault']>
  }
  readonly health: {
    /**
     * Check liveness
     *
     * Responds while the process serves, also while its database is away. `get_readiness` says whether it can take calls.
     */
    get(options?: RequestOptions): Call<Answers['get_health']>
  }
  readonly readiness: {
    /**
     * Check readiness
     *
     * Says whether the process can take calls: its database, schema, storage settings, clock and reconcilers. 503 names the parts that fail.
     */
    get(options?: RequestOptions): Call<Answers['get_readiness']>
  }
  readonly version: {
    /**
     * Get the version
     *
     * Shows the version and the commit of the running build.
     */
    get(options?: RequestOptions): Call<Answers['get_version']>
  }
  readonly signingKeys: {
    /**
     * Get signing keys
     *
     * Shows the public keys with which the server signs attestations of instances, the present one first. A key that no longer signs stays in the list as long as its file has it. `get_instance_attestation` returns what they sign.
     */
    get(options?: RequestOptions): Call<Answers['get_signing_keys']>
  }
  readonly openapi: {
    /**
     * Get the OpenAPI document
     *
     * Returns this reference as an OpenAPI 3.1 document, of the running build.
     */
    get(options?: RequestOptions): Call<Answers['get_openapi']>
  }
  readonly docs: {
    /**
     * Get the documentation
     *
     * Returns the start page of the reference and the guides. The pages load nothing from other servers.
     */
    get(options?: RequestOptions): Call<Answers['get_docs']>
  }
  readonly metrics: {
    /**
     * Get metrics
     *
     * Returns measurements in the Prometheus text format; in production on a port of its own. The header `Host` must have an IP address, a name without a dot, or a name of this server: its public URL and `BOURSE_ALLOWED_HOSTS`. Otherwise a page of another site could read it through a name that leads to this server.
     */
    get(options?: RequestOptions): Call<Answers['get_metrics']>
  }
}
