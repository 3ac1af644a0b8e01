// The installation as its operator sees it: servers, database, queue and settings.
import { sql } from 'kysely'
import { type Config, limitRules } from '../../core/config/index.ts'
import { type Db, parseHosts } from '../../core/db/index.ts'
import type { BackupState } from '../archive/index.ts'
import { examine } from './doctor/examine.ts'
import type { Finding } from './doctor/finding.ts'
import type { InstallationReader, InstallationState } from './services.ts'

type Server = InstallationState['servers'][number]
type Table = InstallationState['tables'][number]
type Setting = InstallationState['settings'][number]

const maxRows = 200

interface Deps {
  db: Db
  config: Config
  readBackups: () => Promise<BackupState>
}

export function openInstallation({ db, config, readBackups }: Deps): InstallationReader {
  let running: Promise<Finding[]> | null = null
  return {
    async read() {
      const [servers, databaseBytes, tables, backups] = await Promise.all([
        listServers(db),
        sizeOfDatabase(db),
        listTableSizes(db),
        readBackups(),
      ])
      return { servers, databaseBytes, tables, backups, settings: listSettings(config) }
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
  // -1: PostgreSQL has not counted the rows yet.
  const { rows } = await sql<Table>`
    select relname as name, pg_total_relation_size(oid)::float8 as bytes,
      nullif(reltuples, -1)::float8 as rows
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    order by bytes desc limit ${maxRows}`.execute(db)
  return rows
}

type Shown = 'value' | 'url' | 'isSet'

/**
 * The environment variable of each setting, and how its value is shown. `isSet`: only whether it is
 * set, because it has secrets. `url`: without user, password and query. Null: not shown here.
 */
const shown: Record<keyof Config, [variable: string, Shown] | null> = {
  port: ['BOTSTEAD_PORT', 'value'],
  host: ['BOTSTEAD_HOST', 'value'],
  publicUrl: ['BOTSTEAD_PUBLIC_URL', 'url'],
  domain: ['BOTSTEAD_DOMAIN', 'value'],
  corsOrigins: ['BOTSTEAD_CORS_ORIGINS', 'value'],
  chatOrigins: ['BOTSTEAD_CHAT_ORIGINS', 'value'],
  trustProxy: null,
  publicLimits: null,
  dataFolder: ['BOTSTEAD_DATA', 'value'],
  backupFolder: ['BOTSTEAD_BACKUPS', 'value'],
  backupSchedule: ['BOTSTEAD_BACKUP_SCHEDULE', 'value'],
  backupKeep: ['BOTSTEAD_BACKUP_KEEP', 'value'],
  backupVerify: ['BOTSTEAD_BACKUP_VERIFY', 'value'],
  backupBucket: ['BOTSTEAD_BACKUP_BUCKET', 'isSet'],
  databaseUrl: ['DATABASE_URL', 'url'],
  databaseDirectUrl: ['DATABASE_DIRECT_URL', 'url'],
  databaseReadUrl: ['DATABASE_READ_URL', 'url'],
  natsUrls: ['NATS_URL', 'url'],
  s3: ['S3_BUCKET', 'isSet'],
  chatKey: ['BOTSTEAD_CHAT_KEY', 'isSet'],
  masterKey: ['BOTSTEAD_MASTER_KEY', 'isSet'],
  newMasterKey: ['BOTSTEAD_NEW_MASTER_KEY', 'isSet'],
  logLevel: ['BOTSTEAD_LOG_LEVEL', 'value'],
  metricsToken: ['BOTSTEAD_METRICS_TOKEN', 'isSet'],
  drainSeconds: ['BOTSTEAD_DRAIN_SECONDS', 'value'],
  shutdownSeconds: ['BOTSTEAD_SHUTDOWN_SECONDS', 'value'],
  retrySeconds: ['BOTSTEAD_RETRY_SECONDS', 'value'],
  leaseSeconds: ['BOTSTEAD_LEASE_SECONDS', 'value'],
  checkAnswers: ['BOTSTEAD_CHECK_ANSWERS', 'value'],
  botMemoryMb: ['BOTSTEAD_BOT_MEMORY_MB', 'value'],
  sandboxMinTier: ['BOTSTEAD_SANDBOX_MIN_TIER', 'value'],
  sandboxTrust: ['BOTSTEAD_SANDBOX_TRUST', 'value'],
  botTuning: ['BOTSTEAD_BOT_TUNING', 'value'],
  deployCheck: ['BOTSTEAD_DEPLOY_CHECK', 'value'],
  tunnels: ['BOTSTEAD_TUNNELS', 'value'],
  tunnelAccess: ['BOTSTEAD_TUNNEL_ACCESS', 'value'],
  botNetwork: null,
  urlNetwork: null,
  sessionHours: ['BOTSTEAD_SESSION_HOURS', 'value'],
  sessionIdleHours: ['BOTSTEAD_SESSION_IDLE_HOURS', 'value'],
  openId: ['BOTSTEAD_OIDC_ISSUER', 'isSet'],
  logDays: ['BOTSTEAD_LOG_DAYS', 'value'],
  insightDays: ['BOTSTEAD_INSIGHT_DAYS', 'value'],
  eventDays: ['BOTSTEAD_EVENT_DAYS', 'value'],
  messageDays: ['BOTSTEAD_MESSAGE_DAYS', 'value'],
  conversationDays: ['BOTSTEAD_CONVERSATION_DAYS', 'value'],
  userDays: ['BOTSTEAD_USER_DAYS', 'value'],
  fileDays: ['BOTSTEAD_FILE_DAYS', 'value'],
  deadLetterDays: ['BOTSTEAD_DEAD_LETTER_DAYS', 'value'],
  webhookRequestDays: ['BOTSTEAD_WEBHOOK_REQUEST_DAYS', 'value'],
  redact: null,
  messageSearch: ['BOTSTEAD_MESSAGE_SEARCH', 'value'],
  mail: ['BOTSTEAD_MAIL_URL', 'isSet'],
  includedModel: ['BOTSTEAD_INCLUDED_MODEL', 'value'],
  models: ['BOTSTEAD_MODELS', 'value'],
  modelsRecord: ['BOTSTEAD_MODELS_RECORD', 'value'],
  modelsReplay: ['BOTSTEAD_MODELS_REPLAY', 'value'],
  model: ['BOTSTEAD_MODEL_URL', 'isSet'],
  embeddings: ['BOTSTEAD_EMBEDDINGS_URL', 'isSet'],
  localModels: ['BOTSTEAD_LOCAL_MODELS', 'value'],
  localModelMemoryMb: ['BOTSTEAD_LOCAL_MODEL_MEMORY_MB', 'value'],
  localModelSeconds: ['BOTSTEAD_LOCAL_MODEL_SECONDS', 'value'],
  rerankPassages: ['BOTSTEAD_RERANK_PASSAGES', 'value'],
  limits: null,
}

/** Settings by the names of their environment variables, each limit as its own setting. */
export const listSettings = (config: Config): Setting[] => [
  ...(Object.entries(shown) as [keyof Config, (typeof shown)[keyof Config]][]).flatMap(
    ([key, setting]) =>
      setting ? [{ name: setting[0], value: toText(setting[1], config[key]) }] : [],
  ),
  ...limitRules.listSettings(config.limits).map(({ name, limit }) => ({
    name,
    value: limitText(limit),
  })),
]

function toText(kind: Shown, value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (kind === 'isSet') return 'set'
  if (kind === 'url') return [value].flat().map(withoutSecrets).join(', ') || null
  if (typeof value === 'boolean') return value ? '1' : '0'
  return Array.isArray(value) ? value.join(', ') || null : String(value)
}

const limitText = (limit: number) =>
  limit === Number.POSITIVE_INFINITY ? 'no limit' : String(limit)

function withoutSecrets(text: unknown): string {
  const several = parseHosts(String(text))
  if (several) return several.hosts.map(({ host, port }) => `${host}:${port}`).join(', ')
  if (!URL.canParse(String(text))) return 'set'
  const { protocol, host, pathname } = new URL(String(text))
  return `${protocol}//${host}${pathname}`
}
