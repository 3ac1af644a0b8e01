-- `hitl`: a session of the plugin `hitl`, which relays the messages itself.
alter table handoff add column source text not null default 'request'
  check (source in ('request', 'rule', 'hitl'));
