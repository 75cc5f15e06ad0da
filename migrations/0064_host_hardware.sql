-- serves: 55
-- Whether hosts have the hardware of their SKU, and what each slot gets of it. Null: the agent has not reported it.
alter table hosts
  add column facts_at bigint,
  add column slot_hardware jsonb,
  add column fitting_slots integer,
  add column unfit_at bigint,
  add column unfit_message text;
alter table skus add column simulated boolean not null default false;
