-- Accounts of installed channels at their providers, and when messages last arrived, left or failed.
create table channel_activity (
  bot_id text not null,
  alias text not null,
  -- Digest of the account: only one installation of a workspace can receive its messages.
  account text,
  -- As people see the account, and where they begin a chat with it.
  account_name text,
  account_link text,
  received_at timestamptz(3),
  sent_at timestamptz(3),
  error_at timestamptz(3),
  error text,
  error_of text check (error_of in ('receiving', 'sending')),
  -- The error is the state of the channel, until it works again.
  is_lasting boolean not null default false,
  primary key (bot_id, alias),
  foreign key (bot_id, alias) references installation on delete cascade
);

create index channel_activity_account on channel_activity (account) where account is not null;
