const byAgents = 'the agent of a host signs its token with a key that the fuzzer does not have'
const byOperator = 'a key that the fuzzer does not have signs versions of the agent'
const byPages = 'a person does it with an authenticator, on pages of the server'
/** Operations that the fuzzer cannot call with success, each with its reason. */
export const impossible: ReadonlyMap<string, string> = new Map([
  ['complete_image', 'the parts of an image are bytes, and the fuzzer sends none'],
  ['get_image_download', 'only an image whose parts were sent has something to download'],
  ['finish_device_login', 'a person approves it in a browser'],
  ['approve_pending_credit', 'it needs a second operator, and the fuzzer has one'],
  ...['finish_passkey_sign_in', 'start_passkey_sign_in', 'use_recovery_code', 'start_passkey_registration'].map(
    (operation): [string, string] => [operation, byPages],
  ),
  ...['create_user_passkey', 'create_recovery_codes', 'update_user_passkey', 'delete_user_passkey'].map(
    (operation): [string, string] => [operation, byPages],
  ),
  ['delete_user_identity', 'only a person who comes from a provider has an identity'],
  ['create_account_sign_in_link', 'every account here has an admin token'],
  ...[
    'create_agent_bundle',
    'get_agent_bundle',
    'delete_agent_bundle',
    'create_agent_rollout',
    'get_agent_rollout',
    'halt_agent_rollout',
    'resume_agent_rollout',
    'cancel_agent_rollout',
    'roll_back_agent_rollout',
  ].map((operation): [string, string] => [operation, byOperator]),
  ['enrol_host', 'the agent proves that it holds the key that it brings'],
  ...[
    'get_desired_state',
    'report_host',
    'declare_tunnel',
    'report_hardware',
    'report_machine_statements',
    'report_benchmark',
    'report_agent_version',
    'check_agent_update',
    'redeem_user_data_ticket',
    'append_instance_logs',
  ].map((operation): [string, string] => [operation, byAgents]),
])
