-- in steps: not in one transaction
-- Several users of a bot may be one person (features/persons). The bot's states of such users are one: they are kept
-- at one of the users, the home. Null: the user is a person alone. The home itself has its own id.
alter table "user" add column if not exists home_id text;

create index concurrently if not exists user_home on "user" (bot_id, home_id) where home_id is not null;

-- What each user of a person contributes to a state: the payload that the user had, with what was written through
-- the user since. The state has, of each key, the value that was written last. A split takes the layers apart.
create table if not exists state_layer (
  bot_id text not null references bot on delete cascade,
  owner text not null default '' check (owner in ('')),
  type text not null default 'user' check (type in ('user')),
  -- The home.
  subject_id text not null,
  name text not null,
  -- Through whom it was written. Not a reference: the person keeps the values of a deleted user.
  user_id text not null,
  payload jsonb not null,
  -- When each key was written, in microseconds since 1970; a key that the payload lacks was removed then.
  written jsonb not null,
  primary key (bot_id, subject_id, name, user_id),
  foreign key (bot_id, owner, type, subject_id, name) references state on update cascade on delete cascade
);

create index if not exists state_layer_user on state_layer (bot_id, user_id);

-- A person outlives its home: the states move to the oldest of the other users.
create or replace function keep_states_of_person() returns trigger language plpgsql as $$
declare
  heir text;
begin
  select id into heir from "user" where bot_id = old.bot_id and home_id = old.id
    order by created_at, id limit 1 for update;
  if heir is not null then
    update state set subject_id = heir
      where bot_id = old.bot_id and owner = '' and type = 'user' and subject_id = old.id;
    update "user" set home_id = heir where bot_id = old.bot_id and home_id = old.id;
  end if;
  return null;
end
$$;

-- The name comes before those of foreign keys ("RI_…"), whose triggers delete the states of the user.
create or replace trigger "Keep states of person" after delete on "user"
  for each row when (old.home_id = old.id) execute function keep_states_of_person();

-- How each user of a person came to it.
create table if not exists person_member (
  bot_id text not null,
  user_id text not null,
  -- The kind of the verified address; by hand: of an account, or of the bot.
  joined_by text not null check (joined_by in ('email', 'phone', 'id', 'account', 'bot')),
  account_id text references account on delete set null,
  joined_at timestamptz(3) not null default now(),
  primary key (bot_id, user_id),
  foreign key (bot_id, user_id) references "user" on delete cascade
);

create index if not exists person_member_account on person_member (account_id) where account_id is not null;

-- Addresses under which users have written, as all channels write them.
create table if not exists user_address (
  bot_id text not null,
  user_id text not null,
  kind text not null check (kind in ('email', 'phone', 'id')),
  address text not null,
  -- The proof; null: the user only claims it.
  verified_by text check (verified_by in ('mail-server', 'provider', 'signature', 'account', 'bot')),
  verified_at timestamptz(3),
  -- When it was last used without a proof.
  claimed_at timestamptz(3),
  -- Another user has it, too.
  is_shared boolean not null default false,
  primary key (bot_id, user_id, kind, address),
  foreign key (bot_id, user_id) references "user" on delete cascade
);

create index if not exists user_address_value on user_address (bot_id, kind, address, user_id);

create index if not exists user_address_shared on user_address (bot_id, kind, address) where is_shared;

-- Users that people keep apart: no rule merges them, and no suggestion names them.
create table if not exists separated_user (
  bot_id text not null,
  -- The smaller id of the two.
  user_id text not null,
  other_id text not null,
  created_at timestamptz(3) not null default now(),
  primary key (bot_id, user_id, other_id),
  foreign key (bot_id, user_id) references "user" on delete cascade,
  foreign key (bot_id, other_id) references "user" on delete cascade
);

create index if not exists separated_user_other on separated_user (bot_id, other_id);

-- The kinds of verified addresses that merge users; none: people do.
create table if not exists person_rules (
  bot_id text primary key references bot on delete cascade,
  merge_by text[] not null
);
