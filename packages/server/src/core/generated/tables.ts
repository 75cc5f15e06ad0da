// Generated from the migrations by `npm run gen`: rows as core/db/db.ts reads them. Do not edit.
// migrations: a5ec5a8e967b644816b33b9db3b92e75

import type { Id } from '@bourse/api/kit/ids.ts'

export type Tables = {
  accounts: {
    id: string
    name: string
    entity_type: string | null
    trust_level: string
    is_frozen: boolean
    is_platform: boolean
    created_at: number
    token_lifetime_max_days: number
  }
  agent_bundles: {
    id: Id<'agent_bundle'>
    version: string
    manifest: string
    signature: string
    signer: string
    sha256: string
    content: Buffer
    created_at: number
  }
  agent_rollout_hosts: {
    rollout_id: string
    host_id: Id<'host'>
    turn: number
    place: number
    sku_id: Id<'sku'>
    fabric: string | null
    state: string
    from_version: string | null
    to_version: string
    attempt: number
    reason: string | null
    began_at: number | null
    well_since: number | null
    instance_ids: string[] | null
    health_message: string | null
    failure: string | null
  }
  agent_rollouts: {
    id: Id<'agent_rollout'>
    version: string
    rolls_back: string | null
    state: string
    halt_reason: string | null
    halt_message: string | null
    groups: unknown
    turn: number
    health_seconds: number
    return_seconds: number
    hosts_at_once: number
    created_at: number
    ended_at: number | null
    began_at: number
    host_counts: unknown | null
  }
  audit_entries: {
    stored_on: Date
    write_order: number
    account_id: string
    occurred_at: number
    id: string
    operation: string
    actor_id: string | null
    outcome: string
    target_ids: string[]
    body: string
  }
  audit_seals: {
    number: number
    chain: string
    sealed_at: number
    until: number
    parts: unknown
    digest: Buffer
    key_id: string
    signature: Buffer
    known_keys: unknown | null
  }
  backups: {
    id: string
    location: string
    completed_at: number
    size_bytes: number
    verified_at: number | null
  }
  books: {
    sku_id: Id<'sku'>
    born: number
    version: number
    last_seq: number
    decided_at: number
    halted: boolean
    halt_message: string | null
    resting_buys: number
    resting_sells: number
    best_bid_micros: bigint | null
    best_ask_micros: bigint | null
    halted_at: number | null
    halted_by_token_id: string | null
    halted_by_user_id: string | null
  }
  budgets: {
    id: Id<'budget'>
    account_id: string
    workspace_id: Id<'workspace'> | null
    name: string | null
    period: string
    amount_micros: bigint
    thresholds_percent: number[]
    threshold_basis: string
    hard_stop: boolean
    period_start: number
    spent_micros: bigint
    reached_percent: number[]
    held_micros: bigint
    created_at: number
    updated_at: number
    recent: unknown
  }
  capacity_postings: {
    id: number
    cause: string
    pool_id: Id<'pool'>
    sku_id: Id<'sku'>
    minute: number
    delta: number
    created_at: number
  }
  closed_event_days: {
    stored_on: Date
  }
  closed_statements: {
    account_id: string
    month_start: number
    opening_micros: bigint
    closing_micros: bigint
    lines: unknown
    closed_at: number
  }
  cost_lots: {
    id: number
    account_id: string
    pool_id: Id<'pool'>
    sku_id: Id<'sku'>
    purchase: number
    fill_id: Id<'fill'>
    value_micros: bigint
    node_minutes: number
    shape: unknown
    boxes: unknown | null
    start_minute: number
    end_minute: number
    left_minutes: number
    cost_micros: bigint
    sold_micros: bigint
    counted_minute: number
  }
  credit_limits: {
    id: number
    account_id: string
    after_ledger_id: number
    credit_limit_micros: bigint
  }
  cursor_keys: {
    key_id: number
    ended: boolean
    created_at: number
    history: number
  }
  deployments: {
    id: Id<'deployment'>
    account_id: string
    workspace_id: Id<'workspace'>
    kind: string
    pool_id: Id<'pool'>
    sku_id: Id<'sku'>
    instance_template_id: Id<'instance_template'>
    enabled: boolean
    target_instance_count: number
    instance_name_template: string
    max_buy_hourly_micros: bigint | null
    status_state: string
    status_code: string
    status_message: string
    failures: number
    retry_at: number | null
    created_at: number
    updated_at: number
    deleted_at: number | null
  }
  device_logins: {
    device_hash: Buffer
    user_code: string
    network: string
    client_name: string
    device: string
    address: string
    created_at: number
    expires_at: number
    interval_seconds: number
    polled_at_ms: number | null
    state: string
    account_id: string | null
    user_id: Id<'user'> | null
    authenticated_at: number | null
    ends_by: number | null
    opened_by_token_id: string | null
    made_in_sessions: string[] | null
    let_in_by: string[] | null
  }
  due: {
    kind: string
    key: string
    due_at: number
    wakes: number
    attempt: number
    last_error: string | null
  }
  ended_sessions: {
    token_id: Id<'token'>
    account_id: string
    ended_at: number
  }
  event_counters: {
    account_id: string
    position: number
    occurred_at: number
  }
  event_summaries: {
    account_id: string
    stored_on: Date
    first_position: number
    first_at: number
    last_position: number
    last_at: number
    is_before_later_days: boolean
    kinds: unknown | null
  }
  events: {
    account_id: string
    position: number
    stored_on: Date
    occurred_at: number
    id: Id<'event'>
    action: string
    actor_token_id: string | null
    target_type: string
    target_id: string
    workspace_id: Id<'workspace'> | null
    body: string
  }
  fences: {
    system_identifier: string
    timeline: number
    recorded_at: number
  }
  fills: {
    id: Id<'fill'>
    sku_id: Id<'sku'>
    buy_order_id: string
    sell_order_id: string
    price_micros: bigint
    schedule: unknown
    start_minute: number
    end_minute: number
    node_minutes: number
    value_micros: bigint
    fee_micros: bigint
    filled_at: number
    has_events: boolean
    related: boolean
  }
  firewalls: {
    id: Id<'firewall'>
    account_id: string
    workspace_id: Id<'workspace'>
    is_default: boolean
    rules: unknown
    tags: unknown | null
    created_at: number
    updated_at: number
    deleted_at: number | null
  }
  grants: {
    id: Id<'grant'>
    account_id: string
    principal_id: string
    role_id: Id<'role'>
    workspace_id: Id<'workspace'> | null
    created_at: number
    created_by_token_id: string | null
    created_by_user_id: string | null
    provider: string | null
  }
  histories: {
    number: number
    system_identifier: string
    timeline: number
    reason: string
    recorded_at: number
    evidence: string | null
  }
  history_positions: {
    account_id: string
    history: number
    position: number
    seen_position: number | null
  }
  holds: {
    id: Id<'hold'>
    order_id: Id<'order'>
    account_id: string
    workspace_id: Id<'workspace'>
    amount_micros: bigint
    created_at: number
  }
  host_addresses: {
    address: string
    host_id: Id<'host'>
  }
  host_agents: {
    host_id: Id<'host'>
    commit: string | null
    version_at: number | null
    managed_by: string | null
    updater_version: string | null
    updater_at: number | null
    is_pinned: boolean
  }
  host_enrolments: {
    id: Id<'host_enrolment'>
    account_id: string
    workspace_id: Id<'workspace'>
    sku_id: Id<'sku'>
    slots: number
    uses: number
    used: number
    key_id: number
    expires_at: number
    created_at: number
    ended_at: number | null
  }
  host_supply: {
    host_id: Id<'host'>
    sku_id: Id<'sku'>
    minute: number
    delta: number
  }
  host_tunnel_keys: {
    public_key: string
    host_id: Id<'host'>
  }
  host_tunnels: {
    host_id: Id<'host'>
    number: number
    address: string
    port: number
    public_key: string
    next_public_key: string | null
    changed_at: number
  }
  hosts: {
    id: Id<'host'>
    account_id: string
    workspace_id: Id<'workspace'>
    sku_id: Id<'sku'>
    pool_id: Id<'pool'>
    state: string
    health: string
    slots: number
    used_slots: number
    epoch: number
    generation: number
    reported_generation: number
    agent_version: string | null
    facts: unknown
    is_simulated: boolean
    last_seen_at: number | null
    drain_deadline_at: number | null
    supply_ends_at: number | null
    created_at: number
    retired_at: number | null
    public_key: string | null
    enrolment_id: string | null
    health_message: string | null
    told_at: number | null
    facts_at: number | null
    slot_hardware: unknown | null
    fitting_slots: number | null
    unfit_at: number | null
    unfit_message: string | null
    benchmark: unknown | null
    proof_signed_at: number | null
    proof_digest: Buffer | null
    proof_epoch: number | null
  }
  idempotency_keys: {
    account_id: string
    operation: string
    key: string
    fingerprint: Buffer
    token_id: Id<'token'> | null
    status: number | null
    body: string | null
    asked: unknown | null
    created_at: number
  }
  identities: {
    id: string
    account_id: string
    user_id: Id<'user'>
    issuer: string
    subject: string
    provider: string
    email: string | null
    created_at: number
    last_used_at: number | null
    opened_by_token_id: string | null
    made_in_sessions: string[] | null
    let_in_by: string[] | null
  }
  image_parts: {
    image_id: Id<'image'>
    part_id: number
    file: string
    size_bytes: number
    etag: string | null
    uploaded_at: number
  }
  image_uploads: {
    image_id: Id<'image'>
    upload: string | null
    part_url_at: number
    parts_seen_at: number
    verification_until: bigint
  }
  images: {
    id: Id<'image'>
    account_id: string
    workspace_id: Id<'workspace'>
    is_public: boolean
    state: string
    sha256: string | null
    size_bytes: number | null
    deprecated_at: number | null
    deprecation_message: string | null
    revoked_at: number | null
    created_at: number
    deleted_at: number | null
    failure_reason: string | null
    format: string | null
    virtual_size_bytes: number | null
  }
  infiniband_partitions: {
    id: Id<'infiniband_partition'>
    account_id: string
    workspace_id: Id<'workspace'>
    infiniband_fabric: string
    partition_key: number
    tags: unknown | null
    created_at: number
    updated_at: number
    deleted_at: number | null
  }
  installation: {
    only_row: boolean
    id: string
    mode: string
    created_at: number
  }
  instance_logs: {
    instance_id: Id<'instance'>
    seqnum: number
    logged_at: number
    data: Buffer
    ends_at_byte: number
    budget_used: number
    budget_at_ms: number
  }
  instance_ssh_keys: {
    instance_id: Id<'instance'>
    ssh_key_id: Id<'ssh_key'>
    name: string
    fingerprint: string
    removed_at: number | null
  }
  instance_templates: {
    id: Id<'instance_template'>
    account_id: string
    workspace_id: Id<'workspace'>
    image_id: Id<'image'>
    priority_level: string
    enable_public_ipv4: boolean
    firewall_id: Id<'firewall'> | null
    subnet_id: Id<'subnet'> | null
    infiniband_partition_id: Id<'infiniband_partition'> | null
    tags: unknown | null
    user_data_used: boolean
    created_at: number
    deleted_at: number | null
    ssh_key_ids: string[]
  }
  instances: {
    id: Id<'instance'>
    account_id: string
    workspace_id: Id<'workspace'>
    pool_id: Id<'pool'>
    sku_id: Id<'sku'>
    image_id: Id<'image'>
    state: string
    priority_level: string
    enable_public_ipv4: boolean
    firewall_id: Id<'firewall'> | null
    subnet_id: Id<'subnet'> | null
    infiniband_partition_id: Id<'infiniband_partition'> | null
    private_ip: string | null
    public_ip: string | null
    mac: string
    tags: unknown | null
    user_data_used: boolean
    deployment_id: Id<'deployment'> | null
    deployment_slot: number | null
    replaces: string | null
    replaced_by: string | null
    replaces_host_id: string | null
    replaces_slot: number | null
    notice_at: number | null
    deadline_at: number | null
    notice_reason: string | null
    connection_lost_at: number | null
    failed_at: number | null
    running_at: number | null
    terminated_at: number | null
    termination_reason: string | null
    created_at: number
    updated_at: number
    deleted_at: number | null
    order_id: Id<'order'> | null
  }
  ledger: {
    id: number
    cause_kind: string
    cause_id: string
    part: number
    leg: number
    account_id: string | null
    book: string
    amount_micros: bigint
    balance_after_micros: bigint | null
    created_at: number
  }
  ledger_transactions: {
    id: string
    account_id: string
    type: string
    amount_micros: bigint
    balance_after_micros: bigint
    fee_micros: bigint
    order_id: Id<'order'> | null
    fill_id: Id<'fill'> | null
    workspace_id: Id<'workspace'> | null
    description: string | null
    created_at: number
    position: number
  }
  limit_changes: {
    id: number
    account_id: string
    name: string
    amount: number
  }
  limit_overrides: {
    account_id: string
    name: string
    value: number | null
  }
  limit_usage: {
    account_id: string
    name: string
    used: number
  }
  machine_statements: {
    instance_id: Id<'instance'>
    statement: string
    machine_key: string
    expires_at: number
  }
  machines: {
    instance_id: Id<'instance'>
    host_id: Id<'host'>
    slot: number
    generation: number
    action: string
    state: string | null
    reason: string | null
    start_failures: number
    ssh: unknown | null
    claimed_at: number
    reported_at: number | null
    ssh_read_at: number | null
    ssh_keys: unknown | null
  }
  maintenance_windows: {
    id: Id<'maintenance_window'>
    start_at: number
    end_at: number
    maintenance_type: string
    title: string
    description: string
    action_message: string | null
    sku_ids: string[]
    created_at: number
  }
  mandates: {
    pool_id: Id<'pool'>
    sku_id: Id<'sku'>
    holder_id: string
  }
  market_halt: {
    only_row: boolean
    message: string | null
    halted_at: number | null
    halted_by_token_id: string | null
    halted_by_user_id: string | null
  }
  market_usage: {
    account_id: string
    open_orders: number
    open_buy_node_minutes: number
  }
  money_accounts: {
    account_id: string
    credit_micros: bigint
    held_micros: bigint
    credit_limit_micros: bigint
    updated_at: number
    low_at_micros: bigint | null
    is_low: boolean
  }
  names: {
    id: string
    kind: string
    account_id: string
    workspace_id: Id<'workspace'> | null
    name: string
    shown_as: string | null
    deleted_at: number | null
  }
  network_numbers: {
    name: string
    last: number
  }
  orders: {
    id: Id<'order'>
    account_id: string
    workspace_id: Id<'workspace'>
    pool_id: Id<'pool'>
    sku_id: Id<'sku'>
    side: string
    state: string
    allow_standing: boolean
    allow_partial: boolean
    start_minute: number
    end_minute: number
    node_count: number
    price_micros: bigint
    seq: number
    remaining: unknown
    filled: unknown
    lapsed: boolean
    filled_node_minutes: number
    filled_value_micros: bigint
    book_version: number
    managed_by: string | null
    created_by_token_id: string | null
    created_at: number
    filled_at: number | null
    cancelled_at: number | null
    cancel_reason: string | null
    filled_cut_sixtieths: number
    amends: string | null
    amended_by: string | null
    requested: unknown | null
    filled_before: unknown
    priority_seq: number | null
  }
  passkeys: {
    id: Id<'passkey'>
    account_id: string
    user_id: Id<'user'>
    name: string
    credential_id: Buffer
    public_key: Buffer
    signature_count: number
    transports: string[]
    is_backed_up: boolean
    created_at: number
    last_used_at: number | null
    opened_by_token_id: string | null
    made_in_sessions: string[] | null
    let_in_by: string[] | null
  }
  pending_credits: {
    id: Id<'pending_credit'>
    account_id: string
    type: string
    amount_micros: bigint
    description: string
    state: string
    requested_by_token_id: string
    requested_by_user_id: string | null
    requested_by_lineage: string[]
    created_at: number
    expires_at: number
    decided_by_token_id: string | null
    decided_by_user_id: string | null
    decided_at: number | null
    transaction_id: Id<'transaction'> | null
    limit_before_micros: bigint | null
    requested_by_right_since: number | null
  }
  placements: {
    pool_id: Id<'pool'>
    sku_id: Id<'sku'>
    checked_at: number
    wants_slot: boolean
  }
  pool_allocation: {
    pool_id: Id<'pool'>
    sku_id: Id<'sku'>
    minute: number
    delta: number
  }
  pool_promise: {
    pool_id: Id<'pool'>
    sku_id: Id<'sku'>
    minute: number
    delta: number
  }
  pool_transfers: {
    id: Id<'pool_transfer'>
    account_id: string
    from_pool_id: string
    to_pool_id: string
    workspace_id: Id<'workspace'>
    sku_id: Id<'sku'>
    schedule: unknown
    created_by_token_id: string | null
    created_at: number
  }
  pools: {
    id: Id<'pool'>
    account_id: string
    workspace_id: Id<'workspace'>
    kind: string
    tags: unknown | null
    created_at: number
    deleted_at: number | null
  }
  posting_makers: {
    transaction_id: Id<'transaction'>
    token_id: Id<'token'> | null
    user_id: Id<'user'> | null
    approved_by_token_id: string | null
    approved_by_user_id: string | null
  }
  price_buckets: {
    sku_id: Id<'sku'>
    seconds: number
    start_at: number
    first_filled_at: number
    first_fill_id: string
    first_micros: bigint
    last_filled_at: number
    last_fill_id: string
    last_micros: bigint
    low_micros: bigint
    high_micros: bigint
    node_minutes: number
    value_micros: bigint
    fill_count: number
    cut_sixtieths: number
    fee_micros: bigint | null
  }
  procurements: {
    id: Id<'procurement'>
    account_id: string
    workspace_id: Id<'workspace'>
    pool_id: Id<'pool'>
    sku_id: Id<'sku'>
    target: number | null
    min_sell_hourly_micros: bigint
    max_buy_hourly_micros: bigint | null
    managed_window_minutes: number
    enabled: boolean
    status_state: string
    status_code: string
    status_message: string
    failures: number
    retry_at: number | null
    created_at: number
    updated_at: number
    deleted_at: number | null
  }
  reconcilers: {
    kind: string
    last_run_at: number | null
    took_ms: number
    runs: number
    failures: number
    last_error: string | null
  }
  recovery_codes: {
    id: string
    account_id: string
    user_id: Id<'user'>
    secret_hash: Buffer
    created_at: number
    opened_by_token_id: string | null
    made_in_sessions: string[] | null
    let_in_by: string[] | null
  }
  roles: {
    id: Id<'role'>
    account_id: string
    policy: unknown
    created_at: number
    updated_at: number
  }
  sandbox_clock: {
    only_row: boolean
    real_anchor: never
    business_anchor_ms: number
    rate: number
    frozen: boolean
    builder: string | null
  }
  sandbox_faults: {
    id: Id<'sandbox_fault'>
    kind: string
    fields: unknown
    times: number
    ends_at: number | null
    hits: number
    created_at: number
    removed_at: number | null
  }
  sandbox_hosts: {
    host_id: Id<'host'>
    seed: number
    hidden_at: number | null
    down_until: number | null
  }
  sandbox_machine_faults: {
    id: string
    kind: string
    host_id: Id<'host'> | null
    instance_id: Id<'instance'> | null
    times: number
    ends_at: number | null
    hits: number
    created_at: number
    removed_at: number | null
  }
  sandbox_machines: {
    host_id: Id<'host'>
    instance_id: Id<'instance'>
    generation: number
    state: string
    reason: string | null
    next_at: number | null
  }
  sandbox_makers: {
    sku_id: Id<'sku'>
    seed: number
    base_price_micros: bigint
    began_minute: number
    nodes: number
    enabled: boolean
    desk_pool_id: string
    trader_pool_id: string
    created_at: number
    weather_from_minute: number | null
    utc_offset_minutes: number
  }
  sandbox_numbers: {
    name: string
    last: number
  }
  sandbox_world: {
    only_row: boolean
    scenario: string
    seed: number
    ids: unknown
  }
  schema_migrations: {
    version: number
    name: string
    sha256: string
    applied_at: number
    serves: number | null
    steps_left: number
  }
  self_audit: {
    only_row: boolean
    holder: string | null
    leased_until: number
    started_at: number | null
    ended_at: number | null
    audits: number
    violations: unknown
    figures: unknown
  }
  sessions: {
    token_id: Id<'token'>
    device: string
    address: string
    authenticated_at: number
    ends_by: number | null
    opened_by_token_id: string | null
    first_session_id: string | null
    let_in_by: string[] | null
  }
  sign_in_links: {
    id: string
    account_id: string
    user_id: Id<'user'>
    secret_hash: Buffer
    grant_ids: string[]
    created_at: number
    expires_at: number
    ends_by: number | null
    made_by_token_id: string | null
    made_in_sessions: string[] | null
    let_in_by: string[] | null
  }
  sku_holdings: {
    account_id: string
    sku_id: Id<'sku'>
  }
  sku_overrides: {
    account_id: string
    sku_id: Id<'sku'>
    properties: unknown
    updated_at: number
  }
  sku_property_values: {
    property: string
    name: string
    display_name: string
    description: string
    documentation_link: string | null
    deprecated_at: number | null
    deprecation_info: string | null
  }
  skus: {
    id: Id<'sku'>
    alias: string
    properties: unknown
    listed: boolean
    hourly_fee_micros: bigint
    fee_bps: number
    created_at: number
    updated_at: number
    deleted_at: number | null
    price_step_micros: bigint
    simulated: boolean
    operator_hosts_only: boolean
    benchmarks: unknown | null
    benchmark_figures: string[]
    public_prices_exclude_related: boolean
  }
  spot_buying: {
    deployment_id: Id<'deployment'>
    status_state: string
    status_code: string
    status_message: string
    failures: number
    retry_at: number | null
  }
  ssh_keys: {
    id: Id<'ssh_key'>
    account_id: string
    owner_id: string
    name: string
    key_type: string
    bits: number
    public_key: string
    fingerprint: string
    created_at: number
    opened_by_token_id: string | null
    made_in_sessions: string[] | null
    let_in_by: string[] | null
  }
  subnet_addresses: {
    subnet_id: Id<'subnet'>
    address: number
    instance_id: Id<'instance'>
  }
  subnets: {
    id: Id<'subnet'>
    account_id: string
    workspace_id: Id<'workspace'>
    region: string
    cidr: string
    vni: number
    tags: unknown | null
    created_at: number
    updated_at: number
    deleted_at: number | null
  }
  tokens: {
    id: Id<'token'>
    account_id: string
    workspace_id: Id<'workspace'>
    kind: string
    user_id: Id<'user'> | null
    kid: string
    jti: string
    suffix: string
    expires_at: number | null
    last_used_at: number | null
    created_at: number
    created_by_token_id: string | null
    created_by_user_id: string | null
    deleted_at: number | null
    allowed_cidrs: string[] | null
    resources: string[] | null
    made_in_sessions: string[] | null
    let_in_by: string[] | null
  }
  unnamed_proxies: {
    address: string
    seen_at: number
  }
  unrelated_price_buckets: {
    sku_id: Id<'sku'>
    seconds: number
    start_at: number
    first_filled_at: number | null
    first_fill_id: string | null
    first_micros: bigint | null
    last_filled_at: number | null
    last_fill_id: string | null
    last_micros: bigint | null
    low_micros: bigint | null
    high_micros: bigint | null
    node_minutes: number
    value_micros: bigint
    cut_sixtieths: number
    fill_count: number
  }
  usage_changes: {
    id: number
    position: number
    account_id: string
    kind: string
    pool_id: Id<'pool'>
    to_pool_id: string | null
    sku_id: Id<'sku'>
    minute: number | null
    delta: number | null
    schedule: unknown | null
  }
  usage_folds: {
    account_id: string
    position: number
    version: number
    open_month: number
  }
  usage_hours: {
    account_id: string
    hour: number
    pool_id: Id<'pool'>
    sku_id: Id<'sku'>
    bought_micros: bigint
    sold_micros: bigint
    fee_micros: bigint
    cost_micros: bigint
    owned_minutes: number
    owned_nodes: number
    run_minutes: number
    run_nodes: number
  }
  used_attempts: {
    id: string
    expires_at: number
  }
  user_data: {
    owner_id: string
    account_id: string
    key_id: number
    sealed: Buffer
  }
  user_data_readings: {
    id: number
    owner_id: string
    account_id: string
    token_id: Id<'token'>
    request_id: string
    read_at: number
  }
  users: {
    id: Id<'user'>
    account_id: string
    email: string | null
    first_name: string | null
    last_name: string | null
    created_at: number
    deleted_at: number | null
  }
  versions: {
    name: string
    value: number
  }
  webhook_deliveries: {
    id: string
    webhook_id: Id<'webhook'>
    origin: string
    event_id: Id<'event'> | null
    position: number | null
    occurred_at: number | null
    action: string | null
    target_id: string | null
    body: string | null
    state: string
    attempts: unknown
    next_attempt_at: number | null
    created_at: number
  }
  webhook_workers: {
    id: string
    lease_until: bigint
  }
  webhooks: {
    id: Id<'webhook'>
    account_id: string
    url: string
    description: string | null
    actions: string[]
    target_types: string[]
    targets: string[]
    ordering: string
    enabled: boolean
    disabled_reason: string | null
    position: number
    position_at: number
    replay_position: number | null
    replay_position_at: number | null
    replay_until: number | null
    replay_until_at: number | null
    failures: number
    failures_since: number | null
    is_failing: boolean
    last_success_at: number | null
    last_failure_at: number | null
    paused_until: number | null
    next_attempt_at: number | null
    secret: Buffer
    previous_secret: Buffer | null
    previous_secret_until: number | null
    worker_id: string | null
    epoch: number
    revision: number
    created_at: number
    updated_at: number
    deleted_at: number | null
  }
  workspaces: {
    id: Id<'workspace'>
    account_id: string
    created_at: number
    deleted_at: number | null
  }
  write_probe_pages: {
    filler: string
  }
  write_probes: {
    process: string
    written_at: number
    schema_version: number | null
  }
  wrong_device_codes: {
    network: string
    failed_at: number[]
    last_failed_at: number
  }
}

/** A row of a table with all columns. Statements that read fewer columns use a `Pick` of it. */
export type Row<T extends keyof Tables> = Tables[T]
