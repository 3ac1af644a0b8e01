// Imports accounts from archives. An account that matches an existing one by id or address maps to
// it; other people get a new account, and the workspace's administrators pass on their first token,
// as for invited people. An archive proves no address: a role is pending if an account here merely
// claims the address, and is in use.
import type pg from 'pg'
import { arrivingAccounts } from '../../core/accounts/index.ts'
import { ArchiveError } from './format/archive-error.ts'
import { stage } from './format/rows.ts'

/** Fills the temporary table account_here: the local account of each account in the archive. */
export async function importAccounts(
  session: pg.Client,
  content: AsyncIterable<Buffer>,
  workspaceId: string,
): Promise<number> {
  const staged = await stage(session, content)
  const { rows } = await session.query<{ wrong: string }>(
    String.raw`select count(*) as wrong from staged s, json_populate_record(null::account, s.line) r
      where (r.id <> '' and length(r.email) <= 320 and r.email ~ '^[^\s@]+@[^\s@]+$') is not true`,
  )
  if (rows[0]!.wrong !== '0')
    throw new ArchiveError('The archive has an account with an invalid email address')
  await session.query(`
    insert into account_here (there, here, is_new)
    select r.id, coalesce(same.id, alike.id, r.id), coalesce(same.id, alike.id) is null
    from staged s cross join lateral json_populate_record(null::account, s.line) r
      left join account same on same.id = r.id
      left join lateral (select id from account where lower(email) = lower(r.email) order by created_at
        limit 1) alike on true`)
  await arrivingAccounts.insertNew(session, workspaceId)
  await session.query('truncate staged')
  return staged
}

/** Adds the accounts of a workspace that moves here. */
export async function moveAccounts(
  session: pg.Client,
  content: AsyncIterable<Buffer>,
  workspaceId: string,
): Promise<number> {
  const staged = await stage(session, content)
  await arrivingAccounts.insertMoved(session, workspaceId)
  await session.query('truncate staged')
  return staged
}
