/** What the server says in errors, for the examples of the reference. A test finds each text in the server's source. */
import { limitNames } from '../iam/limits.ts'
import type { Endpoint } from '../kit/endpoint.ts'
import type { ErrorCode } from '../kit/errors.ts'

/** A message, and the field that it is about; `null`: the whole request. */
export type ErrorExample = { readonly message: string; readonly field: string | null }

type Text = string | readonly [message: string, field: string]
type Texts = Partial<Record<ErrorCode, Text>>

const everywhere: Texts = {
  account_exists: 'An account with this id already exists.',
  address_not_allowed: ['The address of the URL is not public.', 'url'],
  alias_taken: ['A SKU that is not retired has this alias.', 'alias'],
  already_filled: ['All of that is filled already. Ask for more, or cancel the rest of the order.', 'node_count'],
  api_error: 'Something went wrong on our side. Try again; if it stays, report the request id.',
  authentication_error: 'Send a valid API token as Authorization: Bearer <token>.',
  authorization_pending: 'Nobody has approved this program yet.',
  automation_conflict: ['Another automation works on this pool and SKU.', 'pool'],
  body_too_large: 'The body is larger than 128 KiB.',
  bundle_exists: ['There is a bundle of version 1.4.0 already.', 'manifest'],
  bundle_not_supported: ['Version 1.4.0 speaks protocol 1; this server needs 2 or newer.', 'agent_version'],
  bundle_refused: ['The archive is not the one of the manifest: size or SHA-256 differ.', 'content'],
  built_in_role: 'Built-in roles cannot be changed or deleted.',
  default_firewall: 'The default firewall of a workspace cannot be deleted.',
  duplicate_entry: ['This entry is a duplicate of an earlier one.', 'actions.1'],
  fabric_not_found: ['No SKU that is visible to you uses this fabric.', 'infiniband_fabric'],
  firewall_in_use: 'This firewall is in use.',
  forbidden: 'The account is frozen, so it may only read and sign out.',
  gone: 'This cursor is older than the seven days of events that are kept. Start again without a cursor.',
  grant_exists: 'The principal already has this role in this scope.',
  host_not_allowed: 'The header Host has no name of this server. Ask by an IP address, or see BOURSE_ALLOWED_HOSTS.',
  idempotency_key_in_use: ['The first request with this key is still running.', 'Idempotency-Key'],
  idempotency_key_reused: ['This key was used with another request.', 'Idempotency-Key'],
  image_not_available: ['There is no such image, or it is not complete, is revoked, or you cannot read it.', 'image'],
  in_the_past: ['The deadline is in the past.', 'deadline_at'],
  instance_not_terminated: 'The instance is running. Terminate it first.',
  instance_terminated: 'The instance is terminated.',
  insufficient_funds: ['Only 80.800000 dollars are available.', 'amount_dollars'],
  insufficient_user_authentication: 'This needs a sign-in of the last 15 minutes. Sign in again.',
  invalid_base64: ['This is not canonical base64.', 'cloud_init_user_data'],
  invalid_cidr: ['Specify an IPv4 network without host bits, such as 10.0.0.0/20.', 'cidr'],
  invalid_cursor: ['This cursor does not belong to this list with these filters.', 'starting_after'],
  invalid_format: ['The value is empty.', 'limit'],
  invalid_policy: ['Use api_version roles/v1 and rules of effect allow with known resources and verbs.', 'policy'],
  invalid_range: ['The start must lie before the end.', 'end_at'],
  last_admin: 'The account would have no admin left: no token, and no user with a way in.',
  mutually_exclusive: ['Give either starting_after or ending_before.', 'ending_before'],
  name_taken: ['This name is taken.', 'name'],
  network_not_allowed: 'This token may not be used from your network address.',
  not_aligned: ['This must be a multiple of 60.', 'duration_seconds'],
  not_applicable: 'A firewall applies to the public address, and this instance has none.',
  not_attested: 'The host of the instance has stated nothing about it yet. Hosts with an older agent never do.',
  not_empty: 'The workspace is not empty.',
  not_found: 'No resource has this id or path.',
  order_final: 'This order has ended already.',
  parts_missing: 'Part 2 is missing.',
  payment_required: 'This needs $19.20, and $10.00 is available: $9.20 is missing.',
  pool_kind_not_allowed: 'A pool of kind read_only is not changed.',
  range_too_long: ['The range may have at most 24 months.', 'to'],
  rate_limited: 'Too many requests. Try again in 1 s.',
  request_timeout: 'The request did not arrive in time.',
  rollout_in_progress: 'arol_27vWK1iQ12_5_kcd2GHtj to version 1.4.0 is running.',
  same_pool: ['A transfer needs two different pools.', 'to_pool'],
  sku_not_available: ['There is no such SKU that is not retired.', 'sku'],
  ssh_key_taken: [
    'The account has this key already: SHA256:0pbLh4DGK5IDyPLc2jlCsi5WSYRKWrQVRsQhBVlCGtA.',
    'public_key',
  ],
  stale_epoch: ['The host has enrolled again. Use its newer epoch.', 'epoch'],
  too_old: ['Trades are shown for 30 days.', 'since_at'],
  tunnel_key_refused: ['This is not a key of Curve25519, or a weak one.', 'public_key'],
  unavailable: 'Too many requests of this kind are already waiting. Try again shortly.',
  unknown_field: ['There are no parameters here.', 'colour'],
  unsupported_media_type: ['Send the body as application/json in UTF-8.', 'Content-Type'],
}

/** What single operations say. */
const ofOperations: Readonly<Record<string, Texts>> = {
  approve_pending_credit: { invalid_state: 'The credit is refused, so it can no longer be approved or refused.' },
  cancel_agent_rollout: { invalid_state: 'The rollout is completed.' },
  cordon_host: { invalid_state: 'The action cordon is not allowed on a host that is retired.' },
  create_agent_bundle: { limit_exceeded: 'There are 32 bundles. Delete one that no host needs.' },
  create_account_sign_in_link: {
    invalid_state: 'The account has an admin who can come in: a token, a passkey or an identity. That one makes links.',
  },
  create_fault: { instance_terminated: ['This instance has ended.', 'instance'] },
  create_market_maker: { invalid_state: ['This SKU already has a market maker. Update that one.', 'sku'] },
  create_order_estimate: { mutually_exclusive: ['Give either sku or requirements.', 'requirements'] },
  create_pending_credit: {
    not_applicable: [
      'The credit limit is 5000.000000 dollars already. Lowering it needs no second operator: use put_credit_limit.',
      'amount_dollars',
    ],
  },
  create_read_only_pool: { pool_kind_not_allowed: ['Only an originating pool can be taken from.', 'from_pool'] },
  create_recovery_codes: { invalid_state: 'Add a passkey first.' },
  create_ssh_key: { limit_exceeded: 'A user or token has at most 50 SSH keys.' },
  create_user_passkey: {
    invalid_state: 'The challenge has expired, was used, or is of another session. Begin again.',
    limit_exceeded: 'A user has at most 10 passkeys.',
  },
  delete_agent_bundle: { in_use: 'The newest rollout is to version 1.4.0, so hosts still need its bundle.' },
  delete_pool: { pool_kind_not_allowed: 'A pool of kind read_only is not deleted.' },
  delete_role: { in_use: 'This role is granted. Delete its grants first.' },
  drain_host: { invalid_state: 'The action drain is not allowed on a host that is drained.' },
  get_image_download: { invalid_state: 'This image was created without an upload, so there is nothing to download.' },
  halt_agent_rollout: { invalid_state: 'The rollout is cancelled.' },
  refuse_pending_credit: { invalid_state: 'The credit is approved, so it can no longer be approved or refused.' },
  replay_webhook: {
    invalid_state: 'The webhook is disabled. Enable it first.',
    mutually_exclusive: ['Give either since or starting_after.', 'starting_after'],
  },
  resume_agent_rollout: { invalid_state: 'The rollout is running.' },
  roll_back_agent_rollout: { invalid_state: 'There is a newer rollout: change that one.' },
  restore_sku: { invalid_state: 'This SKU is not retired.' },
  retire_host: { invalid_state: 'The action retire is not allowed on a host that is active.' },
  start_passkey_registration: { limit_exceeded: 'A user has at most 10 passkeys.' },
  uncordon_host: { invalid_state: 'The action uncordon is not allowed on a host that is retired.' },
  update_account: { invalid_state: ['entity_type can be set only once.', 'entity_type'] },
  update_budget: {
    not_applicable: ['A budget of the period total has no end, so there is no forecast.', 'threshold_basis'],
  },
  update_firewall: { default_firewall: ['The default firewall of a workspace cannot be renamed.', 'name'] },
  use_recovery_code: { authentication_error: 'This recovery code is wrong, or was used.' },
}

const failedImage =
  'An image cannot be downloaded in the state failed. The upload was not completed ' +
  'in time, or its bytes do not have the ' +
  'digest that was sent.'
const deliveries = 'Too many deliveries of this webhook are pending. Wait until its receiver answers.'

/** What an operation says where the text names its kind of resource, its permission or one of its fields. */
function ownText({ name, access, area, body, query }: Endpoint, code: ErrorCode): Text | undefined {
  const kind = name.replace(/^[a-z]+_/, '').replaceAll('_', ' ')
  if (code === 'forbidden' && access.includes(':')) return `This needs the permission ${access}.`
  if (code === 'in_use') return `This ${kind} is in use.`
  if (code === 'invalid_state' && name.includes('image')) return failedImage
  if (code === 'limit_exceeded') {
    if (area === 'webhooks' && !name.startsWith('create_')) return deliveries
    const limit = limitNames.find((one) => one === `${name.replace(/^[a-z]+_(?:account_)?/, '')}s`)
    return `The account would exceed its limit \`${limit ?? 'instances'}\`.`
  }
  if (code !== 'reference_not_found') return undefined
  const fields = Object.keys({ ...(body as { properties?: object } | undefined)?.properties, ...query.properties })
  const field = ['pool', 'role', 'workspace', 'instance_template', 'webhook'].find((one) => fields.includes(one))
  return [`There is no such ${(field ?? 'firewall').replaceAll('_', ' ')}.`, field ?? '_preview_firewall']
}

/** What the server says with a code, of an operation or of any. Throws where no text of the code is known. */
export function errorExampleOf(code: ErrorCode, operation?: Endpoint): ErrorExample {
  const own = operation && (ofOperations[operation.name]?.[code] ?? ownText(operation, code))
  const text = own ?? everywhere[code]
  if (text === undefined) throw new Error(`${operation?.name}: ${code} needs a text in openapi/error-examples.ts.`)
  return typeof text === 'string' ? { message: text, field: null } : { message: text[0], field: text[1] }
}
