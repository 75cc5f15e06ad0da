-- serves: 55
-- The hosts of old rollouts are deleted. How many of each group had which state stays with the rollout; null: they are
-- still there.
alter table agent_rollouts add column host_counts jsonb;
-- step: in a transaction
grant delete on agent_rollout_hosts to bourse_app;
-- Hosts are never deleted, and the rollouts of one are not asked for.
-- step: outside a transaction
drop index concurrently if exists agent_rollout_hosts_by_host;
