// Owns the table carried_key. Keys of chat users and signed URLs of files are signed with keys of
// the installation. A workspace takes along what its own were signed with, so that they stay valid
// at the target: a key for each chat, and for a limited time the key of URLs of files.

import { hmac } from '@botstead/lib'
import { type Database, type Db, statement } from '../db/index.ts'
import type { Secrets } from './secrets.ts'

type Kind = 'user_keys' | 'content'

const toLocation = (botId: string, kind: Kind, name: string) =>
  `carried_key.secret/${botId}/${kind}/${name}`

/** Returns the keys of other installations, in base64. */
async function readCarriedKeys(
  db: Db,
  secrets: Pick<Secrets, 'open'>,
  botId: string,
  kind: Kind,
  name?: string,
): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('carried_key')
    .select(['name', 'secret'])
    .where('bot_id', '=', botId)
    .where('kind', '=', kind)
    .where((where) =>
      where.or([where('valid_until', 'is', null), where('valid_until', '>', new Date())]),
    )
    .execute()
  const wanted = rows.filter(
    (row) => name === undefined || row.name.startsWith(`${name} `),
  )
  const open = async (row: (typeof rows)[number]) =>
    Buffer.from(
      await secrets.open(row.secret, toLocation(botId, kind, row.name)),
      'base64',
    )
  return Promise.all(wanted.map(open))
}

interface Bot {
  botId: string
  webhookId: string | null
}

const keepStatement = statement<{
  botId: string
  kind: Kind
  name: string
  secret: Buffer
  validHours: number | null
}>(
  'keep-carried-key',
  `insert into carried_key (bot_id, kind, name, secret, valid_until)
     values (:botId, :kind, :name, :secret, now() + :validHours::int * interval '1 hour')
   on conflict (bot_id, kind, name) do update set
     secret = excluded.secret, valid_until = excluded.valid_until
   where :validHours::int is not null`,
)

/** URLs of files expire after one hour; the rest is for a move that takes long to decide. */
const contentHours = 24

const botsWithKeysStatement = statement<{ workspaceId: string; installation: string }>(
  'bots-with-keys',
  `select b.id as "botId", i.webhook_id as "webhookId" from bot b
       left join installation i on i.bot_id = b.id where b.workspace_id = :workspaceId
       and not exists (select from carried_key k where k.bot_id = b.id and k.kind = 'content'
         and k.name = :installation and k.valid_until > now() + interval '22 hours'
         and (i.webhook_id is null or exists (select from carried_key u where u.bot_id = b.id
           and u.kind = 'user_keys' and u.name = i.webhook_id || ' ' || :installation)))`,
)

/** Stores the keys with the bots of a workspace that leaves. Repeated calls renew them. */
async function storeCarriedKeys(
  database: Database,
  secrets: Secrets,
  chatKey: string,
  { workspaceId, installation }: { workspaceId: string; installation: string },
): Promise<void> {
  const bots = await database.run<Bot & Record<string, unknown>>(
    ...botsWithKeysStatement({ workspaceId, installation }),
  )
  const keep = async (
    botId: string,
    kind: Kind,
    name: string,
    key: Buffer,
    hours: number | null,
  ) => {
    const text = key.toString('base64')
    const secret = await secrets.seal(workspaceId, text, toLocation(botId, kind, name))
    await database.run(...keepStatement({ botId, kind, name, secret, validHours: hours }))
  }
  for (const { botId, webhookId } of bots) {
    await keep(botId, 'content', installation, secrets.derive('upload'), contentHours)
    if (webhookId) {
      const name = `${webhookId} ${installation}`
      await keep(botId, 'user_keys', name, userKeySecret(chatKey, webhookId), null)
    }
  }
}

/** The secret with which this installation signs the keys of a chat's users. */
export const userKeySecret = (chatKey: string, webhookId: string) =>
  hmac(Buffer.from(chatKey), `user keys of ${webhookId}`)

/** Keys that an archive carries. */
export const carriedKeys = {
  read: readCarriedKeys,
  store: storeCarriedKeys,
}
