-- What spot deployments do on the market, or why they cannot. What their fleets do stands with the deployment.

create table spot_buying (
  deployment_id text collate "C" primary key references deployments (id),
  status_state text not null,
  status_code text not null,
  status_message text not null,
  failures integer not null default 0,
  -- When what was refused is ordered again; null where nothing was.
  retry_at bigint
);

alter table deployments add check ((kind = 'spot') = (max_buy_price_micros is not null));

grant select, insert, update, delete on spot_buying to bourse_app;
