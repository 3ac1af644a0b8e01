// Owns the table outgoing_mail: e-mails of the server, until a mail server has accepted them. They are
// written in the transaction of their cause. Any server sends them, and one that dies while it sends leaves
// the e-mail to another after `leaseMinutes`: it may arrive twice then, with the same Message-ID.
import { randomUUID } from 'node:crypto'
import { maxReasonLength, PeriodicTask, storableText } from '@botstead/lib'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { MailSettings } from '../../../core/config/index.ts'
import type { Db } from '../../../core/db/index.ts'
import type { Outgoing } from '../../../core/outgoing/index.ts'
import type { Secrets } from '../../../core/sealing/index.ts'
import { MailFailed, type NewMail, sendMail } from './sending.ts'

interface Deps {
  db: Db
  secrets: Secrets
  config: { mail: MailSettings | null }
  outgoing: Pick<Outgoing, 'resolve'>
  log: Logger
}

const toLocation = (id: string) => `outgoing_mail.content/${id}`

/** A notice is written once. Others count by subject and day, up to a maximum. */
type MailKey = { once: string } | { ofDay: string; max: number }

/** Writes an e-mail, in the transaction of its cause. Returns false if its key forbids another one. */
export async function queueMail(
  db: Db,
  secrets: Pick<Secrets, 'seal'>,
  { recipient, ...content }: NewMail,
  key: MailKey,
): Promise<boolean> {
  const id = randomUUID()
  const text = 'once' in key ? key.once : `${key.ofDay} ${id}`
  if ('ofDay' in key && (await countOfDay(db, key.ofDay)) >= key.max) return false
  const sealed = await secrets.seal(null, JSON.stringify(content), toLocation(id))
  const { rows } = await sql`
    insert into outgoing_mail (id, key, recipient, content)
    values (${id}, ${text}, ${recipient}, ${sealed}) on conflict do nothing returning 1`.execute(
    db,
  )
  return rows.length > 0
}

async function countOfDay(db: Db, prefix: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from outgoing_mail where starts_with(key, ${`${prefix} `})
      and created_at > now() - interval '1 day'`.execute(db)
  return rows[0]!.count
}

interface MailState {
  pending: number
  /** Of the newest e-mail that failed and was not sent since. */
  failure: { at: Date; recipient: string; reason: string } | null
}

export async function readMailState(db: Db): Promise<MailState> {
  const { rows } = await sql<{ pending: number } & NonNullable<MailState['failure']>>`
    select (select count(*)::int from outgoing_mail where due_at is not null) as pending, failed.*
    from (select) as always left join lateral (
      select created_at as at, recipient, failure as reason from outgoing_mail
      where failure is not null and content is not null order by created_at desc, id limit 1
    ) failed on true`.execute(db)
  const { pending, at, recipient, reason } = rows[0]!
  return { pending, failure: reason === null ? null : { at, recipient, reason } }
}

const paceMs = 3_000

export function startMailer(deps: Deps) {
  const task = new PeriodicTask({
    task: async () => {
      if (!deps.config.mail) return
      for (let isSent = true; isSent; ) isSent = await sendNext(deps)
    },
    paceMs,
    failed: (error) => deps.log.warn({ err: error }, 'cannot send e-mails; retrying'),
  })
  return { stop: () => task.stop() }
}

interface Claimed {
  id: string
  recipient: string
  content: Buffer
  attempts: number
}

const leaseMinutes = 5
/** With doubling pauses of at most four hours: for about a day. */
const maxAttempts = 12

async function claim(db: Db): Promise<Claimed | null> {
  const { rows } = await sql<Claimed>`
    update outgoing_mail set attempts = attempts + 1,
      due_at = now() + ${leaseMinutes} * interval '1 minute'
    where id = (
      select id from outgoing_mail where due_at <= now() order by due_at, id limit 1
      for update skip locked)
    returning id, recipient, content, attempts`.execute(db)
  return rows[0] ?? null
}

/** Returns false if no e-mail is due. */
async function sendNext(deps: Deps): Promise<boolean> {
  const { db, secrets, config, outgoing, log } = deps
  const mail = await claim(db)
  if (!mail || !config.mail) return false
  const { id, recipient, content, attempts } = mail
  try {
    const { subject, text } = JSON.parse(await secrets.open(content, toLocation(id)))
    await sendMail(outgoing, config.mail, { recipient, subject, text }, id)
    await sql`update outgoing_mail set due_at = null, content = null, failure = null
      where id = ${id}`.execute(db)
    return true
  } catch (error) {
    if (!(error instanceof MailFailed)) throw error
    log.warn({ err: error, mail: id }, 'an e-mail was not sent; retrying')
    await postpone(db, {
      id,
      attempts,
      failure: storableText(error.message, maxReasonLength),
    })
    return true
  }
}

async function postpone(
  db: Db,
  { id, attempts, failure }: { id: string; attempts: number; failure: string },
): Promise<void> {
  const minutes = Math.min(2 ** attempts, 240)
  const isLast = attempts >= maxAttempts
  await sql`
    update outgoing_mail set failure = ${failure},
      due_at = case when ${isLast} then null else now() + ${minutes} * interval '1 minute' end
    where id = ${id}`.execute(db)
}

/** Sends failed e-mails at once, after the mail server was set. */
export async function retryMails(db: Db): Promise<void> {
  await sql`update outgoing_mail set attempts = 0, due_at = now() where content is not null
    and failure is not null`.execute(db)
}

export async function deleteOldMails(db: Db): Promise<void> {
  await sql`delete from outgoing_mail where created_at < now() - interval '30 days'`.execute(
    db,
  )
}
