-- While a world is wiped and filled only the process that does it knows the time: nobody else begins anything in it.
alter table sandbox_clock add column builder text;

create or replace function bourse_now_ms() returns bigint language plpgsql volatile as $$
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
$$;
