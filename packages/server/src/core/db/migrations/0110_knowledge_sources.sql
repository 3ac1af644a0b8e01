-- Web pages as sources of knowledge bases: one page, or the pages of a sitemap.
create table knowledge_source (
  bot_id text not null references bot on delete cascade,
  id text not null,
  knowledge_base_id text not null,
  type text not null check (type in ('page', 'sitemap')),
  url text collate "C" not null,
  schedule text not null check (schedule in ('off', 'daily', 'weekly', 'monthly')),
  max_pages integer not null,
  status text not null default 'pending'
    check (status in ('pending', 'fetching', 'completed', 'failed')),
  -- Why the source could not be read, or not completely.
  problem text,
  -- Pages of the current or last refresh: all, those that are done, and those without content.
  total integer not null default 0,
  done integer not null default 0,
  failed integer not null default 0,
  -- Number of the refresh: a page with a lower number has left the sitemap.
  run integer not null default 0,
  -- Time of the next step; null without one.
  next_at timestamptz(3) default now(),
  worker text,
  attempts integer not null default 0,
  created_at timestamptz(3) not null default now(),
  refreshed_at timestamptz(3),
  primary key (bot_id, id),
  foreign key (bot_id, knowledge_base_id) references knowledge_base on delete cascade
);
create unique index knowledge_source_url on knowledge_source (bot_id, knowledge_base_id, url);
create index knowledge_source_listing on knowledge_source (bot_id, created_at desc, id desc);
create index knowledge_source_due on knowledge_source (next_at) where next_at is not null;

create table knowledge_page (
  bot_id text not null,
  source_id text not null,
  url text collate "C" not null,
  status text not null default 'pending'
    check (status in ('pending', 'fetched', 'unchanged', 'blocked', 'failed', 'gone')),
  reason text,
  file_id text,
  -- As the website sent them with the content.
  etag text,
  last_modified text,
  -- Whether the current refresh still has to fetch it.
  is_pending boolean not null default true,
  run integer not null,
  checked_at timestamptz(3),
  primary key (bot_id, source_id, url),
  foreign key (bot_id, source_id) references knowledge_source on delete cascade
);
create index knowledge_page_pending on knowledge_page (bot_id, source_id, url) where is_pending;
create index knowledge_page_status on knowledge_page (bot_id, source_id, status, url);
create index knowledge_page_file on knowledge_page (bot_id, file_id) where file_id is not null;

-- A trigger, because pages also leave with their source and their knowledge base. Two sources of a
-- knowledge base may have the same page, and thus the same file.
create function remove_file_of_page() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  delete from file f where f.bot_id = old.bot_id and f.id = old.file_id and not exists (
    select from knowledge_page p where p.bot_id = old.bot_id and p.file_id = old.file_id
  );
  return null;
end
$$;
create trigger page_removed after delete on knowledge_page for each row
  when (old.file_id is not null) execute function remove_file_of_page();
create trigger page_without_content after update of file_id on knowledge_page for each row
  when (old.file_id is not null and old.file_id is distinct from new.file_id)
  execute function remove_file_of_page();
