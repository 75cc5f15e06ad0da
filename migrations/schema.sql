-- Generated from the migrations by `npm run gen`: the complete schema, for reading. Do not run or edit it.
-- migrations: a5ec5a8e967b644816b33b9db3b92e75

CREATE OR REPLACE FUNCTION add_to_price_buckets()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- A bucket that gets its first related fill is copied as it was before.
  if exists (select from added where related) then
    insert into unrelated_price_buckets (sku_id, seconds, start_at, first_filled_at, first_fill_id, first_micros,
      last_filled_at, last_fill_id, last_micros, low_micros, high_micros, node_minutes, value_micros, cut_sixtieths,
      fill_count)
    select k.sku_id, k.seconds, k.start_at, b.first_filled_at, b.first_fill_id, b.first_micros, b.last_filled_at,
      b.last_fill_id, b.last_micros, b.low_micros, b.high_micros, coalesce(b.node_minutes, 0),
      coalesce(b.value_micros, 0), coalesce(b.cut_sixtieths, 0), coalesce(b.fill_count, 0)
    from (
      select distinct f.sku_id, w.seconds, f.filled_at / w.seconds * w.seconds as start_at
      from added f
      cross join (values (60), (3600), (86400)) as w(seconds)
      where f.related
    ) k
    left join price_buckets b on b.sku_id = k.sku_id and b.seconds = k.seconds and b.start_at = k.start_at
    on conflict do nothing;
  end if;
  insert into price_buckets as b (sku_id, seconds, start_at, first_filled_at, first_fill_id, first_micros,
    last_filled_at, last_fill_id, last_micros, low_micros, high_micros, node_minutes, value_micros, cut_sixtieths,
    fee_micros, fill_count)
  select f.sku_id, w.seconds, f.filled_at / w.seconds * w.seconds as start_at,
    min(f.filled_at),
    (array_agg(f.id order by f.filled_at, f.id))[1],
    (array_agg(f.price_micros order by f.filled_at, f.id))[1],
    max(f.filled_at),
    (array_agg(f.id order by f.filled_at desc, f.id desc))[1],
    (array_agg(f.price_micros order by f.filled_at desc, f.id desc))[1],
    min(f.price_micros),
    max(f.price_micros),
    sum(f.node_minutes),
    sum(f.value_micros),
    -- price × node-minutes exceeds a bigint; the remainders of the factors do not.
    sum((f.price_micros % 60) * (f.node_minutes % 60) % 60),
    case when w.seconds = 86400 then sum(f.fee_micros) end,
    count(*)
  from added f
  cross join (values (60), (3600), (86400)) as w(seconds)
  group by f.sku_id, w.seconds, f.filled_at / w.seconds * w.seconds
  on conflict (sku_id, seconds, start_at) do update
  set first_filled_at = least(b.first_filled_at, excluded.first_filled_at),
    first_fill_id = case
      when (excluded.first_filled_at, excluded.first_fill_id) < (b.first_filled_at, b.first_fill_id)
      then excluded.first_fill_id else b.first_fill_id end,
    first_micros = case
      when (excluded.first_filled_at, excluded.first_fill_id) < (b.first_filled_at, b.first_fill_id)
      then excluded.first_micros else b.first_micros end,
    last_filled_at = greatest(b.last_filled_at, excluded.last_filled_at),
    last_fill_id = case
      when (excluded.last_filled_at, excluded.last_fill_id) > (b.last_filled_at, b.last_fill_id)
      then excluded.last_fill_id else b.last_fill_id end,
    last_micros = case
      when (excluded.last_filled_at, excluded.last_fill_id) > (b.last_filled_at, b.last_fill_id)
      then excluded.last_micros else b.last_micros end,
    low_micros = least(b.low_micros, excluded.low_micros),
    high_micros = greatest(b.high_micros, excluded.high_micros),
    node_minutes = b.node_minutes + excluded.node_minutes,
    value_micros = b.value_micros + excluded.value_micros,
    cut_sixtieths = b.cut_sixtieths + excluded.cut_sixtieths,
    fee_micros = b.fee_micros + excluded.fee_micros,
    fill_count = b.fill_count + excluded.fill_count;
  -- A day without a row has no row of a part of it.
  if exists (
    select
    from added f
    join unrelated_price_buckets b on b.sku_id = f.sku_id and b.seconds = 86400
      and b.start_at = f.filled_at / 86400 * 86400
    where not f.related
  ) then
    update unrelated_price_buckets b
    set first_filled_at = least(b.first_filled_at, s.first_filled_at),
      first_fill_id = case
        when b.fill_count > 0 and (s.first_filled_at, s.first_fill_id) > (b.first_filled_at, b.first_fill_id)
        then b.first_fill_id else s.first_fill_id end,
      first_micros = case
        when b.fill_count > 0 and (s.first_filled_at, s.first_fill_id) > (b.first_filled_at, b.first_fill_id)
        then b.first_micros else s.first_micros end,
      last_filled_at = greatest(b.last_filled_at, s.last_filled_at),
      last_fill_id = case
        when b.fill_count > 0 and (s.last_filled_at, s.last_fill_id) < (b.last_filled_at, b.last_fill_id)
        then b.last_fill_id else s.last_fill_id end,
      last_micros = case
        when b.fill_count > 0 and (s.last_filled_at, s.last_fill_id) < (b.last_filled_at, b.last_fill_id)
        then b.last_micros else s.last_micros end,
      low_micros = least(b.low_micros, s.low_micros),
      high_micros = greatest(b.high_micros, s.high_micros),
      node_minutes = b.node_minutes + s.node_minutes,
      value_micros = b.value_micros + s.value_micros,
      cut_sixtieths = b.cut_sixtieths + s.cut_sixtieths,
      fill_count = b.fill_count + s.fill_count
    from (
      select f.sku_id, w.seconds, f.filled_at / w.seconds * w.seconds as start_at,
        min(f.filled_at) as first_filled_at,
        (array_agg(f.id order by f.filled_at, f.id))[1] as first_fill_id,
        (array_agg(f.price_micros order by f.filled_at, f.id))[1] as first_micros,
        max(f.filled_at) as last_filled_at,
        (array_agg(f.id order by f.filled_at desc, f.id desc))[1] as last_fill_id,
        (array_agg(f.price_micros order by f.filled_at desc, f.id desc))[1] as last_micros,
        min(f.price_micros) as low_micros,
        max(f.price_micros) as high_micros,
        sum(f.node_minutes) as node_minutes,
        sum(f.value_micros) as value_micros,
        sum((f.price_micros % 60) * (f.node_minutes % 60) % 60) as cut_sixtieths,
        count(*) as fill_count
      from added f
      cross join (values (60), (3600), (86400)) as w(seconds)
      where not f.related
      group by f.sku_id, w.seconds, f.filled_at / w.seconds * w.seconds
    ) s
    where b.sku_id = s.sku_id and b.seconds = s.seconds and b.start_at = s.start_at;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION bourse_now()
 RETURNS bigint
 LANGUAGE sql
AS $function$ select bourse_now_ms() / 1000 $function$;

CREATE OR REPLACE FUNCTION bourse_now_ms()
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  clock sandbox_clock;
  shown bigint;
  oldest bigint;
begin
  select * into clock from sandbox_clock;
  if not found then
    return floor(bourse_real_now() * 1000);
  end if;
  if clock.builder is not null and clock.builder is distinct from current_setting('bourse.process', true) then
    raise exception 'another process is changing the world of this sandbox' using errcode = 'cannot_connect_now';
  end if;
  shown := clock.business_anchor_ms;
  if not clock.frozen then
    shown := shown + floor(greatest(bourse_real_now() - clock.real_anchor, 0) * clock.rate * 1000);
  end if;
  select min(due_at) into oldest from due;
  return least(shown, oldest * 1000 + 999);
end
$function$;

CREATE OR REPLACE FUNCTION bourse_real_now()
 RETURNS numeric
 LANGUAGE sql
AS $function$ select extract(epoch from clock_timestamp()) $function$;

CREATE OR REPLACE FUNCTION bourse_today()
 RETURNS date
 LANGUAGE sql
AS $function$ select (clock_timestamp() at time zone 'UTC')::date $function$;

CREATE OR REPLACE FUNCTION changed_logs(since bigint)
 RETURNS SETOF event_counters
 LANGUAGE sql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'on'
AS $function$
  select *
  from event_counters
  where occurred_at >= since
$function$;

CREATE OR REPLACE FUNCTION note_capacity()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into usage_changes (account_id, kind, pool_id, sku_id, minute, delta)
  select p.account_id, 'owned', new.pool_id, new.sku_id, new.minute, new.delta
  from pools p
  where p.id = new.pool_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_running()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  was_running boolean := tg_op = 'UPDATE' and old.running_at is not null and old.terminated_at is null;
  is_running boolean := new.running_at is not null and new.terminated_at is null;
begin
  if is_running and not was_running then
    insert into usage_changes (account_id, kind, pool_id, sku_id, minute, delta)
    values (new.account_id, 'running', new.pool_id, new.sku_id, new.running_at / 60, 1);
  elsif was_running and not is_running then
    insert into usage_changes (account_id, kind, pool_id, sku_id, minute, delta)
    values (old.account_id, 'running', old.pool_id, old.sku_id,
      greatest((new.terminated_at + 59) / 60, old.running_at / 60 + 1), -1);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_transfer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into usage_changes (account_id, kind, pool_id, to_pool_id, sku_id, schedule)
  values (new.account_id, 'transfer', new.from_pool_id, new.to_pool_id, new.sku_id, new.schedule);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION record_ended_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into ended_sessions (token_id, account_id, ended_at)
  values (old.id, old.account_id, floor(bourse_real_now())::bigint)
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION shared_people(one text, other text)
 RETURNS TABLE(user_id text)
 LANGUAGE sql
 STABLE
AS $function$
  select a.user_id
  from identities a
  join identities b on b.account_id = other and b.issuer = a.issuer and b.subject = a.subject
  where a.account_id = one
  union all
  select a.id
  from users a
  join users b on b.account_id = other and lower(b.email) = lower(a.email) and b.deleted_at is null
  where a.account_id = one and a.deleted_at is null
$function$;

create table accounts (
  id text collate "C" not null,
  name text not null,
  entity_type text collate "C",
  trust_level text collate "C" not null,
  is_frozen boolean not null default false,
  is_platform boolean not null default false,
  created_at bigint not null,
  token_lifetime_max_days integer not null default 365,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_entity_type_check CHECK (entity_type = ANY (ARRAY['personal'::text, 'business'::text])),
  constraint accounts_trust_level_check CHECK (trust_level = ANY (ARRAY['untrusted'::text, 'basic'::text, 'trusted'::text, 'partner'::text]))
);
CREATE INDEX accounts_by_age ON accounts USING btree (created_at, id);
CREATE UNIQUE INDEX accounts_platform ON accounts USING btree (is_platform) WHERE is_platform;
grant select, insert, update, delete on accounts to bourse_app;

create table agent_bundles (
  id text collate "C" not null,
  version text collate "C" not null,
  manifest text not null,
  signature text not null,
  signer text not null,
  sha256 text collate "C" not null,
  content bytea not null,
  created_at bigint not null,
  constraint agent_bundles_pkey PRIMARY KEY (id),
  constraint agent_bundles_version_key UNIQUE (version)
);
CREATE INDEX agent_bundles_by_age ON agent_bundles USING btree (created_at, id);
CREATE INDEX agent_bundles_by_digest ON agent_bundles USING btree (sha256);
grant select, insert, delete on agent_bundles to bourse_app;

create table agent_rollout_hosts (
  rollout_id text collate "C" not null,
  host_id text collate "C" not null,
  turn integer not null,
  place integer not null,
  sku_id text collate "C" not null,
  fabric text,
  state text collate "C" not null,
  from_version text collate "C",
  to_version text collate "C" not null,
  attempt integer not null default 0,
  reason text,
  began_at bigint,
  well_since bigint,
  instance_ids text[] collate "C",
  health_message text,
  failure text,
  constraint agent_rollout_hosts_pkey PRIMARY KEY (rollout_id, host_id),
  constraint agent_rollout_hosts_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id),
  constraint agent_rollout_hosts_rollout_id_fkey FOREIGN KEY (rollout_id) REFERENCES agent_rollouts(id),
  constraint agent_rollout_hosts_state_check CHECK (state = ANY (ARRAY['pending'::text, 'updating'::text, 'updated'::text, 'failed'::text, 'skipped'::text]))
);
grant select, insert, update, delete on agent_rollout_hosts to bourse_app;

create table agent_rollouts (
  id text collate "C" not null,
  version text collate "C" not null,
  rolls_back text collate "C",
  state text collate "C" not null,
  halt_reason text collate "C",
  halt_message text,
  groups jsonb not null,
  turn integer not null default 0,
  health_seconds integer not null,
  return_seconds integer not null,
  hosts_at_once integer not null,
  created_at bigint not null,
  ended_at bigint,
  began_at bigint not null,
  host_counts jsonb,
  constraint agent_rollouts_pkey PRIMARY KEY (id),
  constraint agent_rollouts_rolls_back_fkey FOREIGN KEY (rolls_back) REFERENCES agent_rollouts(id),
  constraint agent_rollouts_check CHECK ((state = 'halted'::text) = (halt_reason IS NOT NULL)),
  constraint agent_rollouts_state_check CHECK (state = ANY (ARRAY['running'::text, 'halted'::text, 'completed'::text, 'cancelled'::text]))
);
CREATE INDEX agent_rollouts_by_age ON agent_rollouts USING btree (created_at, id);
CREATE INDEX agent_rollouts_by_state ON agent_rollouts USING btree (state, created_at, id);
CREATE UNIQUE INDEX agent_rollouts_in_progress ON agent_rollouts USING btree ((true)) WHERE (state = ANY (ARRAY['running'::text, 'halted'::text]));
grant select, insert, update on agent_rollouts to bourse_app;

create table audit_entries (
  stored_on date not null,
  write_order bigint not null,
  account_id text collate "C" not null,
  occurred_at bigint not null,
  id text collate "C" not null,
  operation text collate "C" not null,
  actor_id text collate "C",
  outcome text collate "C" not null,
  target_ids text[] collate "C" not null,
  body text collate "C" not null
) partition by range (stored_on);
CREATE INDEX audit_entries_by_write ON ONLY audit_entries USING brin (write_order) WITH (autosummarize='on', pages_per_range='32');
CREATE INDEX audit_entries_in_order ON ONLY audit_entries USING btree (account_id, occurred_at, id);
CREATE INDEX audit_entries_of_all ON ONLY audit_entries USING btree (occurred_at, id);
grant select, insert on audit_entries to bourse_app;

create table audit_seals (
  number bigint not null,
  chain text collate "C" not null,
  sealed_at bigint not null,
  until bigint not null,
  parts jsonb not null,
  digest bytea not null,
  key_id text collate "C" not null,
  signature bytea not null,
  known_keys jsonb,
  constraint audit_seals_pkey PRIMARY KEY (number)
);
grant select, insert on audit_seals to bourse_app;

create table backups (
  id text collate "C" not null,
  location text not null,
  completed_at bigint not null,
  size_bytes bigint not null,
  verified_at bigint,
  constraint backups_pkey PRIMARY KEY (id)
);
grant select, insert, update, delete on backups to bourse_app;

create table books (
  sku_id text collate "C" not null,
  born bigint not null,
  version bigint not null default 0,
  last_seq bigint not null default 0,
  decided_at bigint not null default 0,
  halted boolean not null default false,
  halt_message text,
  resting_buys bigint not null default 0,
  resting_sells bigint not null default 0,
  best_bid_micros bigint,
  best_ask_micros bigint,
  halted_at bigint,
  halted_by_token_id text collate "C",
  halted_by_user_id text collate "C",
  constraint books_pkey PRIMARY KEY (sku_id),
  constraint books_sku_id_fkey FOREIGN KEY (sku_id) REFERENCES skus(id)
) with (fillfactor=50);
grant select, insert, update, delete on books to bourse_app;

create table budgets (
  id text collate "C" not null,
  account_id text collate "C" not null,
  workspace_id text collate "C",
  name text,
  period text collate "C" not null,
  amount_micros bigint not null,
  thresholds_percent integer[] not null,
  threshold_basis text collate "C" not null,
  hard_stop boolean not null,
  period_start bigint not null,
  spent_micros bigint not null,
  reached_percent integer[] not null,
  held_micros bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  recent jsonb not null default '[]'::jsonb,
  constraint budgets_pkey PRIMARY KEY (id),
  constraint budgets_amount_micros_check CHECK (amount_micros > 0),
  constraint budgets_held_micros_check CHECK (held_micros >= 0),
  constraint budgets_period_check CHECK (period = ANY (ARRAY['day'::text, 'month'::text, 'total'::text])),
  constraint budgets_spent_micros_check CHECK (spent_micros >= 0),
  constraint budgets_threshold_basis_check CHECK (threshold_basis = ANY (ARRAY['actual'::text, 'forecast'::text]))
) with (fillfactor=70);
CREATE INDEX budgets_by_account ON budgets USING btree (account_id, created_at, id);
grant select, insert, update, delete on budgets to bourse_app;

create table capacity_postings (
  id bigint not null generated always as identity,
  cause text collate "C" not null,
  pool_id text collate "C" not null,
  sku_id text collate "C" not null,
  minute bigint not null,
  delta bigint not null,
  created_at bigint not null,
  constraint capacity_postings_pkey PRIMARY KEY (id),
  constraint capacity_postings_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES pools(id),
  constraint capacity_postings_cause_check CHECK (cause = ANY (ARRAY['host'::text, 'grant'::text, 'preemption'::text, 'opening'::text]))
);
CREATE INDEX capacity_postings_preempted ON capacity_postings USING btree (pool_id, sku_id) WHERE (cause = 'preemption'::text);
grant select, insert on capacity_postings to bourse_app;

create table closed_event_days (
  stored_on date not null,
  constraint closed_event_days_pkey PRIMARY KEY (stored_on)
);
grant select on closed_event_days to bourse_app;

create table closed_statements (
  account_id text collate "C" not null,
  month_start bigint not null,
  opening_micros numeric not null,
  closing_micros numeric not null,
  lines jsonb not null,
  closed_at bigint not null,
  constraint closed_statements_pkey PRIMARY KEY (account_id, month_start)
);
grant select, insert on closed_statements to bourse_app;

create table cost_lots (
  id bigint not null generated always as identity,
  account_id text collate "C" not null,
  pool_id text collate "C" not null,
  sku_id text collate "C" not null,
  purchase bigint not null,
  fill_id text collate "C" not null,
  value_micros bigint not null,
  node_minutes bigint not null,
  shape jsonb not null,
  boxes jsonb,
  start_minute bigint not null,
  end_minute bigint not null,
  left_minutes bigint not null,
  cost_micros bigint not null,
  sold_micros bigint not null,
  counted_minute bigint not null,
  constraint cost_lots_pkey PRIMARY KEY (id),
  constraint cost_lots_cost_micros_check CHECK (cost_micros >= 0),
  constraint cost_lots_left_minutes_check CHECK (left_minutes >= 0),
  constraint cost_lots_sold_micros_check CHECK (sold_micros >= 0)
) with (fillfactor=80);
CREATE INDEX cost_lots_by_fill ON cost_lots USING btree (fill_id);
CREATE INDEX cost_lots_by_place ON cost_lots USING btree (pool_id, sku_id, end_minute);
CREATE INDEX cost_lots_by_purchase ON cost_lots USING btree (pool_id, sku_id, purchase, id);
CREATE INDEX cost_lots_late ON cost_lots USING btree (counted_minute) WHERE ((counted_minute < end_minute) AND (left_minutes > 0));
CREATE INDEX cost_lots_uncounted ON cost_lots USING btree (account_id, counted_minute) WHERE (counted_minute < end_minute);
grant select, insert, update, delete on cost_lots to bourse_app;

create table credit_limits (
  id bigint not null generated always as identity,
  account_id text collate "C" not null,
  after_ledger_id bigint not null,
  credit_limit_micros bigint not null,
  constraint credit_limits_pkey PRIMARY KEY (id),
  constraint credit_limits_account_id_fkey FOREIGN KEY (account_id) REFERENCES money_accounts(account_id),
  constraint credit_limits_credit_limit_micros_check CHECK (credit_limit_micros >= 0)
);
CREATE INDEX credit_limits_by_account ON credit_limits USING btree (account_id, id);
grant select, insert on credit_limits to bourse_app;

create table cursor_keys (
  key_id integer not null,
  ended boolean not null default false,
  created_at bigint not null,
  history integer not null default 1,
  constraint cursor_keys_pkey PRIMARY KEY (key_id),
  constraint cursor_keys_key_id_check CHECK (key_id >= 0 AND key_id <= 65535)
);
grant select, insert, update on cursor_keys to bourse_app;

create table deployments (
  id text collate "C" not null,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  kind text not null,
  pool_id text collate "C" not null,
  sku_id text collate "C" not null,
  instance_template_id text collate "C" not null,
  enabled boolean not null,
  target_instance_count integer not null,
  instance_name_template text not null,
  max_buy_hourly_micros bigint,
  status_state text not null,
  status_code text not null,
  status_message text not null,
  failures integer not null default 0,
  retry_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint,
  constraint deployments_pkey PRIMARY KEY (id),
  constraint deployments_check CHECK ((kind = 'spot'::text) = (max_buy_hourly_micros IS NOT NULL)),
  constraint deployments_kind_check CHECK (kind = ANY (ARRAY['generic'::text, 'spot'::text])),
  constraint deployments_target_instance_count_check CHECK (target_instance_count >= 0 AND target_instance_count <= 10000)
);
CREATE INDEX deployments_by_account ON deployments USING btree (account_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX deployments_by_pool ON deployments USING btree (pool_id, sku_id) WHERE (deleted_at IS NULL);
CREATE INDEX deployments_by_template ON deployments USING btree (instance_template_id) WHERE (deleted_at IS NULL);
CREATE INDEX deployments_by_workspace ON deployments USING btree (workspace_id) WHERE (deleted_at IS NULL);
grant select, insert, update, delete on deployments to bourse_app;

create table device_logins (
  device_hash bytea not null,
  user_code text collate "C" not null,
  network text collate "C" not null,
  client_name text not null,
  device text not null,
  address text not null,
  created_at bigint not null,
  expires_at bigint not null,
  interval_seconds integer not null,
  polled_at_ms bigint,
  state text collate "C" not null,
  account_id text collate "C",
  user_id text collate "C",
  authenticated_at bigint,
  ends_by bigint,
  opened_by_token_id text collate "C",
  made_in_sessions text[] collate "C",
  let_in_by text[] collate "C",
  constraint device_logins_pkey PRIMARY KEY (device_hash),
  constraint device_logins_check CHECK ((state = 'approved'::text) = (user_id IS NOT NULL)),
  constraint device_logins_state_check CHECK (state = ANY (ARRAY['pending'::text, 'approved'::text, 'denied'::text]))
);
CREATE UNIQUE INDEX device_logins_by_code ON device_logins USING btree (user_code);
CREATE INDEX device_logins_by_end ON device_logins USING btree (expires_at);
CREATE INDEX device_logins_by_network ON device_logins USING btree (network, expires_at);
CREATE INDEX device_logins_by_user ON device_logins USING btree (user_id) WHERE (user_id IS NOT NULL);
grant select, insert, update, delete on device_logins to bourse_app;

create table due (
  kind text collate "C" not null,
  key text collate "C" not null,
  due_at bigint not null,
  wakes bigint not null default 1,
  attempt integer not null default 0,
  last_error text,
  constraint due_pkey PRIMARY KEY (kind, key)
);
CREATE INDEX due_by_time ON due USING btree (due_at, kind, key);
CREATE INDEX due_failing ON due USING btree (kind) WHERE (attempt > 0);
grant select, insert, update, delete on due to bourse_app;

create table ended_sessions (
  token_id text collate "C" not null,
  account_id text collate "C" not null,
  ended_at bigint not null,
  constraint ended_sessions_pkey PRIMARY KEY (token_id)
);
CREATE INDEX ended_sessions_by_end ON ended_sessions USING btree (ended_at);
grant select, insert, update, delete on ended_sessions to bourse_app;

create table event_counters (
  account_id text collate "C" not null,
  position bigint not null default 0,
  occurred_at bigint not null default 0,
  constraint event_counters_pkey PRIMARY KEY (account_id)
) with (fillfactor=50);
CREATE INDEX event_counters_by_change ON event_counters USING brin (occurred_at) WITH (pages_per_range='4', autosummarize='on');
grant select, insert, update, delete on event_counters to bourse_app;

create table event_summaries (
  account_id text collate "C" not null,
  stored_on date not null,
  first_position bigint not null,
  first_at bigint not null,
  last_position bigint not null,
  last_at bigint not null,
  is_before_later_days boolean not null,
  kinds jsonb,
  constraint event_summaries_pkey PRIMARY KEY (account_id, stored_on)
);
grant select on event_summaries to bourse_app;

create table events (
  account_id text collate "C" not null,
  position bigint not null,
  stored_on date not null,
  occurred_at bigint not null,
  id text collate "C" not null,
  action text collate "C" not null,
  actor_token_id text collate "C",
  target_type text collate "C" not null,
  target_id text collate "C" not null,
  workspace_id text collate "C",
  body text not null
) partition by range (stored_on);
CREATE INDEX events_by_action ON ONLY events USING btree (account_id, action, COALESCE(workspace_id, ''::text), occurred_at, "position");
CREATE INDEX events_by_age ON ONLY events USING brin (occurred_at) WITH (autosummarize='on');
CREATE INDEX events_by_target ON ONLY events USING btree (account_id, target_id, occurred_at, "position");
CREATE INDEX events_by_target_type ON ONLY events USING btree (account_id, target_type, COALESCE(workspace_id, ''::text), occurred_at, "position");
CREATE INDEX events_by_workspace ON ONLY events USING btree (account_id, COALESCE(workspace_id, ''::text), occurred_at, "position");
CREATE INDEX events_in_order ON ONLY events USING btree (account_id, occurred_at, "position");
grant select, insert on events to bourse_app;

create table fences (
  system_identifier text not null,
  timeline bigint not null,
  recorded_at bigint not null,
  constraint fences_pkey PRIMARY KEY (system_identifier, timeline)
);
grant select, insert on fences to bourse_app;

create table fills (
  id text collate "C" not null,
  sku_id text collate "C" not null,
  buy_order_id text collate "C" not null,
  sell_order_id text collate "C" not null,
  price_micros bigint not null,
  schedule jsonb not null,
  start_minute bigint not null,
  end_minute bigint not null,
  node_minutes bigint not null,
  value_micros bigint not null,
  fee_micros bigint not null,
  filled_at bigint not null,
  has_events boolean not null default false,
  related boolean not null default false,
  constraint fills_pkey PRIMARY KEY (id),
  constraint fills_buy_order_id_fkey FOREIGN KEY (buy_order_id) REFERENCES orders(id),
  constraint fills_sell_order_id_fkey FOREIGN KEY (sell_order_id) REFERENCES orders(id),
  constraint fills_node_minutes_check CHECK (node_minutes > 0)
);
CREATE INDEX fills_by_buy ON fills USING btree (buy_order_id, filled_at, id);
CREATE INDEX fills_by_sell ON fills USING btree (sell_order_id, filled_at, id);
CREATE INDEX fills_by_sku ON fills USING btree (sku_id, filled_at, id);
grant select, insert, update, delete on fills to bourse_app;

create table firewalls (
  id text collate "C" not null,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  is_default boolean not null default false,
  rules jsonb not null default '[]'::jsonb,
  tags jsonb,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint,
  constraint firewalls_pkey PRIMARY KEY (id)
);
CREATE INDEX firewalls_by_account ON firewalls USING btree (account_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX firewalls_one_default ON firewalls USING btree (workspace_id) WHERE (is_default AND (deleted_at IS NULL));
grant select, insert, update, delete on firewalls to bourse_app;

create table grants (
  id text collate "C" not null,
  account_id text collate "C" not null,
  principal_id text collate "C" not null,
  role_id text collate "C" not null,
  workspace_id text collate "C",
  created_at bigint not null,
  created_by_token_id text collate "C",
  created_by_user_id text collate "C",
  provider text collate "C",
  constraint grants_pkey PRIMARY KEY (id),
  constraint grants_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint grants_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id)
);
CREATE INDEX grants_by_age ON grants USING btree (account_id, created_at, id);
CREATE INDEX grants_by_role ON grants USING btree (role_id, account_id);
CREATE INDEX grants_by_workspace ON grants USING btree (workspace_id) WHERE (workspace_id IS NOT NULL);
CREATE UNIQUE INDEX grants_once ON grants USING btree (principal_id, role_id, workspace_id) NULLS NOT DISTINCT;
grant select, insert, update, delete on grants to bourse_app;

create table histories (
  number integer not null,
  system_identifier text not null,
  timeline bigint not null,
  reason text not null,
  recorded_at bigint not null,
  evidence text,
  constraint histories_pkey PRIMARY KEY (number),
  constraint histories_number_check CHECK (number > 0),
  constraint histories_reason_check CHECK (reason = ANY (ARRAY['first'::text, 'promotion'::text, 'other_cluster'::text, 'evidence'::text]))
);
grant select, insert on histories to bourse_app;

create table history_positions (
  account_id text collate "C" not null,
  history integer not null,
  position bigint not null,
  seen_position bigint,
  constraint history_positions_pkey PRIMARY KEY (account_id, history),
  constraint history_positions_history_fkey FOREIGN KEY (history) REFERENCES histories(number)
);
CREATE INDEX history_positions_by_history ON history_positions USING btree (history);
CREATE INDEX history_positions_by_loss ON history_positions USING btree (history) WHERE (seen_position > "position");
grant select, insert, delete on history_positions to bourse_app;

create table holds (
  id text collate "C" not null,
  order_id text collate "C" not null,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  amount_micros bigint not null,
  created_at bigint not null,
  constraint holds_pkey PRIMARY KEY (id),
  constraint holds_order_id_key UNIQUE (order_id),
  constraint holds_amount_micros_check CHECK (amount_micros >= 0)
);
CREATE INDEX holds_by_account ON holds USING btree (account_id, created_at, id);
grant select, insert, update, delete on holds to bourse_app;

create table host_addresses (
  address text collate "C" not null,
  host_id text collate "C" not null,
  constraint host_addresses_pkey PRIMARY KEY (address),
  constraint host_addresses_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id)
);
CREATE INDEX host_addresses_by_host ON host_addresses USING btree (host_id);
grant select, insert, delete on host_addresses to bourse_app;

create table host_agents (
  host_id text collate "C" not null,
  commit text,
  version_at bigint,
  managed_by text collate "C",
  updater_version text,
  updater_at bigint,
  is_pinned boolean not null default false,
  constraint host_agents_pkey PRIMARY KEY (host_id),
  constraint host_agents_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id),
  constraint host_agents_managed_by_check CHECK (managed_by = ANY (ARRAY['updater'::text, 'package'::text, 'none'::text]))
);
grant select, insert, update on host_agents to bourse_app;

create table host_enrolments (
  id text collate "C" not null,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  sku_id text collate "C" not null,
  slots integer not null,
  uses integer not null,
  used integer not null default 0,
  key_id integer not null,
  expires_at bigint not null,
  created_at bigint not null,
  ended_at bigint,
  constraint host_enrolments_pkey PRIMARY KEY (id),
  constraint host_enrolments_check CHECK (used >= 0 AND used <= uses),
  constraint host_enrolments_slots_check CHECK (slots >= 1 AND slots <= 64),
  constraint host_enrolments_uses_check CHECK (uses >= 1 AND uses <= 1000)
);
CREATE INDEX host_enrolments_by_account ON host_enrolments USING btree (account_id, created_at, id) WHERE (ended_at IS NULL);
CREATE INDEX host_enrolments_by_workspace ON host_enrolments USING btree (workspace_id) WHERE (ended_at IS NULL);
grant select, insert, update, delete on host_enrolments to bourse_app;

create table host_supply (
  host_id text collate "C" not null,
  sku_id text collate "C" not null,
  minute bigint not null,
  delta integer not null,
  constraint host_supply_pkey PRIMARY KEY (host_id, minute),
  constraint host_supply_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id)
);
grant select, insert, update, delete on host_supply to bourse_app;

create table host_tunnel_keys (
  public_key text collate "C" not null,
  host_id text collate "C" not null,
  constraint host_tunnel_keys_pkey PRIMARY KEY (public_key),
  constraint host_tunnel_keys_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id)
);
CREATE INDEX host_tunnel_keys_by_host ON host_tunnel_keys USING btree (host_id);
grant select, insert, delete on host_tunnel_keys to bourse_app;

create table host_tunnels (
  host_id text collate "C" not null,
  number integer not null,
  address text collate "C" not null,
  port integer not null,
  public_key text collate "C" not null,
  next_public_key text collate "C",
  changed_at bigint not null,
  constraint host_tunnels_pkey PRIMARY KEY (host_id),
  constraint host_tunnels_address_key UNIQUE (address),
  constraint host_tunnels_number_key UNIQUE (number),
  constraint host_tunnels_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id),
  constraint host_tunnels_number_check CHECK (number > 0),
  constraint host_tunnels_port_check CHECK (port >= 1 AND port <= 65535)
);
grant select, insert, update, delete on host_tunnels to bourse_app;

create table hosts (
  id text collate "C" not null,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  sku_id text collate "C" not null,
  pool_id text collate "C" not null,
  state text not null,
  health text not null,
  slots integer not null,
  used_slots integer not null default 0,
  epoch bigint not null default 1,
  generation bigint not null default 0,
  reported_generation bigint not null default 0,
  agent_version text,
  facts jsonb not null default '{}'::jsonb,
  is_simulated boolean not null default false,
  last_seen_at bigint,
  drain_deadline_at bigint,
  supply_ends_at bigint,
  created_at bigint not null,
  retired_at bigint,
  public_key text collate "C",
  enrolment_id text collate "C",
  health_message text,
  told_at bigint,
  facts_at bigint,
  slot_hardware jsonb,
  fitting_slots integer,
  unfit_at bigint,
  unfit_message text,
  benchmark jsonb,
  proof_signed_at bigint,
  proof_digest bytea,
  proof_epoch bigint,
  constraint hosts_pkey PRIMARY KEY (id),
  constraint hosts_enrolment_id_fkey FOREIGN KEY (enrolment_id) REFERENCES host_enrolments(id),
  constraint hosts_check CHECK (used_slots >= 0 AND used_slots <= slots),
  constraint hosts_health_check CHECK (health = ANY (ARRAY['healthy'::text, 'unreachable'::text, 'faulted'::text])),
  constraint hosts_slots_check CHECK (slots >= 1 AND slots <= 64),
  constraint hosts_state_check CHECK (state = ANY (ARRAY['active'::text, 'cordoned'::text, 'draining'::text, 'drained'::text, 'retired'::text]))
);
CREATE INDEX hosts_by_account ON hosts USING btree (account_id, created_at, id);
CREATE INDEX hosts_by_age ON hosts USING btree (created_at, id);
CREATE INDEX hosts_by_health ON hosts USING btree (account_id, health, created_at, id) WHERE (health <> 'healthy'::text);
CREATE INDEX hosts_by_last_report ON hosts USING btree (last_seen_at) WHERE ((NOT is_simulated) AND (state <> 'retired'::text));
CREATE UNIQUE INDEX hosts_by_public_key ON hosts USING btree (public_key) WHERE (state <> 'retired'::text);
CREATE INDEX hosts_by_sku ON hosts USING btree (sku_id) WHERE (state <> 'retired'::text);
CREATE INDEX hosts_by_state ON hosts USING btree (account_id, state, created_at, id) WHERE (state <> 'active'::text);
CREATE INDEX hosts_by_told ON hosts USING btree (told_at);
CREATE INDEX hosts_in_health ON hosts USING btree (health, created_at, id) WHERE (health <> 'healthy'::text);
CREATE INDEX hosts_in_state ON hosts USING btree (state, created_at, id) WHERE (state <> 'active'::text);
CREATE INDEX hosts_open ON hosts USING btree (sku_id, ((slots - used_slots)), id) WHERE ((state = 'active'::text) AND (health = 'healthy'::text) AND (used_slots < slots));
grant select, insert, update, delete on hosts to bourse_app;

create table idempotency_keys (
  account_id text collate "C" not null,
  operation text collate "C" not null,
  key text collate "C" not null,
  fingerprint bytea not null,
  token_id text collate "C",
  status integer,
  body text,
  asked jsonb,
  created_at bigint not null default 0,
  constraint idempotency_keys_pkey PRIMARY KEY (account_id, operation, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_at);
grant select, insert, update, delete on idempotency_keys to bourse_app;

create table identities (
  id text collate "C" not null,
  account_id text collate "C" not null,
  user_id text collate "C" not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  provider text collate "C" not null,
  email text,
  created_at bigint not null,
  last_used_at bigint,
  opened_by_token_id text collate "C",
  made_in_sessions text[] collate "C",
  let_in_by text[] collate "C",
  constraint identities_pkey PRIMARY KEY (id)
);
CREATE INDEX identities_by_opener ON identities USING btree (opened_by_token_id) WHERE (opened_by_token_id IS NOT NULL);
CREATE INDEX identities_by_session ON identities USING gin (made_in_sessions) WHERE (made_in_sessions IS NOT NULL);
CREATE UNIQUE INDEX identities_by_subject ON identities USING btree (account_id, issuer, subject);
CREATE INDEX identities_by_user ON identities USING btree (user_id, created_at, id);
grant select, insert, update, delete on identities to bourse_app;

create table image_parts (
  image_id text collate "C" not null,
  part_id integer not null,
  file text collate "C" not null,
  size_bytes bigint not null,
  etag text,
  uploaded_at bigint not null,
  constraint image_parts_pkey PRIMARY KEY (image_id, file),
  constraint image_parts_part_id_check CHECK (part_id >= 1 AND part_id <= 10000),
  constraint image_parts_size_bytes_check CHECK (size_bytes >= 0)
);
CREATE UNIQUE INDEX image_parts_arrived ON image_parts USING btree (image_id, part_id) WHERE (etag IS NOT NULL);
CREATE UNIQUE INDEX image_parts_arriving ON image_parts USING btree (image_id, part_id) WHERE (etag IS NULL);
grant select, insert, update, delete on image_parts to bourse_app;

create table image_uploads (
  image_id text collate "C" not null,
  upload text,
  part_url_at bigint not null,
  parts_seen_at bigint not null,
  verification_until numeric not null default 0,
  constraint image_uploads_pkey PRIMARY KEY (image_id)
);
grant select, insert, update, delete on image_uploads to bourse_app;

create table images (
  id text collate "C" not null,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  is_public boolean not null default false,
  state text not null,
  sha256 text,
  size_bytes bigint,
  deprecated_at bigint,
  deprecation_message text,
  revoked_at bigint,
  created_at bigint not null,
  deleted_at bigint,
  failure_reason text,
  format text,
  virtual_size_bytes bigint,
  constraint images_pkey PRIMARY KEY (id),
  constraint images_failure_reason_check CHECK (failure_reason = ANY (ARRAY['upload_expired'::text, 'digest_mismatch'::text])),
  constraint images_format_check CHECK (format = ANY (ARRAY['qcow2'::text, 'raw'::text])),
  constraint images_state_check CHECK (state = ANY (ARRAY['started'::text, 'uploading'::text, 'verifying'::text, 'completed'::text, 'revoked'::text, 'failed'::text])),
  constraint images_virtual_size_bytes_check CHECK (virtual_size_bytes >= 0)
);
CREATE INDEX images_by_account ON images USING btree (account_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX images_by_state ON images USING btree (account_id, state, created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX images_by_workspace ON images USING btree (workspace_id) WHERE (deleted_at IS NULL);
CREATE INDEX images_public ON images USING btree (created_at, id) WHERE (is_public AND (deleted_at IS NULL));
CREATE INDEX images_verifying ON images USING btree (id) WHERE ((state = 'verifying'::text) AND (deleted_at IS NULL));
grant select, insert, update, delete on images to bourse_app;

create table infiniband_partitions (
  id text collate "C" not null,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  infiniband_fabric text collate "C" not null,
  partition_key integer not null,
  tags jsonb,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint,
  constraint infiniband_partitions_pkey PRIMARY KEY (id),
  constraint infiniband_partitions_partition_key_check CHECK (partition_key >= 1 AND partition_key <= 32766)
);
CREATE INDEX infiniband_partitions_by_account ON infiniband_partitions USING btree (account_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX infiniband_partitions_by_key ON infiniband_partitions USING btree (infiniband_fabric, partition_key) WHERE (deleted_at IS NULL);
CREATE INDEX infiniband_partitions_by_workspace ON infiniband_partitions USING btree (workspace_id) WHERE (deleted_at IS NULL);
grant select, insert, update, delete on infiniband_partitions to bourse_app;

create table installation (
  only_row boolean not null default true,
  id text not null,
  mode text not null,
  created_at bigint not null,
  constraint installation_pkey PRIMARY KEY (only_row),
  constraint installation_mode_check CHECK (mode = ANY (ARRAY['sandbox'::text, 'production'::text])),
  constraint installation_only_row_check CHECK (only_row)
);
grant select, insert, update, delete on installation to bourse_app;

create table instance_logs (
  instance_id text collate "C" not null,
  seqnum bigint not null,
  logged_at bigint not null,
  data bytea not null,
  ends_at_byte bigint not null,
  budget_used bigint not null default 0,
  budget_at_ms bigint not null default 0,
  constraint instance_logs_pkey PRIMARY KEY (instance_id, seqnum)
);
CREATE INDEX instance_logs_by_byte ON instance_logs USING btree (instance_id, ends_at_byte);
grant select, insert, update, delete on instance_logs to bourse_app;

create table instance_ssh_keys (
  instance_id text collate "C" not null,
  ssh_key_id text collate "C" not null,
  name text not null,
  fingerprint text collate "C" not null,
  removed_at bigint,
  constraint instance_ssh_keys_pkey PRIMARY KEY (instance_id, ssh_key_id),
  constraint instance_ssh_keys_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instances(id) ON DELETE CASCADE
);
CREATE INDEX instance_ssh_keys_by_key ON instance_ssh_keys USING btree (ssh_key_id);
grant select, insert, update, delete on instance_ssh_keys to bourse_app;

create table instance_templates (
  id text collate "C" not null,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  image_id text collate "C" not null,
  priority_level text not null,
  enable_public_ipv4 boolean not null,
  firewall_id text collate "C",
  subnet_id text collate "C",
  infiniband_partition_id text collate "C",
  tags jsonb,
  user_data_used boolean not null,
  created_at bigint not null,
  deleted_at bigint,
  ssh_key_ids text[] collate "C" not null default '{}'::text[],
  constraint instance_templates_pkey PRIMARY KEY (id),
  constraint instance_templates_check CHECK (firewall_id IS NULL OR enable_public_ipv4)
);
CREATE INDEX instance_templates_by_account ON instance_templates USING btree (account_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX instance_templates_by_firewall ON instance_templates USING btree (firewall_id) WHERE (deleted_at IS NULL);
CREATE INDEX instance_templates_by_image ON instance_templates USING btree (image_id) WHERE (deleted_at IS NULL);
CREATE INDEX instance_templates_by_partition ON instance_templates USING btree (infiniband_partition_id) WHERE (deleted_at IS NULL);
CREATE INDEX instance_templates_by_subnet ON instance_templates USING btree (subnet_id) WHERE (deleted_at IS NULL);
CREATE INDEX instance_templates_by_workspace ON instance_templates USING btree (workspace_id) WHERE (deleted_at IS NULL);
grant select, insert, update, delete on instance_templates to bourse_app;

create table instances (
  id text collate "C" not null,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  pool_id text collate "C" not null,
  sku_id text collate "C" not null,
  image_id text collate "C" not null,
  state text not null,
  priority_level text not null,
  enable_public_ipv4 boolean not null default false,
  firewall_id text collate "C",
  subnet_id text collate "C",
  infiniband_partition_id text collate "C",
  private_ip text,
  public_ip text,
  mac text not null,
  tags jsonb,
  user_data_used boolean not null default false,
  deployment_id text collate "C",
  deployment_slot integer,
  replaces text collate "C",
  replaced_by text collate "C",
  replaces_host_id text collate "C",
  replaces_slot integer,
  notice_at bigint,
  deadline_at bigint,
  notice_reason text,
  connection_lost_at bigint,
  failed_at bigint,
  running_at bigint,
  terminated_at bigint,
  termination_reason text,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint,
  order_id text collate "C",
  constraint instances_pkey PRIMARY KEY (id),
  constraint instances_check CHECK ((state = 'terminated'::text) = (terminated_at IS NOT NULL)),
  constraint instances_priority_level_check CHECK (priority_level = ANY (ARRAY['yield'::text, 'normal'::text, 'preferred'::text, 'critical'::text])),
  constraint instances_state_check CHECK (state = ANY (ARRAY['awaiting_allocation'::text, 'running'::text, 'failed'::text, 'terminated'::text]))
);
CREATE INDEX instances_by_age ON instances USING btree (created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX instances_by_deadline ON instances USING btree (deadline_at) WHERE ((state <> 'terminated'::text) AND (deadline_at IS NOT NULL));
CREATE UNIQUE INDEX instances_by_public_ip ON instances USING btree (public_ip) WHERE (public_ip IS NOT NULL);
CREATE INDEX instances_by_state ON instances USING btree (account_id, state, created_at, id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX instances_by_successor ON instances USING btree (replaced_by) WHERE (replaced_by IS NOT NULL);
CREATE INDEX instances_by_workspace ON instances USING btree (workspace_id, created_at, id);
CREATE INDEX instances_listed ON instances USING btree (account_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX instances_listed_by_deployment ON instances USING btree (deployment_id, created_at, id) WHERE ((deployment_id IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX instances_listed_by_pool ON instances USING btree (pool_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX instances_living_by_firewall ON instances USING btree (firewall_id) WHERE ((state <> 'terminated'::text) AND (firewall_id IS NOT NULL));
CREATE INDEX instances_living_by_image ON instances USING btree (image_id) WHERE (state <> 'terminated'::text);
CREATE INDEX instances_living_by_partition ON instances USING btree (infiniband_partition_id) WHERE ((state <> 'terminated'::text) AND (infiniband_partition_id IS NOT NULL));
CREATE INDEX instances_living_by_pool ON instances USING btree (pool_id, sku_id) WHERE (state <> 'terminated'::text);
CREATE INDEX instances_living_by_subnet ON instances USING btree (subnet_id) WHERE ((state <> 'terminated'::text) AND (subnet_id IS NOT NULL));
CREATE UNIQUE INDEX instances_one_per_slot ON instances USING btree (deployment_id, deployment_slot) WHERE ((state <> 'terminated'::text) AND (deployment_id IS NOT NULL));
CREATE INDEX instances_waiting ON instances USING btree (sku_id, pool_id, created_at) WHERE (state = 'awaiting_allocation'::text);
grant select, insert, update, delete on instances to bourse_app;

create table ledger (
  id bigint not null generated always as identity,
  cause_kind text collate "C" not null,
  cause_id text collate "C" not null,
  part bigint not null,
  leg integer not null,
  account_id text collate "C",
  book text collate "C" not null,
  amount_micros bigint not null,
  balance_after_micros bigint,
  created_at bigint not null,
  constraint ledger_pkey PRIMARY KEY (id),
  constraint ledger_cause_kind_cause_id_part_leg_key UNIQUE (cause_kind, cause_id, part, leg),
  constraint ledger_book_check CHECK (book = ANY (ARRAY['credit'::text, 'held'::text, 'fees'::text, 'funding'::text])),
  constraint ledger_cause_kind_check CHECK (cause_kind = ANY (ARRAY['admission'::text, 'fill'::text, 'release'::text, 'posting'::text])),
  constraint ledger_check CHECK ((account_id IS NULL) = (book = ANY (ARRAY['fees'::text, 'funding'::text])))
);
CREATE INDEX ledger_by_account ON ledger USING btree (account_id, id) WHERE (account_id IS NOT NULL);
grant select, insert on ledger to bourse_app;

create table ledger_transactions (
  id text collate "C" not null,
  account_id text collate "C" not null,
  type text collate "C" not null,
  amount_micros bigint not null,
  balance_after_micros bigint not null,
  fee_micros bigint not null default 0,
  order_id text collate "C",
  fill_id text collate "C",
  workspace_id text collate "C",
  description text,
  created_at bigint not null,
  position bigint not null default nextval('move_positions'::regclass),
  constraint ledger_transactions_pkey PRIMARY KEY (id)
);
CREATE INDEX ledger_transactions_by_order ON ledger_transactions USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX ledger_transactions_by_position ON ledger_transactions USING btree (account_id, "position");
CREATE INDEX ledger_transactions_listed ON ledger_transactions USING btree (account_id, created_at, "position");
CREATE INDEX ledger_transactions_listed_by_type ON ledger_transactions USING btree (account_id, type, created_at, "position");
CREATE INDEX ledger_transactions_posted ON ledger_transactions USING btree (account_id, created_at) WHERE (fill_id IS NULL);
CREATE INDEX ledger_transactions_posted_at ON ledger_transactions USING btree (created_at, id) WHERE (fill_id IS NULL);
grant select, insert on ledger_transactions to bourse_app;

create table limit_changes (
  id bigint not null generated always as identity,
  account_id text collate "C" not null,
  name text collate "C" not null,
  amount bigint not null,
  constraint limit_changes_pkey PRIMARY KEY (id)
);
CREATE INDEX limit_changes_by_limit ON limit_changes USING btree (account_id, name);
grant select, insert, update, delete on limit_changes to bourse_app;

create table limit_overrides (
  account_id text collate "C" not null,
  name text collate "C" not null,
  value bigint,
  constraint limit_overrides_pkey PRIMARY KEY (account_id, name),
  constraint limit_overrides_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint limit_overrides_value_check CHECK (value >= 0)
);
grant select, insert, update, delete on limit_overrides to bourse_app;

create table limit_usage (
  account_id text collate "C" not null,
  name text collate "C" not null,
  used bigint not null,
  constraint limit_usage_pkey PRIMARY KEY (account_id, name),
  constraint limit_usage_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint limit_usage_used_check CHECK (used >= 0)
) with (fillfactor=70);
grant select, insert, update, delete on limit_usage to bourse_app;

create table machine_statements (
  instance_id text collate "C" not null,
  statement text not null,
  machine_key text collate "C" not null,
  expires_at bigint not null,
  constraint machine_statements_pkey PRIMARY KEY (instance_id),
  constraint machine_statements_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES machines(instance_id) ON DELETE CASCADE
);
grant select, insert, update, delete on machine_statements to bourse_app;

create table machines (
  instance_id text collate "C" not null,
  host_id text collate "C" not null,
  slot integer not null,
  generation bigint not null,
  action text not null,
  state text,
  reason text,
  start_failures integer not null default 0,
  ssh jsonb,
  claimed_at bigint not null,
  reported_at bigint,
  ssh_read_at bigint,
  ssh_keys jsonb,
  constraint machines_pkey PRIMARY KEY (instance_id),
  constraint machines_host_id_slot_key UNIQUE (host_id, slot),
  constraint machines_host_id_fkey FOREIGN KEY (host_id) REFERENCES hosts(id),
  constraint machines_instance_id_fkey FOREIGN KEY (instance_id) REFERENCES instances(id),
  constraint machines_action_check CHECK (action = ANY (ARRAY['run'::text, 'stop'::text])),
  constraint machines_state_check CHECK (state = ANY (ARRAY['fetching'::text, 'starting'::text, 'running'::text, 'start_failed'::text, 'unhealthy'::text, 'stopped'::text]))
);
CREATE INDEX machines_unreported ON machines USING btree (host_id) WHERE (reported_at IS NULL);
grant select, insert, update, delete on machines to bourse_app;

create table maintenance_windows (
  id text collate "C" not null,
  start_at bigint not null,
  end_at bigint not null,
  maintenance_type text not null,
  title text not null,
  description text not null,
  action_message text,
  sku_ids text[] not null,
  created_at bigint not null,
  constraint maintenance_windows_pkey PRIMARY KEY (id),
  constraint maintenance_windows_check CHECK (start_at < end_at),
  constraint maintenance_windows_maintenance_type_check CHECK (maintenance_type = ANY (ARRAY['info'::text, 'degraded_performance'::text, 'unavailable'::text]))
);
CREATE INDEX maintenance_windows_by_end ON maintenance_windows USING btree (end_at);
grant select, insert, delete on maintenance_windows to bourse_app;

create table mandates (
  pool_id text collate "C" not null,
  sku_id text collate "C" not null,
  holder_id text collate "C" not null,
  constraint mandates_pkey PRIMARY KEY (sku_id, pool_id),
  constraint mandates_holder_id_key UNIQUE (holder_id),
  constraint mandates_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES pools(id),
  constraint mandates_sku_id_fkey FOREIGN KEY (sku_id) REFERENCES skus(id)
);
grant select, insert, update, delete on mandates to bourse_app;

create table market_halt (
  only_row boolean not null default true,
  message text,
  halted_at bigint,
  halted_by_token_id text collate "C",
  halted_by_user_id text collate "C",
  constraint market_halt_pkey PRIMARY KEY (only_row),
  constraint market_halt_only_row_check CHECK (only_row)
);
grant select, insert, update, delete on market_halt to bourse_app;

create table market_usage (
  account_id text collate "C" not null,
  open_orders bigint not null default 0,
  open_buy_node_minutes bigint not null default 0,
  constraint market_usage_pkey PRIMARY KEY (account_id),
  constraint market_usage_open_buy_node_minutes_check CHECK (open_buy_node_minutes >= 0),
  constraint market_usage_open_orders_check CHECK (open_orders >= 0)
) with (fillfactor=70);
grant select, insert, update, delete on market_usage to bourse_app;

create table money_accounts (
  account_id text collate "C" not null,
  credit_micros bigint not null default 0,
  held_micros bigint not null default 0,
  credit_limit_micros bigint not null default 0,
  updated_at bigint not null,
  low_at_micros bigint,
  is_low boolean not null default false,
  constraint money_accounts_pkey PRIMARY KEY (account_id),
  constraint money_accounts_check CHECK (credit_micros >= (- credit_limit_micros)),
  constraint money_accounts_credit_limit_micros_check CHECK (credit_limit_micros >= 0),
  constraint money_accounts_held_micros_check CHECK (held_micros >= 0)
) with (fillfactor=70);
grant select, insert, update, delete on money_accounts to bourse_app;

create table names (
  id text collate "C" not null,
  kind text collate "C" not null,
  account_id text collate "C" not null,
  workspace_id text collate "C",
  name text collate "C" not null,
  shown_as text collate "C",
  deleted_at bigint,
  constraint names_pkey PRIMARY KEY (id),
  constraint names_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE UNIQUE INDEX names_in_account ON names USING btree (account_id, kind, name) WHERE ((workspace_id IS NULL) AND (deleted_at IS NULL));
CREATE UNIQUE INDEX names_in_workspace ON names USING btree (workspace_id, kind, name) WHERE ((workspace_id IS NOT NULL) AND (deleted_at IS NULL));
grant select, insert, update, delete on names to bourse_app;

create table network_numbers (
  name text collate "C" not null,
  last bigint not null,
  constraint network_numbers_pkey PRIMARY KEY (name)
);
grant select, insert, update, delete on network_numbers to bourse_app;

create table orders (
  id text collate "C" not null,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  pool_id text collate "C" not null,
  sku_id text collate "C" not null,
  side text not null,
  state text not null,
  allow_standing boolean not null,
  allow_partial boolean not null,
  start_minute bigint not null,
  end_minute bigint not null,
  node_count integer not null,
  price_micros bigint not null,
  seq bigint not null,
  remaining jsonb not null,
  filled jsonb not null default '[]'::jsonb,
  lapsed boolean not null default false,
  filled_node_minutes bigint not null default 0,
  filled_value_micros bigint not null default 0,
  book_version bigint not null,
  managed_by text collate "C",
  created_by_token_id text collate "C",
  created_at bigint not null,
  filled_at bigint,
  cancelled_at bigint,
  cancel_reason text,
  filled_cut_sixtieths bigint not null default 0,
  amends text collate "C",
  amended_by text collate "C",
  requested jsonb,
  filled_before jsonb not null default '[]'::jsonb,
  priority_seq bigint,
  constraint orders_pkey PRIMARY KEY (id),
  constraint orders_sku_id_seq_key UNIQUE (sku_id, seq),
  constraint orders_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES pools(id),
  constraint orders_sku_id_fkey FOREIGN KEY (sku_id) REFERENCES skus(id),
  constraint orders_check CHECK (start_minute < end_minute),
  constraint orders_side_check CHECK (side = ANY (ARRAY['buy'::text, 'sell'::text])),
  constraint orders_state_check CHECK (state = ANY (ARRAY['standing'::text, 'partially_filled'::text, 'filled'::text, 'cancelled'::text]))
);
CREATE UNIQUE INDEX orders_amends ON orders USING btree (amends) WHERE (amends IS NOT NULL);
CREATE INDEX orders_by_account_and_manager ON orders USING btree (account_id, (
CASE
    WHEN (managed_by IS NULL) THEN 0
    ELSE 1
END), created_at, id);
CREATE INDEX orders_by_age ON orders USING btree (created_at, id);
CREATE INDEX orders_by_manager_and_age ON orders USING btree (managed_by, created_at, id) WHERE (managed_by IS NOT NULL);
CREATE INDEX orders_by_start ON orders USING btree (account_id, start_minute, id);
CREATE INDEX orders_by_state ON orders USING btree (account_id, state, created_at, id);
CREATE INDEX orders_changed ON orders USING btree (sku_id, book_version);
CREATE INDEX orders_open ON orders USING btree (sku_id, seq) WHERE (state = ANY (ARRAY['standing'::text, 'partially_filled'::text]));
CREATE INDEX orders_open_by_pool ON orders USING btree (pool_id) WHERE (state = ANY (ARRAY['standing'::text, 'partially_filled'::text]));
CREATE INDEX orders_sold_by_pool ON orders USING btree (pool_id, sku_id, end_minute) WHERE ((side = 'sell'::text) AND (filled_node_minutes > 0));
grant select, insert, update, delete on orders to bourse_app;

create table passkeys (
  id text collate "C" not null,
  account_id text collate "C" not null,
  user_id text collate "C" not null,
  name text not null,
  credential_id bytea not null,
  public_key bytea not null,
  signature_count bigint not null,
  transports text[] collate "C" not null,
  is_backed_up boolean not null,
  created_at bigint not null,
  last_used_at bigint,
  opened_by_token_id text collate "C",
  made_in_sessions text[] collate "C",
  let_in_by text[] collate "C",
  constraint passkeys_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX passkeys_by_credential ON passkeys USING btree (credential_id);
CREATE INDEX passkeys_by_opener ON passkeys USING btree (opened_by_token_id) WHERE (opened_by_token_id IS NOT NULL);
CREATE INDEX passkeys_by_session ON passkeys USING gin (made_in_sessions) WHERE (made_in_sessions IS NOT NULL);
CREATE INDEX passkeys_by_user ON passkeys USING btree (user_id, created_at, id);
grant select, insert, update, delete on passkeys to bourse_app;

create table pending_credits (
  id text collate "C" not null,
  account_id text collate "C" not null,
  type text collate "C" not null,
  amount_micros bigint not null,
  description text not null,
  state text collate "C" not null,
  requested_by_token_id text collate "C" not null,
  requested_by_user_id text collate "C",
  requested_by_lineage text[] collate "C" not null,
  created_at bigint not null,
  expires_at bigint not null,
  decided_by_token_id text collate "C",
  decided_by_user_id text collate "C",
  decided_at bigint,
  transaction_id text collate "C",
  limit_before_micros bigint,
  requested_by_right_since bigint,
  constraint pending_credits_pkey PRIMARY KEY (id),
  constraint pending_credits_transaction_id_key UNIQUE (transaction_id),
  constraint pending_credits_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint pending_credits_amount_micros_check CHECK (amount_micros > 0),
  constraint pending_credits_check CHECK ((state = 'pending'::text) = (decided_at IS NULL)),
  constraint pending_credits_limits CHECK ((type = 'credit_limit'::text) = (limit_before_micros IS NOT NULL)),
  constraint pending_credits_posted CHECK ((state = 'approved'::text AND limit_before_micros IS NULL) = (transaction_id IS NOT NULL)),
  constraint pending_credits_state_check CHECK (state = ANY (ARRAY['pending'::text, 'approved'::text, 'refused'::text, 'expired'::text]))
);
CREATE INDEX pending_credits_by_account ON pending_credits USING btree (account_id, created_at, id);
CREATE INDEX pending_credits_by_age ON pending_credits USING btree (created_at, id);
CREATE INDEX pending_credits_by_state ON pending_credits USING btree (state, created_at, id);
grant select, insert, update on pending_credits to bourse_app;

create table placements (
  pool_id text collate "C" not null,
  sku_id text collate "C" not null,
  checked_at bigint not null default 0,
  wants_slot boolean not null default false,
  constraint placements_pkey PRIMARY KEY (pool_id, sku_id)
);
CREATE INDEX placements_wanting ON placements USING btree (sku_id) WHERE wants_slot;
grant select, insert, update, delete on placements to bourse_app;

create table pool_allocation (
  pool_id text collate "C" not null,
  sku_id text collate "C" not null,
  minute bigint not null,
  delta bigint not null,
  constraint pool_allocation_pkey PRIMARY KEY (pool_id, sku_id, minute),
  constraint pool_allocation_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES pools(id)
);
CREATE INDEX pool_allocation_by_minute ON pool_allocation USING btree (minute) WHERE (minute > 0);
grant select, insert, update, delete on pool_allocation to bourse_app;

create table pool_promise (
  pool_id text collate "C" not null,
  sku_id text collate "C" not null,
  minute bigint not null,
  delta bigint not null,
  constraint pool_promise_pkey PRIMARY KEY (pool_id, sku_id, minute),
  constraint pool_promise_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES pools(id)
);
grant select, insert, update, delete on pool_promise to bourse_app;

create table pool_transfers (
  id text collate "C" not null,
  account_id text collate "C" not null,
  from_pool_id text collate "C" not null,
  to_pool_id text collate "C" not null,
  workspace_id text collate "C" not null,
  sku_id text collate "C" not null,
  schedule jsonb not null,
  created_by_token_id text collate "C",
  created_at bigint not null,
  constraint pool_transfers_pkey PRIMARY KEY (id),
  constraint pool_transfers_from_pool_id_fkey FOREIGN KEY (from_pool_id) REFERENCES pools(id),
  constraint pool_transfers_sku_id_fkey FOREIGN KEY (sku_id) REFERENCES skus(id),
  constraint pool_transfers_to_pool_id_fkey FOREIGN KEY (to_pool_id) REFERENCES pools(id)
);
CREATE INDEX pool_transfers_by_account ON pool_transfers USING btree (account_id, created_at, id);
CREATE INDEX pool_transfers_by_source ON pool_transfers USING btree (from_pool_id, sku_id, (((schedule ->> '-2'::integer))::bigint));
grant select, insert on pool_transfers to bourse_app;

create table pools (
  id text collate "C" not null,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  kind text not null,
  tags jsonb,
  created_at bigint not null,
  deleted_at bigint,
  constraint pools_pkey PRIMARY KEY (id),
  constraint pools_kind_check CHECK (kind = ANY (ARRAY['market'::text, 'originating'::text, 'read_only'::text]))
);
CREATE INDEX pools_by_account ON pools USING btree (account_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX pools_by_age ON pools USING btree (created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX pools_by_workspace ON pools USING btree (workspace_id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX pools_one_supply ON pools USING btree (workspace_id) WHERE ((kind = 'originating'::text) AND (deleted_at IS NULL));
grant select, insert, update, delete on pools to bourse_app;

create table posting_makers (
  transaction_id text collate "C" not null,
  token_id text collate "C",
  user_id text collate "C",
  approved_by_token_id text collate "C",
  approved_by_user_id text collate "C",
  constraint posting_makers_pkey PRIMARY KEY (transaction_id),
  constraint posting_makers_check CHECK ((token_id IS NULL) <> (user_id IS NULL))
);
grant select, insert on posting_makers to bourse_app;

create table price_buckets (
  sku_id text collate "C" not null,
  seconds integer not null,
  start_at bigint not null,
  first_filled_at bigint not null,
  first_fill_id text collate "C" not null,
  first_micros bigint not null,
  last_filled_at bigint not null,
  last_fill_id text collate "C" not null,
  last_micros bigint not null,
  low_micros bigint not null,
  high_micros bigint not null,
  node_minutes bigint not null,
  value_micros numeric not null,
  fill_count bigint not null,
  cut_sixtieths bigint not null default 0,
  fee_micros numeric,
  constraint price_buckets_pkey PRIMARY KEY (sku_id, seconds, start_at),
  constraint price_buckets_seconds_check CHECK (seconds = ANY (ARRAY[60, 3600, 86400]))
) with (fillfactor=70);
grant select, insert, update on price_buckets to bourse_app;

create table procurements (
  id text collate "C" not null,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  pool_id text collate "C" not null,
  sku_id text collate "C" not null,
  target integer,
  min_sell_hourly_micros bigint not null,
  max_buy_hourly_micros bigint,
  managed_window_minutes integer not null,
  enabled boolean not null,
  status_state text not null,
  status_code text not null,
  status_message text not null,
  failures integer not null default 0,
  retry_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint,
  constraint procurements_pkey PRIMARY KEY (id),
  constraint procurements_pool_id_fkey FOREIGN KEY (pool_id) REFERENCES pools(id),
  constraint procurements_sku_id_fkey FOREIGN KEY (sku_id) REFERENCES skus(id),
  constraint procurements_managed_window_minutes_check CHECK (managed_window_minutes >= 1 AND managed_window_minutes <= 129600),
  constraint procurements_target_check CHECK (target >= 0 AND target <= 10000)
);
CREATE INDEX procurements_by_account ON procurements USING btree (account_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX procurements_by_pool ON procurements USING btree (pool_id, sku_id) WHERE (deleted_at IS NULL);
CREATE INDEX procurements_by_sku ON procurements USING btree (sku_id) WHERE (deleted_at IS NULL);
CREATE INDEX procurements_by_workspace ON procurements USING btree (workspace_id) WHERE (deleted_at IS NULL);
grant select, insert, update, delete on procurements to bourse_app;

create table reconcilers (
  kind text collate "C" not null,
  last_run_at bigint,
  took_ms integer not null default 0,
  runs bigint not null default 0,
  failures bigint not null default 0,
  last_error text,
  constraint reconcilers_pkey PRIMARY KEY (kind)
);
grant select, insert, update, delete on reconcilers to bourse_app;

create table recovery_codes (
  id text collate "C" not null,
  account_id text collate "C" not null,
  user_id text collate "C" not null,
  secret_hash bytea not null,
  created_at bigint not null,
  opened_by_token_id text collate "C",
  made_in_sessions text[] collate "C",
  let_in_by text[] collate "C",
  constraint recovery_codes_pkey PRIMARY KEY (id)
);
CREATE INDEX recovery_codes_by_opener ON recovery_codes USING btree (opened_by_token_id) WHERE (opened_by_token_id IS NOT NULL);
CREATE INDEX recovery_codes_by_session ON recovery_codes USING gin (made_in_sessions) WHERE (made_in_sessions IS NOT NULL);
CREATE INDEX recovery_codes_by_user ON recovery_codes USING btree (user_id);
grant select, insert, update, delete on recovery_codes to bourse_app;

create table roles (
  id text collate "C" not null,
  account_id text collate "C" not null,
  policy jsonb not null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint roles_pkey PRIMARY KEY (id),
  constraint roles_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX roles_by_age ON roles USING btree (account_id, created_at, id);
grant select, insert, update, delete on roles to bourse_app;

create table sandbox_clock (
  only_row boolean not null default true,
  real_anchor numeric(20,6) not null,
  business_anchor_ms bigint not null,
  rate integer not null default 1,
  frozen boolean not null default false,
  builder text,
  constraint sandbox_clock_pkey PRIMARY KEY (only_row),
  constraint sandbox_clock_only_row_check CHECK (only_row),
  constraint sandbox_clock_rate_check CHECK (rate >= 1 AND rate <= 86400)
);
grant select, insert, update, delete on sandbox_clock to bourse_app;

create table sandbox_faults (
  id text collate "C" not null,
  kind text collate "C" not null,
  fields jsonb not null,
  times integer not null,
  ends_at bigint,
  hits integer not null default 0,
  created_at bigint not null,
  removed_at bigint,
  constraint sandbox_faults_pkey PRIMARY KEY (id)
);
grant select, insert, update, delete on sandbox_faults to bourse_app;

create table sandbox_hosts (
  host_id text collate "C" not null,
  seed bigint not null,
  hidden_at bigint,
  down_until bigint,
  constraint sandbox_hosts_pkey PRIMARY KEY (host_id)
);
grant select, insert, update, delete on sandbox_hosts to bourse_app;

create table sandbox_machine_faults (
  id text collate "C" not null,
  kind text not null,
  host_id text collate "C",
  instance_id text collate "C",
  times integer not null,
  ends_at bigint,
  hits integer not null default 0,
  created_at bigint not null,
  removed_at bigint,
  constraint sandbox_machine_faults_pkey PRIMARY KEY (id),
  constraint sandbox_machine_faults_check CHECK ((host_id IS NULL) <> (instance_id IS NULL)),
  constraint sandbox_machine_faults_kind_check CHECK (kind = ANY (ARRAY['host_silent'::text, 'host_crash'::text, 'start_failure'::text, 'checksum_mismatch'::text, 'instance_unhealthy'::text, 'guest_shutdown'::text]))
);
CREATE INDEX sandbox_machine_faults_by_host ON sandbox_machine_faults USING btree (host_id) WHERE ((host_id IS NOT NULL) AND (removed_at IS NULL));
CREATE INDEX sandbox_machine_faults_by_instance ON sandbox_machine_faults USING btree (instance_id) WHERE ((instance_id IS NOT NULL) AND (removed_at IS NULL));
grant select, insert, update, delete on sandbox_machine_faults to bourse_app;

create table sandbox_machines (
  host_id text collate "C" not null,
  instance_id text collate "C" not null,
  generation bigint not null,
  state text not null,
  reason text,
  next_at bigint,
  constraint sandbox_machines_pkey PRIMARY KEY (host_id, instance_id),
  constraint sandbox_machines_host_id_fkey FOREIGN KEY (host_id) REFERENCES sandbox_hosts(host_id) ON DELETE CASCADE,
  constraint sandbox_machines_state_check CHECK (state = ANY (ARRAY['fetching'::text, 'starting'::text, 'running'::text, 'start_failed'::text, 'unhealthy'::text, 'stopping'::text, 'stopped'::text]))
);
grant select, insert, update, delete on sandbox_machines to bourse_app;

create table sandbox_makers (
  sku_id text collate "C" not null,
  seed bigint not null,
  base_price_micros bigint not null,
  began_minute bigint not null,
  nodes integer not null,
  enabled boolean not null,
  desk_pool_id text collate "C" not null,
  trader_pool_id text collate "C" not null,
  created_at bigint not null,
  weather_from_minute bigint,
  utc_offset_minutes integer not null default 0,
  constraint sandbox_makers_pkey PRIMARY KEY (sku_id),
  constraint sandbox_makers_base_price_micros_check CHECK (base_price_micros > 0),
  constraint sandbox_makers_nodes_check CHECK (nodes > 0)
);
grant select, insert, update, delete on sandbox_makers to bourse_app;

create table sandbox_numbers (
  name text collate "C" not null,
  last bigint not null,
  constraint sandbox_numbers_pkey PRIMARY KEY (name)
);
grant select, insert, update, delete on sandbox_numbers to bourse_app;

create table sandbox_world (
  only_row boolean not null default true,
  scenario text not null,
  seed bigint not null,
  ids jsonb not null,
  constraint sandbox_world_pkey PRIMARY KEY (only_row),
  constraint sandbox_world_only_row_check CHECK (only_row)
);
grant select, insert, update, delete on sandbox_world to bourse_app;

create table schema_migrations (
  version integer not null,
  name text not null,
  sha256 text not null,
  applied_at bigint not null,
  serves integer,
  steps_left integer not null default 0,
  constraint schema_migrations_pkey PRIMARY KEY (version)
);
grant select on schema_migrations to bourse_app;

create table self_audit (
  only_row boolean not null default true,
  holder text,
  leased_until bigint not null default 0,
  started_at bigint,
  ended_at bigint,
  audits integer not null default 0,
  violations jsonb not null default '[]'::jsonb,
  figures jsonb not null default '[]'::jsonb,
  constraint self_audit_pkey PRIMARY KEY (only_row),
  constraint self_audit_only_row_check CHECK (only_row)
);
grant select, update on self_audit to bourse_app;

create table sessions (
  token_id text collate "C" not null,
  device text not null,
  address text not null,
  authenticated_at bigint not null,
  ends_by bigint,
  opened_by_token_id text collate "C",
  first_session_id text collate "C",
  let_in_by text[] collate "C",
  constraint sessions_pkey PRIMARY KEY (token_id)
);
CREATE INDEX sessions_by_first ON sessions USING btree (first_session_id) WHERE (first_session_id IS NOT NULL);
grant select, insert, update, delete on sessions to bourse_app;

create table sign_in_links (
  id text collate "C" not null,
  account_id text collate "C" not null,
  user_id text collate "C" not null,
  secret_hash bytea not null,
  grant_ids text[] collate "C" not null,
  created_at bigint not null,
  expires_at bigint not null,
  ends_by bigint,
  made_by_token_id text collate "C",
  made_in_sessions text[] collate "C",
  let_in_by text[] collate "C",
  constraint sign_in_links_pkey PRIMARY KEY (id)
);
CREATE INDEX sign_in_links_by_account ON sign_in_links USING btree (account_id);
CREATE INDEX sign_in_links_by_user ON sign_in_links USING btree (user_id, created_at, id);
grant select, insert, update, delete on sign_in_links to bourse_app;

create table sku_holdings (
  account_id text collate "C" not null,
  sku_id text collate "C" not null,
  constraint sku_holdings_pkey PRIMARY KEY (account_id, sku_id),
  constraint sku_holdings_sku_id_fkey FOREIGN KEY (sku_id) REFERENCES skus(id)
);
grant select, insert, update, delete on sku_holdings to bourse_app;

create table sku_overrides (
  account_id text collate "C" not null,
  sku_id text collate "C" not null,
  properties jsonb not null,
  updated_at bigint not null,
  constraint sku_overrides_pkey PRIMARY KEY (account_id, sku_id),
  constraint sku_overrides_sku_id_fkey FOREIGN KEY (sku_id) REFERENCES skus(id)
);
grant select, insert, update, delete on sku_overrides to bourse_app;

create table sku_property_values (
  property text collate "C" not null,
  name text collate "C" not null,
  display_name text not null,
  description text not null,
  documentation_link text,
  deprecated_at bigint,
  deprecation_info text,
  constraint sku_property_values_pkey PRIMARY KEY (property, name)
);
grant select, insert, update, delete on sku_property_values to bourse_app;

create table skus (
  id text collate "C" not null,
  alias text collate "C" not null,
  properties jsonb not null,
  listed boolean not null,
  hourly_fee_micros bigint not null,
  fee_bps integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint,
  price_step_micros bigint not null default 1,
  simulated boolean not null default false,
  operator_hosts_only boolean not null default false,
  benchmarks jsonb,
  benchmark_figures text[] collate "C" not null default '{}'::text[],
  public_prices_exclude_related boolean not null default false,
  constraint skus_pkey PRIMARY KEY (id),
  constraint skus_fee_bps_check CHECK (fee_bps >= 0 AND fee_bps <= 10000),
  constraint skus_flat_fee_micros_check CHECK (hourly_fee_micros >= 0),
  constraint skus_price_step_micros_check CHECK (price_step_micros > 0)
);
CREATE INDEX skus_by_age ON skus USING btree (created_at, id);
CREATE UNIQUE INDEX skus_by_alias ON skus USING btree (alias) WHERE (deleted_at IS NULL);
grant select, insert, update, delete on skus to bourse_app;

create table spot_buying (
  deployment_id text collate "C" not null,
  status_state text not null,
  status_code text not null,
  status_message text not null,
  failures integer not null default 0,
  retry_at bigint,
  constraint spot_buying_pkey PRIMARY KEY (deployment_id),
  constraint spot_buying_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployments(id)
);
grant select, insert, update, delete on spot_buying to bourse_app;

create table ssh_keys (
  id text collate "C" not null,
  account_id text collate "C" not null,
  owner_id text collate "C" not null,
  name text not null,
  key_type text not null,
  bits integer not null,
  public_key text collate "C" not null,
  fingerprint text collate "C" not null,
  created_at bigint not null,
  opened_by_token_id text collate "C",
  made_in_sessions text[] collate "C",
  let_in_by text[] collate "C",
  constraint ssh_keys_pkey PRIMARY KEY (id)
);
CREATE INDEX ssh_keys_by_account ON ssh_keys USING btree (account_id, created_at, id);
CREATE UNIQUE INDEX ssh_keys_by_fingerprint ON ssh_keys USING btree (account_id, fingerprint);
CREATE INDEX ssh_keys_by_opener ON ssh_keys USING btree (opened_by_token_id) WHERE (opened_by_token_id IS NOT NULL);
CREATE INDEX ssh_keys_by_owner ON ssh_keys USING btree (owner_id, created_at, id);
grant select, insert, update, delete on ssh_keys to bourse_app;

create table subnet_addresses (
  subnet_id text collate "C" not null,
  address bigint not null,
  instance_id text collate "C" not null,
  constraint subnet_addresses_pkey PRIMARY KEY (subnet_id, address),
  constraint subnet_addresses_subnet_id_fkey FOREIGN KEY (subnet_id) REFERENCES subnets(id)
);
CREATE INDEX subnet_addresses_by_instance ON subnet_addresses USING btree (instance_id);
grant select, insert, update, delete on subnet_addresses to bourse_app;

create table subnets (
  id text collate "C" not null,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  region text collate "C" not null,
  cidr text not null,
  vni integer not null,
  tags jsonb,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint,
  constraint subnets_pkey PRIMARY KEY (id),
  constraint subnets_vni_key UNIQUE (vni),
  constraint subnets_vni_check CHECK (vni >= 1 AND vni <= 16777215)
);
CREATE INDEX subnets_by_account ON subnets USING btree (account_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX subnets_by_workspace ON subnets USING btree (workspace_id) WHERE (deleted_at IS NULL);
grant select, insert, update, delete on subnets to bourse_app;

create table tokens (
  id text collate "C" not null,
  account_id text collate "C" not null,
  workspace_id text collate "C" not null,
  kind text collate "C" not null,
  user_id text collate "C",
  kid text collate "C" not null,
  jti text collate "C" not null,
  suffix text collate "C" not null,
  expires_at bigint,
  last_used_at bigint,
  created_at bigint not null,
  created_by_token_id text collate "C",
  created_by_user_id text collate "C",
  deleted_at bigint,
  allowed_cidrs text[],
  resources text[],
  made_in_sessions text[] collate "C",
  let_in_by text[] collate "C",
  constraint tokens_pkey PRIMARY KEY (id),
  constraint tokens_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint tokens_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id),
  constraint tokens_check CHECK ((kind = 'session'::text) = (user_id IS NOT NULL)),
  constraint tokens_kind_check CHECK (kind = ANY (ARRAY['service'::text, 'session'::text]))
) with (fillfactor=80);
CREATE INDEX tokens_by_age ON tokens USING btree (account_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX tokens_by_creator ON tokens USING btree (created_by_token_id) WHERE (created_by_token_id IS NOT NULL);
CREATE INDEX tokens_by_session ON tokens USING gin (made_in_sessions) WHERE (made_in_sessions IS NOT NULL);
CREATE INDEX tokens_by_user ON tokens USING btree (user_id) WHERE ((user_id IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX tokens_by_workspace ON tokens USING btree (workspace_id) WHERE (deleted_at IS NULL);
grant select, insert, update, delete on tokens to bourse_app;

create table unnamed_proxies (
  address text not null,
  seen_at bigint not null,
  constraint unnamed_proxies_pkey PRIMARY KEY (address)
);
grant select, insert, update, delete on unnamed_proxies to bourse_app;

create table unrelated_price_buckets (
  sku_id text collate "C" not null,
  seconds integer not null,
  start_at bigint not null,
  first_filled_at bigint,
  first_fill_id text collate "C",
  first_micros bigint,
  last_filled_at bigint,
  last_fill_id text collate "C",
  last_micros bigint,
  low_micros bigint,
  high_micros bigint,
  node_minutes bigint not null,
  value_micros numeric not null,
  cut_sixtieths bigint not null,
  fill_count bigint not null,
  constraint unrelated_price_buckets_pkey PRIMARY KEY (sku_id, seconds, start_at)
) with (fillfactor=70);
grant select, insert, update on unrelated_price_buckets to bourse_app;

create table usage_changes (
  id bigint not null generated always as identity,
  position bigint not null default nextval('move_positions'::regclass),
  account_id text collate "C" not null,
  kind text collate "C" not null,
  pool_id text collate "C" not null,
  to_pool_id text collate "C",
  sku_id text collate "C" not null,
  minute bigint,
  delta bigint,
  schedule jsonb,
  constraint usage_changes_pkey PRIMARY KEY (id),
  constraint usage_changes_check CHECK ((kind = 'transfer'::text) = (schedule IS NOT NULL AND to_pool_id IS NOT NULL)),
  constraint usage_changes_check1 CHECK ((kind = 'transfer'::text) = (minute IS NULL AND delta IS NULL)),
  constraint usage_changes_kind_check CHECK (kind = ANY (ARRAY['transfer'::text, 'owned'::text, 'running'::text]))
);
CREATE INDEX usage_changes_by_account ON usage_changes USING btree (account_id, id);
grant select, insert, update, delete on usage_changes to bourse_app;

create table usage_folds (
  account_id text collate "C" not null,
  position bigint not null default 0,
  version bigint not null default 0,
  open_month bigint not null default 0,
  constraint usage_folds_pkey PRIMARY KEY (account_id)
) with (fillfactor=50);
CREATE INDEX usage_folds_by_open_month ON usage_folds USING btree (open_month);
grant select, insert, update, delete on usage_folds to bourse_app;

create table usage_hours (
  account_id text collate "C" not null,
  hour bigint not null,
  pool_id text collate "C" not null,
  sku_id text collate "C" not null,
  bought_micros numeric not null default 0,
  sold_micros numeric not null default 0,
  fee_micros numeric not null default 0,
  cost_micros numeric not null default 0,
  owned_minutes bigint not null default 0,
  owned_nodes bigint not null default 0,
  run_minutes bigint not null default 0,
  run_nodes bigint not null default 0,
  constraint usage_hours_pkey PRIMARY KEY (account_id, hour, pool_id, sku_id)
) with (fillfactor=80);
grant select, insert, update, delete on usage_hours to bourse_app;

create table used_attempts (
  id text collate "C" not null,
  expires_at bigint not null,
  constraint used_attempts_pkey PRIMARY KEY (id)
);
CREATE INDEX used_attempts_by_end ON used_attempts USING btree (expires_at);
grant select, insert, update, delete on used_attempts to bourse_app;

create table user_data (
  owner_id text collate "C" not null,
  account_id text collate "C" not null,
  key_id integer not null,
  sealed bytea not null,
  constraint user_data_pkey PRIMARY KEY (owner_id)
);
grant select, insert, update, delete on user_data to bourse_app;

create table user_data_readings (
  id bigint not null generated always as identity,
  owner_id text collate "C" not null,
  account_id text collate "C" not null,
  token_id text collate "C" not null,
  request_id text collate "C" not null,
  read_at bigint not null,
  constraint user_data_readings_pkey PRIMARY KEY (id)
);
CREATE INDEX user_data_readings_by_owner ON user_data_readings USING btree (owner_id, id);
grant select, insert on user_data_readings to bourse_app;

create table users (
  id text collate "C" not null,
  account_id text collate "C" not null,
  email text collate "C",
  first_name text,
  last_name text,
  created_at bigint not null,
  deleted_at bigint,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX users_by_age ON users USING btree (account_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX users_by_email ON users USING btree (account_id, lower(email)) WHERE (deleted_at IS NULL);
grant select, insert, update, delete on users to bourse_app;

create table versions (
  name text collate "C" not null,
  value bigint not null,
  constraint versions_pkey PRIMARY KEY (name)
);
grant select, insert, update, delete on versions to bourse_app;

create table webhook_deliveries (
  id text collate "C" not null,
  webhook_id text collate "C" not null,
  origin text not null,
  event_id text collate "C",
  position bigint,
  occurred_at bigint,
  action text collate "C",
  target_id text collate "C",
  body text,
  state text not null,
  attempts jsonb not null default '[]'::jsonb,
  next_attempt_at bigint,
  created_at bigint not null,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id),
  constraint webhook_deliveries_check CHECK ((origin = 'test'::text) = (event_id IS NULL)),
  constraint webhook_deliveries_check1 CHECK (state = 'pending'::text OR next_attempt_at IS NULL),
  constraint webhook_deliveries_origin_check CHECK (origin = ANY (ARRAY['event'::text, 'replay'::text, 'redelivery'::text, 'test'::text])),
  constraint webhook_deliveries_state_check CHECK (state = ANY (ARRAY['pending'::text, 'succeeded'::text, 'failed'::text]))
);
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries USING btree (webhook_id, created_at, id);
CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries USING btree (webhook_id, event_id);
CREATE UNIQUE INDEX webhook_deliveries_of_events ON webhook_deliveries USING btree (webhook_id, "position") WHERE (origin = 'event'::text);
CREATE INDEX webhook_deliveries_pending ON webhook_deliveries USING btree (webhook_id, next_attempt_at, "position") WHERE (state = 'pending'::text);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries USING btree (webhook_id, target_id, "position") WHERE ((state = 'pending'::text) AND (target_id IS NOT NULL));
grant select, insert, update, delete on webhook_deliveries to bourse_app;

create table webhook_workers (
  id text collate "C" not null,
  lease_until numeric not null,
  constraint webhook_workers_pkey PRIMARY KEY (id)
);
grant select, insert, update, delete on webhook_workers to bourse_app;

create table webhooks (
  id text collate "C" not null,
  account_id text collate "C" not null,
  url text not null,
  description text,
  actions text[] not null,
  target_types text[] not null,
  targets text[] not null,
  ordering text not null,
  enabled boolean not null,
  disabled_reason text,
  position bigint not null,
  position_at bigint not null,
  replay_position bigint,
  replay_position_at bigint,
  replay_until bigint,
  replay_until_at bigint,
  failures integer not null default 0,
  failures_since bigint,
  is_failing boolean not null default false,
  last_success_at bigint,
  last_failure_at bigint,
  paused_until bigint,
  next_attempt_at bigint,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until bigint,
  worker_id text collate "C",
  epoch bigint not null default 0,
  revision bigint not null default 0,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint,
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint webhooks_check CHECK (enabled = (disabled_reason IS NULL)),
  constraint webhooks_check1 CHECK ((failures = 0) = (failures_since IS NULL)),
  constraint webhooks_check2 CHECK ((replay_position IS NULL) = (replay_until IS NULL)),
  constraint webhooks_check3 CHECK (replay_position < replay_until),
  constraint webhooks_disabled_reason_check CHECK (disabled_reason = ANY (ARRAY['gone'::text, 'failures'::text, 'user'::text])),
  constraint webhooks_ordering_check CHECK (ordering = ANY (ARRAY['none'::text, 'per_target'::text]))
);
CREATE INDEX webhooks_by_age ON webhooks USING btree (account_id, created_at, id) WHERE (deleted_at IS NULL);
CREATE INDEX webhooks_by_next_attempt ON webhooks USING btree (worker_id, next_attempt_at) WHERE ((deleted_at IS NULL) AND (next_attempt_at IS NOT NULL));
CREATE INDEX webhooks_by_worker ON webhooks USING btree (worker_id) WHERE (deleted_at IS NULL);
CREATE INDEX webhooks_deleted ON webhooks USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
grant select, insert, update, delete on webhooks to bourse_app;

create table workspaces (
  id text collate "C" not null,
  account_id text collate "C" not null,
  created_at bigint not null,
  deleted_at bigint,
  constraint workspaces_pkey PRIMARY KEY (id),
  constraint workspaces_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX workspaces_by_age ON workspaces USING btree (account_id, created_at, id) WHERE (deleted_at IS NULL);
grant select, insert, update, delete on workspaces to bourse_app;

create table write_probe_pages (
  filler text not null
) with (autovacuum_enabled=false);
grant truncate, select, insert on write_probe_pages to bourse_app;

create table write_probes (
  process text not null,
  written_at bigint not null,
  schema_version integer,
  constraint write_probes_pkey PRIMARY KEY (process)
);
grant select, insert, update, delete on write_probes to bourse_app;

create table wrong_device_codes (
  network text collate "C" not null,
  failed_at bigint[] not null,
  last_failed_at bigint not null,
  constraint wrong_device_codes_pkey PRIMARY KEY (network)
);
CREATE INDEX wrong_device_codes_by_age ON wrong_device_codes USING btree (last_failed_at);
grant select, insert, update, delete on wrong_device_codes to bourse_app;

CREATE TRIGGER note_capacity AFTER INSERT ON capacity_postings FOR EACH ROW EXECUTE FUNCTION note_capacity();

CREATE TRIGGER add_to_price_buckets AFTER INSERT ON fills REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_to_price_buckets();

CREATE TRIGGER note_running AFTER INSERT OR UPDATE OF running_at, terminated_at ON instances FOR EACH ROW EXECUTE FUNCTION note_running();

CREATE TRIGGER note_transfer AFTER INSERT ON pool_transfers FOR EACH ROW EXECUTE FUNCTION note_transfer();

CREATE TRIGGER record_ended_session AFTER DELETE ON tokens FOR EACH ROW WHEN ((old.kind = 'session'::text)) EXECUTE FUNCTION record_ended_session();
