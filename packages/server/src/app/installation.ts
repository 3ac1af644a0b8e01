// The installation as its operator sees it: servers, database, queue and settings.
import { sql } from 'kysely'
import type { InstallationReader, InstallationState } from '../http/services.ts'
import type { Config } from '../infra/config/config.ts'
import type { Db } from '../infra/db/open.ts'
import { examine } from './doctor/examine.ts'
import type { Finding } from './doctor/finding.ts'

type Server = InstallationState['servers'][number]
type Table = InstallationState['tables'][number]
type Setting = InstallationState['settings'][number]

const maxRows = 200

export function openInstallation({ db, config }: { db: Db; config: Config }): InstallationReader {
  let running: Promise<Finding[]> | null = null
  return {
    async read() {
      const [servers, databaseBytes, tables] = await Promise.all([
        listServers(db),
        sizeOfDatabase(db),
        listTableSizes(db),
      ])
      return { servers, databaseBytes, tables, settings: settingsOf(config) }
    },
    check() {
      running ??= examine(config).finally(() => {
        running = null
      })
      return running
    },
  }
}

async function listServers(db: Db): Promise<Server[]> {
  const { rows } = await sql<Server>`
    select id, host, pid, started_at, alive_until, alive_until > now() as is_alive from worker
    order by started_at desc limit ${maxRows}`.execute(db)
  return rows
}

async function sizeOfDatabase(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database())::float8 as bytes`.execute(db)
  return rows[0]!.bytes
}

async function listTableSizes(db: Db): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select relname as name, pg_total_relation_size(oid)::float8 as bytes,
      greatest(reltuples, 0)::float8 as rows
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    order by bytes desc limit ${maxRows}`.execute(db)
  return rows
}

/**
 * How each setting is shown. `isSet`: only whether it is set, because it has secrets. `url`: without
 * user, password and query. `omitted`: a function.
 */
const shown: Record<keyof Config, 'value' | 'url' | 'isSet' | 'omitted'> = {
  ...{
    port: 'value',
    host: 'value',
    dataFolder: 'value',
    backupFolder: 'value',
    publicUrl: 'url',
    domain: 'value',
  },
  ...{ databaseUrl: 'url', databaseDirectUrl: 'url', databaseReadUrl: 'url', natsUrls: 'url' },
  ...{ logLevel: 'value', corsOrigins: 'value', chatOrigins: 'value' },
  ...{ chatKey: 'isSet', masterKey: 'isSet', newMasterKey: 'isSet', metricsToken: 'isSet' },
  ...{ drainSeconds: 'value', shutdownSeconds: 'value', retrySeconds: 'value' },
  ...{ leaseSeconds: 'value', checkAnswers: 'value', botMemoryMb: 'value' },
  ...{ sandboxMinTier: 'value', sandboxTrust: 'value', deployCheck: 'value' },
  ...{ botNetwork: 'omitted', urlNetwork: 'omitted', trustProxy: 'omitted', limits: 'value' },
  ...{ sessionHours: 'value', sessionIdleHours: 'value', openId: 'isSet' },
  ...{ insightDays: 'value', tunnels: 'value', logDays: 'value', eventDays: 'value' },
  ...{ messageDays: 'value', messageSearch: 'value', s3: 'isSet', embeddings: 'isSet' },
  ...{ models: 'value', modelsRecord: 'value', modelsReplay: 'value', localModels: 'value' },
  ...{ localModelMemoryMb: 'value', localModelSeconds: 'value', rerankPassages: 'value' },
  model: 'isSet',
}

export const settingsOf = (config: Config): Setting[] =>
  (Object.keys(shown) as (keyof Config)[])
    .filter((name) => shown[name] !== 'omitted')
    .map((name) => ({ name, value: toShown(shown[name], config[name]) }))

function toShown(kind: 'value' | 'url' | 'isSet' | 'omitted', value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (kind === 'isSet') return 'set'
  if (kind === 'url') return [value].flat().map(withoutSecrets).join(', ')
  return typeof value === 'object' ? JSON.stringify(value, unlimited) : String(value)
}

/** JSON has no infinity. */
const unlimited = (_: string, value: unknown) =>
  value === Number.POSITIVE_INFINITY ? 'unlimited' : value

function withoutSecrets(text: unknown): string {
  if (!URL.canParse(String(text))) return 'set'
  const { protocol, host, pathname } = new URL(String(text))
  return `${protocol}//${host}${pathname}`
}
