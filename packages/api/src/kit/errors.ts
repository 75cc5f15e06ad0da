/** The closed list of error types of the interface. */
export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'payment_required'
  | 'forbidden'
  | 'network_not_allowed'
  | 'token_lifetime_exceeded'
  | 'not_found'
  | 'conflict'
  | 'gone'
  | 'unprocessable_entity'
  | 'rate_limited'
  | 'api_error'

/** What a code means, and what to do about it. */
export type CodeMeaning = {
  readonly type: ErrorType
  readonly status: number
  readonly user: string
  /** What the operator of the platform can do. Absent: nothing. */
  readonly operator?: string
}

const bad = (user: string, status = 400): CodeMeaning => ({
  type: 'invalid_request_error',
  status,
  user,
})
const clash = (user: string, operator?: string): CodeMeaning => ({
  type: 'conflict',
  status: 409,
  user,
  ...(operator === undefined ? {} : { operator }),
})
const impossible = (user: string, operator?: string): CodeMeaning => ({
  type: 'unprocessable_entity',
  status: 422,
  user,
  ...(operator === undefined ? {} : { operator }),
})

/** Every error code, with the remedies for the caller and the operator. They are printed to `docs/errors.md`. */
export const errorCodes = {
  invalid_json: bad('Send well-formed JSON in UTF-8: no duplicate members, no U+0000, at most 32 levels.'),
  unsupported_media_type: bad('Send the body uncompressed, with Content-Type: application/json.', 415),
  body_too_large: bad(
    'Send a smaller body; the usual limit is 128 KiB. A version of the agent has 2 MiB, a part of an image 5 GiB.',
    413,
  ),
  method_not_allowed: bad('Use one of the methods in the Allow header.', 405),
  request_timeout: bad('Send the whole request faster.', 408),
  invalid_url: bad('Percent-encode the URL.'),
  unknown_field: bad('Remove the field or parameter; it does not exist here.'),
  repeated_parameter: bad('Give the parameter once.'),
  required: bad('Add the field.'),
  invalid_type: bad('Send a value of the type in the reference.'),
  invalid_format: bad('Send a value that fits the documented pattern.'),
  invalid_value: bad('Choose one of the allowed values, or one that the message allows.'),
  out_of_range: bad('Choose a value inside the documented range.'),
  invalid_range: bad('Send a start that is before the end, and a range that the message allows.'),
  too_long: bad('Shorten the value.'),
  too_many: bad('Send fewer entries.'),
  not_aligned: bad(
    'Use whole minutes (multiples of 60 seconds), the bucket of the interval, or the price step of the SKU.',
  ),
  duplicate_entry: bad('Send each entry once.'),
  invalid_base64: bad('Encode with the standard alphabet, padded, without white space.'),
  invalid_cidr: bad(
    'Send a network without host bits, such as 10.0.0.0/20. A subnet is private, from /16 to /28. Only ' +
      '`allowed_cidrs` takes IPv6.',
  ),
  invalid_cursor: bad(
    'Use a cursor only with the list and filters that returned it, or start without a cursor. A webhook takes a ' +
      'cursor of the list of events without filters.',
  ),
  invalid_policy: bad('Use api_version roles/v1 and rules of effect allow with known resources and verbs.'),
  invalid_idempotency_key: bad('Use 1-255 visible ASCII characters.'),
  authorization_pending: bad('Poll again after the interval, until a person has approved the program.'),
  slow_down: bad('Wait for the seconds that the message names between two polls.'),
  expired_token: bad('Start the device login again.'),
  access_denied: bad(
    'A person has refused the program, or the account is frozen. Ask that person, or the platform operator, ' +
      'before you begin again.',
  ),

  authentication_error: {
    type: 'authentication_error',
    status: 401,
    user: 'Send a valid API token as Authorization: Bearer <token>. For an agent, the message says what to send.',
    operator: 'A sudden increase may be an expired token of an automation, or an attack.',
  },
  host_retired: {
    type: 'authentication_error',
    status: 401,
    user: 'Stop the agent. To supply capacity again, enrol the host with an empty directory of the agent.',
  },
  insufficient_user_authentication: {
    type: 'authentication_error',
    status: 401,
    user: 'Sign in again: this needs a sign-in within the last 15 minutes.',
  },
  payment_required: {
    type: 'payment_required',
    status: 402,
    user: 'Have the platform operator credit the account, cancel open buys, lower the limit price, or buy less.',
    operator: 'If the account should be able to buy this, credit it or raise its credit limit.',
  },
  budget_exceeded: {
    type: 'payment_required',
    status: 402,
    user: 'Raise the budget, wait for its next period if it has one, cancel open buys, or buy less.',
    operator: 'The account has set the budget itself.',
  },
  forbidden: {
    type: 'forbidden',
    status: 403,
    user:
      'The message says why. Ask an admin of your account for a role that holds the named permission. A limited ' +
      'token stays limited: use another one. A frozen account may only read and sign out.',
    operator: 'Admins of the account grant its roles. Unfreeze the account if it should be able to do this.',
  },
  network_not_allowed: {
    type: 'forbidden',
    status: 403,
    user:
      'Use the token, and URLs of images that it requested, from one of its networks (`allowed_cidrs`), or make ' +
      'another token for this network.',
    operator: 'A sudden increase may be a token that has leaked. Behind a proxy, see BOURSE_TRUSTED_PROXIES.',
  },
  host_not_allowed: {
    type: 'forbidden',
    status: 403,
    user: 'Send the request to an IP address, `localhost`, or the name in the public URL.',
    operator: 'If the name resolves to this server, add it to BOURSE_ALLOWED_HOSTS.',
  },
  token_lifetime_exceeded: {
    type: 'forbidden',
    status: 403,
    user: 'Send an earlier `expires_at`, or have the platform operator raise `token_lifetime_max_days` of the account.',
    operator: 'Raise `token_lifetime_max_days` of the account, if its people may make tokens that live longer.',
  },
  same_operator: {
    type: 'forbidden',
    status: 403,
    user:
      'Ask another platform operator to approve it: a user or a token that the requester has neither made nor let ' +
      'in, and that has neither made nor let in the requester.',
    operator: 'Give a second person a role with platform:write.',
  },
  right_too_new: {
    type: 'forbidden',
    status: 403,
    user:
      'Wait until the requester and you have both had platform:write for a day, or let operators who have had it for ' +
      'so long request and approve it.',
    operator: 'Give a person the role a day before that person has to request or approve.',
  },
  not_found: {
    type: 'not_found',
    status: 404,
    user: 'Check the id or path. Resources that you may not see appear to be absent.',
  },
  gone: {
    type: 'gone',
    status: 410,
    user: 'Start again without a cursor, which reads from the oldest retained event.',
    operator: 'The reader stopped for more than seven days, the sandbox was reset, or the database lost commits.',
  },
  rate_limited: {
    type: 'rate_limited',
    status: 429,
    user: 'Try again after the seconds in Retry-After.',
    operator:
      'Of the settings only BOURSE_REPLICAS changes rate limits: it is the number of replicas. The limit ' +
      '`event_streams` raises the number of streams of an account. A token that is often refused has to send ' +
      'fewer requests.',
  },
  api_error: {
    type: 'api_error',
    status: 500,
    user: 'Try again. If the error persists, report the X-Request-Id to the platform operator.',
    operator: 'Find the request id in the log and report the defect.',
  },
  unavailable: {
    type: 'api_error',
    status: 503,
    user: 'Try again after the seconds in Retry-After.',
    operator:
      'See /readyz for the failing part. While it responds with 200, the market may be halted, the database busy, or ' +
      'the store of images away.',
  },

  name_taken: clash('Choose another name.'),
  alias_taken: clash('Choose another alias.'),
  email_taken: clash('Use another address, or the user that has it.'),
  ssh_key_taken: clash(
    'Use the key that is there, or delete it first. `list_ssh_keys` with its fingerprint shows the owner to ' +
      'those who may list users.',
  ),
  account_exists: clash('Choose another account id.'),
  firewall_in_use: clash('Detach the named instances and templates first.'),
  in_use: clash(
    'The message and the details say what uses it: remove that first. A version of the agent can go once the newest ' +
      'rollout is to another version.',
  ),
  not_empty: clash('Delete the resources of the workspace; the details name their kinds.'),
  last_workspace: clash('An account needs at least one workspace.'),
  last_admin: clash(
    'Without this admin nobody could give rights in the account. First give the role admin on the whole account to a ' +
      'token, or to a user who has a way to sign in.',
  ),
  grant_exists: clash('The principal already has the role there.'),
  instance_terminated: clash('The instance has ended; create a new one.'),
  instance_not_terminated: clash('Terminate the instance first.'),
  order_final: clash('The order has ended and can no longer change.'),
  order_managed: clash('Change the procurement or deployment that placed the order.'),
  invalid_state: clash('The resource is not in a state that allows this; read it first.'),
  credit_limit_changed: clash('Refuse the request, and request the limit again if it is still needed.'),
  automation_conflict: clash('Another automation already works on this pool and SKU: change or delete it first.'),
  subnet_overlap: clash('Choose a range that no other subnet of the workspace touches.'),
  supply_sold: clash('Capacity after the deadline is sold or offered: choose a later deadline, or set `force`.'),
  already_public: clash('The image is already public.'),
  address_taken: clash(
    'Declare an address that no other host has. If that host is yours and no longer used, retire it.',
    'Find out which of the two hosts has the address.',
  ),
  tunnel_key_taken: clash(
    'Another host has this key: make a new key. Never copy the directory of an agent.',
    'Find out which of the two hosts has been copied.',
  ),
  tunnel_network_full: clash(
    'The platform operator has to choose a larger network for the tunnels of hosts.',
    'Set `BOURSE_TUNNEL_NETWORK` to a larger network. Hosts keep the addresses that they have.',
  ),
  not_attested: clash(
    'Read it again once the instance runs. If it runs already, its host is silent, has an older agent, or is ' +
      'simulated and has no hardware to name.',
    'If an agent runs on the host, start it again or update it.',
  ),
  bundle_exists: clash('Build the change as another version: hosts that have this version would not fetch it again.'),
  rollout_in_progress: clash('Wait until the rollout completes, or cancel it.'),
  stale_enrolment: clash(
    'Run `bourse agent enrol` again, after the seconds that the message names: it signs a new request.',
  ),
  stale_epoch: clash('The agent was enrolled again. Use the new epoch.'),
  idempotency_key_in_use: clash('The first request with this key is still running; try again in a second.'),

  already_filled: impossible('Ask for more nodes or time than are filled, or cancel the rest of the order.'),
  mutually_exclusive: impossible('Send only one of the two fields.'),
  reference_not_found: impossible('Check the id or path in the named field.'),
  workspace_mismatch: impossible('Use resources of one workspace together.'),
  limit_exceeded: impossible(
    'Remove something, or ask for a higher limit. If the message names no limit of the account, it is fixed: remove ' +
      'something, or wait.',
    'Raise the limit of the account if it should have more.',
  ),
  not_applicable: impossible('Omit the field, or send what the message allows: it does not apply to this kind.'),
  idempotency_key_reused: impossible('Use a new key for another request.'),
  built_in_role: impossible('Create your own role. Built-in roles cannot be changed.'),
  image_not_available: impossible('Use a completed image that is not revoked and that you may read.'),
  same_name_as_replaced: impossible('Choose a name that differs from the name of the replaced instance.'),
  public_ipv4_not_supported: impossible('Choose a SKU with supports_public_ipv4.'),
  infiniband_not_supported: impossible('Choose a SKU with rdma_type infiniband.'),
  fabric_mismatch: impossible('Partition and SKU must be on the same InfiniBand fabric.'),
  fabric_not_found: impossible('Use the fabric of a SKU that you can see.'),
  region_mismatch: impossible('Subnet and SKU must be in the same region.'),
  subnet_full: impossible('The subnet has no free address.'),
  parts_missing: impossible('Upload every part from 1 on without a gap.'),
  part_too_small: impossible('Every part except the last needs at least 5 MiB.'),
  image_too_large: impossible('An image may hold at most 128 GiB.'),
  image_format_unknown: impossible(
    'Upload a qcow2 file or a raw disk. If the file is a raw disk anyway, send accept_unknown_format.',
  ),
  image_refused: impossible('Upload a self-contained file: qemu-img convert -O qcow2 <file> image.qcow2.'),
  address_refused: impossible(
    'Declare an address at which other hosts reach this one, in a network that the platform operator allows.',
    'If the address is right, add its network to BOURSE_HOST_NETWORKS or BOURSE_PUBLIC_NETWORKS. If it is in ' +
      'BOURSE_TUNNEL_NETWORK, choose another network for tunnels.',
  ),
  tunnel_key_refused: impossible(
    'Make another key: this key is weak, is no Curve25519 key, or is both the present and the next key.',
  ),
  encryption_required: impossible(
    'Install wireguard-tools and wireguard-go on the host, or enrol it with --network ssh_only.',
    'To accept unencrypted traffic between hosts, set BOURSE_INSECURE_HOST_TRAFFIC=1.',
  ),
  host_does_not_fit: impossible(
    'Choose a SKU or a number of slots for which the host has the hardware: bourse agent check --sku shows what the ' +
      'SKU needs and what the host has.',
    'For hosts that need not have the hardware, create a SKU with simulated: true. Every buyer sees that.',
  ),
  operator_hosts_only: impossible(
    'Choose a SKU that partners may supply: one without `operator_hosts_only`.',
    'Buyers of this SKU rely on it. Create another SKU for the hosts of partners.',
  ),
  bundle_refused: impossible(
    'Send manifest, signature and archive of one `npm run pack -- agent --sign KEY`, unchanged.',
    'If BOURSE_AGENT_SIGNERS_FILE is set, sign with one of its keys.',
  ),
  bundle_not_supported: impossible(
    'Choose a version of the agent that works with this server.',
    'Update the server first, or roll out a newer agent: `bourse platform agent-bundles list` shows the protocols.',
  ),
  sku_not_available: impossible(
    'Choose a SKU that exists and is not retired. A host needs `--partition-command` for a SKU with InfiniBand.',
  ),
  pool_kind_not_allowed: impossible('This kind of pool does not support the operation.'),
  same_pool: impossible('Use two different pools.'),
  in_the_past: impossible('Choose a time that has not passed.'),
  beyond_horizon: impossible('Choose an end within three years.'),
  insufficient_allocation: impossible('The pool has less free allocation at some minute of the range.'),
  not_offered: impossible('Pay more, choose another window, or place an order that waits on the order book.'),
  too_old: impossible('Choose a later start.'),
  range_too_long: impossible('Ask for a shorter range.'),
  default_firewall: impossible('The default firewall of a workspace cannot be renamed or deleted.'),
  address_not_allowed: impossible('Use a public https address.'),
  insufficient_funds: impossible('The available balance of the account is too low.'),
  second_operator_required: impossible(
    'Request it with create_pending_credit (bourse pending-credits create), and ask another operator to approve it.',
    'BOURSE_DUAL_CONTROL_DOLLARS sets the amount.',
  ),
} as const satisfies Record<string, CodeMeaning>

/** A code of the closed list. */
export type ErrorCode = keyof typeof errorCodes

/** Types whose envelope carries `details`. */
export const typesWithDetails: readonly ErrorType[] = ['invalid_request_error', 'conflict', 'unprocessable_entity']

/** One entry of `error.details`. */
export type ErrorDetail = { field?: string | null; code: ErrorCode; message: string }

/** The body of every error response. */
export type ErrorEnvelope = { error: { type: ErrorType; message: string; details?: ErrorDetail[] } }

/** The codes of invalid input, which every operation may return. */
export const shapeCodes: readonly ErrorCode[] = [
  'invalid_json',
  'unsupported_media_type',
  'body_too_large',
  'request_timeout',
  'invalid_url',
  'unknown_field',
  'repeated_parameter',
  'required',
  'invalid_type',
  'invalid_format',
  'invalid_value',
  'out_of_range',
  'too_long',
  'too_many',
]

/** The codes of a body, which operations without one do not return: they ignore what is sent. */
export const bodyCodes: readonly ErrorCode[] = ['invalid_json', 'unsupported_media_type', 'body_too_large']

/** The codes of `Idempotency-Key`, for every operation that accepts it. */
export const idempotencyCodes: readonly ErrorCode[] = [
  'invalid_idempotency_key',
  'idempotency_key_in_use',
  'idempotency_key_reused',
]

/**
 * The code of a value that fails a JSON Schema keyword. A schema's own `x-code` comes first where the value has the
 * right type and size but does not fit, and always with `x-code-always`. No schema of the contract uses a keyword that
 * is missing here.
 */
export const codeOfKeyword: Readonly<Record<string, ErrorCode>> = {
  required: 'required',
  minProperties: 'required',
  type: 'invalid_type',
  pattern: 'invalid_format',
  minLength: 'invalid_format',
  propertyNames: 'invalid_format',
  enum: 'invalid_value',
  const: 'invalid_value',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  minItems: 'required',
  maxLength: 'too_long',
  maxItems: 'too_many',
  maxProperties: 'too_many',
  multipleOf: 'not_aligned',
  additionalProperties: 'unknown_field',
}
