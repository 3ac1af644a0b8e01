// Accounts of a workspace that arrives from an archive or another installation. The importer stages their
// rows in temporary tables of its session: `staged (line)`, and `account_here (there, here, is_new)` with the
// local account of each account in the archive.

import { sha256 } from '@botstead/lib'
import type pg from 'pg'
import { newId } from '../lib/index.ts'
import { createTokenValue } from './token-format.ts'

type Session = Pick<pg.Client, 'query'>

/** Creates the new accounts of account_here. */
const insertNewAccounts = (session: Session, workspaceId: string) =>
  session.query(
    `insert into account (id, email, name, picture_url, created_at, updated_at, invited_by)
    select r.id, r.email, r.name, r.picture_url, r.created_at, r.updated_at, $1
    from staged s cross join lateral json_populate_record(null::account, s.line) r
      join account_here a on a.there = r.id and a.is_new`,
    [workspaceId],
  )

/**
 * Creates the staged accounts with their ids, so that their tokens stay valid. An address that belongs to
 * another account here is changed: the holder of a token must not become that account.
 */
const insertMovedAccounts = (session: Session, workspaceId: string) =>
  session.query(
    `insert into account (id, email, name, picture_url, created_at, updated_at, invited_by)
    select r.id,
      case when exists (select from account a where lower(a.email) = lower(r.email))
        then regexp_replace(r.email, '(@[^@]*)$', '+' || left(r.id, 8) || '\\1') else r.email end,
      r.name, r.picture_url, r.created_at, r.updated_at, $1
    from staged s cross join lateral json_populate_record(null::account, s.line) r
    on conflict (id) do nothing`,
    [workspaceId],
  )

/** Deletes the accounts that came with the workspace, with their tokens. */
const deleteArrivedAccounts = (session: Session, workspaceId: string) =>
  session.query(
    `delete from account a where a.invited_by = $1 and not exists (select from workspace_member m
       where m.account_id = a.id and m.workspace_id <> $1)`,
    [workspaceId],
  )

/**
 * Makes a member pending if an account here claims the address and is in use: a stranger may have set it
 * up. Call it after the import of all tables.
 */
async function suspendClaimed(session: Session, workspaceId: string): Promise<void> {
  await session.query(
    `with suspended as (
      delete from workspace_member m using account_here known, account a
      where m.workspace_id = $1 and m.account_id = known.here and known.here <> known.there
        and not known.is_new and a.id = known.here and a.email_verified_at is null
        and (exists (select from token where account_id = a.id)
          or exists (select from session where account_id = a.id)
          or exists (select from account_password where account_id = a.id))
      returning m.*
    )
    insert into pending_member (workspace_id, account_id, role, granted_by, created_at)
    select workspace_id, account_id, role, coalesce(granted_by, 'archive'), created_at from suspended`,
    [workspaceId],
  )
}

/**
 * Creates the first token of an owner with a claimed address; the operator who passes it on proves it.
 * Returns null without one, and if any member already has a token.
 */
async function createOwnerToken(
  session: Session,
  workspaceId: string,
): Promise<{ email: string; value: string } | null> {
  const value = createTokenValue('pat')
  const { rows } = await session.query<{ email: string }>(
    `with owner as (
      select account.id, account.email from workspace_member m join account on account.id = m.account_id
      where m.workspace_id = $1 and m.role = 'owner' and account.email_verified_at is null
        and not exists (select from token t join workspace_member other on other.account_id = t.account_id
          where other.workspace_id = $1 and t.kind = 'pat')
      order by m.created_at, account.id limit 1
    ), given as (
      insert into token (id, kind, hash, note, account_id) select $2, 'pat', $3,
        'made when the workspace was imported', id from owner
    ), proved as (
      update account set email_verified_at = now(), invited_by = null where id in (select id from owner)
    )
    select email from owner`,
    [workspaceId, newId('patoken'), sha256(value)],
  )
  return rows[0] ? { email: rows[0].email, value } : null
}

/** Accounts and members that arrive with a workspace from another installation. */
export const arrivingAccounts = {
  insertMoved: insertMovedAccounts,
  insertNew: insertNewAccounts,
  createOwnerToken,
  suspendClaimed,
  delete: deleteArrivedAccounts,
}
