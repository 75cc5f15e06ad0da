/**
 * The examples of the commands that are operations: what follows the noun and the verb. A test runs them all, from top
 * to bottom, against a sandbox that was just started; `…` stands for the rest of an id.
 */
import type { OperationName } from '@bourse/api/contract.ts'
import type { operations as deviceLoginOperations } from '@bourse/api/iam/device-logins.ts'
import type { operations as passkeyOperations } from '@bourse/api/iam/passkey-sign-in.ts'
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import { kinds } from '@bourse/api/kit/ids.ts'
import type { operations as processOperations } from '@bourse/api/process/process.ts'
import type { operations as keyOperations } from '@bourse/api/webhooks/webhook-keys.ts'
import { kindOf } from '../../input/fields.ts'

type NoCommand =
  | (
      | typeof processOperations
      | typeof keyOperations
      | typeof deviceLoginOperations
      | typeof passkeyOperations
    )[number]['name']
  | 'create_user_passkey'
/** The operations that are commands. */
export type CommandOperation = Exclude<OperationName, NoCommand>
type CommandExamples = Partial<Record<CommandOperation, readonly string[]>>

const january = '--from 2026-01-01 --to 2026-02-01'
const anyHttps = `'in tcp 443 from 0.0.0.0/0'`
const spot =
  '--kind spot --pool main --sku h100-west --instance-template trainer --target-instance-count 4 ' +
  '--max-buy-price 20.00'
const keeping =
  '--pool main --sku h100-west --target 2 --managed-window 1d ' + '--max-buy-price 20.00 --min-sell-price 24.00'

const account = {
  get_account: ['', '-o json'],
  list_limits: ['', '-o csv'],
  get_limit: ['instances'],
  create_workspace: ['--name inference'],
  list_workspaces: ['', '-o id'],
  get_workspace: ['inference'],
  update_workspace: ['inference --name serving'],
  delete_workspace: ['serving --yes'],
  create_user: ['--email grace@acme.example --name grace --first-name Grace --last-name Hopper'],
  list_users: ['', '--email grace@acme.example'],
  get_user: ['grace'],
  update_user: ['grace --last-name Murray'],
  create_user_sign_in_link: ['grace'],
  end_user_sessions: ['grace', 'grace --cascade'],
  list_user_identities: ['ada'],
  delete_user_identity: ['ada idnt_… --yes'],
  list_user_passkeys: ['ada'],
  update_user_passkey: ['ada pkey_… laptop'],
  delete_user_passkey: ['ada pkey_… --yes'],
  create_recovery_codes: ['ada'],
  create_ssh_key: ['id_ed25519.pub', 'yubikey.pub --name yubikey'],
  list_ssh_keys: ['', '--owner usr_…'],
  get_ssh_key: ['sshk_…'],
  delete_ssh_key: ['sshk_… --yes'],
  delete_user: ['grace --yes'],
  create_role: ['--name runner --allow instance:* --allow image:read', '--name launcher --policy @policy.json'],
  list_roles: ['', '-o id'],
  get_role: ['runner'],
  update_role: ['runner --policy @policy.json', 'runner --name runner-2'],
  delete_role: ['runner-2 --yes'],
  create_grant: ['--principal-type user --principal-id usr_… --role viewer --workspace research'],
  list_grants: ['', '--role viewer'],
  list_names: ['usr_… tokn_…'],
  check_permissions: ['--actions instance:create --actions order:create --workspace research'],
  get_permissions: ['', '--principal-type token --principal-id tokn_…'],
  create_token: [
    '--name nightly --roles operator --expires-at +30d',
    '--name laptop --no-expire -o json',
    `--name web --roles operator --allowed-cidrs 203.0.113.0/24 --resources 'svc:deployment:acme:default:web-*'`,
  ],
  list_tokens: ['', '--kind service'],
  get_token: ['nightly'],
  delete_token: ['nightly --yes', 'laptop --cascade --yes'],
} as const satisfies CommandExamples

const events = {
  list_audit_entries: ['', '--outcome refused --from -7d', '--operation create_token -o csv'],
  list_all_audit_entries: ['--account acme', '--operation create_account_transaction -o jsonl'],
  list_events: [
    '',
    '--action instance.running --since -1h',
    '--target-type order --limit 20',
    '--oldest-first --all -o jsonl',
  ],
  create_webhook: ['--url https://example.com/hook --actions order.filled --actions instance.*'],
  list_webhooks: ['', '-o json'],
  update_webhook: ['whk_… --no-enabled', 'whk_… --url https://example.com/other --enabled'],
  replay_webhook: ['whk_… --since -2h', 'whk_… --starting-after evtc_…'],
  list_webhook_deliveries: ['whk_…', 'whk_… --state failed'],
  get_webhook_delivery: ['whk_… wdlv_… -o json'],
} as const satisfies CommandExamples

const money = {
  get_balance: ['', '-o json'],
  put_balance_threshold: ['50.00', 'null'],
  list_transactions: ['', '--type buy_fill --created-after -1d'],
  list_holds: ['', '--workspace default'],
  list_usage: ['', '--from -7d --group-by sku --group-by tag:team', `${january} --granularity month -o csv`],
  export_usage: ['--encoding jsonl', `${january} --encoding parquet --file january.parquet`],
  get_statement: ['2026-01', '2026-01 -o json'],
  create_budget: [
    '--period month --amount 50000.00 --hard-stop',
    '--workspace research --period day --amount 200.00 --thresholds 80,100',
  ],
  list_budgets: ['', '--workspace research'],
  update_budget: ['bdgt_… --amount 80000.00 --no-hard-stop'],
  list_account_transactions: ['acme', 'acme --type credit_grant --created-after -30d'],
  create_account_transaction: ['acme --type credit_grant --amount 1000.00 --description "Welcome credit"'],
  put_credit_limit: ['acme 500.00'],
  create_pending_credit: [
    'acme --type credit_grant --amount 250000.00 --description "Framework contract 2026"',
    'acme --type credit_limit --amount 50000.00 --description "Pays by invoice"',
  ],
  list_pending_credits: ['', '--state pending', '--account acme -o json'],
} as const satisfies CommandExamples

const market = {
  list_skus: ['', '--include-deleted --columns id,alias,deleted_at'],
  get_sku: ['h100-west'],
  list_sku_properties: ['', '-o json'],
  list_sku_availability: ['', '--requirements accelerator:h100 --end-at +2d'],
  get_sku_availability: ['h100-west --end-at +2d'],
  create_pool: ['--name batch-2 --tag team=research'],
  list_pools: ['', '--kind market'],
  get_pool: ['main', 'main -o json'],
  update_pool: ['batch-2 --name nightly --tag team=batch'],
  delete_pool: ['nightly --yes'],
  create_order: [
    '--pool main --side buy --sku h100-west --limit-price 12.50 --allow-standing ' + '--nodes 2 --from +1h --for 2h',
  ],
  list_orders: ['', '--state standing --state partially_filled', '--pool main --side sell -o json'],
  get_order: ['ordr_…', 'ordr_… -o json'],
  amend_order: ['ordr_… --node-count 3 --end-at +6h --yes', 'ordr_… --limit-price 18.40'],
  cancel_order: ['ordr_… --yes'],
  create_order_estimate: ['--side buy --sku h100-west --start-at now --duration 2h --node-count 4'],
  create_pool_transfer: [
    '--from-pool main --to-pool research/reserve --sku h100-west ' + '--nodes 1 --from +1h --for 1h',
  ],
  list_pool_transfers: ['', '--pool main'],
  list_orderbook_windows: ['--range-start-at now --range-end-at +7d --requirements accelerator:h100'],
  get_orderbook_status: ['', '--sku h100-west'],
  get_orderbook_quote: ['--start-at now --end-at +2h --requirements accelerator:h100'],
  get_orderbook_depth: ['--start-at now --end-at +2h --requirements alias:h100-west --depth 5'],
  get_orderbook_curve: ['--sku h100-west --length 4h --node-count 2', '--sku h100-west --to +7d -o csv'],
  get_orderbook_board: ['', '--requirements accelerator:h100 --hours 48', '--sku h100-west -o json'],
  get_orderbook_heatmap: ['--requirements accelerator:h100', '--sku h100-west --step 4h --to +3d'],
  list_orderbook_fills: ['--start-at now --end-at +1d --requirements alias:h100-west --limit 20'],
  list_price_history: ['--sku h100-west', '--sku h100-west --interval minute --since -1h -o csv'],
} as const satisfies CommandExamples

const images = {
  create_image: ['--name trainer-5'],
  list_images: ['', '--state completed --columns id,name,size_bytes'],
  get_image: ['trainer-2', 'svc:image:bourse:public:ubuntu-24.04'],
  create_image_part: ['trainer-6 --part-id 1'],
  list_image_parts: ['trainer-6'],
  complete_image: [
    'trainer-5 --sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 --accept-unknown-format',
  ],
  get_image_download: ['base'],
  revoke_image: ['trainer-1 --yes'],
  reinstate_image: ['trainer-1'],
  deprecate_image: ['trainer-1 --message "Use trainer-2."'],
  delete_image: ['trainer-5 --yes'],
  publish_public_image: ['rocky-10'],
  revoke_public_image: ['rocky-10 --yes'],
  reinstate_public_image: ['rocky-10'],
  deprecate_public_image: ['rocky-10 --message "Use rocky-11."'],
} as const satisfies CommandExamples

const networks = {
  create_firewall: [`--name gateway --rule ${anyHttps}`, '--name office --rules @rules.json --tag tier=front'],
  list_firewalls: ['', '--tag tier=front'],
  get_firewall: ['web'],
  update_firewall: ['gateway --name entry --tag tier=front'],
  replace_firewall_rules: [`entry --rule ${anyHttps}`],
  delete_firewall: ['entry --yes', 'svc:firewall:acme:default:office --yes'],
  create_subnet: ['--name storage --region us-west', '--name cache --region us-west --cidr 10.40.0.0/20'],
  list_subnets: ['', '--region us-west'],
  get_subnet: ['storage'],
  update_subnet: ['storage --name archive --tag team=data'],
  delete_subnet: ['archive --yes'],
  create_infiniband_partition: ['--name sweeps --infiniband-fabric west-ib'],
  list_infiniband_partitions: ['', '--infiniband-fabric west-ib'],
  get_infiniband_partition: ['sweeps'],
  update_infiniband_partition: ['sweeps --tag team=training'],
  delete_infiniband_partition: ['sweeps --yes'],
} as const satisfies CommandExamples

const instances = {
  create_instance_template: ['--name evaluator --image trainer-2 --cloud-init-user-data init.yaml --tag team=training'],
  list_instance_templates: ['', '--image trainer-2'],
  get_instance_template: ['evaluator'],
  get_instance_template_cloud_init: ['evaluator'],
  delete_instance_template: ['evaluator --yes'],
  create_instance: [
    '--name trainer --pool main --sku h100-west --image trainer-2 --cloud-init-user-data init.yaml --wait',
  ],
  list_instances: ['', '--state running --state failed', "--name 'web-*' -o id", '--pool main -o id'],
  get_instance: ['trainer', 'trainer -o json'],
  update_instance: ['trainer --tag run=42 --priority-level preferred'],
  update_instance_priorities: [
    '--priority-level trainer=critical',
    '--priority-level trainer=critical --priority-level notebook=preferred',
  ],
  replace_instance: ['trainer --image trainer-2 --name trainer-b --cloud-init-user-data init.yaml --wait --yes'],
  terminate_instance: ['trainer-b --yes'],
  delete_instance: ['trainer --yes'],
  get_instance_cloud_init: ['trainer-b'],
  list_instance_logs: ['trainer-b', 'trainer-b --sort-by -seqnum --limit 10 -o jsonl'],
  get_instance_ssh: ['trainer-b'],
  get_instance_attestation: ['trainer-b', 'trainer-b -o json'],
  explain_instance: ['queued'],
} as const satisfies CommandExamples

const automations = {
  create_deployment: [
    '--name evaluators --pool batch --sku a100-north --instance-template web --target-instance-count 1',
    `--name crunch ${spot}`,
  ],
  list_deployments: ['', '--kind spot'],
  get_deployment: ['crunch'],
  update_deployment: ['crunch --target-instance-count 2', 'crunch --no-enabled'],
  delete_deployment: ['evaluators --yes', 'crunch --yes'],
  create_deployment_estimate: [spot],
  create_deployment_update_estimate: ['crunch --target-instance-count 8'],
  create_procurement: [`--name keep ${keeping}`],
  list_procurements: ['', '--pool main'],
  get_procurement: ['keep'],
  update_procurement: ['keep --target 3', 'keep --no-enabled'],
  delete_procurement: ['keep --yes'],
  create_procurement_estimate: [keeping],
  create_procurement_update_estimate: ['keep --target 4'],
} as const satisfies CommandExamples

const platform = {
  create_read_only_pool: [
    '--account acme --workspace svc:workspace:acme:default --name granted --from-pool pool_… --sku h100-west ' +
      '--nodes 1 --from +1d --for 1d',
  ],
  get_market_halt: ['', '-o json'],
  halt_market: ['--sku h100-west --message "The fabric is being replaced." --yes'],
  resume_market: ['--sku h100-west'],
  create_maintenance_window: [
    '--start-at +2d --end-at +50h --maintenance-type degraded_performance --title "New switches" ' +
      '--description "The network is slower while switches are replaced." --sku h100-west',
  ],
  list_maintenance_windows: ['', '-o json'],
  list_hosts: ['', '--sku h100-west --health healthy'],
  get_host: ['host_…'],
  update_host: ['host_… --name rack-7'],
  cordon_host: ['rack-7'],
  uncordon_host: ['rack-7'],
  drain_host: ['rack-7 --deadline-at +1h'],
  retire_host: ['rack-7 --yes', 'rack-8 --force --yes'],
  create_host_enrolment: ['--sku h100-west', '--sku h100-west --slots 1 --uses 8 --expires-in 1d'],
  list_host_enrolments: ['', '-o json'],
  pin_host_agent: ['rack-7'],
  unpin_host_agent: ['rack-7'],
  create_agent_bundle: ['agent.tgz --manifest @agent.json --signature @agent.json.sig'],
  list_agent_bundles: ['', '-o json'],
  get_agent_bundle: ['abdl_…'],
  create_agent_rollout: ['1.4.0 --groups canary=1%,early=10%,rest'],
  list_agent_rollouts: ['', '--state halted'],
  get_agent_rollout: ['arol_…'],
  halt_agent_rollout: ['arol_…'],
  resume_agent_rollout: ['arol_…'],
  roll_back_agent_rollout: ['arol_…'],
  cancel_agent_rollout: ['arol_… --yes'],
  delete_agent_bundle: ['abdl_… --yes'],
  create_account: ['--id fathom --name "Fathom Labs" --entity-type business --trust-level basic'],
  list_accounts: ['', '--trust-level trusted'],
  get_administered_account: ['fathom'],
  update_account: ['fathom --name Fathom'],
  freeze_account: ['fathom --yes'],
  unfreeze_account: ['fathom'],
  set_trust_level: ['fathom trusted'],
  list_account_limits: ['acme'],
  put_account_limit: ['acme instances 100', 'acme instances null'],
  delete_account_limit: ['acme instances --yes'],
  create_account_user: ['fathom --email joan@fathom.example --name joan'],
  create_account_sign_in_link: ['fathom usr_…'],
  list_revenue: ['', '--from 2026-01 --to 2026-06 -o csv'],
  list_platform_orders: ['', '--account acme --state standing'],
  list_platform_instances: ['', '--account acme --state running'],
  list_platform_pools: ['', '--account acme'],
  list_platform_skus: ['', '--no-listed'],
  list_platform_usage: ['', `${january} --account acme`],
  export_ledger: ['--file ledger.csv', `${january} --encoding parquet --file january.parquet`],
  create_sku: ['--alias b200-oregon --region us-west --accelerator b200 --num-accelerators 8 --num-vcpus 224'],
  update_sku: ['b200-oregon --fee-bps 150 --num-vcpus 208'],
  retire_sku: ['b200-oregon --yes'],
  restore_sku: ['b200-oregon'],
  put_sku_property_value: ['region us-east --display-name "US East"'],
  list_sku_overrides: ['acme'],
  put_sku_override: ['acme h100-west --num-vcpus 96'],
  delete_sku_override: ['acme h100-west --yes'],
} as const satisfies CommandExamples

const sandbox = {
  get_clock: ['', '-o json'],
  advance_clock: ['90m', '--to +1d'],
  set_clock_rate: ['60', '1'],
  settle: ['', '--timeout 30s'],
  load_scenario: ['preemption --seed 7 --yes'],
  reset_sandbox: ['--scenario quickstart --yes'],
  create_market_maker: ['--sku b200-oregon --base-price 32.00 --node-count 8'],
  update_market_maker: ['h100-west --no-enabled', 'h100-west --enabled --base-price 25.00', 'h100-west --no-weather'],
  create_simulated_hosts: ['--sku h100-west --count 4'],
  create_ready_image: ['--name my-image'],
  create_fault: [
    'instance_unhealthy --instance notebook',
    'http_error --status 503 --operation list_webhooks --times 3',
  ],
} as const satisfies CommandExamples

const examples: CommandExamples = {
  ...account,
  ...events,
  ...money,
  ...market,
  ...images,
  ...networks,
  ...instances,
  ...automations,
  ...platform,
  ...sandbox,
}

/** The examples of an operation: those that are written, or the command with no more than the ids that it takes. */
export function helpExamplesOf({ name, params, consequence }: Endpoint): readonly string[] {
  const written = examples[name as CommandOperation]
  if (written) return written
  const ids = Object.values(params.properties).map((schema) => {
    const kind = kindOf(schema)
    if (kind === undefined) throw new Error(`${name} takes more than ids: write an example of its command.`)
    return `${kinds[kind].prefix}_…`
  })
  return [[...ids, ...(consequence ? ['--yes'] : [])].join(' ')]
}

/** What the help of an operation says after its examples. */
export const moreHelp: Partial<Readonly<Record<CommandOperation, string>>> = {
  create_user_sign_in_link:
    'In a sandbox, `bourse start` prints links of the admin of the account and of the operator. After\n' +
    '`bourse sandbox reset`, `bourse users list` names the people. For the operator, set BOURSE_API_TOKEN to the\n' +
    'BOURSE_PLATFORM_TOKEN of sandbox.env.',
}
