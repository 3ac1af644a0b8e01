// Owns the table server_setting: settings of the installation that its operator makes in the dashboard.
// Invariant: keys and passwords are encrypted, and leave the server only to the server that they are for.
import type { ServerSettingsChange } from '@botstead/contract'
import { sql } from 'kysely'
import { type Db, toJson } from '../../core/db/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'

export const settingNames = ['address', 'model', 'embeddings', 'backups', 'mail'] as const
export type SettingName = (typeof settingNames)[number]

type Sent = { [Name in SettingName]-?: NonNullable<ServerSettingsChange[Name]> }

/** The values of each setting, without its secret. */
export type SettingValues = {
  [Name in SettingName]: Omit<Sent[Name], 'key' | 'password'>
}

export type StoredSettings = {
  [Name in SettingName]?: {
    value: SettingValues[Name]
    /** Null without a key or password. */
    secret: string | null
    updatedAt: Date
  }
}

const toLocation = (name: SettingName) => `server_setting.secret/${name}`

export async function readStoredSettings(
  db: Db,
  secrets: Pick<Secrets, 'open'>,
): Promise<StoredSettings> {
  const rows = await db.selectFrom('server_setting').selectAll().execute()
  const entries = rows.map(async ({ name, value, secret, updated_at: updatedAt }) => [
    name,
    {
      value,
      secret: secret && (await secrets.open(secret, toLocation(name))),
      updatedAt,
    },
  ])
  return Object.fromEntries(await Promise.all(entries))
}

/** Replaces a setting; null removes it. */
export async function storeSetting<Name extends SettingName>(
  db: Db,
  secrets: Pick<Secrets, 'seal'>,
  name: Name,
  setting: { value: SettingValues[Name]; secret: string | null } | null,
): Promise<void> {
  if (!setting) {
    await db.deleteFrom('server_setting').where('name', '=', name).execute()
    return
  }
  const secret =
    setting.secret === null
      ? null
      : await secrets.seal(null, setting.secret, toLocation(name))
  await sql`
    insert into server_setting (name, value, secret)
    values (${name}, ${toJson(setting.value)}, ${secret})
    on conflict (name) do update set value = excluded.value, secret = excluded.secret,
      updated_at = now()`.execute(db)
}
