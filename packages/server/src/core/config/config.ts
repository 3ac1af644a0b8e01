// Reads the settings from the environment, once; other modules get them as a value. All have defaults.
// `npm run generate` writes docs/configuration.md from the comments of Config: `NAME [default]: description.`
// Defaults and ranges of numbers and words come from readConfig.

import { resolve } from 'node:path'
import { type RedactionRule, redactionKinds, redactionPlaces, roles } from '@botstead/contract'
import type { S3Settings } from '../blobs/index.ts'
import { parseHosts, targets } from '../db/index.ts'
import {
  apiKeyForm,
  isApiKey,
  nextTick,
  parseReach,
  parseTrust,
  type Reach,
  type Trust,
} from '../lib/index.ts'
import {
  type FloodLimit,
  floodLimits,
  type LimitName,
  type Limits,
  limitNames,
  limitsOf,
  type Profile,
  profileNames,
  settingOf,
} from './limits.ts'
import type { ModelSettings, OpenIdSettings } from './provider-settings.ts'

export interface Config {
  /** BOTSTEAD_PORT: TCP port of the server; 0 takes any free port. */
  port: number
  /**
   * BOTSTEAD_HOST [127.0.0.1]: Address to listen on. By default loopback: other machines cannot reach the
   * server.
   */
  host: string
  /** BOTSTEAD_DATA [./data]: Folder of the embedded database, files, keys and credentials. */
  dataFolder: string
  /**
   * BOTSTEAD_BACKUPS [backups in the data folder]: Folder of the backups and archives that the dashboard
   * makes. Servers with the same folder share them.
   */
  backupFolder: string | null
  /**
   * BOTSTEAD_BACKUP_SCHEDULE [none]: Cron expression, in UTC, of backups of the installation into the
   * folder of BOTSTEAD_BACKUPS, for example `0 3 * * *` (every night at three).
   */
  backupSchedule: string | null
  /** BOTSTEAD_BACKUP_KEEP: How many scheduled backups are kept; older ones are deleted. */
  backupKeep: number
  /**
   * BOTSTEAD_BACKUP_VERIFY [1]: Restores each scheduled backup into a temporary database, which
   * needs free space of its size, and drops it; 0 does not.
   */
  backupVerify: boolean
  /**
   * BOTSTEAD_BACKUP_BUCKET [none]: Bucket to which scheduled backups are copied, at the store of
   * S3_ENDPOINT and with the same keys.
   */
  backupBucket: S3Settings | null
  /**
   * BOTSTEAD_PUBLIC_URL [http://host:port]: URL at which clients reach the server. Set it if it differs from
   * the default, for example behind a proxy.
   */
  publicUrl: string | null
  /**
   * BOTSTEAD_DOMAIN [none]: Serves the Chat API also at `chat.<domain>`, the Webchat API at
   * `webchat.<domain>`, and webhooks at `webhook.<domain>`.
   */
  domain: string | null
  /**
   * DATABASE_URL [embedded database]: URL of a PostgreSQL server, version 15 or newer. Several Botstead
   * servers may share it. At its start, the server waits until the database is available. The URL may name
   * several PostgreSQL servers, as for `libpq`: `postgres://user@one:5432,two:5432/botstead`. Each connection
   * leads to the one that accepts writes; `target_session_attrs` may ask for another one.
   */
  databaseUrl: string | null
  /**
   * DATABASE_DIRECT_URL [none]: URL of the same database without a pooler. Set it if DATABASE_URL leads
   * through PgBouncer in transaction mode. Each server keeps two connections there.
   */
  databaseDirectUrl: string | null
  /**
   * DATABASE_READ_URL [none]: URL of a streaming replica of the same database. Listings read from it when it
   * has every write before the request, otherwise from DATABASE_URL.
   */
  databaseReadUrl: string | null
  /**
   * NATS_URL [none]: URL of a NATS server, which then notifies other Botstead servers in place of the
   * database: `nats://` or `tls://`, with user and password or a token. Several URLs of one cluster are
   * separated by commas. The credentials of the first apply to all.
   */
  natsUrls: string[]
  /**
   * BOTSTEAD_LOG_LEVEL: Lowest level of the JSON log lines on stderr. Without it, `npm start`, and `start`
   * on a terminal, write warnings and errors as sentences.
   */
  logLevel: string
  /**
   * BOTSTEAD_CORS_ORIGINS [none]: Comma-separated browser origins that may call the Runtime, Admin, Files and
   * Tables APIs.
   */
  corsOrigins: string[]
  /**
   * BOTSTEAD_CHAT_ORIGINS [none]: Comma-separated browser origins that may call the Chat and
   * Webchat APIs with credentials, as `@botpress/chat` does in browsers. Without credentials every
   * origin may call them, unless the integration of the bot has `allowedOrigins`.
   */
  chatOrigins: string[]
  /**
   * BOTSTEAD_CHAT_KEY [generated in the data folder]: Key of at least 32 bytes that signs chat user keys, for
   * bots without an encryption key.
   */
  chatKey: string | null
  /**
   * BOTSTEAD_MASTER_KEY [generated in the data folder]: 64 hexadecimal digits (32 bytes); encrypts all
   * secrets.
   */
  masterKey: string | null
  /**
   * BOTSTEAD_NEW_MASTER_KEY [none]: Master key by which `botstead keys rotate` replaces BOTSTEAD_MASTER_KEY;
   * 64 hexadecimal digits.
   */
  newMasterKey: string | null
  /**
   * BOTSTEAD_DRAIN_SECONDS: How long a stopping server still serves requests while `/readyz` answers 503,
   * so that a proxy with health checks directs new requests to other servers.
   */
  drainSeconds: number
  /** BOTSTEAD_SHUTDOWN_SECONDS: How long the server waits for running work when it stops. */
  shutdownSeconds: number
  /**
   * BOTSTEAD_RETRY_SECONDS [1,5]: Comma-separated pauses before each retry of a delivery; after the last
   * retry it is a dead letter.
   */
  retrySeconds: number[]
  /**
   * BOTSTEAD_LEASE_SECONDS: How long a server may be silent before servers on other machines take over its
   * conversations and jobs; on the same machine they do so within a second.
   */
  leaseSeconds: number
  /**
   * BOTSTEAD_CHECK_ANSWERS [0]: 1 compares each response with the contract and fails on a difference. For
   * tests.
   */
  checkAnswers: boolean
  /**
   * BOTSTEAD_METRICS_TOKEN [none]: Bearer token for `/metrics`, at least 16 ASCII characters. Without it,
   * only this machine may read metrics.
   */
  metricsToken: string | null
  /**
   * BOTSTEAD_BOT_MEMORY_MB: Memory ceiling of each process of hosted code: of a bot, or of an integration in
   * a workspace. A large webhook gets a process with more.
   */
  botMemoryMb: number
  /**
   * BOTSTEAD_SANDBOX_MIN_TIER: Lowest isolation tier in which hosted code runs; in a lower tier its events
   * stay queued.
   */
  sandboxMinTier: 1 | 2
  /**
   * BOTSTEAD_SANDBOX_TRUST: Workspaces that may run code below tier 2: owners (those of the first workspace's
   * owners), or all.
   */
  sandboxTrust: 'owners' | 'all'
  /**
   * BOTSTEAD_DEPLOY_CHECK: Handling of code that does not load. With report, the server deploys it, marks the
   * deployment as broken and reports the error. With strict, it answers 400 and keeps the previous version,
   * also for scripts of integrations with warnings.
   */
  deployCheck: 'report' | 'strict'
  /**
   * BOTSTEAD_BOT_NETWORK [public]: Addresses that hosted code may reach, from tier 2 on: none, or a list of
   * the word public, addresses and networks, for example public,10.1.0.0/16.
   */
  botNetwork: Reach
  /**
   * BOTSTEAD_URL_NETWORK [public]: Addresses that the server may call for URLs of workspaces, written like
   * BOTSTEAD_BOT_NETWORK. Workspaces of the installation's owners also reach this machine and private
   * networks.
   */
  urlNetwork: Reach
  /**
   * BOTSTEAD_LIMITS [relaxed]: Profile of the limits: relaxed, or strict (the values of Botpress Cloud).
   * BOTSTEAD_LIMIT_… overrides one limit.
   */
  limits: Limits
  /** Limits that the operator did not set, and that count public addresses only. */
  publicLimits: ReadonlySet<FloodLimit>
  /**
   * BOTSTEAD_TRUST_PROXY [none]: Proxies from which the server trusts X-Forwarded-For: their number, or a
   * list of addresses and networks.
   */
  trustProxy: Trust
  /** BOTSTEAD_SESSION_HOURS: How long a sign-in lasts at most. */
  sessionHours: number
  /** BOTSTEAD_SESSION_IDLE_HOURS: How long a sign-in lasts without a request. */
  sessionIdleHours: number
  /**
   * BOTSTEAD_OIDC_ISSUER [none]: URL of an OpenID Connect provider, by which people sign in. https, or http
   * on this machine.
   * BOTSTEAD_OIDC_CLIENT_ID [none]: Id of this installation at the provider; required with the URL.
   * BOTSTEAD_OIDC_CLIENT_SECRET [none]: Secret of the client, if it has one.
   * BOTSTEAD_OIDC_NAME [the provider's host]: Name of the provider on the sign-in page.
   * BOTSTEAD_OIDC_SCOPES [openid email profile]: Scopes to request, separated by spaces.
   * BOTSTEAD_OIDC_GROUPS_CLAIM [groups]: Claim with the groups of a person.
   * BOTSTEAD_OIDC_ROLES [none]: Roles of groups, for example admins=administrator,staff=viewer. The first one
   * that fits a person counts; others cannot sign in. Without it, only existing accounts sign in.
   * BOTSTEAD_OIDC_WORKSPACE [the first workspace]: Id of the workspace in which groups have roles.
   */
  openId: OpenIdSettings | null
  /** BOTSTEAD_INSIGHT_DAYS: How long observations, traces and action runs are kept. */
  insightDays: number
  /**
   * BOTSTEAD_TUNNELS: Tunnels of `bp dev` that may be open in one server, shared equally between client
   * addresses; 0 disables them.
   */
  tunnels: number
  /**
   * BOTSTEAD_TUNNEL_ACCESS: Clients that may open tunnels of `bp dev`: `local`, those of this machine,
   * and others with a personal access token as the path of `--tunnel-url`; `token`, only with such a
   * token; `all`, everyone who reaches the server.
   */
  tunnelAccess: 'local' | 'token' | 'all'
  /**
   * BOTSTEAD_LOG_DAYS: How long log lines of bots and integrations are kept; of each, at most the last
   * 100,000 lines. Also, how long failed attempts of ended deliveries are kept, at most 10,000 of each bot.
   */
  logDays: number
  /**
   * BOTSTEAD_EVENT_DAYS: How long delivered events are kept; 0 keeps them forever. Events of a conversation
   * with pending deliveries or dead letters stay.
   */
  eventDays: number
  /**
   * BOTSTEAD_MESSAGE_DAYS: How long messages are kept; 0 keeps them forever. Messages of a conversation with
   * pending deliveries or dead letters stay.
   */
  messageDays: number
  /**
   * BOTSTEAD_CONVERSATION_DAYS: How long conversations are kept after their last activity, with
   * their messages and events; 0 keeps them forever. A bot may have a shorter time: see personal-data.md.
   */
  conversationDays: number
  /** BOTSTEAD_USER_DAYS: How long users without conversations are kept; 0 keeps them forever. */
  userDays: number
  /** BOTSTEAD_FILE_DAYS: How long files of users are kept; 0 keeps them forever. */
  fileDays: number
  /** BOTSTEAD_DEAD_LETTER_DAYS: How long dead letters are kept; 0 keeps them forever. */
  deadLetterDays: number
  /** BOTSTEAD_WEBHOOK_REQUEST_DAYS: How long recorded webhook requests are kept; 0 keeps the last 100. */
  webhookRequestDays: number
  /**
   * BOTSTEAD_REDACT [none]: Patterns to redact in data of all bots: a list of email, phone, card
   * and iban, each with its places if not all: card,email:logs+models. Places are storage, logs and models.
   */
  redact: RedactionRule[]
  /**
   * BOTSTEAD_MESSAGE_SEARCH [1]: With 0, messages cannot be searched, and the server deletes their search
   * index: about 450 bytes for a message of twelve words. Use one value for all servers.
   */
  messageSearch: boolean
  /**
   * S3_BUCKET [none]: Bucket for file contents, in place of the data folder. Needs both S3 keys below.
   * S3_ENDPOINT [AWS]: URL of an S3-compatible store; buckets are addressed by path.
   * S3_REGION [us-east-1]: Region of the bucket.
   * S3_ACCESS_KEY_ID [none]: Access key of the store.
   * S3_SECRET_ACCESS_KEY [none]: Secret key of the store.
   */
  s3: S3Settings | null
  /**
   * BOTSTEAD_EMBEDDINGS_URL [none]: Base URL of an OpenAI-compatible endpoint for embeddings; the server
   * calls `<url>/embeddings`.
   * BOTSTEAD_EMBEDDINGS_MODEL [none]: Model name; required with the URL.
   * BOTSTEAD_EMBEDDINGS_KEY [none]: Bearer token for the endpoint.
   */
  embeddings: ModelSettings | null
  /**
   * BOTSTEAD_MODELS [none]: Path of a JSON or YAML file with the providers and models of the model gateway.
   */
  models: string | null
  /**
   * BOTSTEAD_MODELS_RECORD [none]: Folder in which the server stores each call of a language model as a file.
   */
  modelsRecord: string | null
  /**
   * BOTSTEAD_MODELS_REPLAY [none]: Folder of recorded calls, by which the server answers without a model. A
   * request that was not recorded fails with its difference from the most similar one.
   */
  modelsReplay: string | null
  /**
   * BOTSTEAD_LOCAL_MODELS [none]: Folder of ONNX models that the server runs on its CPU for embeddings
   * and reranking.
   */
  localModels: string | null
  /** BOTSTEAD_LOCAL_MODEL_MEMORY_MB: Memory limit of the process of local models. */
  localModelMemoryMb: number
  /** BOTSTEAD_LOCAL_MODEL_SECONDS: Time limit of one batch of a local model. */
  localModelSeconds: number
  /**
   * BOTSTEAD_RERANK_PASSAGES: How many of the best passages of a search the reranking model of
   * BOTSTEAD_LOCAL_MODELS reads; 0 disables it.
   */
  rerankPassages: number
  /**
   * BOTSTEAD_MODEL_URL [none]: Base URL of an OpenAI-compatible endpoint for bots and computed
   * columns; the server calls `<url>/chat/completions`.
   * BOTSTEAD_MODEL [none]: Model name; required with the URL.
   * BOTSTEAD_MODEL_KEY [none]: Bearer token for the endpoint.
   */
  model: ModelSettings | null
}

export class ConfigError extends Error {}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  return {
    port: whole(env, 'BOTSTEAD_PORT', 4000, 0, 65_535),
    host: env.BOTSTEAD_HOST || '127.0.0.1',
    dataFolder: resolve(env.BOTSTEAD_DATA || 'data'),
    ...backups(env),
    publicUrl: url(env, 'BOTSTEAD_PUBLIC_URL', ['http:', 'https:']),
    domain: env.BOTSTEAD_DOMAIN || null,
    databaseUrl: databaseUrl(env, 'DATABASE_URL'),
    databaseDirectUrl: besideDatabase(env, 'DATABASE_DIRECT_URL'),
    databaseReadUrl: besideDatabase(env, 'DATABASE_READ_URL'),
    natsUrls: list(env.NATS_URL).map(natsUrl),
    logLevel: oneOf(env, 'BOTSTEAD_LOG_LEVEL', [
      'info',
      'trace',
      'debug',
      'warn',
      'error',
      'fatal',
      'silent',
    ]),
    corsOrigins: list(env.BOTSTEAD_CORS_ORIGINS),
    chatOrigins: list(env.BOTSTEAD_CHAT_ORIGINS),
    chatKey: longKey(env, 'BOTSTEAD_CHAT_KEY'),
    masterKey: hexKey(env, 'BOTSTEAD_MASTER_KEY'),
    newMasterKey: hexKey(env, 'BOTSTEAD_NEW_MASTER_KEY'),
    drainSeconds: whole(env, 'BOTSTEAD_DRAIN_SECONDS', 0, 0, 3600),
    shutdownSeconds: whole(env, 'BOTSTEAD_SHUTDOWN_SECONDS', 25, 0, 3600),
    retrySeconds: list(env.BOTSTEAD_RETRY_SECONDS ?? '1,5').map((text) =>
      number('BOTSTEAD_RETRY_SECONDS', text, 0, 86_400),
    ),
    leaseSeconds: whole(env, 'BOTSTEAD_LEASE_SECONDS', 4, 1, 3600),
    checkAnswers: env.BOTSTEAD_CHECK_ANSWERS === '1',
    metricsToken: bearer(env, 'BOTSTEAD_METRICS_TOKEN'),
    botMemoryMb: whole(env, 'BOTSTEAD_BOT_MEMORY_MB', 256, 64, 65_536),
    sandboxMinTier: whole(env, 'BOTSTEAD_SANDBOX_MIN_TIER', 1, 1, 2) as 1 | 2,
    sandboxTrust: oneOf(env, 'BOTSTEAD_SANDBOX_TRUST', ['owners', 'all']),
    deployCheck: oneOf(env, 'BOTSTEAD_DEPLOY_CHECK', ['report', 'strict']),
    botNetwork: reach(env, 'BOTSTEAD_BOT_NETWORK'),
    urlNetwork: reach(env, 'BOTSTEAD_URL_NETWORK'),
    ...limits(env),
    trustProxy: trust(env, 'BOTSTEAD_TRUST_PROXY'),
    sessionHours: whole(env, 'BOTSTEAD_SESSION_HOURS', 720, 1, 8760),
    sessionIdleHours: whole(env, 'BOTSTEAD_SESSION_IDLE_HOURS', 168, 1, 8760),
    openId: openId(env),
    insightDays: whole(env, 'BOTSTEAD_INSIGHT_DAYS', 30, 1, 3650),
    ...tunnels(env),
    logDays: whole(env, 'BOTSTEAD_LOG_DAYS', 30, 1, 3650),
    ...retentionDays(env),
    redact: redactionRules(env, 'BOTSTEAD_REDACT'),
    messageSearch: env.BOTSTEAD_MESSAGE_SEARCH !== '0',
    s3: bucketOf(env, 'S3_BUCKET'),
    embeddings: model(env, 'BOTSTEAD_EMBEDDINGS', 'BOTSTEAD_EMBEDDINGS_MODEL'),
    model: model(env, 'BOTSTEAD_MODEL', 'BOTSTEAD_MODEL'),
    models: path(env, 'BOTSTEAD_MODELS'),
    localModels: path(env, 'BOTSTEAD_LOCAL_MODELS'),
    localModelMemoryMb: whole(env, 'BOTSTEAD_LOCAL_MODEL_MEMORY_MB', 2_048, 128, 1_048_576),
    localModelSeconds: whole(env, 'BOTSTEAD_LOCAL_MODEL_SECONDS', 60, 1, 3_600),
    rerankPassages: whole(env, 'BOTSTEAD_RERANK_PASSAGES', 20, 0, 200),
    modelsRecord: path(env, 'BOTSTEAD_MODELS_RECORD'),
    modelsReplay: path(env, 'BOTSTEAD_MODELS_REPLAY'),
  }
}

const tunnels = (env: NodeJS.ProcessEnv) => ({
  tunnels: whole(env, 'BOTSTEAD_TUNNELS', 100, 0, 10_000),
  tunnelAccess: oneOf(env, 'BOTSTEAD_TUNNEL_ACCESS', ['local', 'token', 'all']),
})

const backups = (env: NodeJS.ProcessEnv) => ({
  backupFolder: path(env, 'BOTSTEAD_BACKUPS'),
  backupSchedule: cron(env, 'BOTSTEAD_BACKUP_SCHEDULE'),
  backupKeep: whole(env, 'BOTSTEAD_BACKUP_KEEP', 7, 1, 1_000),
  backupVerify: env.BOTSTEAD_BACKUP_VERIFY !== '0',
  backupBucket: bucketOf(env, 'BOTSTEAD_BACKUP_BUCKET'),
})

/** 0 keeps data forever. */
const retentionDays = (env: NodeJS.ProcessEnv) => ({
  eventDays: whole(env, 'BOTSTEAD_EVENT_DAYS', 0, 0, 36_500),
  messageDays: whole(env, 'BOTSTEAD_MESSAGE_DAYS', 0, 0, 36_500),
  conversationDays: whole(env, 'BOTSTEAD_CONVERSATION_DAYS', 0, 0, 36_500),
  userDays: whole(env, 'BOTSTEAD_USER_DAYS', 0, 0, 36_500),
  fileDays: whole(env, 'BOTSTEAD_FILE_DAYS', 0, 0, 36_500),
  deadLetterDays: whole(env, 'BOTSTEAD_DEAD_LETTER_DAYS', 0, 0, 36_500),
  webhookRequestDays: whole(env, 'BOTSTEAD_WEBHOOK_REQUEST_DAYS', 0, 0, 36_500),
})

function bucketOf(env: NodeJS.ProcessEnv, name: string): S3Settings | null {
  const bucket = env[name]
  const {
    S3_REGION: region = 'us-east-1',
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = env
  if (!bucket) return null
  if (!/^[\w.-]{1,255}$/.test(bucket))
    throw new ConfigError(
      `${name} must be a bucket name: 1 to 255 letters, digits, dots, underscores and hyphens`,
    )
  if (!accessKeyId || !secretAccessKey)
    throw new ConfigError(`${name} requires S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: set both`)
  const endpoint =
    url(env, 'S3_ENDPOINT', ['http:', 'https:']) ?? `https://s3.${region}.amazonaws.com`
  return { endpoint, region, bucket, accessKeyId, secretAccessKey }
}

function model(env: NodeJS.ProcessEnv, prefix: string, name: string): ModelSettings | null {
  const baseUrl = url(env, `${prefix}_URL`, ['http:', 'https:'])
  if (!baseUrl && env[name])
    throw new ConfigError(`${name} requires ${prefix}_URL, the base URL of the endpoint: set both`)
  if (!baseUrl) return null
  if (!env[name])
    throw new ConfigError(`${name} must be set to the name of a model at ${prefix}_URL`)
  const key = env[`${prefix}_KEY`] || null
  if (key !== null && !isApiKey(key)) throw new ConfigError(`${prefix}_KEY must ${apiKeyForm}`)
  return { url: baseUrl, model: env[name], key }
}

function openId(env: NodeJS.ProcessEnv): OpenIdSettings | null {
  const text = url(env, 'BOTSTEAD_OIDC_ISSUER', ['http:', 'https:'])
  if (!text) return null
  const issuer = new URL(text)
  if (issuer.protocol === 'http:' && !isThisMachine(issuer))
    throw new ConfigError('BOTSTEAD_OIDC_ISSUER must begin with https://, except on this machine')
  if (!env.BOTSTEAD_OIDC_CLIENT_ID)
    throw new ConfigError('BOTSTEAD_OIDC_ISSUER requires BOTSTEAD_OIDC_CLIENT_ID: set both')
  return {
    issuer,
    clientId: env.BOTSTEAD_OIDC_CLIENT_ID,
    clientSecret: env.BOTSTEAD_OIDC_CLIENT_SECRET || null,
    name: env.BOTSTEAD_OIDC_NAME || issuer.host,
    scopes: env.BOTSTEAD_OIDC_SCOPES || 'openid email profile',
    groupsClaim: env.BOTSTEAD_OIDC_GROUPS_CLAIM || 'groups',
    roles: list(env.BOTSTEAD_OIDC_ROLES).map(roleOfGroup),
    workspaceId: env.BOTSTEAD_OIDC_WORKSPACE || null,
  }
}

const isThisMachine = ({ hostname }: URL) =>
  ['localhost', '[::1]'].includes(hostname) || /^127(\.\d+){3}$/.test(hostname)

function roleOfGroup(text: string): [string, string] {
  const at = text.lastIndexOf('=')
  const [group, role] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  if (at < 1 || group === '' || !roles.some((known) => known === role))
    throw new ConfigError(
      `BOTSTEAD_OIDC_ROLES must be a list such as staff=viewer, with the roles ${roles.join(', ')}, ` +
        `not "${text}"`,
    )
  return [group, role]
}

function limits(env: NodeJS.ProcessEnv): Pick<Config, 'limits' | 'publicLimits'> {
  const profile = (env.BOTSTEAD_LIMITS || 'relaxed') as Profile
  if (!profileNames.includes(profile))
    throw new ConfigError(
      `BOTSTEAD_LIMITS must be one of ${profileNames.join(', ')}, not "${profile}"`,
    )
  const overrides: Partial<Record<LimitName, number>> = {}
  for (const name of limitNames)
    if (env[settingOf(name)]) overrides[name] = whole(env, settingOf(name), 0, 0, 2 ** 50)
  const isDefault = (name: LimitName) => profile === 'relaxed' && overrides[name] === undefined
  return {
    limits: limitsOf(profile, overrides),
    publicLimits: new Set(floodLimits.filter(isDefault)),
  }
}

function trust(env: NodeJS.ProcessEnv, name: string): Trust {
  const parsed = parseTrust(env[name] ?? '')
  if (!parsed)
    throw new ConfigError(
      `${name} must be the number of proxies, or a list of their addresses and networks, not "${env[name]}"`,
    )
  return parsed
}

function reach(env: NodeJS.ProcessEnv, name: string): Reach {
  const parsed = parseReach(env[name] || 'public')
  if (!parsed)
    throw new ConfigError(
      `${name} must be none, or a list of public, addresses and networks such as "public, ` +
        `10.0.0.0/8", not "${env[name]}"`,
    )
  return parsed
}

/** Returns the setting; the first word is the default. */
function oneOf<Word extends string>(
  env: NodeJS.ProcessEnv,
  name: string,
  words: [Word, ...Word[]],
): Word {
  const text = env[name] || words[0]
  const known = words.find((word) => word === text)
  if (!known) throw new ConfigError(`${name} must be one of ${words.join(', ')}, not "${text}"`)
  return known
}

function cron(env: NodeJS.ProcessEnv, name: string): string | null {
  const text = env[name]
  if (!text) return null
  if (!nextTick(text, new Date()))
    throw new ConfigError(
      `${name} must be a cron expression of five fields such as "0 3 * * *", not "${text}"`,
    )
  return text
}

const path = (env: NodeJS.ProcessEnv, name: string) => (env[name] ? resolve(env[name]) : null)

function redactionRules(env: NodeJS.ProcessEnv, name: string): RedactionRule[] {
  return list(env[name]).map((entry) => {
    const [kind, places = redactionPlaces.join('+')] = entry.split(':')
    const where = places.split('+') as RedactionRule['where']
    const isKnown =
      redactionKinds.some((one) => one === kind && one !== 'custom') &&
      where.every((place) => redactionPlaces.includes(place))
    if (!isKnown)
      throw new ConfigError(
        `${name} must be a list such as card,email:logs+models; "${entry}" is not a pattern with places`,
      )
    return { kind: kind as RedactionRule['kind'], where: [...new Set(where)] }
  })
}

const list = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

function whole(
  env: NodeJS.ProcessEnv,
  name: string,
  otherwise: number,
  min: number,
  max: number,
): number {
  const text = env[name]
  if (!text) return otherwise
  const value = number(name, text, min, max)
  if (!Number.isInteger(value))
    throw new ConfigError(`${name} must be a whole number, not "${text}"`)
  return value
}

function number(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (!(value >= min && value <= max))
    throw new ConfigError(`${name} must be a number from ${min} to ${max}, not "${text}"`)
  return value
}

function url(env: NodeJS.ProcessEnv, name: string, schemes: string[]): string | null {
  const text = env[name]
  return text ? parseUrl(name, text, schemes) : null
}

/** Reads a second URL of the database. */
function besideDatabase(env: NodeJS.ProcessEnv, name: string): string | null {
  const found = databaseUrl(env, name)
  if (found && !env.DATABASE_URL) throw new ConfigError(`${name} requires DATABASE_URL: set both`)
  return found
}

function databaseUrl(env: NodeJS.ProcessEnv, name: string): string | null {
  const text = env[name]
  if (!text || parseHosts(text)) return text || null
  if (/target_session_attrs/.test(text))
    throw new ConfigError(`${name}: target_session_attrs must be one of ${targets.join(', ')}`)
  return parseUrl(name, text, ['postgres:', 'postgresql:'])
}

function parseUrl(name: string, text: string, schemes: string[]): string {
  // The message leaves out the value, which may contain a password.
  if (!URL.canParse(text) || !schemes.includes(new URL(text).protocol))
    throw new ConfigError(
      `${name} must be a URL that begins with ${schemes.map((s) => `${s}//`).join(' or ')}`,
    )
  return text.replace(/\/+$/, '')
}

function natsUrl(text: string): string {
  const parsed = parseUrl('NATS_URL', text, ['nats:', 'tls:'])
  try {
    decodeURIComponent(parsed)
  } catch {
    throw new ConfigError('NATS_URL must encode each % in user, password and token as %25')
  }
  return parsed
}

/** Requires 32 bytes, the output size of HMAC-SHA256. */
function longKey(env: NodeJS.ProcessEnv, name: string): string | null {
  const text = env[name]
  if (!text) return null
  if (Buffer.byteLength(text) < 32)
    throw new ConfigError(`${name} must have at least 32 bytes: it signs the keys of chat users`)
  return text
}

/** Returns a token that is valid in an Authorization header. */
function bearer(env: NodeJS.ProcessEnv, name: string): string | null {
  const text = env[name]
  if (!text) return null
  if (!/^[\x21-\x7e]{16,}$/.test(text))
    throw new ConfigError(`${name} must have at least 16 ASCII characters, without spaces`)
  return text
}

function hexKey(env: NodeJS.ProcessEnv, name: string): string | null {
  const text = env[name]
  if (!text) return null
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new ConfigError(`${name} must be 64 hexadecimal digits (32 bytes)`)
  return text
}
