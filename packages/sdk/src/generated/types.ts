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
export type MaintenanceWindowId = `mwin_${string}`
export type SandboxFaultId = `flt_${string}`

export type CallerToken = {
  object: 'token'
  /** Token id. */
  id: TokenId
  name: string
  /** Unix seconds. */
  expires_at: number | null
}

export type WorkspaceSummary = {
  object: 'workspace'
  /** Workspace id. */
  id: WorkspaceId
  name: string
  /** Resource path, `svc:workspace:…`. */
  resource_path: string
}

export type User = {
  object: 'user'
  /** User id. */
  id: UserId
  /** Resource path, `svc:user:…`. */
  resource_path: string
  name: string
  /** Unique in the account, without regard to case. Stored in Unicode form NFC, with the domain in lower case. */
  email: string | null
  first_name: string | null
  last_name: string | null
  /** Unix seconds. */
  created_at: number
}

export type ServerFacts = {
  version: string
  interface_version: string
  mode: 'production' | 'sandbox'
  /** Unix seconds. */
  now: number
}

export type Account = {
  object: 'account'
  /** Account id. */
  id: string
  name: string
  entity_type: 'personal' | 'business' | null
  trust_level: 'untrusted' | 'basic' | 'trusted' | 'partner'
  /** A frozen account may only read. */
  is_frozen: boolean
  is_platform: boolean
  /** The longest life of tokens that people make. */
  token_lifetime_max_days: number
  /** Unix seconds. */
  created_at: number
  token: CallerToken
  workspace: WorkspaceSummary
  user: User | null
  server: ServerFacts
}

export type Limit = {
  object: 'limit'
  name: string
  unit: 'count' | 'bytes' | 'node_hours'
  /** `null` = none. */
  value: number | null
  /** `null` where the limit holds for each resource. */
  used: number | null
  scope: 'account' | 'each'
  source: 'trust_level' | 'override'
}

export type LimitList = {
  object: 'list'
  data: Limit[]
  /** Always false: the list is complete. */
  has_more: boolean
}

export type Workspace = {
  object: 'workspace'
  /** Workspace id. */
  id: WorkspaceId
  /** Resource path, `svc:workspace:…`. */
  resource_path: string
  name: string
  /** Unix seconds. */
  created_at: number
}

export type WorkspacePage = {
  object: 'list'
  data: Workspace[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type UserPage = {
  object: 'list'
  data: User[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type SignInLink = {
  object: 'sign_in_link'
  /** Whoever opens it first, and presses its button, is this user. Shown here only. */
  url: string
  /** Unix seconds. */
  expires_at: number
}

export type Identity = {
  object: 'identity'
  /** Identity id. */
  id: IdentityId
  provider: string
  issuer: string
  /** How the issuer names the person, for good. With the issuer, the identity. */
  subject: string
  /** What the provider told last. It is shown and never compared. */
  email: string | null
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  last_used_at: number | null
}

export type IdentityList = {
  object: 'list'
  data: Identity[]
  /** Always false: the list is complete. */
  has_more: boolean
}

export type Passkey = {
  object: 'passkey'
  /** Passkey id. */
  id: PasskeyId
  name: string
  /** Whether its authenticator has copied it elsewhere, such as to a cloud. */
  is_backed_up: boolean
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  last_used_at: number | null
}

export type PasskeyList = {
  object: 'list'
  data: Passkey[]
  /** Always false: the list is complete. */
  has_more: boolean
}

export type CreatedPasskey = {
  object: 'passkey'
  /** Passkey id. */
  id: PasskeyId
  name: string
  is_backed_up: boolean
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  last_used_at: number | null
  /** With the first passkey, if the user had no codes. Shown here only. */
  recovery_codes: string[] | null
}

export type RecoveryCodes = {
  object: 'recovery_codes'
  codes: string[]
}

export type Role = {
  object: 'role'
  /** Role id. */
  id: RoleId
  /** Resource path, `svc:role:…`. */
  resource_path: string
  name: string
  role_type: 'built_in' | 'custom'
  policy: {
    api_version: 'roles/v1'
    description?: string
    rules: ({
      effect: 'allow'
      /** Verbs by resource. */
      actions: {
        '*'?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        workspace?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        user?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        role?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        grant?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        token?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        image?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        instance_template?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        instance?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        secret?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        pool?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        pool_transfer?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        order?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        procurement?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        deployment?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        firewall?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        subnet?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        infiniband_partition?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        billing?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        event?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        audit?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        webhook?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        host?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
        platform?: ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[]
      }
    })[]
  }
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
}

export type RolePage = {
  object: 'list'
  data: Role[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type RoleSummary = {
  object: 'role'
  /** Role id. */
  id: RoleId
  name: string
}

export type Principal = {
  type: 'token' | 'user' | 'system'
  /** Token or user id; absent for the system. */
  id?: string
  /** The name of a token. */
  name?: string
  /** The email address of a user. */
  email?: string | null
}

export type Grant = {
  object: 'grant'
  /** Grant id. */
  id: GrantId
  principal_type: 'user' | 'token'
  /** User or token id, as `principal_type` says. */
  principal_id: string
  workspace: WorkspaceSummary | null
  role: RoleSummary
  /** The sign-in provider whose groups gave it, and take it away; else `null`. */
  provider: string | null
  /** Unix seconds. */
  created_at: number
  created_by: Principal
}

export type GrantPage = {
  object: 'list'
  data: Grant[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type PermissionCheck = {
  object: 'permission_check'
  allowed: boolean
}

export type WorkspacePermissions = {
  workspace: WorkspaceSummary
  /** Verbs by resource. */
  actions: Record<string, ('create' | 'read' | 'list' | 'write' | 'delete')[]>
}

export type Permissions = {
  object: 'permissions'
  /** Verbs by resource. */
  account: Record<string, ('create' | 'read' | 'list' | 'write' | 'delete')[]>
  workspaces: WorkspacePermissions[]
}

export type UserSummary = {
  object: 'user'
  /** User id. */
  id: UserId
  name: string
  email: string | null
}

export type CreatedToken = {
  object: 'token'
  /** Token id. */
  id: TokenId
  workspace: WorkspaceSummary
  name: string
  kind: 'service' | 'session'
  user: UserSummary | null
  /** What signed in, by its own account. Only of your own sessions, or with `user:write`. */
  device: string | null
  /** From where it signed in. Only of your own sessions, or with `user:write`. */
  address: string | null
  /** The last six characters of the token. */
  suffix: string
  /** The networks from which the token may be used, each in its shortest form without host bits. Other addresses get 403 `network_not_allowed`. Behind a proxy, the server sees the address of the proxy. */
  allowed_cidrs: string[] | null
  /** The resources that the token may act on: ids, or paths with at most one `*` in the name. Others appear to be absent. Each resource that a request uses has to match, also pools, templates and images. */
  resources: string[] | null
  /** Unix seconds; `null` = never. */
  expires_at: number | null
  /** Unix seconds, exact to a minute. */
  last_used_at: number | null
  /** Unix seconds. */
  created_at: number
  created_by: Principal
  /** The JWT. Shown here only. */
  token: string
}

export type Token = {
  object: 'token'
  /** Token id. */
  id: TokenId
  workspace: WorkspaceSummary
  name: string
  kind: 'service' | 'session'
  user: UserSummary | null
  /** What signed in, by its own account. Only of your own sessions, or with `user:write`. */
  device: string | null
  /** From where it signed in. Only of your own sessions, or with `user:write`. */
  address: string | null
  /** The last six characters of the token. */
  suffix: string
  /** The networks from which the token may be used, each in its shortest form without host bits. Other addresses get 403 `network_not_allowed`. Behind a proxy, the server sees the address of the proxy. */
  allowed_cidrs: string[] | null
  /** The resources that the token may act on: ids, or paths with at most one `*` in the name. Others appear to be absent. Each resource that a request uses has to match, also pools, templates and images. */
  resources: string[] | null
  /** Unix seconds; `null` = never. */
  expires_at: number | null
  /** Unix seconds, exact to a minute. */
  last_used_at: number | null
  /** Unix seconds. */
  created_at: number
  created_by: Principal
}

export type TokenPage = {
  object: 'list'
  data: Token[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type DeviceLogin = {
  /** A secret of the program. It is no token. */
  device_code: string
  /** What the person compares, or types. */
  user_code: string
  /** The page on which a signed-in person approves. */
  verification_uri: string
  /** The same page, with the code in it. */
  verification_uri_complete: string
  /** Seconds. */
  expires_in: number
  /** Seconds to wait between two polls. */
  interval: number
}

export type DeviceToken = {
  /** The token of the session. Shown here only. */
  access_token: string
  token_type: 'Bearer'
  /** Seconds. */
  expires_in: number
}

export type PasskeyRegistration = {
  object: 'passkey_registration'
  /** What the authenticator signs, in base64url. Good once, for 5 minutes. */
  challenge: string
  /** The domain that the passkey is bound to. */
  relying_party_id: string
  /** In base64url. */
  user_handle: string
  user_name: string
  excluded_credential_ids: string[]
  /** Unix seconds. */
  expires_at: number
}

export type PasskeyChallenge = {
  object: 'passkey_challenge'
  /** What the authenticator signs, in base64url. Good once, for 5 minutes. */
  challenge: string
  /** The domain that the passkey is bound to. */
  relying_party_id: string
  /** Unix seconds. */
  expires_at: number
}

export type SignedIn = {
  object: 'signed_in'
  /** Account id. */
  account: string
  /** User id. */
  user: UserId
  /** The end of the session. */
  expires_at: number
}

export type AuditActor = {
  /** A token of a program, a person who signed in, or the service and its operators. */
  type: 'token' | 'user' | 'system'
  /** Null for `system`. */
  id: string | null
  /** The name that it had then. `platform`: an operator. `provider NAME`: a sign-in. */
  name: string | null
}

export type AuditTarget = {
  /** Kind of resource: `instance`, `order`, `user`, `account`, … */
  type: string
  /** The id, or the path or name that a refused request gave. */
  id: string
}

export type AuditChange = {
  /** A field of the request or the resource. */
  field: string
  /** The value before as JSON. A longer one is cut and ends in `…`. Null: none, not known, or secret. */
  old_value: string | null
  /** The value after as JSON, in the same form. Null: none, not known, or secret. */
  new_value: string | null
  /** Whether the field is secret, so its values are never shown. */
  is_secret: boolean
}

export type AuditEntry = {
  object: 'audit_entry'
  /** Audit entry id. */
  id: AuditEntryId
  /** Unix seconds. */
  occurred_at: number
  /** Account id. */
  account: string
  actor: AuditActor
  /** The operation of this API, or a word such as `sign_in_by_link`, `sign_out`. */
  operation: string
  targets: AuditTarget[]
  outcome: 'done' | 'refused'
  /** Why it was refused; null if it was done. `authentication_error`: a sign-in. `access_denied`: a person refused a program. `network_not_allowed`: a token was used from a network that it does not allow. Known values: forbidden, not_found, insufficient_user_authentication, token_lifetime_exceeded, same_operator, right_too_new, authentication_error, access_denied, network_not_allowed. New ones may be added; clients must accept them. */
  code: 'forbidden' | 'not_found' | 'insufficient_user_authentication' | 'token_lifetime_exceeded' | 'same_operator' | 'right_too_new' | 'authentication_error' | 'access_denied' | 'network_not_allowed' | OpenWord | null
  changes: AuditChange[]
  /** The account in which an operator acted; null for everything else. */
  on_behalf_of: string | null
  /** From where. Null for operators and the service. */
  address: string | null
  /** What sent it, by its own account. */
  user_agent: string | null
  /** As in the header `X-Request-Id` of its response. */
  request_id: string
}

export type AuditEntryPage = {
  object: 'list'
  data: AuditEntry[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type TokenActor = {
  type: 'token'
  /** Token id. */
  id: TokenId
}

export type SystemActor = {
  type: 'system'
}

export type Actor = TokenActor | SystemActor

export type EventTarget = {
  /** Kind of resource: `instance`, `order`, `image`, `account`, `instance_sku`, … */
  type: string
  /** The id that the rest of the API uses for it. */
  id: string
}

export type ScheduleEntry = {
  /** Unix seconds, a multiple of 60. */
  start_at: number
  /** Unix seconds, a multiple of 60; `null` = without end. */
  end_at: number | null
  node_count: number
}

export type EventFill = {
  object: 'fill'
  /** Fill id. */
  id: FillId
  /** Unix seconds. */
  filled_at: number
  allocation_schedule_delta: ScheduleEntry[]
  price_dollars_per_node_hour: string
  total_dollars: string
  /** Paid by the seller; zero for a buy. */
  fee_dollars: string
  side: 'buy' | 'sell'
  /** SKU id. */
  sku: SkuId
  /** Pool id. */
  pool: PoolId
}

export type Event = {
  object: 'event'
  /** Event id. */
  id: EventId
  /** What happened. Known values: instance.created, instance.running, instance.termination_imminent, instance.termination_withdrawn, instance.terminated, instance.failed, instance.connection_lost, host.facts_changed, host.unfit, host.fit, order.created, order.partially_filled, order.filled, order.cancelled, image.revoked, image.reinstated, image.published, image.deprecated, trust_level.updated, account.balance_low, instance_sku_override.updated, instance_sku_override.deleted, webhook.failing, webhook.recovered, webhook.disabled, budget.threshold_reached, credit.requested, credit.approved, credit.refused, credit.expired, audit.violated, order.rejected. New ones may be added; clients must accept them. */
  action: 'instance.created' | 'instance.running' | 'instance.termination_imminent' | 'instance.termination_withdrawn' | 'instance.terminated' | 'instance.failed' | 'instance.connection_lost' | 'host.facts_changed' | 'host.unfit' | 'host.fit' | 'order.created' | 'order.partially_filled' | 'order.filled' | 'order.cancelled' | 'image.revoked' | 'image.reinstated' | 'image.published' | 'image.deprecated' | 'trust_level.updated' | 'account.balance_low' | 'instance_sku_override.updated' | 'instance_sku_override.deleted' | 'webhook.failing' | 'webhook.recovered' | 'webhook.disabled' | 'budget.threshold_reached' | 'credit.requested' | 'credit.approved' | 'credit.refused' | 'credit.expired' | 'audit.violated' | 'order.rejected' | OpenWord
  /** Unix seconds. */
  occurred_at: number
  actor: Actor
  targets: EventTarget[]
  fill?: EventFill
  /** As `starting_after`, with the same filters, it goes on right behind this event. */
  cursor: string
}

export type EventPage = {
  object: 'list'
  data: Event[]
  /** Whether more events are available after this page. Never true of an empty page. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type WebhookReplay = {
  /** A cursor of the event list. */
  cursor: string
  /** A cursor of the event list. */
  until: string
}

export type WebhookWithSecret = {
  object: 'webhook'
  /** Webhook id. */
  id: WebhookId
  /** An https URL of a public address, without user, password and fragment. The address is checked at each connection. A sandbox also takes http and private addresses. */
  url: string
  description: string | null
  /** Only events with these actions; empty = all. */
  actions: string[]
  /** Only events about these kinds of resources; empty = all. */
  target_types: string[]
  /** Only events about these ids; empty = all. */
  targets: string[]
  /** `per_target`: the events of one target one after the other, the next only after success or the last attempt. Default `none`. */
  ordering: 'none' | 'per_target'
  enabled: boolean
  state: 'active' | 'failing' | 'disabled'
  disabled_reason: 'gone' | 'failures' | 'user' | null
  /** An event cursor without filters: everything up to it was delivered, is not wanted, or is a pending or failed delivery. */
  cursor: string
  replay: WebhookReplay | null
  /** Unix seconds. */
  last_success_at: number | null
  /** Unix seconds. */
  last_failure_at: number | null
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
  /** `whsec_` and the base64 of 32 bytes, which sign deliveries. Shown here only. */
  secret: string
}

export type Webhook = {
  object: 'webhook'
  /** Webhook id. */
  id: WebhookId
  /** An https URL of a public address, without user, password and fragment. The address is checked at each connection. A sandbox also takes http and private addresses. */
  url: string
  description: string | null
  /** Only events with these actions; empty = all. */
  actions: string[]
  /** Only events about these kinds of resources; empty = all. */
  target_types: string[]
  /** Only events about these ids; empty = all. */
  targets: string[]
  /** `per_target`: the events of one target one after the other, the next only after success or the last attempt. Default `none`. */
  ordering: 'none' | 'per_target'
  enabled: boolean
  state: 'active' | 'failing' | 'disabled'
  disabled_reason: 'gone' | 'failures' | 'user' | null
  /** An event cursor without filters: everything up to it was delivered, is not wanted, or is a pending or failed delivery. */
  cursor: string
  replay: WebhookReplay | null
  /** Unix seconds. */
  last_success_at: number | null
  /** Unix seconds. */
  last_failure_at: number | null
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
}

export type WebhookPage = {
  object: 'list'
  data: Webhook[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type WebhookDeliveryAttempt = {
  /** Unix seconds. */
  at: number
  /** The HTTP status of the answer. */
  status: number | null
  /** Known values: address_not_allowed, dns_failed, connection_failed, tls_failed, timeout, invalid_answer, redirect. New ones may be added; clients must accept them. */
  error: 'address_not_allowed' | 'dns_failed' | 'connection_failed' | 'tls_failed' | 'timeout' | 'invalid_answer' | 'redirect' | OpenWord | null
  duration_ms: number
}

export type WebhookDelivery = {
  object: 'webhook_delivery'
  /** Webhook delivery id. */
  id: WebhookDeliveryId
  /** Webhook id. */
  webhook: WebhookId
  /** The event; `null` for a test. */
  event: EventId | null
  origin: 'event' | 'replay' | 'redelivery' | 'test'
  state: 'pending' | 'succeeded' | 'failed'
  attempts: WebhookDeliveryAttempt[]
  /** `null` after the last attempt, and while it waits for an earlier one of its target. */
  next_attempt_at: number | null
  /** Unix seconds. */
  created_at: number
}

export type WebhookDeliveryPage = {
  object: 'list'
  data: WebhookDelivery[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type WebhookKey = {
  object: 'webhook_key'
  /** `whpk_` and the base64 of the 32 bytes of an Ed25519 key. */
  public_key: string
  /** Whether deliveries of the present are signed with it. */
  is_current: boolean
}

export type WebhookKeyList = {
  object: 'list'
  data: WebhookKey[]
  /** Always false: the list is complete. */
  has_more: boolean
}

export type Balance = {
  object: 'balance'
  /** Total minus held plus credit limit. */
  available_dollars: string
  total_dollars: string
  /** Held for open buy orders. */
  held_dollars: string
  credit_limit_dollars: string
  /** `account.balance_low` is emitted when the available amount falls to it. Null: never. */
  low_at_dollars: string | null
  /** The available amount has fallen to `low_at_dollars`, and has not risen 10 % above it since. */
  is_low: boolean
  /** Unix seconds. */
  updated_at: number
}

export type Transaction = {
  object: 'transaction'
  /** Transaction id. */
  id: TransactionId
  type: 'buy_fill' | 'sell_fill' | 'credit_grant' | 'manual_payment' | 'refund' | 'adjustment'
  /** Signed. */
  amount_dollars: string
  balance_after_dollars: string
  /** The fee of a sale, already subtracted from the amount. */
  fee_dollars: string
  /** Order id. */
  order: OrderId | null
  /** Fill id. */
  fill: FillId | null
  /** Workspace id. */
  workspace: WorkspaceId | null
  description: string | null
  /** Unix seconds. */
  created_at: number
}

export type TransactionPage = {
  object: 'list'
  data: Transaction[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type Hold = {
  object: 'hold'
  /** Hold id. */
  id: HoldId
  /** Order id. */
  order: OrderId
  /** Workspace id. */
  workspace: WorkspaceId
  amount_dollars: string
  /** Unix seconds. */
  created_at: number
}

export type HoldPage = {
  object: 'list'
  data: Hold[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type PendingCredit = {
  object: 'pending_credit'
  /** Pending credit id. */
  id: PendingCreditId
  /** The account that gets the money or the limit. */
  account: string
  /** Known values: pending, approved, refused, expired. New ones may be added; clients must accept them. */
  state: 'pending' | 'approved' | 'refused' | 'expired' | OpenWord
  /** `credit_limit`: the credit limit of the account becomes the amount. All others: the amount is posted. Known values: credit_grant, manual_payment, refund, adjustment, credit_limit. New ones may be added; clients must accept them. */
  type: 'credit_grant' | 'manual_payment' | 'refund' | 'adjustment' | 'credit_limit' | OpenWord
  amount_dollars: string
  /** With `credit_limit`: the limit at the request. It has to be the same at the approval. */
  limit_before_dollars: string | null
  description: string
  requested_by: Principal
  /** Unix seconds. */
  requested_at: number
  /** Until then it can be approved: seven days after the request. */
  expires_at: number
  decided_by: Principal | null
  /** When it was approved, refused or expired. */
  decided_at: number | null
  /** What was posted. Null for a credit limit. */
  transaction: TransactionId | null
}

export type PendingCreditPage = {
  object: 'list'
  data: PendingCredit[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type Usage = {
  object: 'usage'
  /** Unix seconds. */
  period_start: number
  /** Unix seconds, not included. */
  period_end: number
  /** What the rows are grouped by, and its value. Null: the pool does not have the tag. */
  group: Record<string, string | null>
  /** What the pools own. */
  allocated_node_minutes: number
  /** What instances ran in; never more than is allocated. */
  used_node_minutes: number
  /** Purchases that were filled in the period. */
  bought_dollars: string
  /** Proceeds of sales that were filled in the period, less their fees. */
  sold_dollars: string
  /** What the node-minutes of the period cost that were kept. */
  effective_cost_dollars: string
}

export type UsagePage = {
  object: 'list'
  data: Usage[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type StatementLine = {
  /** SKU id. */
  sku: SkuId | null
  /** Workspace id. */
  workspace: WorkspaceId | null
  /** What purchases cost. */
  purchases_dollars: string
  /** What sales brought, before fees. */
  sales_dollars: string
  /** What the fees of sales took. */
  fees_dollars: string
  /** What the operator posted, signed. */
  credits_dollars: string
}

export type Statement = {
  object: 'statement'
  /** A month of UTC, such as 2026-01. */
  month: string
  /** Unix seconds. */
  period_start: number
  /** Unix seconds, not included. */
  period_end: number
  /** A month closes 48 hours after its end and never changes then. */
  state: 'open' | 'closed'
  opening_balance_dollars: string
  /** The opening balance less purchases and fees, plus sales and credits. */
  closing_balance_dollars: string
  /** What purchases cost. */
  purchases_dollars: string
  /** What sales brought, before fees. */
  sales_dollars: string
  /** What the fees of sales took. */
  fees_dollars: string
  /** What the operator posted, signed. */
  credits_dollars: string
  lines: StatementLine[]
}

export type Budget = {
  object: 'budget'
  /** Budget id. */
  id: BudgetId
  /** For people. */
  name: string | null
  /** Workspace id. */
  workspace: WorkspaceId | null
  /** UTC days, UTC months, or everything ever spent. */
  period: 'day' | 'month' | 'total'
  amount_dollars: string
  /** Rising percentages of the amount. Reaching one emits `budget.threshold_reached`, once per period. */
  thresholds_percent: number[]
  /** `actual`: what is spent. `forecast`: what the period comes to; not for `total`. */
  threshold_basis: 'actual' | 'forecast'
  /** The thresholds that were reached in this period. */
  reached_percent: number[]
  /** True: a buy whose hold would exceed the amount is refused with 402, and automations stop buying. */
  hard_stop: boolean
  /** The fills of buys in the period. */
  spent_dollars: string
  /** Held for open buys. */
  held_dollars: string
  /** Spent, plus held, plus the pace of the last 24 hours until the end of the period; `total`: `null`. */
  forecast_dollars: string | null
  /** Unix seconds. */
  period_start: number | null
  /** Unix seconds. */
  period_end: number | null
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
}

export type BudgetPage = {
  object: 'list'
  data: Budget[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type TextProperty = {
  value: string
  display_value: string
}

export type RdmaTypeProperty = {
  /** Later versions may add values; clients must accept them. */
  value: 'infiniband' | 'roce' | OpenWord
  display_value: string
}

export type RdmaRateProperty = {
  value: number
  display_value: string
}

export type AcceleratorCountProperty = {
  value: number
  display_value: string
}

export type VcpuCountProperty = {
  value: number
  display_value: string
}

export type ByteProperty = {
  /** Bytes. */
  value: number
  display_value: string
}

export type BooleanProperty = {
  value: boolean
  display_value: string
}

export type SkuBenchmark = {
  name: string
  unit: string
  /** The lowest, from three hosts or suppliers on without the lowest quarter: first of the hosts of each supplier, then of the suppliers. */
  lowest: string
  /** The median of the medians of the suppliers. */
  median: string
  /** How many hosts measured it within 90 days. */
  host_count: number
  /** The oldest of these measurements. */
  measured_at: number
}

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
  /** Only with `rdma_type` infiniband. */
  infiniband_fabric?: string
  num_accelerators?: AcceleratorCountProperty
  num_vcpus?: VcpuCountProperty
  memory_bytes?: ByteProperty
  local_storage_bytes?: ByteProperty
  supports_public_ipv4?: BooleanProperty
  /** Hosts of this SKU need not have its hardware: for development. Left out where they must, which is the rule. */
  simulated?: boolean
  /** Only the operator of the platform supplies hosts of this SKU, no partner. Left out where partners may, which is the rule. */
  operator_hosts_only?: boolean
  /** What suppliers of hosts measured. Left out if nobody did. */
  benchmarks?: SkuBenchmark[]
  /** Prices are multiples of it. Left out where it is the finest one, 0.000001. */
  price_step_dollars_per_node_hour?: string
  /** Unix seconds; only on retired SKUs. */
  deleted_at?: number
}

export type SkuPage = {
  object: 'list'
  data: Sku[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type SkuPropertyValue = {
  object: 'sku_property'
  name: string
  display_name: string
  description: string
  documentation_link: string | null
  /** Unix seconds; a value is deprecated before it is removed. */
  deprecated_at: number | null
  deprecation_info: string | null
}

export type SkuProperty = {
  object: 'sku_property'
  name: string
  display_name: string
  description: string
  documentation_link: string | null
  /** Unix seconds; a value is deprecated before it is removed. */
  deprecated_at: number | null
  deprecation_info: string | null
  type: 'enumeration' | 'integer' | 'boolean'
  /** Enumerations only. */
  values?: SkuPropertyValue[]
}

export type SkuPropertyList = {
  object: 'list'
  data: SkuProperty[]
  /** Always false: the list is complete. */
  has_more: boolean
}

export type AllocationSchedule = {
  total: ScheduleEntry[]
  /** By SKU id. */
  by_sku: Record<string, ScheduleEntry[]>
}

export type ProcurementSummary = {
  object: 'procurement'
  /** Procurement id. */
  id: ProcurementId
  name: string
  /** Resource path, `svc:procurement:…`. */
  resource_path: string
}

export type DeploymentSummary = {
  object: 'deployment' | 'spot_deployment'
  /** Deployment id. */
  id: DeploymentId
  name: string
  /** Resource path, `svc:deployment:…`. */
  resource_path: string
}

export type Pool = {
  object: 'pool'
  /** Pool id. */
  id: PoolId
  /** Resource path, `svc:pool:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  name: string
  /** `market`: trades. `originating`: receives capacity of hosts. `read_only`: granted by the operator. */
  kind: 'market' | 'originating' | 'read_only'
  allocation_schedule: AllocationSchedule
  procurements: ProcurementSummary[]
  deployments: DeploymentSummary[]
  /** Up to 50 pairs; keys 1-128 characters, values up to 256, neither with a comma or an equals sign. */
  tags: Record<string, string> | null
  /** Unix seconds. */
  created_at: number
}

export type PoolPage = {
  object: 'list'
  data: Pool[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type MarketHalt = {
  object: 'market_halt'
  /** Whether the whole market, some SKUs or nothing is halted. */
  halted: 'all' | 'some' | 'none'
  /** The SKUs that are halted on their own. */
  skus: SkuId[]
  message: string | null
}

export type MaintenanceWindow = {
  object: 'maintenance_window'
  /** Maintenance window id. */
  id: MaintenanceWindowId
  /** Unix seconds, a multiple of 60. */
  start_at: number
  /** Unix seconds, a multiple of 60. */
  end_at: number
  maintenance_type: 'info' | 'degraded_performance' | 'unavailable'
  title: string
  description: string
  action_message: string | null
  /** Empty for all SKUs. */
  sku: SkuId[]
  /** Unix seconds. */
  created_at: number
}

export type MaintenanceWindowPage = {
  object: 'list'
  data: MaintenanceWindow[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type SkuSummary = {
  object: 'sku'
  /** SKU id. */
  id: SkuId
  alias: string
  /** Only if hosts of the SKU need not have its hardware. */
  simulated?: boolean
}

export type PoolTransfer = {
  object: 'pool_transfer'
  /** Pool transfer id. */
  id: PoolTransferId
  /** Known values: pending, executed, rejected. New ones may be added; clients must accept them. */
  state: 'pending' | 'executed' | 'rejected' | OpenWord
  /** Pool id. */
  from_pool: PoolId
  /** Pool id. */
  to_pool: PoolId
  sku: SkuSummary
  allocation_schedule_delta: ScheduleEntry[]
  rejected_reason: string | null
  /** Unix seconds. */
  created_at: number
  created_by: Principal
  /** Unix seconds. */
  executed_at: number | null
}

export type PoolTransferPage = {
  object: 'list'
  data: PoolTransfer[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type PoolSummary = {
  object: 'pool'
  /** Pool id. */
  id: PoolId
  name: string
  /** Resource path, `svc:pool:…`. */
  resource_path: string
}

export type Fill = {
  object: 'fill'
  /** Fill id. */
  id: FillId
  /** Unix seconds. */
  filled_at: number
  allocation_schedule_delta: ScheduleEntry[]
  price_dollars_per_node_hour: string
  total_dollars: string
  /** Paid by the seller; zero for a buy. */
  fee_dollars: string
}

export type OrderManager = {
  object: 'procurement' | 'spot_deployment'
  id: string
  name: string
  resource_path: string
}

export type Order = {
  object: 'order'
  /** Order id. */
  id: OrderId
  workspace: WorkspaceSummary
  pool: PoolSummary | null
  sku: SkuSummary
  side: 'buy' | 'sell'
  /** Known values: pending, standing, partially_filled, filled, cancelled, rejected. New ones may be added; clients must accept them. */
  state: 'pending' | 'standing' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected' | OpenWord
  allow_standing: boolean
  allow_partial: boolean
  allocation_schedule_delta: ScheduleEntry[]
  filled_allocation_schedule_delta: ScheduleEntry[]
  limit_price_dollars_per_node_hour: string
  filled_average_price_dollars_per_node_hour: string | null
  held_dollars: string
  /** The newest 100. */
  fills: Fill[]
  managed_by: OrderManager | null
  created_by: Principal
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  filled_at: number | null
  /** Unix seconds. */
  cancelled_at: number | null
  /** Known values: user, unfilled, expired, automation, deployment_deleted, sku_retired, account_frozen. New ones may be added; clients must accept them. */
  cancel_reason: 'user' | 'unfilled' | 'expired' | 'automation' | 'deployment_deleted' | 'sku_retired' | 'account_frozen' | OpenWord | null
  rejected_reason: string | null
}

export type OrderPage = {
  object: 'list'
  data: Order[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type FillPage = {
  object: 'list'
  data: Fill[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type OrderExplanationReason = {
  /** Known values: no_opposite_orders, price_gap, not_enough_nodes, window_not_covered, blocked_by_all_or_nothing, own_orders_skipped, queued_behind, pending, market_halted, filled, cancelled, rejected. New ones may be added; clients must accept them. */
  code: 'no_opposite_orders' | 'price_gap' | 'not_enough_nodes' | 'window_not_covered' | 'blocked_by_all_or_nothing' | 'own_orders_skipped' | 'queued_behind' | 'pending' | 'market_halted' | 'filled' | 'cancelled' | 'rejected' | OpenWord
  message: string
}

export type NearestLevel = {
  price_dollars_per_node_hour: string
  gap_dollars_per_node_hour: string
  allocation_schedule_delta: ScheduleEntry[]
}

export type OrdersAhead = {
  order_count: number
  node_minutes: number
}

export type OrderExplanation = {
  object: 'order_explanation'
  /** Order id. */
  order: OrderId
  /** Known values: pending, standing, partially_filled, filled, cancelled, rejected. New ones may be added; clients must accept them. */
  state: 'pending' | 'standing' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected' | OpenWord
  /** Unix seconds. */
  as_of: number
  summary: string
  reasons: OrderExplanationReason[]
  nearest: NearestLevel | null
  fillable_node_minutes: number
  open_node_minutes: number
  ahead: OrdersAhead
}

export type NearestWindow = {
  /** SKU id. */
  sku: SkuId
  /** Unix seconds, a multiple of 60. */
  start_at: number
  /** Unix seconds, a multiple of 60. */
  end_at: number
  node_count: number
}

export type EstimatedWindow = {
  /** Unix seconds, a multiple of 60. */
  start_at: number
  /** Unix seconds, a multiple of 60. */
  end_at: number
  node_count: number
}

export type EstimatedOrderBody = {
  /** Pool id. */
  pool: PoolId | null
  side: 'buy' | 'sell'
  /** SKU id. */
  sku: SkuId
  allocation_schedule_delta: EstimatedWindow[]
  limit_price_dollars_per_node_hour: string
  allow_standing: boolean
  allow_partial: boolean
}

export type EstimatedOffer = {
  price_dollars_per_node_hour: string
  allocation_schedule_delta: ScheduleEntry[]
  node_minutes: number
  total_dollars: string
}

export type EstimatedFee = {
  flat_dollars_per_node_hour: string
  percentage_bps: number
  /** Zero for a buy. */
  total_dollars: string
}

export type EstimatedRefusal = {
  /** The code of the error that placing the order would give. */
  code: string
  message: string
}

export type MaintenanceNotice = {
  type: 'maintenance_window'
  /** Unix seconds, a multiple of 60. */
  start_at: number
  /** Unix seconds, a multiple of 60. */
  end_at: number
  maintenance_type: 'info' | 'degraded_performance' | 'unavailable'
  title: string
  description: string
  action_message: string | null
}

export type OrderEstimate = {
  object: 'order_estimate'
  type: 'quoted' | 'unavailable'
  reason?: 'no_matching_skus' | 'no_availability' | 'no_offer_at_price'
  /** The reason for people. Present if `type` is `unavailable`. */
  message?: string
  /** How many nodes an order for the same window could have now, at any price. */
  free_node_count?: number
  /** The nearest windows of the same length that have all nodes now, by start, up to 14 days later. */
  nearest_windows?: NearestWindow[]
  post_order_body?: EstimatedOrderBody
  /** Only if hosts of the SKU need not have its hardware. */
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
  /** `null` if it only rests. */
  average_price_dollars_per_node_hour?: string | null
  /** The most that a buy can cost, which it holds while it is placed. Zero for a sell. */
  worst_case_dollars?: string
  fee: EstimatedFee | null
  /** `null` without the permission billing:read. */
  available_dollars?: string | null
  /** After the trade and the hold of what rests. `null` like `available_dollars`. */
  available_after_dollars?: string | null
  refusal?: EstimatedRefusal | null
  notices: MaintenanceNotice[]
  /** Unix seconds. */
  as_of: number
}

export type OrderbookStatus = {
  object: 'orderbook_status'
  /** SKU id. */
  sku: SkuId | null
  halted: boolean
  /** Whether the whole market is halted or this SKU. `null`: neither is. */
  scope: 'market' | 'sku' | null
  /** What the operator says about the halt. */
  message: string | null
}

export type PriceLevel = {
  /** SKU id. */
  sku: SkuId
  price_dollars_per_node_hour: string
  allocation_schedule_delta: ScheduleEntry[]
}

export type OrderbookWindow = {
  /** SKU id. */
  sku: SkuId
  /** Unix seconds, a multiple of 60. */
  start_at: number
  /** Unix seconds, a multiple of 60. */
  end_at: number
  duration_minutes: number
  total_bid_order_count: number
  total_ask_order_count: number
  best_bid: PriceLevel | null
  best_ask: PriceLevel | null
}

export type OrderbookQuote = {
  object: 'orderbook_quote'
  requirements: string | null
  /** Unix seconds, a multiple of 60. */
  start_at: number
  /** Unix seconds, a multiple of 60. */
  end_at: number
  /** Unix seconds. */
  requested_at: number
  best_bid: PriceLevel | null
  best_ask: PriceLevel | null
}

export type OrderbookDepth = {
  object: 'orderbook_depth'
  requirements: string | null
  /** Unix seconds, a multiple of 60. */
  start_at: number
  /** Unix seconds, a multiple of 60. */
  end_at: number
  /** Unix seconds. */
  requested_at: number
  /** High to low. */
  bids: PriceLevel[]
  /** Low to high. */
  asks: PriceLevel[]
}

export type OrderbookFill = {
  /** SKU id. */
  sku: SkuId
  price_dollars_per_node_hour: string
  allocation_schedule_delta: ScheduleEntry[]
  /** Unix seconds. */
  filled_at: number
}

export type PriceBucket = {
  object: 'price_bucket'
  /** SKU id. */
  sku: SkuId
  /** Unix seconds, a multiple of 60. */
  start_at: number
  /** Unix seconds, a multiple of 60. */
  end_at: number
  first_price_dollars_per_node_hour: string
  last_price_dollars_per_node_hour: string
  low_price_dollars_per_node_hour: string
  high_price_dollars_per_node_hour: string
  /** Volume-weighted average, rounded half up. */
  vwap_price_dollars_per_node_hour: string
  node_minutes: number
  total_dollars: string
  fill_count: number
}

export type PriceBucketPage = {
  object: 'list'
  data: PriceBucket[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type OrderbookCurvePoint = {
  /** Unix seconds, a multiple of 60. */
  start_at: number
  /** Unix seconds, a multiple of 60. */
  end_at: number
  /** What an order for all nodes would pay now, rounded half up. `null`: not to be had. */
  average_price_dollars_per_node_hour: string | null
  /** The least limit price of an order for all nodes that is filled now. */
  limit_price_dollars_per_node_hour: string | null
  /** The best bid in any minute of the window. */
  best_bid_dollars_per_node_hour: string | null
  /** The best offer in any minute of the window. */
  best_ask_dollars_per_node_hour: string | null
  /** How many nodes other accounts offer in every minute of the window, at any price. */
  offered_node_count: number
}

export type OrderbookCurve = {
  object: 'orderbook_curve'
  /** SKU id. */
  sku: SkuId
  /** Unix seconds, a multiple of 60. */
  from: number
  /** Unix seconds, a multiple of 60. */
  to: number
  /** From the start of a window to the next one. */
  step_minutes: number
  length_minutes: number
  node_count: number
  /** Unix seconds. */
  requested_at: number
  points: OrderbookCurvePoint[]
}

export type OrderbookHeatmapCell = {
  /** Unix seconds, a multiple of 60. */
  start_at: number
  /** Unix seconds, a multiple of 60. */
  end_at: number
  /** The best offer in any minute of the window. */
  best_ask_dollars_per_node_hour: string | null
  /** How many nodes other accounts offer in every minute of the window, at any price. */
  offered_node_count: number
  /** The newest of the last 500 trades of the SKU in 30 days that overlaps the cell. */
  last_price_dollars_per_node_hour: string | null
}

export type OrderbookHeatmapRow = {
  sku: SkuSummary
  cells: OrderbookHeatmapCell[]
}

export type OrderbookHeatmap = {
  object: 'orderbook_heatmap'
  /** Unix seconds, a multiple of 60. */
  from: number
  /** Unix seconds, a multiple of 60. */
  to: number
  /** From the start of a window to the next one. */
  step_minutes: number
  /** Unix seconds. */
  requested_at: number
  rows: OrderbookHeatmapRow[]
  /** Whether more SKUs fit. */
  has_more: boolean
}

export type SkuAvailability = {
  object: 'sku_availability'
  sku: SkuSummary
  schedule: ScheduleEntry[]
}

export type SkuAvailabilityPage = {
  object: 'list'
  data: SkuAvailability[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type Image = {
  object: 'image'
  /** Image id. */
  id: ImageId
  /** Resource path, `svc:image:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  name: string
  /** Whether every account can use it. */
  is_public: boolean
  /** Known values: started, uploading, verifying, completed, revoked, failed. New ones may be added; clients must accept them. */
  state: 'started' | 'uploading' | 'verifying' | 'completed' | 'revoked' | 'failed' | OpenWord
  /** Why the image has failed. Null in other states. Known values: upload_expired, digest_mismatch. New ones may be added; clients must accept them. */
  failure_reason: 'upload_expired' | 'digest_mismatch' | OpenWord | null
  sha256: string | null
  size_bytes: number | null
  /** How hosts read it. Null until the image is complete, or if not known. Known values: qcow2, raw. New ones may be added; clients must accept them. */
  format: 'qcow2' | 'raw' | OpenWord | null
  /** Size of the disk that an instance sees, if it is known. */
  virtual_size_bytes: number | null
  /** Unix seconds. */
  deprecated_at: number | null
  deprecation_message: string | null
  /** Unix seconds. */
  revoked_at: number | null
  /** Unix seconds. */
  created_at: number
}

export type ImagePartUrl = {
  object: 'image_part_url'
  /** Number of the part. When the upload is completed, the numbers must run from 1 without gaps. */
  part_id: number
  /** Needs no token: anyone who has the URL can use it. */
  url: string
  /** Unix seconds. */
  expires_at: number
}

export type ImagePart = {
  object: 'image_part'
  /** Number of the part. When the upload is completed, the numbers must run from 1 without gaps. */
  part_id: number
  size_bytes: number
  /** MD5 of the part in hexadecimal digits, between double quotes. */
  etag: string
  /** Unix seconds. */
  uploaded_at: number
}

export type ImagePartList = {
  object: 'list'
  data: ImagePart[]
  /** Always false: the list is complete. */
  has_more: boolean
}

export type ImageDownload = {
  object: 'image_download'
  /** Needs no token: anyone who has the URL can use it. */
  url: string
  /** Unix seconds. */
  expires_at: number
  /** SHA-256 of the complete image, in lower-case hexadecimal digits. */
  sha256: string
  size_bytes: number
}

export type ImagePage = {
  object: 'list'
  data: Image[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type FirewallRule = {
  protocol: 'tcp' | 'udp' | 'icmp' | 'all'
  /** Required with tcp and udp, refused with icmp and all. */
  port_from?: number
  /** Defaults to `port_from`. */
  port_to?: number
  /** IPv4 network without host bits. */
  source_cidr: string
  description?: string
}

export type Firewall = {
  object: 'firewall'
  /** Firewall id. */
  id: FirewallId
  /** Resource path, `svc:firewall:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  name: string
  is_default: boolean
  rules: FirewallRule[]
  /** Up to 50 pairs; keys 1-128 characters, values up to 256, neither with a comma or an equals sign. */
  tags: Record<string, string> | null
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
}

export type FirewallPage = {
  object: 'list'
  data: Firewall[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type Subnet = {
  object: 'subnet'
  /** Subnet id. */
  id: SubnetId
  /** Resource path, `svc:subnet:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  name: string
  region: string
  /** IPv4 network. */
  cidr: string
  available_addresses: number
  /** Up to 50 pairs; keys 1-128 characters, values up to 256, neither with a comma or an equals sign. */
  tags: Record<string, string> | null
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
}

export type SubnetPage = {
  object: 'list'
  data: Subnet[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type InfinibandPartition = {
  object: 'infiniband_partition'
  /** InfiniBand partition id. */
  id: InfinibandPartitionId
  /** Resource path, `svc:infiniband_partition:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  name: string
  infiniband_fabric: string
  /** Up to 50 pairs; keys 1-128 characters, values up to 256, neither with a comma or an equals sign. */
  tags: Record<string, string> | null
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
}

export type InfinibandPartitionPage = {
  object: 'list'
  data: InfinibandPartition[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type ImageSummary = {
  object: 'image'
  /** Image id. */
  id: ImageId
  name: string
  /** Resource path, `svc:image:…`. */
  resource_path: string
}

export type InstanceTemplate = {
  object: 'instance_template'
  /** Instance template id. */
  id: InstanceTemplateId
  /** Resource path, `svc:instance_template:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  name: string
  image: ImageSummary
  cloud_init_user_data_used: boolean
  /** Up to 50 pairs; keys 1-128 characters, values up to 256, neither with a comma or an equals sign. */
  tags: Record<string, string> | null
  /** Lower levels are terminated first when allocation falls. Default `normal`. */
  priority_level: 'yield' | 'normal' | 'preferred' | 'critical'
  _preview_enable_public_ipv4: boolean
  /** Firewall id. */
  _preview_firewall: FirewallId | null
  /** Subnet id. */
  subnet: SubnetId | null
  /** InfiniBand partition id. */
  _preview_infiniband_partition: InfinibandPartitionId | null
  /** Unix seconds. */
  created_at: number
}

export type InstanceTemplatePage = {
  object: 'list'
  data: InstanceTemplate[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type CloudInitUserData = {
  object: 'cloud_init_user_data'
  /** Base64 of at most 65,536 bytes of cloud-init user data. */
  cloud_init_user_data: string
}

export type InstanceAccelerator = {
  kind: string
  /** The PCI address on its host. */
  pci: string
}

export type InstanceHardware = {
  /** Equal for instances of the account that share a host. It identifies no host. */
  host: string
  accelerators: InstanceAccelerator[]
  /** The NUMA nodes of the accelerators. */
  numa: number[]
  /** The PCI addresses of its InfiniBand adapters on its host. */
  rdma?: string[]
  /** The PCI addresses of the NVSwitches between its accelerators on its host. Absent: none. */
  nvswitches?: string[]
  /** When its host last reported its hardware. */
  verified_at: number
}

export type Instance = {
  object: 'instance'
  /** Instance id. */
  id: InstanceId
  /** Resource path, `svc:instance:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  name: string
  /** Later versions may add values; clients must accept them. */
  state: 'awaiting_allocation' | 'running' | 'failed' | 'terminated' | OpenWord
  sku: SkuSummary
  image: ImageSummary
  pool: PoolSummary | null
  managed_by?: DeploymentSummary
  /** Unix seconds. */
  created_at: number
  /** When the record last changed. */
  _preview_updated_at: number
  /** Whether user data was given. A separate operation reads the data. */
  cloud_init_user_data_used: boolean
  /** Subnet id. Null: an isolated subnet of its own. */
  subnet: SubnetId | null
  /** IPv4 address within the subnet, if any. */
  private_ip?: string
  /** If false, only SSH (TCP port 22) is open inbound. */
  _preview_enable_public_ipv4: boolean
  /** Present only with public IPv4, once an address is assigned. */
  _preview_public_ip?: string
  /** Firewall id. Omitted without public IPv4. */
  _preview_firewall?: FirewallId | null
  /** InfiniBand partition id. */
  _preview_infiniband_partition: InfinibandPartitionId | null
  /** Up to 50 pairs; keys 1-128 characters, values up to 256, neither with a comma or an equals sign. */
  tags: Record<string, string> | null
  /** Lower levels are terminated first when allocation falls. Default `normal`. */
  priority_level: 'yield' | 'normal' | 'preferred' | 'critical' | null
  hardware?: InstanceHardware
}

export type InstancePage = {
  object: 'list'
  data: Instance[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type InstanceList = {
  object: 'list'
  data: Instance[]
  /** Always false: the list is complete. */
  has_more: boolean
}

export type LogChunk = {
  /** Increases by one from chunk to chunk. Numbers of chunks that were dropped are missing. */
  seqnum: number
  /** Unix seconds. */
  logged_at: number
  /** Base64 of at most 4,096 bytes. */
  data: string
}

export type LogChunkList = {
  object: 'list'
  data: LogChunk[]
  /** Whether more chunks match. Continue after the last `seqnum`. */
  has_more: boolean
}

export type SshHostKey = {
  key_type: string
  key: string
}

export type InstanceSsh = {
  object: 'instance_ssh'
  hostname: string
  port: number
  host_keys: SshHostKey[]
  /** Unix seconds. */
  keys_read_at: number
}

export type MachineAccelerator = {
  /** Null: the agent does not know this model. */
  kind: string | null
  name: string
  form_factor: string | null
  memory_bytes: number | null
  pci_id: string
  pci: string
  /** Null: the machine does not say. */
  numa_node: number | null
}

export type MachineRdmaFunction = {
  pci: string
  /** Known values: infiniband, ethernet. New ones may be added; clients must accept them. */
  link_layer: 'infiniband' | 'ethernet' | OpenWord
  gigabits_per_second: number
  /** Null: the machine does not say. */
  numa_node: number | null
}

export type MachineNvSwitch = {
  pci: string
  /** Null: the machine does not say. */
  numa_node: number | null
}

export type HostProcessors = {
  model: string
  sockets: number
  cores: number
  threads: number
  /** Of `vmx`, `svm`, `avx2`, `avx512f`, `amx_tile`. */
  features: string[]
}

export type MachineHardware = {
  /** Null: the SKU does not say. */
  num_vcpus: number | null
  /** Null: the SKU does not say. */
  memory_bytes: number | null
  /** Null: the SKU does not say. */
  storage_bytes: number | null
  /** The devices that the machine has. */
  accelerators: MachineAccelerator[]
  /** Its RDMA adapters or their virtual functions. Absent: none, or the agent is of an older version. */
  rdma?: MachineRdmaFunction[]
  /** The switches between its accelerators. Absent: none, or the agent is of an older version. */
  nvswitches?: MachineNvSwitch[]
  processors: HostProcessors
  /** Of the host. */
  numa_nodes: number
  is_iommu_on: boolean
  /** Of the host. Null: its firmware does not say. */
  is_secure_boot_on: boolean | null
  /** Null: the agent has not tried. */
  is_kvm_usable: boolean | null
  kernel: string
  qemu: string | null
}

export type InstanceAttestation = {
  object: 'instance_attestation'
  /** Instance id. */
  instance: InstanceId
  /** SKU id. */
  sku: SkuId
  /** The `host` of the `hardware` of the instance. */
  host: string
  /** The host is simulated, or hosts of the SKU need not have its hardware. Then it proves no hardware. */
  simulated: boolean
  /** When the server signed it. */
  attested_at: number
  /** Unix seconds. */
  expires_at: number
  hardware: MachineHardware
  /** A JSON Web Signature of the server, with that of the host inside. `/.well-known/jwks.json` has the keys. */
  jws: string
}

export type InstanceWaitingReason = {
  /** Known values: no_allocation, outranked, no_free_host, host_unreachable, no_public_ipv4. New ones may be added; clients must accept them. */
  code: 'no_allocation' | 'outranked' | 'no_free_host' | 'host_unreachable' | 'no_public_ipv4' | OpenWord
  message: string
}

export type InstanceWaiting = {
  /** Empty while the instance is being placed, or until its host has reported it. */
  reasons: InstanceWaitingReason[]
  /** When the allocation of its pool suffices for it, from what is bought now. Null if it never does. */
  next_allocation_at: number | null
  /** Position in the queue of its pool and SKU; 1 starts next. */
  rank: number
  pool_allocation_now: number
  /** Instances that use allocation now, including those that are placed but not running. */
  pool_instances_now: number
}

export type InstanceBootReason = {
  /** Known values: fetching_image, starting, start_retry. New ones may be added; clients must accept them. */
  code: 'fetching_image' | 'starting' | 'start_retry' | OpenWord
  message: string
}

export type InstanceBoot = {
  reasons: InstanceBootReason[]
}

export type InstanceTermination = {
  /** Known values: user, guest_shutdown, replaced, deployment_deleted, scaled_down, allocation_ended, sold, transferred, host_retired, host_unfit. New ones may be added; clients must accept them. */
  reason: 'user' | 'guest_shutdown' | 'replaced' | 'deployment_deleted' | 'scaled_down' | 'allocation_ended' | 'sold' | 'transferred' | 'host_retired' | 'host_unfit' | OpenWord
  /** When the notice was given. Null: no notice has been given. */
  notice_at: number | null
  /** When it is expected to end. This can change until notice is given. */
  deadline_at: number | null
  /** Unix seconds. */
  ended_at: number | null
  allocation_before: number
  allocation_after: number
  priority_level: 'yield' | 'normal' | 'preferred' | 'critical'
  /** Which instances end first when allocation falls. Known values: lowest_priority_then_newest_then_id. New ones may be added; clients must accept them. */
  rule: 'lowest_priority_then_newest_then_id' | OpenWord
}

export type InstanceExplanation = {
  object: 'instance_explanation'
  /** Instance id. */
  instance: InstanceId
  /** Later versions may add values; clients must accept them. */
  state: 'awaiting_allocation' | 'running' | 'failed' | 'terminated' | OpenWord
  /** Unix seconds. */
  as_of: number
  summary: string
  waiting: InstanceWaiting | null
  boot: InstanceBoot | null
  termination: InstanceTermination | null
  /** Unix seconds. */
  connection_lost_at: number | null
  /** Instance id. */
  replaces: InstanceId | null
  /** Instance id. */
  replaced_by: InstanceId | null
}

export type HostNumaNode = {
  node: number
  threads: number
  memory_bytes: number
  free_2mib_pages: number
  free_1gib_pages: number
  /** Set aside, used or free. Absent: none, or the agent is of an older version. */
  total_2mib_pages?: number
  /** Set aside, used or free. Absent: none, or the agent is of an older version. */
  total_1gib_pages?: number
}

export type HostStorage = {
  size_bytes: number
  free_bytes: number
  /** Null: the machine does not say. */
  is_rotational: boolean | null
  is_read_only: boolean
}

export type HostAcceleratorDevice = {
  pci: string
  /** Null: the machine does not say. */
  numa_node: number | null
  /** Null: no machine can get this device. */
  iommu_group: number | null
  driver: string | null
  pcie_generation: number | null
  pcie_lanes: number | null
}

export type HostAcceleratorModel = {
  /** Null: the agent does not know this model. */
  kind: string | null
  name: string
  form_factor: string | null
  memory_bytes: number | null
  pci_id: string
  subsystem_id: string | null
  /** Of all memory regions of one device. */
  bar_bytes: number
  pcie_generation_max: number | null
  pcie_lanes_max: number | null
  devices: HostAcceleratorDevice[]
}

export type HostRdmaPort = {
  device: string
  port: number
  /** Known values: infiniband, ethernet. New ones may be added; clients must accept them. */
  link_layer: 'infiniband' | 'ethernet' | OpenWord
  state: string
  gigabits_per_second: number
  /** Null: the machine does not say. */
  numa_node: number | null
  guid: string | null
  subnet_prefix: string | null
  /** What machines can be given: the adapter itself, or its virtual functions. Absent: not known. */
  functions?: string[]
}

export type HostNvSwitch = {
  pci: string
  /** Null: the machine does not say. */
  numa_node: number | null
  /** Null: no machine can get this switch. */
  iommu_group: number | null
}

export type HostDelivery = {
  /** Whether the agent runs as root, which it needs to give devices to machines. */
  is_root: boolean
  /** Whether the kernel has `vfio-pci`, through which machines get devices. */
  is_vfio_loaded: boolean
  /** Whether the firmware for machines that start by UEFI is installed. */
  has_uefi: boolean
}

export type HostSlotCheck = {
  slot: number
  /** Unix seconds. */
  checked_at: number
  /** Whether a machine found all devices of the slot, and no others. */
  is_good: boolean
}

export type HostHardware = {
  processors: HostProcessors
  memory_bytes: number
  numa_nodes: HostNumaNode[]
  storage: HostStorage
  accelerators: HostAcceleratorModel[]
  rdma: HostRdmaPort[]
  /** A machine with all accelerators behind them gets them too. Absent: none, or an older agent. */
  nvswitches?: HostNvSwitch[]
  /** Without an IOMMU no device can be given to a machine. */
  is_iommu_on: boolean
  /** Null: the machine does not say. */
  is_secure_boot_on: boolean | null
  /** Null: the agent has not tried. */
  is_kvm_usable: boolean | null
  delivery?: HostDelivery
  kernel: string
  qemu: string | null
  /** The last check of each slot by a probe machine. Absent: the agent makes none. */
  slot_checks?: HostSlotCheck[]
  /** What could not be read, or is left out because it is too long. */
  problems: string[]
}

export type HostFacts = {
  hostname: string
  cpu_count: number
  memory_bytes: number
  storage_bytes: number
  /** The kind of each accelerator, up to 256. `hardware` says more. */
  accelerators: string[]
  /** `ssh_only`: machines have no outbound traffic, and instances with a subnet or public IPv4 are not placed here. */
  network: 'full' | 'ssh_only'
  host_address: string
  public_ipv4s: string[]
  /** Whether the host can put machines into InfiniBand partitions. Absent: not reported. */
  sets_partitions?: boolean
  /** Whether the host has WireGuard for traffic to other hosts. Absent: not reported. */
  encrypts_traffic?: boolean
  hardware?: HostHardware
}

export type BenchmarkFigure = {
  name: string
  value: string
  unit: string
}

export type HostBenchmark = {
  /** By the clock of the host, and not later than the report. */
  measured_at: number
  figures: BenchmarkFigure[]
}

export type HostTunnel = {
  /** The address of the host inside of tunnels. */
  address: string
  /** The UDP port, at the `host_address`. */
  port: number
  /** In base64, as `wg` shows it. */
  public_key: string
  /** Set while the host changes its key. */
  next_public_key: string | null
  /** When the host last declared another key or port. */
  changed_at: number
}

export type Host = {
  object: 'host'
  /** Host id. */
  id: HostId
  /** Resource path, `svc:host:…`. */
  resource_path: string
  /** Account id. */
  account: string
  workspace: WorkspaceSummary
  sku: SkuSummary
  pool: PoolSummary
  name: string
  /** Known values: active, cordoned, draining, drained, retired. New ones may be added; clients must accept them. */
  state: 'active' | 'cordoned' | 'draining' | 'drained' | 'retired' | OpenWord
  /** Known values: healthy, unreachable, faulted. New ones may be added; clients must accept them. */
  health: 'healthy' | 'unreachable' | 'faulted' | OpenWord
  /** The message of the last report. */
  health_message: string | null
  slots: number
  used_slots: number
  instances: InstanceId[]
  agent_version: string | null
  facts: HostFacts
  benchmark: HostBenchmark | null
  /** How the host carries traffic of subnets to other hosts. `none`: it has no tunnel and carries none, or it is simulated. `unencrypted`: it has no tunnel, and the operator of the platform accepts that. Known values: encrypted, unencrypted, none. New ones may be added; clients must accept them. */
  traffic: 'encrypted' | 'unencrypted' | 'none' | OpenWord
  tunnel: HostTunnel | null
  /** Unix seconds. */
  last_seen_at: number | null
  /** Unix seconds. */
  drain_deadline_at: number | null
  /** Unix seconds. */
  supply_ends_at: number | null
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  retired_at: number | null
}

export type HostPage = {
  object: 'list'
  data: Host[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type CreatedHostEnrolment = {
  object: 'host_enrolment'
  /** Host enrolment id. */
  id: HostEnrolmentId
  workspace: WorkspaceSummary
  sku: SkuSummary
  /** Nodes of the SKU that each host can run. */
  slots: number
  /** Hosts that may enrol with it. */
  uses: number
  /** Hosts that have enrolled with it. */
  used: number
  /** Unix seconds. */
  expires_at: number
  /** Unix seconds. */
  created_at: number
  /** The secret. Only this response contains it. */
  token: string
  /** Shell command for the host. It downloads the agent from this server, enrols the host and runs the agent. */
  command: string
}

export type HostEnrolment = {
  object: 'host_enrolment'
  /** Host enrolment id. */
  id: HostEnrolmentId
  workspace: WorkspaceSummary
  sku: SkuSummary
  /** Nodes of the SKU that each host can run. */
  slots: number
  /** Hosts that may enrol with it. */
  uses: number
  /** Hosts that have enrolled with it. */
  used: number
  /** Unix seconds. */
  expires_at: number
  /** Unix seconds. */
  created_at: number
}

export type HostEnrolmentPage = {
  object: 'list'
  data: HostEnrolment[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type InstanceTemplateSummary = {
  object: 'instance_template'
  /** Instance template id. */
  id: InstanceTemplateId
  name: string
  /** Resource path, `svc:instance_template:…`. */
  resource_path: string
}

export type AutomationStatus = {
  state: 'info' | 'warning' | 'error'
  code: string
  message: string
}

export type Deployment = {
  object: 'deployment' | 'spot_deployment'
  /** Deployment id. */
  id: DeploymentId
  /** Resource path, `svc:deployment:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  name: string
  pool: PoolSummary
  sku: SkuSummary
  instance_template: InstanceTemplateSummary
  /** While false nothing is created, ended or bought; what runs stays. */
  enabled: boolean
  /** How many instances it keeps alive. */
  target_instance_count: number
  /** Instances that are not terminated. */
  live_instance_count: number
  instance_name_template: string
  /** Spot deployments only. */
  max_buy_price_dollars_per_node_hour?: string
  status: AutomationStatus
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
}

export type DeploymentPage = {
  object: 'list'
  data: Deployment[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type Procurement = {
  object: 'procurement'
  /** Procurement id. */
  id: ProcurementId
  /** Resource path, `svc:procurement:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  name: string
  pool: PoolSummary
  sku: SkuSummary
  /** Nodes to have in each minute, or `node_count`: as many as the pool has live instances of the SKU. */
  target: 'node_count' | number
  min_sell_price_dollars_per_node_hour: string
  /** `null` on an originating pool. */
  max_buy_price_dollars_per_node_hour: string | null
  /** How many whole minutes are looked after, from the next one on. */
  managed_window_minutes: number
  /** While false nothing is bought or sold, and no order of it is open. */
  enabled: boolean
  status: AutomationStatus
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
}

export type ProcurementPage = {
  object: 'list'
  data: Procurement[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type EstimatedOrders = {
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
  average_price_dollars_per_node_hour: string | null
  /** Paid out of the proceeds of sells; zero for buys. */
  fee_dollars: string
  /** The most that the buys can cost, which they hold. Zero for sells. */
  worst_case_dollars: string
}

export type EstimatedIdleReason = {
  /** Known values: never_buys, disabled, sku_not_available, market_halted, nothing_missing, no_offer_at_price, refused. New ones may be added; clients must accept them. */
  code: 'never_buys' | 'disabled' | 'sku_not_available' | 'market_halted' | 'nothing_missing' | 'no_offer_at_price' | 'refused' | OpenWord
  message: string
}

export type AutomationEstimate = {
  object: 'automation_estimate'
  /** Pool id. */
  pool: PoolId
  /** SKU id. */
  sku: SkuId
  enabled: boolean
  /** Unix seconds, a multiple of 60. */
  start_at: number
  /** The end of the window that it looks after now. */
  end_at: number
  /** The nodes that it keeps in each minute. */
  target_node_count: number
  /** `null` if it never buys. */
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
  /** `null` without the permission billing:read. */
  available_dollars: string | null
  /** After the trades and the holds of what rests. `null` like `available_dollars`. */
  available_after_dollars: string | null
  refusal: EstimatedRefusal | null
  reason: EstimatedIdleReason | null
  /** Unix seconds. */
  as_of: number
}

export type CreatedAccount = {
  object: 'account'
  /** Account id. */
  id: string
  name: string
  entity_type: 'personal' | 'business' | null
  trust_level: 'untrusted' | 'basic' | 'trusted' | 'partner'
  /** A frozen account may only read. */
  is_frozen: boolean
  is_platform: boolean
  /** The longest life of tokens that people make. */
  token_lifetime_max_days: number
  /** Unix seconds. */
  created_at: number
  balance: Balance
  /** The JWT. Shown here only. */
  token: string
}

export type AdministeredAccount = {
  object: 'account'
  /** Account id. */
  id: string
  name: string
  entity_type: 'personal' | 'business' | null
  trust_level: 'untrusted' | 'basic' | 'trusted' | 'partner'
  /** A frozen account may only read. */
  is_frozen: boolean
  is_platform: boolean
  /** The longest life of tokens that people make. */
  token_lifetime_max_days: number
  /** Unix seconds. */
  created_at: number
  balance: Balance
}

export type AdministeredAccountPage = {
  object: 'list'
  data: AdministeredAccount[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type Revenue = {
  object: 'revenue'
  /** A month of UTC, such as 2026-01. */
  month: string
  /** SKU id. */
  sku: SkuId
  /** What sellers paid in fees. */
  fees_dollars: string
  /** The value of all fills. */
  volume_dollars: string
  /** Node-minutes that changed hands. */
  node_minutes: number
  fill_count: number
}

export type RevenueList = {
  object: 'list'
  data: Revenue[]
  /** Always false: the list is complete. */
  has_more: boolean
}

export type PlatformSkuUsage = {
  sku: SkuSummary
  /** What the pools own. */
  allocated_node_minutes: number
  /** What instances ran in; never more than is allocated. */
  used_node_minutes: number
  /** Purchases that were filled in the period. */
  bought_dollars: string
  /** Proceeds of sales that were filled in the period, less their fees. */
  sold_dollars: string
  /** What the node-minutes of the period cost that were kept. */
  effective_cost_dollars: string
}

export type PlatformUsage = {
  object: 'platform_usage'
  /** Account id. */
  account: string
  /** What the pools own. */
  allocated_node_minutes: number
  /** What instances ran in; never more than is allocated. */
  used_node_minutes: number
  /** Purchases that were filled in the period. */
  bought_dollars: string
  /** Proceeds of sales that were filled in the period, less their fees. */
  sold_dollars: string
  /** What the node-minutes of the period cost that were kept. */
  effective_cost_dollars: string
  /** The same by SKU. Their sums are those of the account. */
  skus: PlatformSkuUsage[]
}

export type PlatformUsagePage = {
  object: 'list'
  data: PlatformUsage[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type PlatformFill = {
  object: 'fill'
  /** Fill id. */
  id: FillId
  /** Unix seconds. */
  filled_at: number
  allocation_schedule_delta: ScheduleEntry[]
  price_dollars_per_node_hour: string
  total_dollars: string
  /** Paid by the seller; zero for a buy. */
  fee_dollars: string
  /** The accounts shared a person when they traded. */
  related: boolean
}

export type PlatformOrder = {
  object: 'order'
  /** Order id. */
  id: OrderId
  workspace: WorkspaceSummary
  pool: PoolSummary | null
  sku: SkuSummary
  side: 'buy' | 'sell'
  /** Known values: pending, standing, partially_filled, filled, cancelled, rejected. New ones may be added; clients must accept them. */
  state: 'pending' | 'standing' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected' | OpenWord
  allow_standing: boolean
  allow_partial: boolean
  allocation_schedule_delta: ScheduleEntry[]
  filled_allocation_schedule_delta: ScheduleEntry[]
  limit_price_dollars_per_node_hour: string
  filled_average_price_dollars_per_node_hour: string | null
  held_dollars: string
  /** The newest 100. */
  fills: PlatformFill[]
  managed_by: OrderManager | null
  created_by: Principal
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  filled_at: number | null
  /** Unix seconds. */
  cancelled_at: number | null
  /** Known values: user, unfilled, expired, automation, deployment_deleted, sku_retired, account_frozen. New ones may be added; clients must accept them. */
  cancel_reason: 'user' | 'unfilled' | 'expired' | 'automation' | 'deployment_deleted' | 'sku_retired' | 'account_frozen' | OpenWord | null
  rejected_reason: string | null
  /** The account that it belongs to. */
  account: string
}

export type PlatformOrderPage = {
  object: 'list'
  data: PlatformOrder[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type PlatformPool = {
  object: 'pool'
  /** Pool id. */
  id: PoolId
  /** Resource path, `svc:pool:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  name: string
  /** `market`: trades. `originating`: receives capacity of hosts. `read_only`: granted by the operator. */
  kind: 'market' | 'originating' | 'read_only'
  allocation_schedule: AllocationSchedule
  procurements: ProcurementSummary[]
  deployments: DeploymentSummary[]
  /** Up to 50 pairs; keys 1-128 characters, values up to 256, neither with a comma or an equals sign. */
  tags: Record<string, string> | null
  /** Unix seconds. */
  created_at: number
  /** The account that it belongs to. */
  account: string
}

export type PlatformPoolPage = {
  object: 'list'
  data: PlatformPool[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

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
  /** Only with `rdma_type` infiniband. */
  infiniband_fabric?: string
  num_accelerators?: AcceleratorCountProperty
  num_vcpus?: VcpuCountProperty
  memory_bytes?: ByteProperty
  local_storage_bytes?: ByteProperty
  supports_public_ipv4?: BooleanProperty
  /** Hosts of this SKU need not have its hardware: for development. Left out where they must, which is the rule. */
  simulated?: boolean
  /** Only the operator of the platform supplies hosts of this SKU, no partner. Left out where partners may, which is the rule. */
  operator_hosts_only?: boolean
  /** What suppliers of hosts measured. Left out if nobody did. */
  benchmarks?: SkuBenchmark[]
  /** Prices are multiples of it. */
  price_step_dollars_per_node_hour: string
  /** Unix seconds; only on retired SKUs. */
  deleted_at?: number
  /** The figures of benchmarks that the SKU shows, each with its unit, in this order. Default: none. */
  benchmark_figures: string[]
  /** An unlisted SKU is visible only to accounts that hold allocation of it or have an override. */
  listed: boolean
  flat_fee_dollars_per_node_hour: string
  /** Basis points of the value of a fill, paid by the seller. */
  fee_bps: number
  /** Leave trades between accounts that share a person out of price history, trades and last prices. It counts for earlier trades too. Whether accounts share a person is decided as they trade, by sign-ins and e-mail addresses. */
  public_prices_exclude_related: boolean
  /** Unix seconds. */
  created_at: number
  /** Unix seconds. */
  updated_at: number
}

export type AdministeredSkuPage = {
  object: 'list'
  data: AdministeredSku[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type PlatformInstance = {
  object: 'instance'
  /** Instance id. */
  id: InstanceId
  /** Resource path, `svc:instance:…`. */
  resource_path: string
  workspace: WorkspaceSummary
  name: string
  /** Later versions may add values; clients must accept them. */
  state: 'awaiting_allocation' | 'running' | 'failed' | 'terminated' | OpenWord
  sku: SkuSummary
  image: ImageSummary
  pool: PoolSummary | null
  managed_by?: DeploymentSummary
  /** Unix seconds. */
  created_at: number
  /** When the record last changed. */
  _preview_updated_at: number
  /** Whether user data was given. A separate operation reads the data. */
  cloud_init_user_data_used: boolean
  /** Subnet id. Null: an isolated subnet of its own. */
  subnet: SubnetId | null
  /** IPv4 address within the subnet, if any. */
  private_ip?: string
  /** If false, only SSH (TCP port 22) is open inbound. */
  _preview_enable_public_ipv4: boolean
  /** Present only with public IPv4, once an address is assigned. */
  _preview_public_ip?: string
  /** Firewall id. Omitted without public IPv4. */
  _preview_firewall?: FirewallId | null
  /** InfiniBand partition id. */
  _preview_infiniband_partition: InfinibandPartitionId | null
  /** Up to 50 pairs; keys 1-128 characters, values up to 256, neither with a comma or an equals sign. */
  tags: Record<string, string> | null
  /** Lower levels are terminated first when allocation falls. Default `normal`. */
  priority_level: 'yield' | 'normal' | 'preferred' | 'critical' | null
  hardware?: InstanceHardware
  /** The account that it belongs to. */
  account: string
}

export type PlatformInstancePage = {
  object: 'list'
  data: PlatformInstance[]
  /** Whether more rows can follow. Read on while true: with filters a page may have few rows, or none. */
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
}

export type SkuOverrideProperties = {
  region?: TextProperty
  availability_zone?: TextProperty
  accelerator?: TextProperty
  form_factor?: TextProperty
  rdma_type?: RdmaTypeProperty
  rdma_gigabits_per_second?: RdmaRateProperty
  /** Only with `rdma_type` infiniband. */
  infiniband_fabric?: string
  num_accelerators?: AcceleratorCountProperty
  num_vcpus?: VcpuCountProperty
  memory_bytes?: ByteProperty
  local_storage_bytes?: ByteProperty
  supports_public_ipv4?: BooleanProperty
}

export type SkuOverride = {
  object: 'sku_override'
  /** Account id. */
  account: string
  sku: SkuSummary
  properties: SkuOverrideProperties
  /** Unix seconds. */
  updated_at: number
}

export type SkuOverrideList = {
  object: 'list'
  data: SkuOverride[]
  /** Always false: the list is complete. */
  has_more: boolean
}

export type SandboxClock = {
  object: 'clock'
  /** Unix seconds of the business clock. */
  now: number
  /** Unix seconds of the real clock. */
  real_now: number
  /** How far the business clock is ahead. */
  offset_seconds: number
  frozen: boolean
  /** Most clock seconds per real second. */
  rate: number
  /** When something is due next: a deadline, a start, an end. */
  next_due_at: number | null
}

export type AdvancedClock = {
  object: 'clock'
  /** Unix seconds of the business clock. */
  now: number
  /** Unix seconds of the real clock. */
  real_now: number
  /** How far the business clock is ahead. */
  offset_seconds: number
  frozen: boolean
  /** Most clock seconds per real second. */
  rate: number
  /** When something is due next: a deadline, a start, an end. */
  next_due_at: number | null
  /** False: not all work on the way was done within 60 s of real time; it goes on. */
  settled: boolean
}

export type Settlement = {
  object: 'settlement'
  settled: boolean
}

export type Scenario = {
  object: 'scenario'
  name: 'empty' | 'quickstart' | 'busy_market' | 'preemption' | 'host_failures' | 'long_history'
  description: string
}

export type ScenarioList = {
  object: 'list'
  data: Scenario[]
  /** Always false: the list is complete. */
  has_more: boolean
}

export type ScenarioAccount = {
  /** Account id. */
  id: string
  /** An API token of an admin. */
  token: string
}

export type LoadedScenario = {
  object: 'loaded_scenario'
  scenario: 'empty' | 'quickstart' | 'busy_market' | 'preemption' | 'host_failures' | 'long_history'
  seed: number
  /** Unix seconds. */
  now: number
  accounts: ScenarioAccount[]
  /** Ids worth knowing, by what they are. */
  ids: Record<string, string>
}

export type MarketMaker = {
  object: 'market_maker'
  sku: SkuSummary
  enabled: boolean
  /** Nodes of its own hosts. */
  node_count: number
  /** What its prices drift around. */
  base_price_dollars_per_node_hour: string
  /** What it takes the price to be at this minute. */
  fair_price_dollars_per_node_hour: string
  /** Unix seconds. */
  created_at: number
}

export type MarketMakerList = {
  object: 'list'
  data: MarketMaker[]
  /** Always false: the list is complete. */
  has_more: boolean
}

export type HostList = {
  object: 'list'
  data: Host[]
  /** Always false: the list is complete. */
  has_more: boolean
}

export type Fault = {
  object: 'fault'
  /** Sandbox fault id. */
  id: SandboxFaultId
  kind: 'http_error' | 'http_latency' | 'connection_cut' | 'database_down' | 'market_halt' | 'host_silent' | 'host_crash' | 'start_failure' | 'checksum_mismatch' | 'instance_unhealthy' | 'webhook_failure' | 'preempt'
  /** 410 with `webhook_failure` only. */
  status?: 410 | 429 | 500 | 503
  milliseconds?: number
  moment?: 'before' | 'after'
  /** operationId; absent = every operation. */
  operation?: string
  probability_percent?: number
  /** SKU id. */
  sku?: SkuId
  node_count?: number
  /** 0 = until removed. */
  times?: number
  /** Clock seconds after which it ends. */
  for_seconds?: number
  /** Host id. */
  host?: HostId
  /** Instance id. */
  instance?: InstanceId
  /** Pool id. */
  pool?: PoolId
  /** Webhook id. */
  webhook?: WebhookId
  hits: number
  active: boolean
  /** Unix seconds. */
  created_at: number
}

export type FaultList = {
  object: 'list'
  data: Fault[]
  /** Always false: the list is complete. */
  has_more: boolean
}

export type Health = {
  status: 'ok'
}

export type ReadinessPart = {
  name: 'database' | 'schema' | 'storage_settings' | 'clock' | 'reconcilers'
  message: string
}

export type Readiness = {
  status: 'ok'
  parts: ReadinessPart[]
}

export type Version = {
  name: 'bourse'
  version: string
  interface_version: string
  mode: 'production' | 'sandbox'
  /** `unknown` where the build does not know it. */
  commit: string
}

export type JsonWebKey = {
  kty: 'OKP'
  crv: 'Ed25519'
  /** 32 bytes in base64url. */
  x: string
  kid: string
  use: 'sig'
  alg: 'EdDSA'
}

export type JsonWebKeySet = {
  keys: JsonWebKey[]
}

/** The body of `create_workspace`. */
export type CreateWorkspaceBody = {
  name?: string | undefined
}

/** The body of `update_workspace`. */
export type UpdateWorkspaceBody = {
  name?: string | undefined
}

/** The body of `create_user`. */
export type CreateUserBody = {
  /** Unique in the account, without regard to case. Stored in Unicode form NFC, with the domain in lower case. */
  email: string
  name?: string | undefined
  first_name?: string | undefined
  last_name?: string | undefined
}

/** The body of `update_user`. */
export type UpdateUserBody = {
  name?: string | undefined
  first_name?: string | null | undefined
  last_name?: string | null | undefined
}

/** The body of `create_user_passkey`. */
export type CreateUserPasskeyBody = {
  name?: string | undefined
  /** The id of the credential, in base64url. */
  credential_id: string
  /** `clientDataJSON` of the response of the browser, in base64url. */
  client_data_json: string
  /** `attestationObject` of the response of the browser, in base64url. */
  attestation_object: string
  transports?: readonly string[] | undefined
}

/** The body of `update_user_passkey`. */
export type UpdateUserPasskeyBody = {
  name: string
}

/** The body of `create_role`. */
export type CreateRoleBody = {
  name: string
  policy: {
    api_version: 'roles/v1'
    description?: string | undefined
    rules: readonly ({
      effect: 'allow'
      /** Verbs by resource. */
      actions: {
        '*'?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        workspace?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        user?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        role?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        grant?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        token?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        image?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        instance_template?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        instance?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        secret?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        pool?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        pool_transfer?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        order?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        procurement?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        deployment?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        firewall?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        subnet?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        infiniband_partition?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        billing?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        event?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        audit?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        webhook?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        host?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        platform?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
      }
    })[]
  }
}

/** The body of `update_role`. */
export type UpdateRoleBody = {
  name?: string | undefined
  policy?: {
    api_version: 'roles/v1'
    description?: string | undefined
    rules: readonly ({
      effect: 'allow'
      /** Verbs by resource. */
      actions: {
        '*'?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        workspace?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        user?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        role?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        grant?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        token?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        image?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        instance_template?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        instance?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        secret?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        pool?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        pool_transfer?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        order?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        procurement?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        deployment?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        firewall?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        subnet?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        infiniband_partition?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        billing?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        event?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        audit?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        webhook?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        host?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
        platform?: readonly ('*' | 'create' | 'read' | 'list' | 'write' | 'delete')[] | undefined
      }
    })[]
  } | undefined
}

/** The body of `create_grant`. */
export type CreateGrantBody = {
  principal_type: 'user' | 'token'
  /** User or token id, as `principal_type` says. */
  principal_id: string
  /** Role id or resource path. */
  role: RoleRef
  /** Workspace id or path; absent = the whole account. */
  workspace?: WorkspaceRef | undefined
}

/** The body of `check_permissions`. */
export type CheckPermissionsBody = {
  actions: readonly string[]
  /** Workspace id or path; absent = for the whole account. */
  workspace?: WorkspaceRef | undefined
}

/** The body of `create_token`. */
export type CreateTokenBody = {
  name?: string | undefined
  /** Home workspace, id or path. */
  workspace?: WorkspaceRef | undefined
  /** None that you lack. Default `["role_viewer"]`. */
  roles?: readonly RoleRef[] | undefined
  /** Unix seconds, at most 5 years ahead and no later than the end of the token that makes the request; absent = in 90 days, or at that end if it is earlier; `null` = never. A session makes tokens for at most `token_lifetime_max_days` of the account. */
  expires_at?: number | null | undefined
  /** The networks from which the token may be used, each in its shortest form without host bits. Other addresses get 403 `network_not_allowed`. Behind a proxy, the server sees the address of the proxy. */
  allowed_cidrs?: readonly string[] | undefined
  /** The resources that the token may act on: ids, or paths with at most one `*` in the name. Others appear to be absent. Each resource that a request uses has to match, also pools, templates and images. */
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
  /** In base64url. */
  signature: string
  /** `userHandle` of the response of the browser, in base64url. */
  user_handle?: string | undefined
  /** Whether only the person who is signed in may sign in again. */
  is_step_up?: boolean | undefined
}

/** The body of `use_recovery_code`. */
export type UseRecoveryCodeBody = {
  /** In any case, with or without separators. */
  code: string
  /** Whether only the person who is signed in may sign in again. */
  is_step_up?: boolean | undefined
}

/** The body of `create_webhook`. */
export type CreateWebhookBody = {
  /** An https URL of a public address, without user, password and fragment. The address is checked at each connection. A sandbox also takes http and private addresses. */
  url: string
  description?: string | undefined
  /** Only events with these actions; empty = all. */
  actions?: readonly string[] | undefined
  /** Only events about these kinds of resources; empty = all. */
  target_types?: readonly string[] | undefined
  /** Only events about these ids; empty = all. */
  targets?: readonly string[] | undefined
  /** `per_target`: the events of one target one after the other, the next only after success or the last attempt. Default `none`. */
  ordering?: 'none' | 'per_target' | undefined
  /** Default true. */
  enabled?: boolean | undefined
  /** Deliver the events behind this cursor, made without filters. Default: from now on. */
  starting_after?: string | undefined
}

/** The body of `update_webhook`. */
export type UpdateWebhookBody = {
  /** An https URL of a public address, without user, password and fragment. The address is checked at each connection. A sandbox also takes http and private addresses. */
  url?: string | undefined
  description?: string | null | undefined
  /** Only events with these actions; empty = all. */
  actions?: readonly string[] | undefined
  /** Only events about these kinds of resources; empty = all. */
  target_types?: readonly string[] | undefined
  /** Only events about these ids; empty = all. */
  targets?: readonly string[] | undefined
  /** `per_target`: the events of one target one after the other, the next only after success or the last attempt. Default `none`. */
  ordering?: 'none' | 'per_target' | undefined
  enabled?: boolean | undefined
}

/** The body of `replay_webhook`. */
export type ReplayWebhookBody = {
  /** Unix seconds: the events that occurred then or later. */
  since?: number | undefined
  /** Or the events behind this cursor, which was made without filters. */
  starting_after?: string | undefined
}

/** The body of `put_balance_threshold`. */
export type PutBalanceThresholdBody = {
  /** Decimal string with at most six decimals; not zero. */
  low_at_dollars: string | null
}

/** The body of `create_account_transaction`. */
export type CreateAccountTransactionBody = {
  type: 'credit_grant' | 'manual_payment' | 'refund' | 'adjustment'
  /** Signed decimal string with 1-6 decimals; not zero. */
  amount_dollars: string
  description: string
}

/** The body of `put_credit_limit`. */
export type PutCreditLimitBody = {
  /** Decimal string with 1-6 decimals. */
  credit_limit_dollars: string
}

/** The body of `create_pending_credit`. */
export type CreatePendingCreditBody = {
  /** `credit_limit` requests that the limit becomes the amount. */
  type: 'credit_grant' | 'manual_payment' | 'refund' | 'adjustment' | 'credit_limit'
  /** Decimal string with 1-6 decimals; not zero. */
  amount_dollars: string
  description: string
}

/** The body of `create_budget`. */
export type CreateBudgetBody = {
  /** For people. */
  name?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  /** UTC days, UTC months, or everything ever spent. */
  period: 'day' | 'month' | 'total'
  /** Decimal string with at most six decimals; not zero. */
  amount_dollars: string
  /** Rising percentages of the amount. Reaching one emits `budget.threshold_reached`, once per period. */
  thresholds_percent?: readonly number[] | undefined
  /** `actual`: what is spent. `forecast`: what the period comes to; not for `total`. */
  threshold_basis?: 'actual' | 'forecast' | undefined
  /** True: a buy whose hold would exceed the amount is refused with 402, and automations stop buying. */
  hard_stop?: boolean | undefined
}

/** The body of `update_budget`. */
export type UpdateBudgetBody = {
  /** For people. */
  name?: string | null | undefined
  /** Decimal string with at most six decimals; not zero. */
  amount_dollars?: string | undefined
  /** Rising percentages of the amount. Reaching one emits `budget.threshold_reached`, once per period. */
  thresholds_percent?: readonly number[] | undefined
  /** `actual`: what is spent. `forecast`: what the period comes to; not for `total`. */
  threshold_basis?: 'actual' | 'forecast' | undefined
  /** True: a buy whose hold would exceed the amount is refused with 402, and automations stop buying. */
  hard_stop?: boolean | undefined
}

/** The body of `create_pool`. */
export type CreatePoolBody = {
  name?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  /** Up to 50 pairs; keys 1-128 characters, values up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | undefined
}

/** The body of `update_pool`. */
export type UpdatePoolBody = {
  name?: string | undefined
  /** Up to 50 pairs; keys 1-128 characters, values up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | null | undefined
}

/** The body of `create_read_only_pool`. */
export type CreateReadOnlyPoolBody = {
  /** Account id. */
  account: string
  /** Workspace id or resource path. */
  workspace: WorkspaceRef
  name?: string | undefined
  /** Originating pool, id or path. */
  from_pool: PoolRef
  /** SKU id. */
  sku: SkuId
  /** Ascending, without overlap. Gaps count as zero. Only the last entry may be open. */
  allocation_schedule: readonly ({
    /** Unix seconds, a multiple of 60. */
    start_at: number
    /** Absent: the start of the next entry; `null`: without end. */
    end_at?: number | null | undefined
    node_count: number
  })[]
}

/** The body of `halt_market`. */
export type HaltMarketBody = {
  message?: string | undefined
  /** SKU id. */
  sku?: SkuId | undefined
}

/** The body of `resume_market`. */
export type ResumeMarketBody = {
  message?: string | undefined
  /** SKU id. */
  sku?: SkuId | undefined
}

/** The body of `create_maintenance_window`. */
export type CreateMaintenanceWindowBody = {
  /** Unix seconds, a multiple of 60. */
  start_at: number
  /** Unix seconds, a multiple of 60. */
  end_at: number
  maintenance_type: 'info' | 'degraded_performance' | 'unavailable'
  title: string
  description: string
  action_message?: string | undefined
  sku?: readonly SkuId[] | undefined
}

/** The body of `create_pool_transfer`. */
export type CreatePoolTransferBody = {
  /** Pool id or resource path. */
  from_pool: PoolRef
  /** Pool id or resource path. */
  to_pool: PoolRef
  /** SKU id. */
  sku: SkuId
  /** Ascending, without overlap. Gaps count as zero. Only the last entry may be open. */
  allocation_schedule_delta: readonly ({
    /** Unix seconds, a multiple of 60. */
    start_at: number
    /** Absent: the start of the next entry; `null`: without end. */
    end_at?: number | null | undefined
    node_count: number
  })[]
}

/** The body of `create_order`. */
export type CreateOrderBody = {
  /** Pool id or resource path. */
  pool: PoolRef
  side: 'buy' | 'sell'
  /** SKU id. */
  sku: SkuId
  /** Exactly one window. */
  allocation_schedule_delta: readonly ({
    /** Unix seconds, a multiple of 60. */
    start_at: number
    /** Unix seconds, a multiple of 60. */
    end_at: number
    node_count: number
  })[]
  /** The greatest price of a buy, the least price of a sell. Never rounded. */
  limit_price_dollars_per_node_hour: string
  /** False: the part that does not match at once is cancelled. */
  allow_standing?: boolean | undefined
  /** False: the order is filled completely or not at all. */
  allow_partial?: boolean | undefined
}

/** The body of `create_order_estimate`. */
export type CreateOrderEstimateBody = {
  side: 'buy' | 'sell'
  /** SKU id. */
  sku?: SkuId | undefined
  /** From field to 1-20 values; equality only. Fields as in queries. Empty = no condition. */
  requirements?: Record<string, readonly string[]> | undefined
  /** Unix seconds, a multiple of 60. */
  start_at: number
  /** A multiple of 60. */
  duration_seconds: number
  node_count: number
  /** Pool id or resource path. */
  pool?: PoolRef | undefined
  /** The greatest price of a buy, the least price of a sell. */
  limit_price_dollars_per_node_hour?: string | undefined
  /** As for the order. */
  allow_standing?: boolean | undefined
  /** As for the order. */
  allow_partial?: boolean | undefined
}

/** The body of `create_image`. */
export type CreateImageBody = {
  name?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
}

/** The body of `create_image_part`. */
export type CreateImagePartBody = {
  /** Number of the part. When the upload is completed, the numbers must run from 1 without gaps. */
  part_id: number
}

/** The body of `complete_image`. */
export type CompleteImageBody = {
  /** SHA-256 of the complete image, in lower-case hexadecimal digits. */
  sha256: string
  /** Use bytes of an unknown format as a raw disk. It never accepts a qcow2 file that is refused. */
  accept_unknown_format?: boolean | undefined
}

/** The body of `deprecate_image`. */
export type DeprecateImageBody = {
  /** For example, which image to use instead. */
  message?: string | undefined
}

/** The body of `create_firewall`. */
export type CreateFirewallBody = {
  name?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  rules?: readonly ({
    protocol: 'tcp' | 'udp' | 'icmp' | 'all'
    /** Required with tcp and udp, refused with icmp and all. */
    port_from?: number | undefined
    /** Defaults to `port_from`. */
    port_to?: number | undefined
    /** IPv4 network without host bits. */
    source_cidr: string
    description?: string | undefined
  })[] | undefined
  /** Up to 50 pairs; keys 1-128 characters, values up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | undefined
}

/** The body of `update_firewall`. */
export type UpdateFirewallBody = {
  name?: string | undefined
  /** Up to 50 pairs; keys 1-128 characters, values up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | null | undefined
}

/** The body of `replace_firewall_rules`. */
export type ReplaceFirewallRulesBody = {
  rules: readonly ({
    protocol: 'tcp' | 'udp' | 'icmp' | 'all'
    /** Required with tcp and udp, refused with icmp and all. */
    port_from?: number | undefined
    /** Defaults to `port_from`. */
    port_to?: number | undefined
    /** IPv4 network without host bits. */
    source_cidr: string
    description?: string | undefined
  })[]
}

/** The body of `create_subnet`. */
export type CreateSubnetBody = {
  name?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  region: string
  /** Private IPv4 network of prefix length 16 to 28; default the first free /20 of 10.64.0.0/10. */
  cidr?: string | undefined
  /** Up to 50 pairs; keys 1-128 characters, values up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | undefined
}

/** The body of `update_subnet`. */
export type UpdateSubnetBody = {
  name?: string | undefined
  /** Up to 50 pairs; keys 1-128 characters, values up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | null | undefined
}

/** The body of `create_infiniband_partition`. */
export type CreateInfinibandPartitionBody = {
  name?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  /** Fabric of a SKU that you can see. */
  infiniband_fabric: string
  /** Up to 50 pairs; keys 1-128 characters, values up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | undefined
}

/** The body of `update_infiniband_partition`. */
export type UpdateInfinibandPartitionBody = {
  name?: string | undefined
  /** Up to 50 pairs; keys 1-128 characters, values up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | null | undefined
}

/** The body of `create_instance_template`. */
export type CreateInstanceTemplateBody = {
  name?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  /** Image id or resource path. */
  image: ImageRef
  /** Base64 of at most 65,536 bytes of cloud-init user data. */
  cloud_init_user_data?: string | undefined
  /** Up to 50 pairs; keys 1-128 characters, values up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | undefined
  /** Lower levels are terminated first when allocation falls. Default `normal`. */
  priority_level?: 'yield' | 'normal' | 'preferred' | 'critical' | undefined
  /** Subnet id or path. Without a subnet the instance is isolated. */
  subnet?: SubnetRef | undefined
  /** If false, only SSH (TCP port 22) is open inbound. */
  _preview_enable_public_ipv4?: boolean | undefined
  /** Only with public IPv4; default the workspace's own firewall. */
  _preview_firewall?: FirewallRef | undefined
  /** Cannot be changed later. */
  _preview_infiniband_partition?: InfinibandPartitionRef | undefined
}

/** The body of `create_instance`. */
export type CreateInstanceBody = {
  /** Pool id or path. The instance belongs to the workspace of the pool. */
  pool: PoolRef
  /** SKU id. */
  sku: SkuId
  /** Image id or resource path. */
  image: ImageRef
  name?: string | undefined
  /** Base64 of at most 65,536 bytes of cloud-init user data. */
  cloud_init_user_data?: string | undefined
  /** Up to 50 pairs; keys 1-128 characters, values up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | undefined
  /** Lower levels are terminated first when allocation falls. Default `normal`. */
  priority_level?: 'yield' | 'normal' | 'preferred' | 'critical' | undefined
  /** Subnet id or path. Without a subnet the instance is isolated. */
  subnet?: SubnetRef | undefined
  /** If false, only SSH (TCP port 22) is open inbound. */
  _preview_enable_public_ipv4?: boolean | undefined
  /** Only with public IPv4; default the workspace's own firewall. */
  _preview_firewall?: FirewallRef | undefined
  /** Cannot be changed later. */
  _preview_infiniband_partition?: InfinibandPartitionRef | undefined
}

/** The body of `update_instance_priorities`. */
export type UpdateInstancePrioritiesBody = {
  data: readonly ({
    /** Instance id or resource path. */
    id: InstanceRef
    /** Lower levels are terminated first when allocation falls. Default `normal`. */
    priority_level: 'yield' | 'normal' | 'preferred' | 'critical' | null
  })[]
}

/** The body of `update_instance`. */
export type UpdateInstanceBody = {
  name?: string | undefined
  /** Up to 50 pairs; keys 1-128 characters, values up to 256, neither with a comma or an equals sign. */
  tags?: Record<string, string> | null | undefined
  /** Lower levels are terminated first when allocation falls. Default `normal`. */
  priority_level?: 'yield' | 'normal' | 'preferred' | 'critical' | null | undefined
  /** Only with public IPv4. Takes effect at once. */
  _preview_firewall?: FirewallRef | undefined
}

/** The body of `replace_instance`. */
export type ReplaceInstanceBody = {
  /** Image id or resource path. */
  image: ImageRef
  /** Base64 of at most 65,536 bytes of cloud-init user data. */
  cloud_init_user_data?: string | undefined
  /** Generated if absent; must differ from the replaced instance's. */
  name?: string | undefined
}

/** The body of `update_host`. */
export type UpdateHostBody = {
  name?: string | undefined
}

/** The body of `drain_host`. */
export type DrainHostBody = {
  /** Unix seconds, not in the past. The supply ends at the start of this minute. */
  deadline_at: number
  /** Drain even if nodes after the deadline are sold; they stay sold. Default false. */
  force?: boolean | undefined
}

/** The body of `create_host_enrolment`. */
export type CreateHostEnrolmentBody = {
  /** SKU id. */
  sku: SkuId
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  /** Nodes of the SKU that each host can run. Default 1. */
  slots?: number | undefined
  /** Default 86,400. */
  expires_in_seconds?: number | undefined
  /** Hosts that may enrol. Default 1. */
  uses?: number | undefined
}

/** The body of `create_deployment`. */
export type CreateDeploymentBody = {
  /** Default `generic`. */
  kind?: 'generic' | 'spot' | undefined
  name?: string | undefined
  /** Market pool, or for a generic one read-only pool; id or path. */
  pool: PoolRef
  /** SKU id. */
  sku: SkuId
  /** Instance template id or resource path. */
  instance_template: InstanceTemplateRef
  /** How many instances it keeps alive. */
  target_instance_count: number
  /** Variables: `{{adjective}}`, `{{noun}}`, `{{nanoid(N)}}` with N from 1 to 21. */
  instance_name_template?: string | undefined
  enabled?: boolean | undefined
  /** What it pays at most. Spot deployments only. */
  max_buy_price_dollars_per_node_hour?: string | undefined
}

/** The body of `update_deployment`. */
export type UpdateDeploymentBody = {
  name?: string | undefined
  /** Instance template id or resource path. */
  instance_template?: InstanceTemplateRef | undefined
  enabled?: boolean | undefined
  /** How many instances it keeps alive. */
  target_instance_count?: number | undefined
  /** Variables: `{{adjective}}`, `{{noun}}`, `{{nanoid(N)}}` with N from 1 to 21. */
  instance_name_template?: string | undefined
  /** What it pays at most. Spot deployments only. */
  max_buy_price_dollars_per_node_hour?: string | undefined
}

/** The body of `create_procurement`. */
export type CreateProcurementBody = {
  name?: string | undefined
  /** Market pool, or originating pool to sell only; id or path. */
  pool: PoolRef
  /** SKU id. */
  sku: SkuId
  /** Nodes to have in each minute, or `node_count`: as many as the pool has live instances of the SKU. */
  target: 'node_count' | number
  /** The least that is asked for what is more than the target. */
  min_sell_price_dollars_per_node_hour: string
  /** The most that is paid. Required on a market pool, not applicable on an originating one. */
  max_buy_price_dollars_per_node_hour?: string | undefined
  /** How many whole minutes are looked after, from the next one on. */
  managed_window_minutes: number
  enabled?: boolean | undefined
}

/** The body of `update_procurement`. */
export type UpdateProcurementBody = {
  name?: string | undefined
  /** SKU id. */
  sku?: SkuId | undefined
  /** Nodes to have in each minute, or `node_count`: as many as the pool has live instances of the SKU. */
  target?: 'node_count' | number | undefined
  /** The least that is asked for what is more than the target. */
  min_sell_price_dollars_per_node_hour?: string | undefined
  /** The most that is paid. Required on a market pool, not applicable on an originating one. */
  max_buy_price_dollars_per_node_hour?: string | undefined
  /** How many whole minutes are looked after, from the next one on. */
  managed_window_minutes?: number | undefined
  enabled?: boolean | undefined
}

/** The body of `create_deployment_estimate`. */
export type CreateDeploymentEstimateBody = {
  /** Default `generic`. */
  kind?: 'generic' | 'spot' | undefined
  name?: string | undefined
  /** Market pool, or for a generic one read-only pool; id or path. */
  pool: PoolRef
  /** SKU id. */
  sku: SkuId
  /** Instance template id or resource path. */
  instance_template: InstanceTemplateRef
  /** How many instances it keeps alive. */
  target_instance_count: number
  /** Variables: `{{adjective}}`, `{{noun}}`, `{{nanoid(N)}}` with N from 1 to 21. */
  instance_name_template?: string | undefined
  enabled?: boolean | undefined
  /** What it pays at most. Spot deployments only. */
  max_buy_price_dollars_per_node_hour?: string | undefined
}

/** The body of `create_deployment_update_estimate`. */
export type CreateDeploymentUpdateEstimateBody = {
  name?: string | undefined
  /** Instance template id or resource path. */
  instance_template?: InstanceTemplateRef | undefined
  enabled?: boolean | undefined
  /** How many instances it keeps alive. */
  target_instance_count?: number | undefined
  /** Variables: `{{adjective}}`, `{{noun}}`, `{{nanoid(N)}}` with N from 1 to 21. */
  instance_name_template?: string | undefined
  /** What it pays at most. Spot deployments only. */
  max_buy_price_dollars_per_node_hour?: string | undefined
}

/** The body of `create_procurement_estimate`. */
export type CreateProcurementEstimateBody = {
  name?: string | undefined
  /** Market pool, or originating pool to sell only; id or path. */
  pool: PoolRef
  /** SKU id. */
  sku: SkuId
  /** Nodes to have in each minute, or `node_count`: as many as the pool has live instances of the SKU. */
  target: 'node_count' | number
  /** The least that is asked for what is more than the target. */
  min_sell_price_dollars_per_node_hour: string
  /** The most that is paid. Required on a market pool, not applicable on an originating one. */
  max_buy_price_dollars_per_node_hour?: string | undefined
  /** How many whole minutes are looked after, from the next one on. */
  managed_window_minutes: number
  enabled?: boolean | undefined
}

/** The body of `create_procurement_update_estimate`. */
export type CreateProcurementUpdateEstimateBody = {
  name?: string | undefined
  /** SKU id. */
  sku?: SkuId | undefined
  /** Nodes to have in each minute, or `node_count`: as many as the pool has live instances of the SKU. */
  target?: 'node_count' | number | undefined
  /** The least that is asked for what is more than the target. */
  min_sell_price_dollars_per_node_hour?: string | undefined
  /** The most that is paid. Required on a market pool, not applicable on an originating one. */
  max_buy_price_dollars_per_node_hour?: string | undefined
  /** How many whole minutes are looked after, from the next one on. */
  managed_window_minutes?: number | undefined
  enabled?: boolean | undefined
}

/** The body of `create_account`. */
export type CreateAccountBody = {
  /** A slug of 3 to 40 characters, for good. */
  id: string
  name?: string | undefined
  entity_type?: 'personal' | 'business' | undefined
  /** Default `basic`. */
  trust_level?: 'untrusted' | 'basic' | 'trusted' | 'partner' | undefined
}

/** The body of `update_account`. */
export type UpdateAccountBody = {
  name?: string | undefined
  entity_type?: 'personal' | 'business' | undefined
  /** The longest life of tokens that people make from now on. Default 365. */
  token_lifetime_max_days?: number | undefined
}

/** The body of `set_trust_level`. */
export type SetTrustLevelBody = {
  trust_level: 'untrusted' | 'basic' | 'trusted' | 'partner'
}

/** The body of `put_account_limit`. */
export type PutAccountLimitBody = {
  /** `null` = none. */
  value: number | null
}

/** The body of `create_account_user`. */
export type CreateAccountUserBody = {
  /** Unique in the account, without regard to case. Stored in Unicode form NFC, with the domain in lower case. */
  email: string
  name?: string | undefined
  first_name?: string | undefined
  last_name?: string | undefined
  /** Role id or path. Default `role_admin`. */
  role?: RoleRef | undefined
}

/** The body of `create_account_sign_in_link`. */
export type CreateAccountSignInLinkBody = {
  /** A user of the account. */
  user: UserId
}

/** The body of `create_sku`. */
export type CreateSkuBody = {
  alias?: string | undefined
  listed?: boolean | undefined
  /** Hosts of this SKU need not have its hardware: for development. Left out where they must, which is the rule. */
  simulated?: boolean | undefined
  /** Only the operator of the platform supplies hosts of this SKU, no partner. Left out where partners may, which is the rule. */
  operator_hosts_only?: boolean | undefined
  /** Leave trades between accounts that share a person out of price history, trades and last prices. It counts for earlier trades too. Whether accounts share a person is decided as they trade, by sign-ins and e-mail addresses. */
  public_prices_exclude_related?: boolean | undefined
  /** The figures of benchmarks that the SKU shows, each with its unit, in this order. Default: none. */
  benchmark_figures?: readonly string[] | undefined
  /** Default `0.000000`. */
  flat_fee_dollars_per_node_hour?: string | undefined
  fee_bps?: number | undefined
  /** Prices of orders and automations are multiples of it, default `0.000001`. Resting orders keep their prices. */
  price_step_dollars_per_node_hour?: string | undefined
  region?: string | {
    value: string
    display_value?: string | undefined
  } | undefined
  availability_zone?: string | {
    value: string
    display_value?: string | undefined
  } | undefined
  accelerator?: string | {
    value: string
    display_value?: string | undefined
  } | undefined
  form_factor?: string | {
    value: string
    display_value?: string | undefined
  } | undefined
  rdma_type?: string | {
    value: string
    display_value?: string | undefined
  } | undefined
  rdma_gigabits_per_second?: number | {
    value: number
    display_value?: string | undefined
  } | undefined
  infiniband_fabric?: string | undefined
  num_accelerators?: number | {
    value: number
    display_value?: string | undefined
  } | undefined
  num_vcpus?: number | {
    value: number
    display_value?: string | undefined
  } | undefined
  /** Bytes. */
  memory_bytes?: number | {
    /** Bytes. */
    value: number
    display_value?: string | undefined
  } | undefined
  /** Bytes. */
  local_storage_bytes?: number | {
    /** Bytes. */
    value: number
    display_value?: string | undefined
  } | undefined
  supports_public_ipv4?: boolean | {
    value: boolean
    display_value?: string | undefined
  } | undefined
}

/** The body of `update_sku`. */
export type UpdateSkuBody = {
  alias?: string | undefined
  listed?: boolean | undefined
  /** Hosts of this SKU need not have its hardware: for development. Left out where they must, which is the rule. */
  simulated?: boolean | undefined
  /** Only the operator of the platform supplies hosts of this SKU, no partner. Left out where partners may, which is the rule. */
  operator_hosts_only?: boolean | undefined
  /** Leave trades between accounts that share a person out of price history, trades and last prices. It counts for earlier trades too. Whether accounts share a person is decided as they trade, by sign-ins and e-mail addresses. */
  public_prices_exclude_related?: boolean | undefined
  /** The figures of benchmarks that the SKU shows, each with its unit, in this order. Default: none. */
  benchmark_figures?: readonly string[] | undefined
  /** Default `0.000000`. */
  flat_fee_dollars_per_node_hour?: string | undefined
  fee_bps?: number | undefined
  /** Prices of orders and automations are multiples of it, default `0.000001`. Resting orders keep their prices. */
  price_step_dollars_per_node_hour?: string | undefined
  region?: string | {
    value: string
    display_value?: string | undefined
  } | null | undefined
  availability_zone?: string | {
    value: string
    display_value?: string | undefined
  } | null | undefined
  accelerator?: string | {
    value: string
    display_value?: string | undefined
  } | null | undefined
  form_factor?: string | {
    value: string
    display_value?: string | undefined
  } | null | undefined
  rdma_type?: string | {
    value: string
    display_value?: string | undefined
  } | null | undefined
  rdma_gigabits_per_second?: number | {
    value: number
    display_value?: string | undefined
  } | null | undefined
  infiniband_fabric?: string | null | undefined
  num_accelerators?: number | {
    value: number
    display_value?: string | undefined
  } | null | undefined
  num_vcpus?: number | {
    value: number
    display_value?: string | undefined
  } | null | undefined
  /** Bytes. */
  memory_bytes?: number | {
    /** Bytes. */
    value: number
    display_value?: string | undefined
  } | null | undefined
  /** Bytes. */
  local_storage_bytes?: number | {
    /** Bytes. */
    value: number
    display_value?: string | undefined
  } | null | undefined
  supports_public_ipv4?: boolean | {
    value: boolean
    display_value?: string | undefined
  } | null | undefined
}

/** The body of `put_sku_property_value`. */
export type PutSkuPropertyValueBody = {
  display_name: string
  description?: string | undefined
  documentation_link?: string | null | undefined
  /** Unix seconds. */
  deprecated_at?: number | null | undefined
  deprecation_info?: string | null | undefined
}

/** The body of `put_sku_override`. */
export type PutSkuOverrideBody = {
  region?: string | {
    value: string
    display_value?: string | undefined
  } | undefined
  availability_zone?: string | {
    value: string
    display_value?: string | undefined
  } | undefined
  accelerator?: string | {
    value: string
    display_value?: string | undefined
  } | undefined
  form_factor?: string | {
    value: string
    display_value?: string | undefined
  } | undefined
  rdma_type?: string | {
    value: string
    display_value?: string | undefined
  } | undefined
  rdma_gigabits_per_second?: number | {
    value: number
    display_value?: string | undefined
  } | undefined
  infiniband_fabric?: string | undefined
  num_accelerators?: number | {
    value: number
    display_value?: string | undefined
  } | undefined
  num_vcpus?: number | {
    value: number
    display_value?: string | undefined
  } | undefined
  /** Bytes. */
  memory_bytes?: number | {
    /** Bytes. */
    value: number
    display_value?: string | undefined
  } | undefined
  /** Bytes. */
  local_storage_bytes?: number | {
    /** Bytes. */
    value: number
    display_value?: string | undefined
  } | undefined
  supports_public_ipv4?: boolean | {
    value: boolean
    display_value?: string | undefined
  } | undefined
}

/** The body of `deprecate_public_image`. */
export type DeprecatePublicImageBody = {
  /** For example, which image to use instead. */
  message?: string | undefined
}

/** The body of `advance_clock`. */
export type AdvanceClockBody = {
  /** By so much; or give `to`. */
  seconds?: number | undefined
  /** Unix seconds, later than now; or give `seconds`. */
  to?: number | undefined
}

/** The body of `set_clock_rate`. */
export type SetClockRateBody = {
  /** Clock seconds per real second. */
  rate: number
}

/** The body of `settle`. */
export type SettleBody = {
  timeout_seconds?: number | undefined
}

/** The body of `load_scenario`. */
export type LoadScenarioBody = {
  /** The same seed gives the same world. */
  seed?: number | undefined
}

/** The body of `reset_sandbox`. */
export type ResetSandboxBody = {
  /** Default `quickstart`. */
  scenario?: 'empty' | 'quickstart' | 'busy_market' | 'preemption' | 'host_failures' | 'long_history' | undefined
  /** The same seed gives the same world. */
  seed?: number | undefined
}

/** The body of `create_market_maker`. */
export type CreateMarketMakerBody = {
  /** SKU id. */
  sku: SkuId
  /** What its prices drift around. */
  base_price_dollars_per_node_hour: string
  /** Nodes of its own hosts. */
  node_count?: number | undefined
}

/** The body of `update_market_maker`. */
export type UpdateMarketMakerBody = {
  /** False: it withdraws its offers and trades no more. */
  enabled?: boolean | undefined
  /** Its offers follow at once. */
  base_price_dollars_per_node_hour?: string | undefined
}

/** The body of `create_simulated_hosts`. */
export type CreateSimulatedHostsBody = {
  /** Default: the caller's. */
  account?: string | undefined
  /** SKU id. */
  sku: SkuId
  count: number
  slots?: number | undefined
}

/** The body of `create_ready_image`. */
export type CreateReadyImageBody = {
  name: string
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  /** In the workspace `public` of the platform account. */
  is_public?: boolean | undefined
}

/** The body of `create_fault`. */
export type CreateFaultBody = {
  kind: 'http_error' | 'http_latency' | 'connection_cut' | 'database_down' | 'market_halt' | 'host_silent' | 'host_crash' | 'start_failure' | 'checksum_mismatch' | 'instance_unhealthy' | 'webhook_failure' | 'preempt'
  /** 410 with `webhook_failure` only. */
  status?: 410 | 429 | 500 | 503 | undefined
  milliseconds?: number | undefined
  moment?: 'before' | 'after' | undefined
  /** operationId; absent = every operation. */
  operation?: string | undefined
  probability_percent?: number | undefined
  /** SKU id. */
  sku?: SkuId | undefined
  node_count?: number | undefined
  /** 0 = until removed. */
  times?: number | undefined
  /** Clock seconds after which it ends. */
  for_seconds?: number | undefined
  /** Host id or resource path. */
  host?: HostRef | undefined
  /** Instance id or resource path. */
  instance?: InstanceRef | undefined
  /** Pool id or resource path. */
  pool?: PoolRef | undefined
  /** Webhook id. */
  webhook?: WebhookId | undefined
}

/** The query of `list_workspaces`. */
export type ListWorkspacesQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  id?: WorkspaceRef | readonly WorkspaceRef[] | undefined
}

/** The query of `list_users`. */
export type ListUsersQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  id?: UserRef | readonly UserRef[] | undefined
  /** Without regard to case. */
  email?: string | undefined
}

/** The query of `end_user_sessions`. */
export type EndUserSessionsQuery = {
  /** Also end what descends from them. Default false. */
  cascade?: boolean | undefined
}

/** The query of `list_roles`. */
export type ListRolesQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  id?: RoleRef | readonly RoleRef[] | undefined
}

/** The query of `list_grants`. */
export type ListGrantsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  principal_id?: string | readonly string[] | undefined
  /** Role id or resource path. */
  role?: RoleRef | undefined
}

/** The query of `get_permissions`. */
export type GetPermissionsQuery = {
  /** Together with `principal_id`, or not at all. */
  principal_type?: 'user' | 'token' | undefined
  /** User or token id, as `principal_type` says. */
  principal_id?: string | undefined
}

/** The query of `list_tokens`. */
export type ListTokensQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: TokenId | readonly TokenId[] | undefined
  /** Only tokens of this kind. */
  kind?: 'service' | 'session' | undefined
}

/** The query of `delete_token`. */
export type DeleteTokenQuery = {
  /** Also end what descends from it. Default false. */
  cascade?: boolean | undefined
}

/** The query of `list_audit_entries`. */
export type ListAuditEntriesQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only entries of this token or user, by id. */
  actor?: string | undefined
  /** Only entries of this operation, such as `create_token`. */
  operation?: string | undefined
  /** Only entries about this id, compared literally. */
  target?: string | undefined
  /** Only entries with this outcome. */
  outcome?: 'done' | 'refused' | undefined
  /** Unix seconds: only entries of then or later. */
  from?: number | undefined
  /** Unix seconds: only entries before then. */
  to?: number | undefined
}

/** The query of `list_all_audit_entries`. */
export type ListAllAuditEntriesQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only the trail of this account. */
  account?: string | undefined
  /** Only entries of this token or user, by id. */
  actor?: string | undefined
  /** Only entries of this operation, such as `create_token`. */
  operation?: string | undefined
  /** Only entries about this id, compared literally. */
  target?: string | undefined
  /** Only entries with this outcome. */
  outcome?: 'done' | 'refused' | undefined
  /** Unix seconds: only entries of then or later. */
  from?: number | undefined
  /** Unix seconds: only entries before then. */
  to?: number | undefined
}

/** The query of `list_events`. */
export type ListEventsQuery = {
  /** Only events behind this cursor. */
  starting_after?: string | undefined
  /** Events on a page; may change between pages. */
  limit?: number | undefined
  /** Only events with exactly this action. */
  action?: string | undefined
  /** Only events about this target id, compared literally. */
  target?: string | undefined
  /** Only events about this kind of resource. Adds nothing where `action` is given. */
  target_type?: string | undefined
  /** Unix seconds: only events that occurred then or later. */
  since?: bigint | number | undefined
  /** Unix seconds: only events that occurred then or before. */
  until?: bigint | number | undefined
  /** For a stream: go on with the oldest events where the cursor is gone, instead of 410. */
  on_gap?: 'continue' | undefined
}

/** The query of `list_webhooks`. */
export type ListWebhooksQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  id?: WebhookId | readonly WebhookId[] | undefined
}

/** The query of `list_webhook_deliveries`. */
export type ListWebhookDeliveriesQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  state?: 'pending' | 'succeeded' | 'failed' | readonly ('pending' | 'succeeded' | 'failed')[] | undefined
  /** Only deliveries of this event. */
  event?: EventId | undefined
}

/** The query of `list_transactions`. */
export type ListTransactionsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  type?: 'buy_fill' | 'sell_fill' | 'credit_grant' | 'manual_payment' | 'refund' | 'adjustment' | readonly ('buy_fill' | 'sell_fill' | 'credit_grant' | 'manual_payment' | 'refund' | 'adjustment')[] | undefined
  /** Order id. */
  order?: OrderId | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  /** Unix seconds, included. */
  created_after?: number | undefined
  /** Unix seconds, included. */
  created_before?: number | undefined
}

/** The query of `list_holds`. */
export type ListHoldsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
}

/** The query of `list_account_transactions`. */
export type ListAccountTransactionsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  type?: 'buy_fill' | 'sell_fill' | 'credit_grant' | 'manual_payment' | 'refund' | 'adjustment' | readonly ('buy_fill' | 'sell_fill' | 'credit_grant' | 'manual_payment' | 'refund' | 'adjustment')[] | undefined
  /** Order id. */
  order?: OrderId | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  /** Unix seconds, included. */
  created_after?: number | undefined
  /** Unix seconds, included. */
  created_before?: number | undefined
}

/** The query of `list_pending_credits`. */
export type ListPendingCreditsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only those to this account. */
  account?: string | undefined
  state?: 'pending' | 'approved' | 'refused' | 'expired' | readonly ('pending' | 'approved' | 'refused' | 'expired')[] | undefined
}

/** The query of `list_usage`. */
export type ListUsageQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Unix seconds, the beginning of an hour, day or month in UTC. */
  from: number
  /** Unix seconds, not included, aligned as `from`. At most 400 days later, 31 by hour. */
  to: number
  /** Default day. */
  granularity?: 'hour' | 'day' | 'month' | undefined
  /** Tags are those that the pools have now. */
  group_by?: string | readonly string[] | undefined
}

/** The query of `export_usage`. */
export type ExportUsageQuery = {
  /** Unix seconds, the beginning of a day in UTC. */
  from: number
  /** Unix seconds, not included, aligned as `from`. At most 400 days later. */
  to: number
  /** Default focus. */
  format?: 'focus' | 'ledger_csv' | 'ledger_jsonl' | 'ledger_parquet' | undefined
  /** Default 1.4. Only with focus. */
  focus_version?: '1.4' | '1.2' | undefined
  /** Default cost_and_usage. Only with focus. */
  dataset?: 'cost_and_usage' | 'contract_commitments' | 'billing_periods' | undefined
  /** Default csv. Only with focus. */
  encoding?: 'csv' | 'jsonl' | 'parquet' | undefined
}

/** The query of `list_budgets`. */
export type ListBudgetsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
}

/** The query of `list_skus`. */
export type ListSkusQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Include retired SKUs. */
  include_deleted?: boolean | undefined
}

/** The query of `list_pools`. */
export type ListPoolsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: PoolRef | readonly PoolRef[] | undefined
  /** Only pools of this kind. */
  kind?: 'market' | 'originating' | 'read_only' | undefined
  /** A tag `key=value` of the row. May be repeated; all must match. */
  tag?: string | readonly string[] | undefined
  /** A tag key of the row. May be repeated; all must match. */
  tag_key?: string | readonly string[] | undefined
  /** Minutes of the past that the schedules show. */
  schedule_history_minutes?: number | undefined
}

/** The query of `get_pool`. */
export type GetPoolQuery = {
  /** Minutes of the past that the schedules show. */
  schedule_history_minutes?: number | undefined
}

/** The query of `list_maintenance_windows`. */
export type ListMaintenanceWindowsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
}

/** The query of `list_pool_transfers`. */
export type ListPoolTransfersQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  pool?: PoolRef | readonly PoolRef[] | undefined
  /** Only transfers in this state. */
  state?: 'pending' | 'executed' | 'rejected' | undefined
}

/** The query of `list_orders`. */
export type ListOrdersQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  id?: OrderId | readonly OrderId[] | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  /** Pool id or resource path. */
  pool?: PoolRef | undefined
  sku?: SkuId | readonly SkuId[] | undefined
  /** Only orders of this side. */
  side?: 'buy' | 'sell' | undefined
  state?: 'pending' | 'standing' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected' | readonly ('pending' | 'standing' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected')[] | undefined
  /** Unix seconds, included. */
  created_after?: number | undefined
  /** Unix seconds, included. */
  created_before?: number | undefined
  /** Procurement id or resource path. */
  procurement?: ProcurementRef | undefined
  /** Deployment id or resource path. */
  deployment?: DeploymentRef | undefined
  /** Also orders of procurements and spot deployments. */
  include_managed?: boolean | undefined
  /** Sort key; `-` means descending. Default `-created_at`. */
  sort_by?: '-created_at' | 'created_at' | 'start_at' | '-start_at' | undefined
}

/** The query of `list_order_fills`. */
export type ListOrderFillsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
}

/** The query of `get_orderbook_status`. */
export type GetOrderbookStatusQuery = {
  /** Also whether this SKU is halted on its own. */
  sku?: SkuId | undefined
}

/** The query of `list_orderbook_windows`. */
export type ListOrderbookWindowsQuery = {
  /** Clauses `field[:op]:value[,value…]` joined by `;`. Fields: `id`, `alias`, the SKU properties, `simulated`, `operator_hosts_only`. Ops: `eq` (default), `ne`, for integers `gt gte lt lte`; commas are alternatives. */
  requirements?: string | undefined
  /** Unix seconds, a multiple of 60. */
  range_start_at: number
  /** Unix seconds, a multiple of 60. */
  range_end_at: number
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue behind the page that gave this cursor. */
  starting_after?: string | undefined
}

/** The query of `get_orderbook_quote`. */
export type GetOrderbookQuoteQuery = {
  /** Clauses `field[:op]:value[,value…]` joined by `;`. Fields: `id`, `alias`, the SKU properties, `simulated`, `operator_hosts_only`. Ops: `eq` (default), `ne`, for integers `gt gte lt lte`; commas are alternatives. */
  requirements?: string | undefined
  /** Unix seconds, a multiple of 60. */
  start_at: number
  /** Unix seconds, a multiple of 60. */
  end_at: number
}

/** The query of `get_orderbook_depth`. */
export type GetOrderbookDepthQuery = {
  /** Clauses `field[:op]:value[,value…]` joined by `;`. Fields: `id`, `alias`, the SKU properties, `simulated`, `operator_hosts_only`. Ops: `eq` (default), `ne`, for integers `gt gte lt lte`; commas are alternatives. */
  requirements?: string | undefined
  /** Unix seconds, a multiple of 60. */
  start_at: number
  /** Unix seconds, a multiple of 60. */
  end_at: number
  /** Price levels of each side. */
  depth?: number | undefined
}

/** The query of `list_orderbook_fills`. */
export type ListOrderbookFillsQuery = {
  /** Clauses `field[:op]:value[,value…]` joined by `;`. Fields: `id`, `alias`, the SKU properties, `simulated`, `operator_hosts_only`. Ops: `eq` (default), `ne`, for integers `gt gte lt lte`; commas are alternatives. */
  requirements?: string | undefined
  /** Unix seconds, a multiple of 60. */
  start_at: number
  /** Unix seconds, a multiple of 60. */
  end_at: number
  /** Default 7 days back, at most 30. */
  since_at?: number | undefined
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue behind the page that gave this cursor. */
  starting_after?: string | undefined
}

/** The query of `list_price_history`. */
export type ListPriceHistoryQuery = {
  /** Clauses `field[:op]:value[,value…]` joined by `;`. Fields: `id`, `alias`, the SKU properties, `simulated`, `operator_hosts_only`. Ops: `eq` (default), `ne`, for integers `gt gte lt lte`; commas are alternatives. */
  requirements?: string | undefined
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** SKU id. */
  sku?: SkuId | undefined
  /** Default `hour`. */
  interval?: 'minute' | 'hour' | 'day' | undefined
  /** Aligned to the bucket; default 7 days back, 1 day with `minute`. */
  since?: number | undefined
  /** Aligned to the bucket; default the end of the current one. */
  until?: number | undefined
}

/** The query of `get_orderbook_curve`. */
export type GetOrderbookCurveQuery = {
  /** SKU id. */
  sku: SkuId
  /** Start of the first window. Default: the current minute. */
  from?: number | undefined
  /** No window starts at or after it. Default: 48 windows after `from`. */
  to?: number | undefined
  /** From the start of a window to the next one. */
  step_minutes?: number | undefined
  /** The length of each window. */
  length_minutes?: number | undefined
  /** Nodes of the order. */
  node_count?: number | undefined
}

/** The query of `get_orderbook_heatmap`. */
export type GetOrderbookHeatmapQuery = {
  /** Clauses `field[:op]:value[,value…]` joined by `;`. Fields: `id`, `alias`, the SKU properties, `simulated`, `operator_hosts_only`. Ops: `eq` (default), `ne`, for integers `gt gte lt lte`; commas are alternatives. */
  requirements?: string | undefined
  /** Default: the SKUs that fit, the first 16 by id. */
  sku?: SkuId | readonly SkuId[] | undefined
  /** Start of the first window. Default: the current minute. */
  from?: number | undefined
  /** No window starts at or after it. Default: 48 windows after `from`. */
  to?: number | undefined
  /** From the start of a window to the next one. */
  step_minutes?: number | undefined
}

/** The query of `list_sku_availability`. */
export type ListSkuAvailabilityQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Clauses `field[:op]:value[,value…]` joined by `;`. Fields: `id`, `alias`, the SKU properties, `simulated`, `operator_hosts_only`. Ops: `eq` (default), `ne`, for integers `gt gte lt lte`; commas are alternatives. */
  requirements?: string | undefined
  id?: SkuId | readonly SkuId[] | undefined
  /** Default: the current minute. */
  start_at?: number | undefined
  /** Default: 30 days after the start; at most 3 years after it. */
  end_at?: number | undefined
}

/** The query of `get_sku_availability`. */
export type GetSkuAvailabilityQuery = {
  /** Default: the current minute. */
  start_at?: number | undefined
  /** Default: 30 days after the start; at most 3 years after it. */
  end_at?: number | undefined
}

/** The query of `list_images`. */
export type ListImagesQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: ImageRef | readonly ImageRef[] | undefined
  state?: 'started' | 'uploading' | 'verifying' | 'completed' | 'revoked' | 'failed' | readonly ('started' | 'uploading' | 'verifying' | 'completed' | 'revoked' | 'failed')[] | undefined
}

/** The query of `list_firewalls`. */
export type ListFirewallsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: FirewallRef | readonly FirewallRef[] | undefined
  /** A tag `key=value` of the row. May be repeated; all must match. */
  tag?: string | readonly string[] | undefined
  /** A tag key of the row. May be repeated; all must match. */
  tag_key?: string | readonly string[] | undefined
}

/** The query of `list_subnets`. */
export type ListSubnetsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: SubnetRef | readonly SubnetRef[] | undefined
  /** Only subnets of this region. */
  region?: string | undefined
  /** A tag `key=value` of the row. May be repeated; all must match. */
  tag?: string | readonly string[] | undefined
  /** A tag key of the row. May be repeated; all must match. */
  tag_key?: string | readonly string[] | undefined
}

/** The query of `list_infiniband_partitions`. */
export type ListInfinibandPartitionsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: InfinibandPartitionRef | readonly InfinibandPartitionRef[] | undefined
  /** Only partitions on this fabric. */
  infiniband_fabric?: string | undefined
  /** A tag `key=value` of the row. May be repeated; all must match. */
  tag?: string | readonly string[] | undefined
  /** A tag key of the row. May be repeated; all must match. */
  tag_key?: string | readonly string[] | undefined
}

/** The query of `list_instance_templates`. */
export type ListInstanceTemplatesQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: InstanceTemplateRef | readonly InstanceTemplateRef[] | undefined
  image?: ImageRef | readonly ImageRef[] | undefined
  /** A tag `key=value` of the row. May be repeated; all must match. */
  tag?: string | readonly string[] | undefined
  /** A tag key of the row. May be repeated; all must match. */
  tag_key?: string | readonly string[] | undefined
}

/** The query of `list_instances`. */
export type ListInstancesQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: InstanceRef | readonly InstanceRef[] | undefined
  /** Only instances with this name; `*` stands for any characters. */
  name?: string | undefined
  pool?: PoolRef | readonly PoolRef[] | undefined
  sku?: SkuId | readonly SkuId[] | undefined
  image?: ImageRef | readonly ImageRef[] | undefined
  state?: 'awaiting_allocation' | 'running' | 'failed' | 'terminated' | readonly ('awaiting_allocation' | 'running' | 'failed' | 'terminated')[] | undefined
  /** Deployment id or resource path. */
  deployment?: DeploymentRef | undefined
  /** Unix seconds, inclusive. */
  created_after?: number | undefined
  /** Unix seconds, inclusive. */
  created_before?: number | undefined
  /** A tag `key=value` of the row. May be repeated; all must match. */
  tag?: string | readonly string[] | undefined
  /** A tag key of the row. May be repeated; all must match. */
  tag_key?: string | readonly string[] | undefined
}

/** The query of `list_instance_logs`. */
export type ListInstanceLogsQuery = {
  /** Only chunks with this number or a higher one. */
  seqnum_after?: number | undefined
  /** Only chunks with this number or a lower one. */
  seqnum_before?: number | undefined
  /** Logged at this time or later. */
  logged_after?: number | undefined
  /** Logged at this time or earlier. */
  logged_before?: number | undefined
  /** `seqnum` (the default): oldest first. `-seqnum`: newest first. */
  sort_by?: 'seqnum' | '-seqnum' | undefined
  /** The most chunks in one response, which has at most 1 MiB. */
  limit?: number | undefined
}

/** The query of `list_hosts`. */
export type ListHostsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: HostRef | readonly HostRef[] | undefined
  sku?: SkuId | readonly SkuId[] | undefined
  state?: 'active' | 'cordoned' | 'draining' | 'drained' | 'retired' | readonly ('active' | 'cordoned' | 'draining' | 'drained' | 'retired')[] | undefined
  health?: 'healthy' | 'unreachable' | 'faulted' | readonly ('healthy' | 'unreachable' | 'faulted')[] | undefined
  /** Only hosts of this account. For the platform operator. */
  account?: string | undefined
}

/** The query of `list_host_enrolments`. */
export type ListHostEnrolmentsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
}

/** The query of `list_deployments`. */
export type ListDeploymentsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  /** Pool id or resource path. */
  pool?: PoolRef | undefined
  id?: DeploymentRef | readonly DeploymentRef[] | undefined
  /** Only deployments of this kind. */
  kind?: 'generic' | 'spot' | undefined
}

/** The query of `list_procurements`. */
export type ListProcurementsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  /** Pool id or resource path. */
  pool?: PoolRef | undefined
  sku?: SkuId | readonly SkuId[] | undefined
  id?: ProcurementRef | readonly ProcurementRef[] | undefined
}

/** The query of `list_accounts`. */
export type ListAccountsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  id?: string | readonly string[] | undefined
  /** Only accounts of this level. */
  trust_level?: 'untrusted' | 'basic' | 'trusted' | 'partner' | undefined
  /** Only frozen ones, or only the others. */
  is_frozen?: boolean | undefined
}

/** The query of `freeze_account`. */
export type FreezeAccountQuery = {
  /** Also end all sessions and links of its people, and what they approved, even if it is frozen already. They may sign in again. Default false. */
  end_sessions?: boolean | undefined
}

/** The query of `list_revenue`. */
export type ListRevenueQuery = {
  /** A month of UTC, such as 2026-01. */
  from: string
  /** The last month, included. Default `from`. At most 24 months in all. */
  to?: string | undefined
}

/** The query of `export_ledger`. */
export type ExportLedgerQuery = {
  /** Unix seconds, the beginning of a day in UTC. */
  from: number
  /** Unix seconds, not included, aligned as `from`. At most 400 days later. */
  to: number
  /** Default csv. */
  encoding?: 'csv' | 'jsonl' | 'parquet' | undefined
}

/** The query of `list_platform_usage`. */
export type ListPlatformUsageQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Only this account. */
  account?: string | undefined
  /** Unix seconds, the beginning of a day in UTC. */
  from: number
  /** Unix seconds, not included, the beginning of a day. At most 400 days later. */
  to: number
}

/** The query of `list_platform_orders`. */
export type ListPlatformOrdersQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  id?: OrderId | readonly OrderId[] | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  /** Pool id or resource path. */
  pool?: PoolRef | undefined
  sku?: SkuId | readonly SkuId[] | undefined
  /** Only orders of this side. */
  side?: 'buy' | 'sell' | undefined
  state?: 'pending' | 'standing' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected' | readonly ('pending' | 'standing' | 'partially_filled' | 'filled' | 'cancelled' | 'rejected')[] | undefined
  /** Unix seconds, included. */
  created_after?: number | undefined
  /** Unix seconds, included. */
  created_before?: number | undefined
  /** Procurement id or resource path. */
  procurement?: ProcurementRef | undefined
  /** Deployment id or resource path. */
  deployment?: DeploymentRef | undefined
  /** Also orders of procurements and spot deployments. */
  include_managed?: boolean | undefined
  /** Only those of this account. */
  account?: string | undefined
  /** Sort key; `-` means descending. Default `-created_at`. */
  sort_by?: '-created_at' | 'created_at' | undefined
}

/** The query of `list_platform_pools`. */
export type ListPlatformPoolsQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: PoolRef | readonly PoolRef[] | undefined
  /** Only pools of this kind. */
  kind?: 'market' | 'originating' | 'read_only' | undefined
  /** A tag `key=value` of the row. May be repeated; all must match. */
  tag?: string | readonly string[] | undefined
  /** A tag key of the row. May be repeated; all must match. */
  tag_key?: string | readonly string[] | undefined
  /** Minutes of the past that the schedules show. */
  schedule_history_minutes?: number | undefined
  /** Only those of this account. */
  account?: string | undefined
}

/** The query of `list_platform_skus`. */
export type ListPlatformSkusQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  id?: SkuId | readonly SkuId[] | undefined
  /** Only those that this account sees. */
  account?: string | undefined
  /** Only listed ones, or only the others. */
  listed?: boolean | undefined
  /** Include retired SKUs. */
  include_deleted?: boolean | undefined
}

/** The query of `list_platform_instances`. */
export type ListPlatformInstancesQuery = {
  /** Rows on a page. */
  limit?: number | undefined
  /** Continue after the page with this cursor. */
  starting_after?: string | undefined
  /** Return the rows before the page with this cursor. */
  ending_before?: string | undefined
  /** Workspace id or resource path. */
  workspace?: WorkspaceRef | undefined
  id?: InstanceRef | readonly InstanceRef[] | undefined
  /** Only instances with this name; `*` stands for any characters. */
  name?: string | undefined
  pool?: PoolRef | readonly PoolRef[] | undefined
  sku?: SkuId | readonly SkuId[] | undefined
  image?: ImageRef | readonly ImageRef[] | undefined
  state?: 'awaiting_allocation' | 'running' | 'failed' | 'terminated' | readonly ('awaiting_allocation' | 'running' | 'failed' | 'terminated')[] | undefined
  /** Deployment id or resource path. */
  deployment?: DeploymentRef | undefined
  /** Unix seconds, inclusive. */
  created_after?: number | undefined
  /** Unix seconds, inclusive. */
  created_before?: number | undefined
  /** A tag `key=value` of the row. May be repeated; all must match. */
  tag?: string | readonly string[] | undefined
  /** A tag key of the row. May be repeated; all must match. */
  tag_key?: string | readonly string[] | undefined
  /** Only those of this account. */
  account?: string | undefined
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
  delete_user: undefined
  create_user_sign_in_link: SignInLink
  end_user_sessions: undefined
  list_user_identities: IdentityList
  delete_user_identity: undefined
  list_user_passkeys: PasskeyList
  create_user_passkey: CreatedPasskey
  update_user_passkey: Passkey
  delete_user_passkey: undefined
  create_recovery_codes: RecoveryCodes
  list_roles: RolePage
  create_role: Role
  get_role: Role
  update_role: Role
  delete_role: undefined
  create_grant: Grant
  list_grants: GrantPage
  get_grant: Grant
  delete_grant: undefined
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
  cancel_order: undefined
  explain_order: OrderExplanation
  create_order_estimate: OrderEstimate
  get_orderbook_status: OrderbookStatus
  list_orderbook_windows: {
  object: 'list'
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
  requirements: string | null
  /** Unix seconds, a multiple of 60. */
  range_start_at: number
  /** Unix seconds, a multiple of 60. */
  range_end_at: number
  data: OrderbookWindow[]
}
  get_orderbook_quote: OrderbookQuote
  get_orderbook_depth: OrderbookDepth
  list_orderbook_fills: {
  object: 'list'
  has_more: boolean
  /** Omitted when the page is empty. */
  cursor?: string
  requirements: string | null
  /** Unix seconds, a multiple of 60. */
  start_at: number
  /** Unix seconds, a multiple of 60. */
  end_at: number
  data: OrderbookFill[]
}
  list_price_history: PriceBucketPage
  get_orderbook_curve: OrderbookCurve
  get_orderbook_heatmap: OrderbookHeatmap
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
  list_roles: never
  create_role: CreateRoleBody
  get_role: never
  update_role: UpdateRoleBody
  delete_role: never
  create_grant: CreateGrantBody
  list_grants: never
  get_grant: never
  delete_grant: never
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
  retire_host: never
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
  list_roles: ListRolesQuery
  create_role: never
  get_role: never
  update_role: never
  delete_role: never
  create_grant: never
  list_grants: ListGrantsQuery
  get_grant: never
  delete_grant: never
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
  list_roles: never
  create_role: never
  get_role: { id: RoleRef }
  update_role: { id: RoleRef }
  delete_role: { id: RoleRef }
  create_grant: never
  list_grants: never
  get_grant: { id: GrantId }
  delete_grant: { id: GrantId }
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
    /** Read the account, the token and the workspace behind a request. */
    get(options?: RequestOptions): Call<Answers['get_account']>
  }
  readonly limits: {
    /** List the account's limits and what is used of them. */
    list(options?: RequestOptions): ListCall<Answers['list_limits']['data'][number]>
    /** Read one limit. */
    get(name: string, options?: RequestOptions): Call<Answers['get_limit']>
    /**
     * Set the credit limit of an account: how far below zero its credit may fall.
     *
     * With `BOURSE_DUAL_CONTROL_DOLLARS`, a limit above that is refused with `second_operator_required`, unless it lowers the present one: request it with `create_pending_credit` and the type `credit_limit`.
     */
    putCredit(account: string, body: Bodies['put_credit_limit'], options?: RequestOptions): Call<Answers['put_credit_limit']>
  }
  readonly workspaces: {
    /** Create a workspace, with its default firewall. */
    create(body?: Bodies['create_workspace'], options?: RequestOptions): Call<Answers['create_workspace']>
    /** List workspaces, newest first. */
    list(query?: Queries['list_workspaces'], options?: RequestOptions): ListCall<Answers['list_workspaces']['data'][number]>
    /** Read one workspace. */
    get(id: WorkspaceRef, options?: RequestOptions): Call<Answers['get_workspace']>
    /** Rename a workspace, which moves the paths of everything inside. */
    update(id: WorkspaceRef, body?: Bodies['update_workspace'], options?: RequestOptions): Call<Answers['update_workspace']>
    /**
     * Delete an empty workspace that is not the last one.
     *
     * Takes the grants in it and ends the sessions whose home it is, so the caller needs what these grants give, and every right of these users.
     */
    delete(id: WorkspaceRef, options?: RequestOptions): Call<Answers['delete_workspace']>
  }
  readonly users: {
    /** Add a user to the account. Rights come by grants. */
    create(body: Bodies['create_user'], options?: RequestOptions): Call<Answers['create_user']>
    /** List users, newest first. */
    list(query?: Queries['list_users'], options?: RequestOptions): ListCall<Answers['list_users']['data'][number]>
    /** Read one user. A user may always read itself. */
    get(id: UserRef, options?: RequestOptions): Call<Answers['get_user']>
    /** Change a user's names. Needs every right that the user has. */
    update(id: UserRef, body?: Bodies['update_user'], options?: RequestOptions): Call<Answers['update_user']>
    /** Remove a user with its grants, sessions and sign-in links. Needs every right that the user has. */
    delete(id: UserRef, options?: RequestOptions): Call<Answers['delete_user']>
    /**
     * Make a link that signs a user in, once, within 15 minutes. Needs every right that the user has.
     *
     * Opening the link shows a page with one button, which opens a session of 12 hours in the browser. At most five links of a user are open: a further one ends the oldest. A link ends when its user gets a further role.
     */
    createSignInLink(id: UserRef, options?: RequestOptions): Call<Answers['create_user_sign_in_link']>
    /**
     * End all sessions and sign-in links of a user. A user may always end its own.
     *
     * For another user this needs every right that the user has. With `cascade` it also ends what descends from the sessions, as `delete_token` does for one of them, by the same rules: it needs the permissions of all tokens that end, besides the sessions of the user.
     */
    endSessions(id: UserRef, query?: Queries['end_user_sessions'], options?: RequestOptions): Call<Answers['end_user_sessions']>
  }
  readonly userIdentities: {
    /** List by which identities at providers a user comes in. A user may always list its own. */
    list(id: UserRef, options?: RequestOptions): ListCall<Answers['list_user_identities']['data'][number]>
    /**
     * Let a user in by an identity no longer. A user may remove its own.
     *
     * Open sessions stay. Where the provider adds users, the same person comes in again, as another user. Of another user this needs every right that the user has.
     */
    delete(params: { id: UserRef; identity: IdentityId }, options?: RequestOptions): Call<Answers['delete_user_identity']>
  }
  readonly userPasskeys: {
    /** List the passkeys of a user. A user may always list its own. */
    list(id: UserRef, options?: RequestOptions): ListCall<Answers['list_user_passkeys']['data'][number]>
    /**
     * Add the passkey that a browser has made to oneself. Only a signed-in person can.
     *
     * Begin with `start_passkey_registration` in the same session. Works only on requests of pages of this server. A user has at most 10 passkeys.
     */
    create(id: UserRef, body: Bodies['create_user_passkey'], options?: RequestOptions): Call<Answers['create_user_passkey']>
    /** Rename a passkey. A user may rename its own. */
    update(params: { id: UserRef; passkey: PasskeyId }, body: Bodies['update_user_passkey'], options?: RequestOptions): Call<Answers['update_user_passkey']>
    /**
     * Remove a passkey. A user may remove its own.
     *
     * Open sessions stay. With the last passkey, the recovery codes go too. Of another user this needs every right that the user has.
     */
    delete(params: { id: UserRef; passkey: PasskeyId }, options?: RequestOptions): Call<Answers['delete_user_passkey']>
  }
  readonly recoveryCodes: {
    /**
     * Make ten new recovery codes for oneself, which end the ones before. Only a signed-in person can.
     *
     * Each signs its user in once, for example when all passkeys are lost. Needs a passkey.
     */
    create(id: UserRef, options?: RequestOptions): Call<Answers['create_recovery_codes']>
  }
  readonly roles: {
    /** List roles: the built-in ones first, then your own, newest first. */
    list(query?: Queries['list_roles'], options?: RequestOptions): ListCall<Answers['list_roles']['data'][number]>
    /** Create a role. Nobody may write rights into it that they lack. */
    create(body: Bodies['create_role'], options?: RequestOptions): Call<Answers['create_role']>
    /** Read one role. */
    get(id: RoleRef, options?: RequestOptions): Call<Answers['get_role']>
    /** Change a role of your own; existing grants follow at once. */
    update(id: RoleRef, body?: Bodies['update_role'], options?: RequestOptions): Call<Answers['update_role']>
    /** Delete a role of your own that nobody holds. */
    delete(id: RoleRef, options?: RequestOptions): Call<Answers['delete_role']>
  }
  readonly grants: {
    /**
     * Give a role to a user or token. Nobody may grant a right or a scope that they lack.
     *
     * Without `workspace` the role holds in all workspaces of the account, also future ones, and
     * for what belongs to the account itself, such as users and billing. The grants of a principal add up: none takes away
     * what another gives.
     */
    create(body: Bodies['create_grant'], options?: RequestOptions): Call<Answers['create_grant']>
    /** List grants, newest first; without the right to list them only your own. */
    list(query?: Queries['list_grants'], options?: RequestOptions): ListCall<Answers['list_grants']['data'][number]>
    /** Read one grant. Your own are always readable. */
    get(id: GrantId, options?: RequestOptions): Call<Answers['get_grant']>
    /** Take a role away. Needs every right that it gives. */
    delete(id: GrantId, options?: RequestOptions): Call<Answers['delete_grant']>
  }
  readonly permissions: {
    /** Ask whether you hold all of some rights. */
    check(body: Bodies['check_permissions'], options?: RequestOptions): Call<Answers['check_permissions']>
    /** Read the effective rights of yourself or, with `grant:read` for the whole account, of another. */
    get(query?: Queries['get_permissions'], options?: RequestOptions): Call<Answers['get_permissions']>
  }
  readonly tokens: {
    /**
     * Create an API token with roles in its workspace. Only this answer shows it.
     *
     * The token is a secret: keep it where your programs find it, not in code. Without `roles` it
     * may only read (`role_viewer`). It never has more rights than the token that makes it, and never outlives it. Without
     * `expires_at` it ends after 90 days; `null` makes one that does not end by itself. It can be limited to networks
     * and to resources; what a limited token makes is at least as limited.
     */
    create(body?: Bodies['create_token'], options?: RequestOptions): Call<Answers['create_token']>
    /**
     * List API tokens, newest first.
     *
     * With `kind=session` a person gets all of their own sessions and no others, and needs no permission. A service token gets those of all users that lie in the workspaces where it may list tokens.
     */
    list(query?: Queries['list_tokens'], options?: RequestOptions): ListCall<Answers['list_tokens']['data'][number]>
    /** Read one API token. A token may always read itself, a person their own sessions. */
    get(id: TokenId, options?: RequestOptions): Call<Answers['get_token']>
    /**
     * End an API token and its grants, or a session.
     *
     * Needs every permission that the token holds; a token may always delete itself, and a person
     * their own sessions. With `cascade` it also ends the tokens and sessions that were made with it or in it, by those, and
     * so on, also where one in between has ended before, and needs the permissions of each. Links that are not used, passkeys,
     * recovery codes and identities that come from there end too. Where it takes such ways in away, a person needs a recent
     * sign-in, and `user:write` if they are those of others.
     */
    delete(id: TokenId, query?: Queries['delete_token'], options?: RequestOptions): Call<Answers['delete_token']>
  }
  readonly deviceLogin: {
    /**
     * Ask a person to sign in this program. In the shape of RFC 8628.
     *
     * The codes are good for 10 minutes. Show the person `user_code` and `verification_uri`, and poll `/preview/v2/auth/device/token` meanwhile.
     */
    start(body?: Bodies['start_device_login'], options?: RequestOptions): Call<Answers['start_device_login']>
    /**
     * Get the session that a person has approved, once. In the shape of RFC 8628.
     *
     * Until then 400 with the code `authorization_pending`. After `slow_down`, wait five seconds longer between two polls. `access_denied` and `expired_token` are final. The session lasts 30 days, and ends when it is not used for 7.
     */
    finish(body: Bodies['finish_device_login'], options?: RequestOptions): Call<Answers['finish_device_login']>
  }
  readonly passkeyRegistration: {
    /**
     * Begin to add a passkey to oneself. Needs a sign-in of the last 15 minutes.
     *
     * For the pages of this server: the cookie that it sets counts on their requests only.
     */
    start(body?: Bodies['start_passkey_registration'], options?: RequestOptions): Call<Answers['start_passkey_registration']>
  }
  readonly passkeySignIn: {
    /**
     * Begin to sign in with a passkey. No user is named: the authenticator knows who it is for.
     *
     * For the pages of this server: the cookie that it sets counts on their requests only.
     */
    start(body?: Bodies['start_passkey_sign_in'], options?: RequestOptions): Call<Answers['start_passkey_sign_in']>
    /**
     * Sign in with a passkey. The session of 12 hours comes as a cookie.
     *
     * For the pages of this server: the cookie that it sets counts on their requests only.
     */
    finish(body: Bodies['finish_passkey_sign_in'], options?: RequestOptions): Call<Answers['finish_passkey_sign_in']>
  }
  readonly recoveryCode: {
    /**
     * Sign in with a recovery code, which is used up. The session of 12 hours comes as a cookie.
     *
     * For the pages of this server: the cookie that it sets counts on their requests only. A network may send five wrong codes a minute.
     */
    use(body: Bodies['use_recovery_code'], options?: RequestOptions): Call<Answers['use_recovery_code']>
  }
  readonly auditEntries: {
    /**
     * List who did what in the account in the last 400 days, newest first.
     *
     * An entry for each write that was done or refused for lack of rights, each read of a secret and each sign-in. What operators did in the account is shown too, with the actor `platform`.
     */
    list(query?: Queries['list_audit_entries'], options?: RequestOptions): ListCall<Answers['list_audit_entries']['data'][number]>
  }
  readonly allAuditEntries: {
    /** List the audit trails of all accounts, newest first. */
    list(query?: Queries['list_all_audit_entries'], options?: RequestOptions): ListCall<Answers['list_all_audit_entries']['data'][number]>
  }
  readonly events: {
    /**
     * List the account's events of the last 7 days, oldest first.
     *
     * Filters combine. Pass the `cursor` of a page as `starting_after` to read on. An empty page with
     * `has_more` false means that all events so far have been read: keep the cursor that you sent and poll again. A cursor
     * works only with the very filters that it was made under (else 400); one that is older than 7 days gives 410, then start
     * again without a cursor.
     *
     * `GET /preview/v2/events/stream` has the same events as they happen, and so has this path with
     * `Accept: text/event-stream`.
     *
     * Events of trades, `order.partially_filled` and `order.filled`, have the trade as `fill`: the sum over the events
     * of an order is what it has traded.
     *
     * The list of actions is open: expect ones that are not in this table.
     *
     * | Action | Target type | Meaning |
     * |---|---|---|
     * | `instance.created` | `instance` | Made; waits for allocation. |
     * | `instance.running` | `instance` | Started; SSH answers once the image has booted. |
     * | `instance.termination_imminent` | `instance` | Notice: it will end soon, by preemption or because its allocation ends. |
     * | `instance.termination_withdrawn` | `instance` | The notice no longer holds. |
     * | `instance.terminated` | `instance` | Ended: by its user, from inside, by replacement, with its deployment, by preemption or with its allocation. |
     * | `instance.failed` | `instance` | Reported unhealthy. It is not ended and still counts; work may be lost. Replace or terminate it. |
     * | `instance.connection_lost` | `instance` | No longer answers. |
     * | `host.facts_changed` | `host` | Its agent reported other hardware than before. |
     * | `host.unfit` | `host` | It no longer has the hardware of its SKU. It takes no instances, and its free nodes left their pool. |
     * | `host.fit` | `host` | It has the hardware of its SKU again. Its nodes are back. |
     * | `order.created` | `order` | Placed. |
     * | `order.partially_filled` | `order` | Traded, and is not complete; once for each trade. |
     * | `order.filled` | `order` | Filled completely, by this trade. |
     * | `order.cancelled` | `order` | Cancelled. |
     * | `image.revoked` | `image` | No new instance may start from it. |
     * | `image.reinstated` | `image` | New instances may start from it again. |
     * | `image.published` | `image` | Made public. |
     * | `image.deprecated` | `image` | Marked outdated; it still launches. |
     * | `trust_level.updated` | `account` | The account's trust level changed. |
     * | `account.balance_low` | `account` | What is available fell to the threshold of the account. Again only after it rose 10 % above it. |
     * | `instance_sku_override.updated` | `instance_sku` | The operator set or changed property overrides of a SKU for the account. |
     * | `instance_sku_override.deleted` | `instance_sku` | The operator removed the property overrides of a SKU for the account. |
     * | `webhook.failing` | `webhook` | Ten attempts to deliver failed in a row. |
     * | `webhook.recovered` | `webhook` | An attempt to deliver succeeded again. |
     * | `webhook.disabled` | `webhook` | Switched off: gone (410), or no success for five days. |
     * | `budget.threshold_reached` | `budget` | Spending, or its forecast, reached a threshold of the budget; once for each threshold and period. |
     * | `credit.requested` | `pending_credit` | An operator requested a credit or credit limit that a second one approves. Only the platform account. |
     * | `credit.approved` | `pending_credit` | A second operator approved the credit or credit limit, and it counts. Only the platform account. |
     * | `credit.refused` | `pending_credit` | An operator refused the credit or credit limit, or took back the request. Only the platform account. |
     * | `credit.expired` | `pending_credit` | Nobody approved the credit or credit limit within seven days. Only the platform account. |
     * | `audit.violated` | `audit` | The hourly check of the installation found rows that violate an invariant. Only the platform account. |
     * | `order.rejected` | `order` | Could not be processed. |
     */
    list(query?: Queries['list_events'], options?: RequestOptions): ListCall<Answers['list_events']['data'][number]>
  }
  readonly webhooks: {
    /**
     * Create a webhook. Only this answer shows its secret.
     *
     * The server sends a POST with the headers of [Standard Webhooks](https://www.standardwebhooks.com) for
     * each event that all filters match: `webhook-id` (the id of the event), `webhook-timestamp` and
     * `webhook-signature`. The body is `{"type": action, "timestamp": RFC 3339, "data": event}`. A status 2xx within 15
     * seconds is a success. Events are delivered at least once: `webhook-id` tells repeats apart.
     */
    create(body: Bodies['create_webhook'], options?: RequestOptions): Call<Answers['create_webhook']>
    /** List webhooks, newest first. */
    list(query?: Queries['list_webhooks'], options?: RequestOptions): ListCall<Answers['list_webhooks']['data'][number]>
    /** Read one webhook. */
    get(id: WebhookId, options?: RequestOptions): Call<Answers['get_webhook']>
    /**
     * Change a webhook. Enabling a disabled one goes on from the present.
     *
     * Disabling ends the pending deliveries of events. What happens while a webhook is disabled is not delivered later, unless it is replayed. A change takes effect within about a second; a message that is sent until then follows the webhook as it was.
     */
    update(id: WebhookId, body?: Bodies['update_webhook'], options?: RequestOptions): Call<Answers['update_webhook']>
    /** Delete a webhook and its deliveries. */
    delete(id: WebhookId, options?: RequestOptions): Call<Answers['delete_webhook']>
    /** Give a webhook a new secret. For 24 hours the old one signs too. */
    rotateSecret(id: WebhookId, options?: RequestOptions): Call<Answers['rotate_webhook_secret']>
    /**
     * Deliver a test, also where the webhook is disabled. Read the delivery to see what became of it.
     *
     * The body is `{"type": "webhook.test", "timestamp": RFC 3339, "data": {"object": "webhook_test"}}`.
     */
    test(id: WebhookId, options?: RequestOptions): Call<Answers['test_webhook']>
    /**
     * Deliver the events since a moment or behind a cursor again, up to the present, with the same `webhook-id`s.
     *
     * The replay runs beside the delivery of new events; the member `replay` of the webhook shows how far it is. A second one, while one is running, extends it.
     */
    replay(id: WebhookId, body?: Bodies['replay_webhook'], options?: RequestOptions): Call<Answers['replay_webhook']>
    /**
     * List deliveries that failed at the first attempt or were requested, newest first.
     *
     * Deliveries are kept for 7 days, the newest 10,000 of a webhook. What succeeded at once leaves no delivery.
     */
    listDeliveries(id: WebhookId, query?: Queries['list_webhook_deliveries'], options?: RequestOptions): ListCall<Answers['list_webhook_deliveries']['data'][number]>
    /** Read one delivery. */
    getDelivery(params: { id: WebhookId; delivery: WebhookDeliveryId }, options?: RequestOptions): Call<Answers['get_webhook_delivery']>
    /** Deliver the same again as a new delivery, with the same `webhook-id`. */
    redeliver(params: { id: WebhookId; delivery: WebhookDeliveryId }, options?: RequestOptions): Call<Answers['redeliver_webhook_delivery']>
  }
  readonly webhookKeys: {
    /** The public keys of the signatures `v1a` of webhook deliveries, newest first. */
    list(options?: RequestOptions): ListCall<Answers['list_webhook_keys']['data'][number]>
  }
  readonly balance: {
    /** Read the balance. */
    get(options?: RequestOptions): Call<Answers['get_balance']>
  }
  readonly balanceThreshold: {
    /**
     * Set the available amount at which the balance is low.
     *
     * When the available amount falls to it, `account.balance_low` is emitted: once, and again only after
     * the amount has risen 10 % above it. The available amount is without what is held for open buys.
     */
    put(body: Bodies['put_balance_threshold'], options?: RequestOptions): Call<Answers['put_balance_threshold']>
  }
  readonly transactions: {
    /** List transactions, newest first. */
    list(query?: Queries['list_transactions'], options?: RequestOptions): ListCall<Answers['list_transactions']['data'][number]>
  }
  readonly holds: {
    /** List the holds of open buy orders, newest first. */
    list(query?: Queries['list_holds'], options?: RequestOptions): ListCall<Answers['list_holds']['data'][number]>
  }
  readonly accountTransactions: {
    /** List the transactions of an account, newest first. */
    list(account: string, query?: Queries['list_account_transactions'], options?: RequestOptions): ListCall<Answers['list_account_transactions']['data'][number]>
    /**
     * Post an amount to an account. A negative amount takes money away.
     *
     * With `BOURSE_DUAL_CONTROL_DOLLARS`, a credit that takes what operators have credited to the account alone in 24 hours above that is refused with `second_operator_required`: request it with `create_pending_credit`.
     */
    create(account: string, body: Bodies['create_account_transaction'], options?: RequestOptions): Call<Answers['create_account_transaction']>
  }
  readonly pendingCredits: {
    /**
     * Request a credit to an account, or a higher credit limit, which a second operator approves.
     *
     * Nothing is posted or set until then. `create_account_transaction` refuses credits above `BOURSE_DUAL_CONTROL_DOLLARS`, and `put_credit_limit` limits; here any credit can be requested, and any limit above the present one (else `not_applicable`). Emits `credit.requested` for the platform account.
     */
    create(account: string, body: Bodies['create_pending_credit'], options?: RequestOptions): Call<Answers['create_pending_credit']>
    /** List the credits and credit limits that wait for a second operator, or did, newest first. */
    list(query?: Queries['list_pending_credits'], options?: RequestOptions): ListCall<Answers['list_pending_credits']['data'][number]>
    /** Read a credit or credit limit that waits for a second operator, or did. */
    get(id: PendingCreditId, options?: RequestOptions): Call<Answers['get_pending_credit']>
    /**
     * Approve a credit or credit limit that another operator has requested, and post or set it.
     *
     * Refused with `same_operator` for the user that requested it, in any session and by any token of theirs, and for a token that descends from the one that requested it, or from which that one descends; and with `right_too_new`, where `BOURSE_DUAL_CONTROL_DOLLARS` is set, while one of the two has had the right for less than a day. A credit limit that has changed since the request is refused with `credit_limit_changed`. Emits `credit.approved` for the platform account.
     */
    approve(id: PendingCreditId, options?: RequestOptions): Call<Answers['approve_pending_credit']>
    /**
     * Refuse a credit or credit limit that an operator has requested, or take back an own request.
     *
     * Emits `credit.refused` for the platform account.
     */
    refuse(id: PendingCreditId, options?: RequestOptions): Call<Answers['refuse_pending_credit']>
  }
  readonly usage: {
    /**
     * List usage and cost by period, oldest first.
     *
     * Periods and groups without any usage have no row. Minutes to come count with what is known of them.
     */
    list(query: Queries['list_usage'], options?: RequestOptions): ListCall<Answers['list_usage']['data'][number]>
    /**
     * Export costs and usage as FOCUS, or the ledger.
     *
     * The rows are streamed. A FOCUS export has usage of days that have ended. Cells of CSV that a spreadsheet would run as a formula begin with an apostrophe.
     */
    export(query: Queries['export_usage'], options?: RequestOptions): Call<Answers['export_usage']>
  }
  readonly statement: {
    /**
     * Read the statement of a month.
     *
     * As `text/csv` it has a line for each entry of `lines`.
     */
    get(month: string, options?: RequestOptions): Call<Answers['get_statement']>
  }
  readonly budgets: {
    /**
     * Create a budget. What was spent in the running period before counts too.
     *
     * A budget counts what an account, or one of its workspaces, spends by orders in each period.
     * At each threshold an event `budget.threshold_reached` is written. With `hard_stop` buys that would exceed it are
     * refused with `budget_exceeded`, and automations wait for the next period; instances are never ended by a budget.
     */
    create(body: Bodies['create_budget'], options?: RequestOptions): Call<Answers['create_budget']>
    /** List budgets, newest first. */
    list(query?: Queries['list_budgets'], options?: RequestOptions): ListCall<Answers['list_budgets']['data'][number]>
    /** Read one budget. */
    get(id: BudgetId, options?: RequestOptions): Call<Answers['get_budget']>
    /** Change a budget. Its workspace and its period stay. */
    update(id: BudgetId, body?: Bodies['update_budget'], options?: RequestOptions): Call<Answers['update_budget']>
    /** Delete a budget. */
    delete(id: BudgetId, options?: RequestOptions): Call<Answers['delete_budget']>
  }
  readonly skus: {
    /**
     * List the SKUs available on the market, oldest first.
     *
     * Where the operator overrode a property for the caller's account, the overridden value is shown.
     */
    list(query?: Queries['list_skus'], options?: RequestOptions): ListCall<Answers['list_skus']['data'][number]>
    /** Read one SKU, retired or not. */
    get(id: SkuId, options?: RequestOptions): Call<Answers['get_sku']>
    /** Create a SKU. */
    create(body?: Bodies['create_sku'], options?: RequestOptions): Call<Answers['create_sku']>
    /**
     * Change a SKU; `null` clears a property.
     *
     * A SKU cannot promise less than an override of an account: 409 `in_use` names those accounts.
     */
    update(id: SkuId, body?: Bodies['update_sku'], options?: RequestOptions): Call<Answers['update_sku']>
    /** Retire a SKU. Nothing new starts on it; existing allocation and instances stay. */
    retire(id: SkuId, options?: RequestOptions): Call<Answers['retire_sku']>
    /** Restore a retired SKU. */
    restore(id: SkuId, options?: RequestOptions): Call<Answers['restore_sku']>
  }
  readonly skuProperties: {
    /** List the properties of SKUs and their values. */
    list(options?: RequestOptions): ListCall<Answers['list_sku_properties']['data'][number]>
    /** Create or replace one value of an enumerated property in the catalog. */
    putValue(params: { property: string; name: string }, body: Bodies['put_sku_property_value'], options?: RequestOptions): Call<Answers['put_sku_property_value']>
  }
  readonly pools: {
    /**
     * Create a market pool, which can buy allocation and run instances.
     *
     * A pool holds what an account owns of each SKU, minute by minute. Orders add to it and take
     * from it; instances use it. Instances of one pool share its allocation, so separate pools keep teams from using what
     * others bought.
     */
    create(body?: Bodies['create_pool'], options?: RequestOptions): Call<Answers['create_pool']>
    /** List pools, newest first. */
    list(query?: Queries['list_pools'], options?: RequestOptions): ListCall<Answers['list_pools']['data'][number]>
    /** Read one pool. */
    get(id: PoolRef, query?: Queries['get_pool'], options?: RequestOptions): Call<Answers['get_pool']>
    /** Rename a market pool or replace its tags. */
    update(id: PoolRef, body?: Bodies['update_pool'], options?: RequestOptions): Call<Answers['update_pool']>
    /** Delete a pool that has no open orders, future allocation, live instances or automations. */
    delete(id: PoolRef, options?: RequestOptions): Call<Answers['delete_pool']>
    /**
     * Grant allocation to an account as a read-only pool.
     *
     * Moves the allocation out of `from_pool`, an originating pool. This is the only way to grant allocation.
     */
    createReadOnly(body: Bodies['create_read_only_pool'], options?: RequestOptions): Call<Answers['create_read_only_pool']>
  }
  readonly market: {
    /**
     * Halt the whole market or one SKU: no orders, transfers or matching. Orders can still be cancelled.
     *
     * Resting orders stay on the book, and expire as usual. New orders and transfers get 503 with
     * the message, also those of procurements and spot deployments. Instances run on, and what was bought stays bought. When
     * the market resumes, resting orders that can be filled by then are filled.
     */
    halt(body?: Bodies['halt_market'], options?: RequestOptions): Call<Answers['halt_market']>
    /** Resume the whole market or one SKU. */
    resume(body?: Bodies['resume_market'], options?: RequestOptions): Call<Answers['resume_market']>
  }
  readonly maintenanceWindows: {
    /** Create a maintenance window, which order estimates show as a notice. */
    create(body: Bodies['create_maintenance_window'], options?: RequestOptions): Call<Answers['create_maintenance_window']>
    /** List maintenance windows, newest first. */
    list(query?: Queries['list_maintenance_windows'], options?: RequestOptions): ListCall<Answers['list_maintenance_windows']['data'][number]>
    /** Delete a maintenance window. */
    delete(id: MaintenanceWindowId, options?: RequestOptions): Call<Answers['delete_maintenance_window']>
  }
  readonly poolTransfers: {
    /**
     * Move allocation between two pools of the account.
     *
     * The transfer is executed before the response, completely or not at all. It moves free
     * nodes: where less is free in some minute of the window, it is refused with `insufficient_allocation`. It costs
     * nothing. Instances that run in `from_pool` and no longer fit get notice.
     */
    create(body: Bodies['create_pool_transfer'], options?: RequestOptions): Call<Answers['create_pool_transfer']>
    /** List transfers, newest first. */
    list(query?: Queries['list_pool_transfers'], options?: RequestOptions): ListCall<Answers['list_pool_transfers']['data'][number]>
    /** Read one transfer. */
    get(id: PoolTransferId, options?: RequestOptions): Call<Answers['get_pool_transfer']>
  }
  readonly orders: {
    /**
     * Place an order to buy or sell node-hours. The answer is the order after matching.
     *
     * A buy takes the cheapest resting offers of the SKU that cover its window, up to its limit
     * price; a sell takes the best bids. The price of a trade is that of the older order. A buy sets money aside: its limit
     * price times its node-hours.
     *
     * What does not trade at once follows two switches. `allow_partial` lets an order trade less than all of its nodes;
     * without it an order trades completely or not at all. `allow_standing` leaves the rest on the book, until it is
     * filled, cancelled or its window has passed; without it the rest is cancelled with `cancel_reason` `unfilled`.
     *
     * Send `create_order_estimate` before, to see what it would cost: its `post_order_body` is a body for this
     * operation.
     */
    create(body: Bodies['create_order'], options?: RequestOptions): Call<Answers['create_order']>
    /**
     * List orders.
     *
     * Lists orders of procurements and spot deployments only with `procurement`, `deployment` or `include_managed`.
     */
    list(query?: Queries['list_orders'], options?: RequestOptions): ListCall<Answers['list_orders']['data'][number]>
    /** Read one order. */
    get(id: OrderId, options?: RequestOptions): Call<Answers['get_order']>
    /** Cancel an order. Earlier fills stand. */
    cancel(id: OrderId, options?: RequestOptions): Call<Answers['cancel_order']>
    /** Explain why an order is not filled, or what ended it. */
    explain(id: OrderId, options?: RequestOptions): Call<Answers['explain_order']>
    /**
     * Estimate an order on the best single SKU that can fill all of it. Reserves nothing.
     *
     * The answer has `type` `quoted` with the price of what would trade at once, or
     * `unavailable` with the reason. A quote is not a promise: other orders may come first.
     *
     * Without a limit price it is that of any price, and the worst price of the trade is the limit in `post_order_body`.
     * With `allow_partial` an order that can be filled in part has a quote, with `allow_standing` also one that only
     * rests.
     *
     * Without `sku` every SKU that fits `requirements` is looked at, and the cheapest to buy or the dearest to sell is
     * chosen.
     */
    createEstimate(body: Bodies['create_order_estimate'], options?: RequestOptions): Call<Answers['create_order_estimate']>
  }
  readonly orderFills: {
    /** List the fills of an order, newest first. */
    list(id: OrderId, query?: Queries['list_order_fills'], options?: RequestOptions): ListCall<Answers['list_order_fills']['data'][number]>
  }
  readonly orderbookStatus: {
    /**
     * Read whether the market, or a SKU of it, is halted.
     *
     * While it is halted, new orders and transfers get 503 with the message, and nothing is matched. Orders can be cancelled, and instances run on. No event tells of a halt: read this again.
     */
    get(query?: Queries['get_orderbook_status'], options?: RequestOptions): Call<Answers['get_orderbook_status']>
  }
  readonly orderbookWindows: {
    /** List the delivery windows that hold resting orders. */
    list(query: Queries['list_orderbook_windows'], options?: RequestOptions): ListCall<Answers['list_orderbook_windows']['data'][number]>
  }
  readonly orderbookQuote: {
    /** Read the best bid and the best ask for a window. */
    get(query: Queries['get_orderbook_quote'], options?: RequestOptions): Call<Answers['get_orderbook_quote']>
  }
  readonly orderbookDepth: {
    /** Read the price levels of both sides of a window. */
    get(query: Queries['get_orderbook_depth'], options?: RequestOptions): Call<Answers['get_orderbook_depth']>
  }
  readonly orderbookFills: {
    /** List trades that overlap a window, newest first. */
    list(query: Queries['list_orderbook_fills'], options?: RequestOptions): ListCall<Answers['list_orderbook_fills']['data'][number]>
  }
  readonly priceHistory: {
    /** List trades by bucket of fill time, oldest first. */
    list(query?: Queries['list_price_history'], options?: RequestOptions): ListCall<Answers['list_price_history']['data'][number]>
  }
  readonly orderbookCurve: {
    /**
     * Read what nodes cost in windows of one length that start one after the other.
     *
     * Each point is what `create_order_estimate` says of a buy without a limit for its window, as the order
     * book stands. A window that has begun, or that cannot have all nodes, has no price. At most 336 windows, which start
     * within 366 days and are together at most 483,840 minutes long.
     */
    get(query: Queries['get_orderbook_curve'], options?: RequestOptions): Call<Answers['get_orderbook_curve']>
  }
  readonly orderbookHeatmap: {
    /**
     * Read the best offer, the offered nodes and the last price of several SKUs over time.
     *
     * A row for each SKU, by id, with a cell for each window of `step_minutes`. The cell of the current time
     * is about the rest of its window; a cell that has passed has no offers. At most 336 cells of 16 SKUs.
     */
    get(query?: Queries['get_orderbook_heatmap'], options?: RequestOptions): Call<Answers['get_orderbook_heatmap']>
  }
  readonly skuAvailability: {
    /** List the nodes of each SKU that are offered over time. */
    list(query?: Queries['list_sku_availability'], options?: RequestOptions): ListCall<Answers['list_sku_availability']['data'][number]>
    /** Read the nodes of one SKU that are offered over time. */
    get(id: SkuId, query?: Queries['get_sku_availability'], options?: RequestOptions): Call<Answers['get_sku_availability']>
  }
  readonly images: {
    /**
     * Create an image to be uploaded in parts.
     *
     * Request a URL for each part (`POST /v2/images/{id}/parts`), PUT its bytes there, then complete the image. The image fails when no part URL is requested for 24 hours.
     */
    create(body?: Bodies['create_image'], options?: RequestOptions): Call<Answers['create_image']>
    /**
     * Complete an image from the parts that have been uploaded.
     *
     * Part numbers must run from 1 without gaps, and the parts have at most 128 GiB. They must be qcow2 without a backing or data file, or a raw disk with a partition table or a known file system; otherwise the call is refused, and the image stays as it is. The server then computes the digest of what it received. A small image is `completed` or `failed` in the response; a larger one is `verifying` and becomes so later. Repeating the call with the same digest returns 200.
     */
    complete(id: ImageRef, body: Bodies['complete_image'], options?: RequestOptions): Call<Answers['complete_image']>
    /**
     * Get a signed URL for the download of a completed image. Every account can download public images.
     *
     * GET the URL without a token. Range requests are supported.
     */
    getDownload(id: ImageRef, options?: RequestOptions): Call<Answers['get_image_download']>
    /**
     * List images, newest first.
     *
     * Without `workspace` this lists your own images. For public images give `workspace=svc:workspace:<platform account>:public`.
     */
    list(query?: Queries['list_images'], options?: RequestOptions): ListCall<Answers['list_images']['data'][number]>
    /** Read one image. Every account can read public images. */
    get(id: ImageRef, options?: RequestOptions): Call<Answers['get_image']>
    /**
     * Revoke an image: no new instance starts from it. Running instances are not affected.
     *
     * Emits `image.revoked`.
     */
    revoke(id: ImageRef, options?: RequestOptions): Call<Answers['revoke_image']>
    /**
     * Reinstate a revoked image: new instances can start from it again.
     *
     * Emits `image.reinstated`.
     */
    reinstate(id: ImageRef, options?: RequestOptions): Call<Answers['reinstate_image']>
    /**
     * Mark an image as outdated. Instances can still start from it. The mark cannot be removed.
     *
     * Emits `image.deprecated`. A repeated call only changes the message.
     */
    deprecate(id: ImageRef, body?: Bodies['deprecate_image'], options?: RequestOptions): Call<Answers['deprecate_image']>
    /** Delete an image that no template and no living instance uses. */
    delete(id: ImageRef, options?: RequestOptions): Call<Answers['delete_image']>
    /**
     * Publish a completed image of the workspace `public`: every account can use it.
     *
     * Emits `image.published`. Only the platform operator can change a public image.
     */
    publishPublic(id: ImageRef, options?: RequestOptions): Call<Answers['publish_public_image']>
    /**
     * Revoke a public image: no new instance starts from it.
     *
     * Emits `image.revoked` for the platform account and each account with a template or a living instance of it.
     */
    revokePublic(id: ImageRef, options?: RequestOptions): Call<Answers['revoke_public_image']>
    /**
     * Reinstate a revoked public image: new instances can start from it again.
     *
     * Emits `image.reinstated` for the platform account and each account with a template or a living instance of it.
     */
    reinstatePublic(id: ImageRef, options?: RequestOptions): Call<Answers['reinstate_public_image']>
    /**
     * Mark a public image as outdated.
     *
     * Emits `image.deprecated` for the platform account and each account with a template or a living instance of it.
     */
    deprecatePublic(id: ImageRef, body?: Bodies['deprecate_public_image'], options?: RequestOptions): Call<Answers['deprecate_public_image']>
    /** Add an image that is completed without an upload. */
    createReady(body: Bodies['create_ready_image'], options?: RequestOptions): Call<Answers['create_ready_image']>
  }
  readonly imageParts: {
    /**
     * Get a signed URL for the upload of one part.
     *
     * PUT the raw bytes of the part there within one hour, with `Content-Length` and without a token. The response is 200 with the `ETag` of the part. A `Content-MD5` header is checked. Uploading a part again replaces it. Every part except the last has at least 5 MiB; no part has more than 5 GiB.
     */
    create(id: ImageRef, body: Bodies['create_image_part'], options?: RequestOptions): Call<Answers['create_image_part']>
    /**
     * List the parts of an image that have been uploaded, by number.
     *
     * Shows which parts are missing when an upload is resumed.
     */
    list(id: ImageRef, options?: RequestOptions): ListCall<Answers['list_image_parts']['data'][number]>
  }
  readonly firewalls: {
    /** Create a firewall. */
    create(body?: Bodies['create_firewall'], options?: RequestOptions): Call<Answers['create_firewall']>
    /** List firewalls, newest first. */
    list(query?: Queries['list_firewalls'], options?: RequestOptions): ListCall<Answers['list_firewalls']['data'][number]>
    /** Read one firewall. */
    get(id: FirewallRef, options?: RequestOptions): Call<Answers['get_firewall']>
    /** Rename a firewall or replace its tags. */
    update(id: FirewallRef, body?: Bodies['update_firewall'], options?: RequestOptions): Call<Answers['update_firewall']>
    /** Replace the whole list of rules; attached instances follow at once. */
    replaceRules(id: FirewallRef, body: Bodies['replace_firewall_rules'], options?: RequestOptions): Call<Answers['replace_firewall_rules']>
    /** Delete a firewall that is not in use. */
    delete(id: FirewallRef, options?: RequestOptions): Call<Answers['delete_firewall']>
  }
  readonly subnets: {
    /** Create a subnet. */
    create(body: Bodies['create_subnet'], options?: RequestOptions): Call<Answers['create_subnet']>
    /** List subnets, newest first. */
    list(query?: Queries['list_subnets'], options?: RequestOptions): ListCall<Answers['list_subnets']['data'][number]>
    /** Read one subnet. */
    get(id: SubnetRef, options?: RequestOptions): Call<Answers['get_subnet']>
    /** Rename a subnet or replace its tags. */
    update(id: SubnetRef, body?: Bodies['update_subnet'], options?: RequestOptions): Call<Answers['update_subnet']>
    /** Delete a subnet that neither a template nor a living instance refers to. */
    delete(id: SubnetRef, options?: RequestOptions): Call<Answers['delete_subnet']>
  }
  readonly infinibandPartitions: {
    /** Create an InfiniBand partition. */
    create(body: Bodies['create_infiniband_partition'], options?: RequestOptions): Call<Answers['create_infiniband_partition']>
    /** List InfiniBand partitions, newest first. */
    list(query?: Queries['list_infiniband_partitions'], options?: RequestOptions): ListCall<Answers['list_infiniband_partitions']['data'][number]>
    /** Read one InfiniBand partition. */
    get(id: InfinibandPartitionRef, options?: RequestOptions): Call<Answers['get_infiniband_partition']>
    /** Rename an InfiniBand partition or replace its tags. */
    update(id: InfinibandPartitionRef, body?: Bodies['update_infiniband_partition'], options?: RequestOptions): Call<Answers['update_infiniband_partition']>
    /** Delete an InfiniBand partition that neither a template nor a living instance refers to. */
    delete(id: InfinibandPartitionRef, options?: RequestOptions): Call<Answers['delete_infiniband_partition']>
  }
  readonly instanceTemplates: {
    /** Create an instance template. */
    create(body: Bodies['create_instance_template'], options?: RequestOptions): Call<Answers['create_instance_template']>
    /** List instance templates, newest first. */
    list(query?: Queries['list_instance_templates'], options?: RequestOptions): ListCall<Answers['list_instance_templates']['data'][number]>
    /** Read one instance template. */
    get(id: InstanceTemplateRef, options?: RequestOptions): Call<Answers['get_instance_template']>
    /** Read the cloud-init user data of a template. 404 if it has none. */
    getCloudInit(id: InstanceTemplateRef, options?: RequestOptions): Call<Answers['get_instance_template_cloud_init']>
    /** Delete an instance template that no deployment uses. */
    delete(id: InstanceTemplateRef, options?: RequestOptions): Call<Answers['delete_instance_template']>
  }
  readonly instances: {
    /**
     * Create an instance. It waits until its pool has allocation for it.
     *
     * The instance is `awaiting_allocation` at first. It starts as soon as its pool owns a
     * node of the SKU in the current minute that no instance of higher rank uses, and a host has a free slot. It runs as
     * long as that holds; before its allocation ends it gets notice (`instance.termination_imminent`).
     *
     * An instance that waits costs nothing beyond what its pool has bought. `explain_instance` says what it waits for.
     */
    create(body: Bodies['create_instance'], options?: RequestOptions): Call<Answers['create_instance']>
    /** List instances, newest first. */
    list(query?: Queries['list_instances'], options?: RequestOptions): ListCall<Answers['list_instances']['data'][number]>
    /**
     * Set the priority of up to 100 instances of one workspace, all or none.
     *
     * If entries repeat an instance, the last entry counts. The response contains each instance once.
     */
    updatePriorities(body: Bodies['update_instance_priorities'], options?: RequestOptions): Call<Answers['update_instance_priorities']>
    /** Read one instance. */
    get(id: InstanceRef, options?: RequestOptions): Call<Answers['get_instance']>
    /** Rename an instance, replace its tags, change its priority or its firewall. */
    update(id: InstanceRef, body?: Bodies['update_instance'], options?: RequestOptions): Call<Answers['update_instance']>
    /**
     * Terminate an instance. Its name stays taken until its record is removed.
     *
     * The instance is terminated when the call returns. Its host stops the machine and
     * erases its disk within about 20 seconds, and frees the slot then. The allocation stays in the pool, for another
     * instance. The record can be read for seven days, and its name is free again when it is deleted or these days have
     * passed.
     */
    terminate(id: InstanceRef, options?: RequestOptions): Call<Answers['terminate_instance']>
    /**
     * Terminate an instance and create its successor from an image, in one step.
     *
     * The successor takes over workspace, pool, SKU, subnet, public IPv4, firewall, InfiniBand partition,
     * tags, priority and `managed_by`. Its image and its cloud-init user data are those of the request. An instance has at
     * most one successor.
     *
     * Public images contain neither a password nor an SSH key: without cloud-init user data nobody can log in to a machine
     * that starts from one. A custom image must contain the key already.
     *
     * Emits `instance.terminated` for the old one, then `instance.created` for the new one.
     */
    replace(id: InstanceRef, body: Bodies['replace_instance'], options?: RequestOptions): Call<Answers['replace_instance']>
    /** Remove the record of a terminated instance. This frees its name. */
    delete(id: InstanceRef, options?: RequestOptions): Call<Answers['delete_instance']>
    /**
     * Read the cloud-init user data of an instance. 404 if it has none or the data was erased.
     *
     * Also at `/instances/{id}/cloud_init_user_data`, with the same answers.
     */
    getCloudInit(id: InstanceRef, options?: RequestOptions): Call<Answers['get_instance_cloud_init']>
    /**
     * Read the console output of an instance: the newest 16 MiB, until 7 days after its end.
     *
     * An instance that for long writes more than 16 KiB a second loses output: a line `[n bytes dropped]` stands in its place. `GET /v2/instances/{id}/logs/stream` has the chunks as they are written, and so has this path with `Accept: text/event-stream`.
     */
    listLogs(id: InstanceRef, query?: Queries['list_instance_logs'], options?: RequestOptions): ListCall<Answers['list_instance_logs']['data'][number]>
    /** Read the SSH endpoint of an instance. 404 until its host keys are known, and after its end. */
    getSsh(id: InstanceRef, options?: RequestOptions): Call<Answers['get_instance_ssh']>
    /**
     * Read what an instance runs on, signed by its host and by the server.
     *
     * The agent of the host signs what the machine of the instance has: processors, memory,
     * devices, firmware and kernel. The server verifies that the signature is that of the host on which the instance runs, and
     * signs the result. Anybody can verify it without the server: the SDK has `verifyAttestation`.
     *
     * It proves that the operator of the host states this about this instance at this time, and cannot deny it later. It does
     * not prove that the statement is true: no TPM or other hardware signs it, and whoever controls the host controls its key.
     *
     * 409 `not_attested`: the instance has no machine, or its host has not stated anything in the last two hours.
     */
    getAttestation(id: InstanceRef, options?: RequestOptions): Call<Answers['get_instance_attestation']>
    /** Explain why an instance waits, is still booting, will end or has ended. */
    explain(id: InstanceRef, options?: RequestOptions): Call<Answers['explain_instance']>
  }
  readonly hosts: {
    /** List hosts, newest first. */
    list(query?: Queries['list_hosts'], options?: RequestOptions): ListCall<Answers['list_hosts']['data'][number]>
    /** Read one host. */
    get(id: HostRef, options?: RequestOptions): Call<Answers['get_host']>
    /** Rename a host. */
    update(id: HostRef, body?: Bodies['update_host'], options?: RequestOptions): Call<Answers['update_host']>
    /** Place no new instances on a host. Its instances keep running, and its supply continues. */
    cordon(id: HostRef, options?: RequestOptions): Call<Answers['cordon_host']>
    /** Place instances on a host again. Cancels a drain: its supply returns from the next minute on. */
    uncordon(id: HostRef, options?: RequestOptions): Call<Answers['uncordon_host']>
    /**
     * Empty a host by a deadline: it accepts no new instances, and its supply and its instances end then, with notice.
     *
     * From now on no instance is placed on the host. Its nodes leave their pool at the deadline, and
     * instances that still run there get notice for it. Only free nodes can leave: where nodes after the deadline are sold
     * and no other host of the pool has free ones, the call is refused with `supply_sold`. With `force` the drain takes
     * what is free and leaves the rest sold.
     */
    drain(id: HostRef, body: Bodies['drain_host'], options?: RequestOptions): Call<Answers['drain_host']>
    /** Remove a drained host for good. Its record stays; its key is no longer accepted. */
    retire(id: HostRef, options?: RequestOptions): Call<Answers['retire_host']>
    /** Add simulated hosts, ready at once; they feed the supply pool of their account. */
    createSimulated(body: Bodies['create_simulated_hosts'], options?: RequestOptions): Call<Answers['create_simulated_hosts']>
  }
  readonly hostEnrolments: {
    /**
     * Create a permit to enrol hosts of a SKU. Only this response contains the secret and the command.
     *
     * Until the permit ends, all of its uses count against the limit `hosts`; after that, the hosts that enrolled.
     */
    create(body: Bodies['create_host_enrolment'], options?: RequestOptions): Call<Answers['create_host_enrolment']>
    /** List permits to enrol hosts that have not ended, newest first. */
    list(query?: Queries['list_host_enrolments'], options?: RequestOptions): ListCall<Answers['list_host_enrolments']['data'][number]>
    /** Read a permit to enrol hosts that has not ended, to see how many hosts have enrolled. */
    get(id: HostEnrolmentId, options?: RequestOptions): Call<Answers['get_host_enrolment']>
    /** End a permit to enrol hosts. Hosts that enrolled with it stay. */
    delete(id: HostEnrolmentId, options?: RequestOptions): Call<Answers['delete_host_enrolment']>
  }
  readonly deployments: {
    /**
     * Create a deployment, which starts and keeps a number of instances.
     *
     * A spot deployment also buys what they run on, an hour ahead, up to a maximum price. It has its pool and SKU to itself.
     */
    create(body: Bodies['create_deployment'], options?: RequestOptions): Call<Answers['create_deployment']>
    /** List deployments, newest first. */
    list(query?: Queries['list_deployments'], options?: RequestOptions): ListCall<Answers['list_deployments']['data'][number]>
    /** Read one deployment. */
    get(id: DeploymentRef, options?: RequestOptions): Call<Answers['get_deployment']>
    /**
     * Change a deployment; another template touches only instances created from then on.
     *
     * Disabling a spot deployment cancels its open orders; at another maximum price they are placed anew.
     */
    update(id: DeploymentRef, body?: Bodies['update_deployment'], options?: RequestOptions): Call<Answers['update_deployment']>
    /**
     * Delete a deployment or spot deployment; its instances are terminated with it.
     *
     * Never refused because of living instances, and never rate limited. Open orders of a spot deployment are cancelled with it; bought capacity stays in the pool.
     */
    delete(id: DeploymentRef, options?: RequestOptions): Call<Answers['delete_deployment']>
    /**
     * Estimate what a new deployment would buy in its first hour, and the most that it can cost.
     *
     * Takes the body of the creation. A generic deployment never buys. Changes and reserves nothing. Prices and balances are those of now; the next step may find others.
     */
    createEstimate(body: Bodies['create_deployment_estimate'], options?: RequestOptions): Call<Answers['create_deployment_estimate']>
    /**
     * Estimate what a deployment would buy after a change, and the most that it can cost.
     *
     * Takes the body of the change. Changes and reserves nothing. Prices and balances are those of now; the next step may find others.
     */
    createUpdateEstimate(id: DeploymentRef, body?: Bodies['create_deployment_update_estimate'], options?: RequestOptions): Call<Answers['create_deployment_update_estimate']>
  }
  readonly procurements: {
    /**
     * Create a procurement, which buys what its pool is short of and sells what it has too much of.
     *
     * One procurement or spot deployment for each pool and SKU. Its orders stand and may be filled in part.
     */
    create(body: Bodies['create_procurement'], options?: RequestOptions): Call<Answers['create_procurement']>
    /** List procurements, newest first. */
    list(query?: Queries['list_procurements'], options?: RequestOptions): ListCall<Answers['list_procurements']['data'][number]>
    /** Read one procurement. */
    get(id: ProcurementRef, options?: RequestOptions): Call<Answers['get_procurement']>
    /**
     * Change a procurement.
     *
     * Open orders at a price, on a SKU or of a procurement that no longer holds are cancelled with the change.
     */
    update(id: ProcurementRef, body?: Bodies['update_procurement'], options?: RequestOptions): Call<Answers['update_procurement']>
    /** Delete a procurement and cancel its open orders. What it bought stays in the pool. */
    delete(id: ProcurementRef, options?: RequestOptions): Call<Answers['delete_procurement']>
    /**
     * Estimate what a new procurement would buy and sell, and the most that it can cost.
     *
     * Takes the body of the creation. Changes and reserves nothing. Prices and balances are those of now; the next step may find others.
     */
    createEstimate(body: Bodies['create_procurement_estimate'], options?: RequestOptions): Call<Answers['create_procurement_estimate']>
    /**
     * Estimate what a procurement would buy and sell after a change, and the most that it can cost.
     *
     * Takes the body of the change. Changes and reserves nothing. Prices and balances are those of now; the next step may find others.
     */
    createUpdateEstimate(id: ProcurementRef, body?: Bodies['create_procurement_update_estimate'], options?: RequestOptions): Call<Answers['create_procurement_update_estimate']>
  }
  readonly accounts: {
    /** Create an account with workspace, firewall and first API token. */
    create(body: Bodies['create_account'], options?: RequestOptions): Call<Answers['create_account']>
    /** List accounts, newest first. */
    list(query?: Queries['list_accounts'], options?: RequestOptions): ListCall<Answers['list_accounts']['data'][number]>
    /** Read one account. */
    get(account: string, options?: RequestOptions): Call<Answers['get_administered_account']>
    /** Change the name of an account or how long its tokens may live, or set what it is once. */
    update(account: string, body?: Bodies['update_account'], options?: RequestOptions): Call<Answers['update_account']>
    /** Let an account only read and sign out; its instances run on. */
    freeze(account: string, query?: Queries['freeze_account'], options?: RequestOptions): Call<Answers['freeze_account']>
    /** Let a frozen account write again. */
    unfreeze(account: string, options?: RequestOptions): Call<Answers['unfreeze_account']>
    /**
     * Set how far an account is trusted, and with it its limits.
     *
     * Emits `trust_level.updated` in that account when it changed.
     */
    setTrustLevel(account: string, body: Bodies['set_trust_level'], options?: RequestOptions): Call<Answers['set_trust_level']>
    /** Add a user to an account, with a role for the whole account. */
    createUser(account: string, body: Bodies['create_account_user'], options?: RequestOptions): Call<Answers['create_account_user']>
    /**
     * Make a link that signs in a user of an account, where nobody of the account can.
     *
     * For an account that has no admin left who can come in, and for the first person of a new one. Refused while the account has another way in: then its own admins make the link.
     */
    createSignInLink(account: string, body: Bodies['create_account_sign_in_link'], options?: RequestOptions): Call<Answers['create_account_sign_in_link']>
  }
  readonly accountLimits: {
    /** List the limits of an account. */
    list(account: string, options?: RequestOptions): ListCall<Answers['list_account_limits']['data'][number]>
    /** Override a limit of an account. */
    put(params: { account: string; name: string }, body: Bodies['put_account_limit'], options?: RequestOptions): Call<Answers['put_account_limit']>
    /** Let the limit of the trust level hold again. */
    delete(params: { account: string; name: string }, options?: RequestOptions): Call<Answers['delete_account_limit']>
  }
  readonly revenue: {
    /**
     * List fees, volume and node-minutes by month and SKU.
     *
     * Months and SKUs without fills are left out.
     */
    list(query: Queries['list_revenue'], options?: RequestOptions): ListCall<Answers['list_revenue']['data'][number]>
  }
  readonly ledger: {
    /**
     * Export what moved between all accounts and the operator.
     *
     * The rows are streamed: trades by SKU and time, then postings. The amounts of each trade and of each posting add up to zero.
     */
    export(query: Queries['export_ledger'], options?: RequestOptions): Call<Answers['export_ledger']>
  }
  readonly platformUsage: {
    /**
     * List what accounts used and paid in a window, by account and SKU.
     *
     * The newest account first. Accounts without usage have no row, so a page may have fewer rows than its limit, or none, while more follow. A page costs about as much as the usage lists of its accounts.
     */
    list(query: Queries['list_platform_usage'], options?: RequestOptions): ListCall<Answers['list_platform_usage']['data'][number]>
  }
  readonly platformOrders: {
    /**
     * List the orders of all accounts.
     *
     * The filters are those of the list of an account, and `account`.
     */
    list(query?: Queries['list_platform_orders'], options?: RequestOptions): ListCall<Answers['list_platform_orders']['data'][number]>
  }
  readonly platformPools: {
    /**
     * List the pools of all accounts, newest first.
     *
     * The filters are those of the list of an account, and `account`.
     */
    list(query?: Queries['list_platform_pools'], options?: RequestOptions): ListCall<Answers['list_platform_pools']['data'][number]>
  }
  readonly platformSkus: {
    /**
     * List all SKUs with their fees, unlisted ones too, oldest first.
     *
     * With `account`, only those that this account sees. Properties are those without overrides.
     */
    list(query?: Queries['list_platform_skus'], options?: RequestOptions): ListCall<Answers['list_platform_skus']['data'][number]>
  }
  readonly platformInstances: {
    /**
     * List the instances of all accounts, newest first.
     *
     * The filters are those of the list of an account, and `account`.
     */
    list(query?: Queries['list_platform_instances'], options?: RequestOptions): ListCall<Answers['list_platform_instances']['data'][number]>
  }
  readonly skuOverrides: {
    /** List the SKUs whose properties are overridden for an account. */
    list(account: string, options?: RequestOptions): ListCall<Answers['list_sku_overrides']['data'][number]>
    /**
     * Override properties of a SKU for an account. Replaces an earlier override.
     *
     * Emits `instance_sku_override.updated` in that account if anything changed.
     */
    put(params: { account: string; sku: SkuId }, body?: Bodies['put_sku_override'], options?: RequestOptions): Call<Answers['put_sku_override']>
    /**
     * Remove the override of a SKU for an account.
     *
     * Emits `instance_sku_override.deleted` in that account.
     */
    delete(params: { account: string; sku: SkuId }, options?: RequestOptions): Call<Answers['delete_sku_override']>
  }
  readonly clock: {
    /** Read the clock. */
    get(options?: RequestOptions): Call<Answers['get_clock']>
    /** Stop the clock. */
    freeze(options?: RequestOptions): Call<Answers['freeze_clock']>
    /** Let the clock go on from the time that it shows. */
    resume(options?: RequestOptions): Call<Answers['resume_clock']>
    /** Move the clock ahead; everything due on the way happens in order, at its own time. */
    advance(body?: Bodies['advance_clock'], options?: RequestOptions): Call<Answers['advance_clock']>
    /** Set how fast the clock runs at most. */
    setRate(body: Bodies['set_clock_rate'], options?: RequestOptions): Call<Answers['set_clock_rate']>
  }
  readonly sandbox: {
    /** Wait until nothing is due and every machine has reported. */
    settle(body?: Bodies['settle'], options?: RequestOptions): Call<Answers['settle']>
    /** Wipe everything, set the clock to real time and load a world. Older event cursors give 410. */
    reset(body?: Bodies['reset_sandbox'], options?: RequestOptions): Call<Answers['reset_sandbox']>
  }
  readonly scenarios: {
    /** List the worlds that can be loaded. */
    list(options?: RequestOptions): ListCall<Answers['list_scenarios']['data'][number]>
    /** Wipe everything and load a world. Printed tokens stay valid. */
    load(name: string, body?: Bodies['load_scenario'], options?: RequestOptions): Call<Answers['load_scenario']>
  }
  readonly marketMakers: {
    /** Let simulated accounts with hosts of their own buy and sell a SKU. */
    create(body: Bodies['create_market_maker'], options?: RequestOptions): Call<Answers['create_market_maker']>
    /** List the SKUs that simulated accounts buy and sell. */
    list(options?: RequestOptions): ListCall<Answers['list_market_makers']['data'][number]>
    /** Switch a market maker off or on, or move its price. */
    update(sku: SkuId, body?: Bodies['update_market_maker'], options?: RequestOptions): Call<Answers['update_market_maker']>
  }
  readonly faults: {
    /**
     * Make something go wrong. Sandbox control and /healthz are never hit.
     *
     * - `http_error`: Calls are answered with this status.
     * - `http_latency`: Calls are answered later.
     * - `connection_cut`: The connection breaks before or after the work.
     * - `database_down`: The database cannot be reached.
     * - `market_halt`: The market is halted: no orders, no transfers, no matching.
     * - `host_silent`: A host stops reporting; its machines run on.
     * - `host_crash`: A host and its machines are gone, then it comes back.
     * - `start_failure`: A machine does not start.
     * - `checksum_mismatch`: A downloaded image is damaged.
     * - `instance_unhealthy`: A machine reports itself unhealthy.
     * - `webhook_failure`: Attempts to deliver to a webhook fail with this status, without a request to its receiver.
     * - `preempt`: Allocation is sold off at once: enough to end this instance, or so many nodes of a pool. What cannot be sold, as in a read-only pool or a halted market, goes back to a pool that hosts feed.
     */
    create(body: Bodies['create_fault'], options?: RequestOptions): Call<Answers['create_fault']>
    /** List faults, newest first. */
    list(options?: RequestOptions): ListCall<Answers['list_faults']['data'][number]>
    /** Remove a fault. */
    delete(id: SandboxFaultId, options?: RequestOptions): Call<Answers['delete_fault']>
  }
  readonly health: {
    /** Whether the process serves. */
    get(options?: RequestOptions): Call<Answers['get_health']>
  }
  readonly readiness: {
    /** Whether the process can take calls; 503 names the parts that fail. */
    get(options?: RequestOptions): Call<Answers['get_readiness']>
  }
  readonly version: {
    /** Which build is running. */
    get(options?: RequestOptions): Call<Answers['get_version']>
  }
  readonly signingKeys: {
    /**
     * The public keys with which the server signs attestations of instances, the present one first.
     *
     * A key that no longer signs stays in the list as long as its file has it.
     */
    get(options?: RequestOptions): Call<Answers['get_signing_keys']>
  }
  readonly openapi: {
    /** This description. */
    get(options?: RequestOptions): Call<Answers['get_openapi']>
  }
  readonly docs: {
    /** The reference as a page, without outside requests. */
    get(options?: RequestOptions): Call<Answers['get_docs']>
  }
  readonly metrics: {
    /**
     * Measurements in the Prometheus text format; in production on a port of its own.
     *
     * The header `Host` must have an IP address, a name without a dot, or a name of this server: its public URL and `BOURSE_ALLOWED_HOSTS`. Otherwise a page of another site could read it through a name that leads to this machine.
     */
    get(options?: RequestOptions): Call<Answers['get_metrics']>
  }
}
