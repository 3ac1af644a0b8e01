-- in steps: not in one transaction
-- Models that rerank passages.
alter table model_call
  drop constraint if exists model_call_kind_check,
  add constraint model_call_kind_check
    check (kind in ('text', 'embedding', 'speech', 'transcription', 'image', 'rerank')) not valid;

alter table model_call validate constraint model_call_kind_check;
