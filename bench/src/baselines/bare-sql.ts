// Tables and statements of the bare program. pgbench runs the same statements.

export const bareSchema = `
  create table if not exists conversation (
    id text primary key, message_count integer not null default 0, last_number bigint not null default 0,
    updated_at timestamptz not null default now()
  ) with (fillfactor = 70);
  create table if not exists message (
    id text primary key, conversation_id text not null, user_id text not null, number bigint not null,
    direction text not null, type text not null, payload jsonb not null,
    created_at timestamptz not null default now()
  );
  create unique index if not exists message_place on message (conversation_id, number desc);
  create table if not exists event (
    id text primary key, type text not null, message_id text not null, status text not null default 'pending',
    created_at timestamptz not null default now()
  ) with (fillfactor = 80);
  create table if not exists delivery (
    id text primary key, conversation_id text not null, event_id text not null,
    created_at timestamptz not null default now()
  )`

const numbered = `numbered as (
    update conversation set last_number = last_number + 1, message_count = message_count + 1,
      updated_at = now()
    where id = $1 returning last_number
  )`

export const writeIncoming = `
  with ${numbered},
  stored as (
    insert into message (id, conversation_id, user_id, number, direction, type, payload)
    select $2, $1, $3, last_number, 'incoming', $4, $5 from numbered returning created_at
  ),
  noted as (insert into event (id, type, message_id) select $6, 'message_created', $2 from numbered),
  due as (insert into delivery (id, conversation_id, event_id) select $7, $1, $6 from numbered)
  select created_at from stored`

export const writeOutgoing = `
  with ${numbered},
  stored as (
    insert into message (id, conversation_id, user_id, number, direction, type, payload)
    select $2, $1, $3, last_number, 'outgoing', $4, $5 from numbered returning created_at
  )
  select created_at from stored`

export const writeEnd = `
  with ended as (delete from delivery where id = $1)
  update event set status = 'processed' where id = $2`

export const writeMany = `
  with input as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::jsonb[], $6::text[],
      $7::text[]) with ordinality
      as i (conversation_id, id, user_id, type, payload, event_id, delivery_id, ord)
  ),
  counted as (
    select conversation_id, count(*) as n from input group by conversation_id
    order by conversation_id
  ),
  numbered as (
    update conversation set last_number = last_number + n, message_count = message_count + n,
      updated_at = now()
    from counted where id = conversation_id returning id, last_number, n
  ),
  stored as (
    insert into message (id, conversation_id, user_id, number, direction, type, payload)
    select i.id, conversation_id, user_id,
      last_number - n + row_number() over (partition by conversation_id order by ord),
      case when event_id is null then 'outgoing' else 'incoming' end, type, payload
    from input i join numbered c on c.id = i.conversation_id
    returning id, created_at
  ),
  noted as (
    insert into event (id, type, message_id)
    select event_id, 'message_created', id from input where event_id is not null
  ),
  due as (
    insert into delivery (id, conversation_id, event_id)
    select delivery_id, conversation_id, event_id from input where event_id is not null
  )
  select ord, created_at from stored join input using (id)`

export const writeEnds = `
  with ended as (delete from delivery where id = any($1))
  update event set status = 'processed' where id = any($2)`

export const readMessages =
  'select * from message where conversation_id = $1 order by number desc limit 20'
