// Settings: read from the environment once, here, and passed down as a value. None is needed to start.
import { resolve } from 'node:path'
import type { S3Settings } from './blobs/s3.ts'
import { parseTrust, type Trust } from './lib/addresses.ts'
import { parseReach, type Reach } from './lib/reach.ts'
import {
  type LimitName,
  type Limits,
  limitNames,
  limitsOf,
  type Profile,
  profileNames,
  settingOf,
} from './limits.ts'
import type { ModelSettings } from './models/endpoint.ts'

export interface Config {
  /** BOTSTEAD_PORT: 4000; 0 takes any free one. */
  port: number
  /** BOTSTEAD_HOST: 127.0.0.1, so that nothing is open to the network unless asked for. */
  host: string
  /** BOTSTEAD_DATA: ./data. Database, files, keys, credentials. */
  dataFolder: string
  /** BOTSTEAD_PUBLIC_URL: where clients reach the server, without a trailing slash. By default http://host:port. */
  publicUrl: string | null
  /** BOTSTEAD_DOMAIN: the same routes also answer at api., chat., webhook., app. and tunnel. of this domain. */
  domain: string | null
  /** DATABASE_URL: any PostgreSQL from 15 on. Without it, the embedded one in the data folder. */
  databaseUrl: string | null
  /** BOTSTEAD_LOG_LEVEL: info. */
  logLevel: string
  /** BOTSTEAD_CORS_ORIGINS: comma-separated origins that may use the Runtime, Admin, Files and Tables APIs from a browser. None by default. */
  corsOrigins: string[]
  /** BOTSTEAD_CHAT_ORIGINS: comma-separated origins whose pages may call the Chat API with credentials, as the official chat client does. None by default. */
  chatOrigins: string[]
  /** BOTSTEAD_CHAT_KEY: signs user keys of bots without an encryption key of their own. By default made at the first start. */
  chatKey: string | null
  /** BOTSTEAD_MASTER_KEY: 32 bytes in hexadecimal, seals secrets. By default made at the first start, in the data folder. */
  masterKey: string | null
  /** BOTSTEAD_NEW_MASTER_KEY: what `botstead keys rotate` puts in place of BOTSTEAD_MASTER_KEY. */
  newMasterKey: string | null
  /** BOTSTEAD_SHUTDOWN_SECONDS: 25. How long running work may take to end when the server stops. */
  shutdownSeconds: number
  /** BOTSTEAD_RETRY_SECONDS: 1,5. Pauses before a failed delivery is tried again; then it is a dead letter. */
  retrySeconds: number[]
  /** BOTSTEAD_LEASE_SECONDS: 4. Servers on other machines take the conversations of a silent one over after this time. */
  leaseSeconds: number
  /** BOTSTEAD_CHECK_ANSWERS: compare each answer with the contract, and fail when it differs. For tests. */
  checkAnswers: boolean
  /** BOTSTEAD_METRICS_TOKEN: who shows it may read /metrics. Without it, only who asks from this machine. */
  metricsToken: string | null
  /** BOTSTEAD_BOT_MEMORY_MB: 256. Memory ceiling of a hosted bot's process. */
  botMemoryMb: number
  /** BOTSTEAD_SANDBOX_MIN_TIER: 1. Where the walls around hosted code are of a lower tier, it is not run. */
  sandboxMinTier: 1 | 2
  /** BOTSTEAD_SANDBOX_TRUST: owners. Whose code runs below tier 2: that of the first workspace and of those with an owner of it; or that of all. */
  sandboxTrust: 'owners' | 'all'
  /** BOTSTEAD_DEPLOY_CHECK: report. Code that does not load is deployed and reported; `strict` rejects it. */
  deployCheck: 'report' | 'strict'
  /** BOTSTEAD_BOT_NETWORK: public. Where hosted code may connect to, from tier 2 on; our API it always reaches. */
  botNetwork: Reach
  /** BOTSTEAD_URL_NETWORK: public. Where URLs of workspaces may lead, besides this machine and private networks for those of its owners. */
  urlNetwork: Reach
  /** BOTSTEAD_LIMITS: relaxed, or strict as the original's; BOTSTEAD_LIMIT_…: one of them alone. */
  limits: Limits
  /** BOTSTEAD_TRUST_PROXY: how many proxies stand in front, or their addresses and networks. None by default. */
  trustProxy: Trust
  /** BOTSTEAD_INSIGHT_DAYS: 30. How long observations and action runs are kept. */
  insightDays: number
  /** BOTSTEAD_TUNNELS: 100. How many tunnels of `bp dev` may be open in a process; 0 is none. */
  tunnels: number
  /** BOTSTEAD_LOG_DAYS: 30. How long the lines of bots and integrations are kept. */
  logDays: number
  /** S3_BUCKET, S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: where the content of files lies. Null: in the data folder. */
  s3: S3Settings | null
  /** BOTSTEAD_EMBEDDINGS_URL, _MODEL, _KEY: an endpoint like OpenAI's, where vectors of texts come from. None by default: nothing leaves the machine. */
  embeddings: ModelSettings | null
  /** BOTSTEAD_MODEL_URL, BOTSTEAD_MODEL, BOTSTEAD_MODEL_KEY: an endpoint like OpenAI's, and the model that computes columns of tables. None by default. */
  model: ModelSettings | null
}

export class ConfigError extends Error {}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  return {
    port: whole(env, 'BOTSTEAD_PORT', 4000, 0, 65_535),
    host: env.BOTSTEAD_HOST || '127.0.0.1',
    dataFolder: resolve(env.BOTSTEAD_DATA || 'data'),
    publicUrl: url(env, 'BOTSTEAD_PUBLIC_URL', ['http:', 'https:']),
    domain: env.BOTSTEAD_DOMAIN || null,
    databaseUrl: url(env, 'DATABASE_URL', ['postgres:', 'postgresql:']),
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
    limits: limits(env),
    trustProxy: trust(env, 'BOTSTEAD_TRUST_PROXY'),
    insightDays: whole(env, 'BOTSTEAD_INSIGHT_DAYS', 30, 1, 3650),
    tunnels: whole(env, 'BOTSTEAD_TUNNELS', 100, 0, 10_000),
    logDays: whole(env, 'BOTSTEAD_LOG_DAYS', 30, 1, 3650),
    s3: s3(env),
    embeddings: model(env, 'BOTSTEAD_EMBEDDINGS', 'BOTSTEAD_EMBEDDINGS_MODEL'),
    model: model(env, 'BOTSTEAD_MODEL', 'BOTSTEAD_MODEL'),
  }
}

function s3(env: NodeJS.ProcessEnv): S3Settings | null {
  const {
    S3_BUCKET: bucket,
    S3_REGION: region = 'us-east-1',
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = env
  if (!bucket) return null
  if (!/^[\w.-]{1,255}$/.test(bucket)) throw new ConfigError('S3_BUCKET must be the name of a bucket')
  if (!accessKeyId || !secretAccessKey)
    throw new ConfigError('S3_BUCKET takes S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY')
  const endpoint = url(env, 'S3_ENDPOINT', ['http:', 'https:']) ?? `https://s3.${region}.amazonaws.com`
  return { endpoint, region, bucket, accessKeyId, secretAccessKey }
}

function model(env: NodeJS.ProcessEnv, prefix: string, name: string): ModelSettings | null {
  const place = url(env, `${prefix}_URL`, ['http:', 'https:'])
  if (!place) return null
  if (!env[name]) throw new ConfigError(`${name} must name the model that ${prefix}_URL is asked for`)
  return { url: place, model: env[name], key: env[`${prefix}_KEY`] || null }
}

function limits(env: NodeJS.ProcessEnv): Limits {
  const profile = (env.BOTSTEAD_LIMITS || 'relaxed') as Profile
  if (!profileNames.includes(profile))
    throw new ConfigError(`BOTSTEAD_LIMITS must be one of ${profileNames.join(', ')}, not "${profile}"`)
  const given: Partial<Record<LimitName, number>> = {}
  for (const name of limitNames)
    if (env[settingOf(name)]) given[name] = whole(env, settingOf(name), 0, 0, 2 ** 50)
  return limitsOf(profile, given)
}

function trust(env: NodeJS.ProcessEnv, name: string): Trust {
  const parsed = parseTrust(env[name] ?? '')
  if (!parsed)
    throw new ConfigError(
      `${name} must be the number of proxies in front, or their addresses and networks, not "${env[name]}"`,
    )
  return parsed
}

function reach(env: NodeJS.ProcessEnv, name: string): Reach {
  const parsed = parseReach(env[name] || 'public')
  if (!parsed)
    throw new ConfigError(
      `${name} must be none, or a list of public, addresses and networks (public, 10.0.0.0/8), not "${env[name]}"`,
    )
  return parsed
}

/** The first is the default. */
function oneOf<Word extends string>(env: NodeJS.ProcessEnv, name: string, words: [Word, ...Word[]]): Word {
  const text = env[name] || words[0]
  const known = words.find((word) => word === text)
  if (!known) throw new ConfigError(`${name} must be one of ${words.join(', ')}, not "${text}"`)
  return known
}

const list = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

function whole(env: NodeJS.ProcessEnv, name: string, otherwise: number, least: number, most: number): number {
  const text = env[name]
  if (!text) return otherwise
  const value = number(name, text, least, most)
  if (!Number.isInteger(value)) throw new ConfigError(`${name} must be a whole number, not "${text}"`)
  return value
}

function number(name: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (!(value >= least && value <= most))
    throw new ConfigError(`${name} must be a number from ${least} to ${most}, not "${text}"`)
  return value
}

function url(env: NodeJS.ProcessEnv, name: string, schemes: string[]): string | null {
  const text = env[name]
  if (!text) return null
  // The value may hold a password: the message does not repeat it.
  if (!URL.canParse(text) || !schemes.includes(new URL(text).protocol))
    throw new ConfigError(
      `${name} must be a URL that begins with ${schemes.map((s) => `${s}//`).join(' or ')}`,
    )
  return text.replace(/\/+$/, '')
}

/** HMAC-SHA256 is no stronger than its key. */
function longKey(env: NodeJS.ProcessEnv, name: string): string | null {
  const text = env[name]
  if (!text) return null
  if (Buffer.byteLength(text) < 32)
    throw new ConfigError(`${name} must have at least 32 bytes: it signs who a chat user is`)
  return text
}

/** As it comes in a header. */
function bearer(env: NodeJS.ProcessEnv, name: string): string | null {
  const text = env[name]
  if (!text) return null
  if (!/^[\x21-\x7e]{16,}$/.test(text))
    throw new ConfigError(`${name} must have at least 16 characters, of ASCII and without spaces`)
  return text
}

function hexKey(env: NodeJS.ProcessEnv, name: string): string | null {
  const text = env[name]
  if (!text) return null
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new ConfigError(`${name} must be 64 hexadecimal digits (32 bytes)`)
  return text
}
