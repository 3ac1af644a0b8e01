// Limits of the platform in two profiles: `strict` has the values of the original, `relaxed` is
// generous and the default (BOTSTEAD_LIMITS). A setting overrides one limit: messagesPerMinute is
// BOTSTEAD_LIMIT_MESSAGES_PER_MINUTE. 0 means no limit. `npm run generate` writes
// docs/configuration.md from the comments; the unit follows from the name.
import { ApiError } from '@botstead/contract'

const KB = 1_024
const MB = 1_024 * KB

const profiles = {
  /** Payload of a message, as JSON. */
  messageBytes: { strict: 128 * KB, relaxed: MB },
  /** Payload of an event, as JSON. */
  eventBytes: { strict: 128 * KB, relaxed: MB },
  /** Payload of a state, as JSON. */
  stateBytes: { strict: 128 * KB, relaxed: MB },
  /**
   * Tags that one request sets on a conversation, message or user. Values: always 500 characters at
   * most.
   */
  tagsPerObject: { strict: 50, relaxed: 1_000 },
  /** Length of a tag's name. */
  tagNameLength: { strict: 200, relaxed: 1_000 },
  /** States that a bot declares. */
  statesPerBot: { strict: 20, relaxed: 1_000 },
  /** Events that a bot declares. */
  eventsPerBot: { strict: 20, relaxed: 1_000 },
  /** Recurring events that a bot declares. */
  recurringEventsPerBot: { strict: 50, relaxed: 1_000 },
  /**
   * Tags that a bot declares, counted separately for users, conversations and messages; tags that
   * an integration declares for one channel.
   */
  tagDefinitions: { strict: 50, relaxed: 1_000 },
  /** States that one version of an integration declares. */
  statesPerIntegration: { strict: 20, relaxed: 1_000 },
  /** Events that one version of an integration declares. */
  eventsPerIntegration: { strict: 20, relaxed: 1_000 },
  /** Channels that one version of an integration declares. */
  channelsPerIntegration: { strict: 10, relaxed: 1_000 },
  /** Message types of one channel. */
  messageTypesPerChannel: { strict: 20, relaxed: 1_000 },
  /** Secrets of an integration, shared by all versions of its name. */
  secretsPerIntegration: { strict: 25, relaxed: 1_000 },
  /** Versions of one package name; versions under development are not counted. */
  versionsPerPackage: { strict: 200, relaxed: 10_000 },
  /** Bots of one workspace; error 403 `QuotaExceeded`. */
  botsPerWorkspace: { strict: 5, relaxed: 0 },
  /** Members of one workspace; error 403 `QuotaExceeded`. */
  membersPerWorkspace: { strict: 3, relaxed: 0 },
  /** Integrations of one workspace; error 403 `QuotaExceeded`. */
  integrationsPerWorkspace: { strict: 20, relaxed: 0 },
  /** Table rows of one workspace, each counted `factor` times; error 403 `QuotaExceeded`. */
  tableRowsPerWorkspace: { strict: 5_000, relaxed: 0 },
  /** File contents of one workspace; error 403 `QuotaExceeded`. */
  storageBytesPerWorkspace: { strict: 0, relaxed: 0 },
  /** Requests of one token or chat user; without credentials, of one address. */
  requestsPerSecond: { strict: 100, relaxed: 0 },
  /** Third-party requests to the integrations of one bot. */
  webhooksPerSecond: { strict: 100, relaxed: 0 },
  /** Messages and events that reach one bot; separately, those that the bot sends. */
  messagesPerMinute: { strict: 600, relaxed: 0 },
  /**
   * Messages and events of one chat user. The relaxed defaults of this limit and the next eight count
   * public addresses only.
   */
  userMessagesPerMinute: { strict: 120, relaxed: 120 },
  /**
   * Messages and events of one address in one bot. Limits per address do not count users with a key
   * that you signed.
   */
  addressMessagesPerMinute: { strict: 600, relaxed: 600 },
  /**
   * Chat users that one address creates in one bot. Callers with the admin secret are not counted.
   */
  chatUsersPerMinute: { strict: 30, relaxed: 60 },
  /** Conversations that one chat user creates. */
  userConversationsPerMinute: { strict: 30, relaxed: 30 },
  /** Conversations that one address creates in one bot. */
  addressConversationsPerMinute: { strict: 120, relaxed: 120 },
  /** Files of one chat user. */
  userUploadsPerHour: { strict: 100, relaxed: 100 },
  /** Files of one address in one bot. */
  addressUploadsPerHour: { strict: 500, relaxed: 500 },
  /** Total size of the files of one chat user. A larger file passes alone. */
  userUploadBytesPerHour: { strict: 500 * MB, relaxed: 500 * MB },
  /** Total size of the files of one address in one bot. */
  addressUploadBytesPerHour: { strict: 2_048 * MB, relaxed: 2_048 * MB },
  /** Wrong credentials from one address or hosted process; valid ones are always accepted. */
  failuresPerMinute: { strict: 20, relaxed: 20 },
  /**
   * Pending deliveries of one bot. Above it, integrations get 429; chat messages are always stored.
   */
  queuedPerBot: { strict: 10_000, relaxed: 10_000 },
  /** Total payload size of the pending deliveries of one bot; same effect as the limit above. */
  queuedBytesPerBot: { strict: 64 * MB, relaxed: 64 * MB },
  /** Large webhooks and their responses in the memory of one process; above it, 503. */
  webhookBytes: { strict: 256 * MB, relaxed: 512 * MB },
  /** Identifiers that the bots of one workspace claim with one integration. */
  identifiersPerIntegration: { strict: 50, relaxed: 1_000 },
  /** Content of one file. */
  fileBytes: { strict: 1_024 * MB, relaxed: 1_024 * MB },
  /** Maximum time from now to the `expiresAt` of a file. */
  fileDays: { strict: 90, relaxed: 0 },
  /** Time for one call of a bot; its own `maxExecutionTime` (60 by default) may be less. */
  invocationSeconds: { strict: 60, relaxed: 900 },
  /** Time for one call of an integration. */
  integrationSeconds: { strict: 60, relaxed: 60 },
  /** Size of a file that is indexed. */
  indexableBytes: { strict: 95 * MB, relaxed: 95 * MB },
} as const

export type LimitName = keyof typeof profiles
/** Infinity means no limit. */
export type Limits = Record<LimitName, number>

export const limitNames = Object.keys(profiles) as LimitName[]
/**
 * Limits against floods by visitors. Their defaults count public addresses only: others belong to a
 * proxy in front of the server, behind which all visitors have one address, or to the operator.
 */
export const floodLimits = [
  ...([
    'userMessagesPerMinute',
    'addressMessagesPerMinute',
    'chatUsersPerMinute',
  ] as const),
  ...(['userConversationsPerMinute', 'addressConversationsPerMinute'] as const),
  ...(['userUploadsPerHour', 'addressUploadsPerHour'] as const),
  ...(['userUploadBytesPerHour', 'addressUploadBytesPerHour'] as const),
] as const
export type FloodLimit = (typeof floodLimits)[number]

export const profileNames = ['strict', 'relaxed'] as const
export type Profile = (typeof profileNames)[number]

export const toSettingName = (name: LimitName) =>
  `BOTSTEAD_LIMIT_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

/** Lists the limits by the names of their environment variables. */
const listLimitSettings = (limits: Limits) =>
  limitNames.map((name) => ({ name: toSettingName(name), limit: limits[name] }))

/** Returns the limits of a profile with the operator's overrides. */
export function toLimits(profile: Profile, overrides: Partial<Limits> = {}): Limits {
  const values = limitNames.map(
    (name) => [name, overrides[name] ?? profiles[name][profile]] as const,
  )
  return Object.fromEntries(
    values.map(([name, value]) => [name, value === 0 ? Number.POSITIVE_INFINITY : value]),
  ) as Limits
}

/** Returns the size in bytes of a value as JSON. */
export const jsonBytes = (value: unknown) =>
  Buffer.byteLength(JSON.stringify(value) ?? '')

/** Throws LimitExceeded. */
function rejectTooLarge(
  limits: Limits,
  name: 'messageBytes' | 'eventBytes' | 'stateBytes',
  payload: unknown,
) {
  if (limits[name] === Number.POSITIVE_INFINITY) return
  const bytes = jsonBytes(payload)
  if (bytes > limits[name])
    throw new ApiError(
      'LimitExceeded',
      `The payload has ${bytes} bytes, more than the limit \`${name}\` of ${limits[name]}`,
    )
}

/** Throws LimitExceeded. */
function rejectTooMany(limits: Limits, name: LimitName, what: string, all: object) {
  const count = Object.keys(all).length
  if (count > limits[name])
    throw new ApiError(
      'LimitExceeded',
      `${count} ${what} exceed the limit \`${name}\` of ${limits[name]}`,
    )
}

/** Throws LimitExceeded. */
function rejectTooManyTags(limits: Limits, tags: Record<string, unknown>) {
  const names = Object.keys(tags)
  rejectTooMany(limits, 'tagsPerObject', 'tags', tags)
  if (names.some((name) => name.length > limits.tagNameLength))
    throw new ApiError(
      'LimitExceeded',
      `A tag name must have at most ${limits.tagNameLength} characters`,
    )
}

/** Limits that the operator may change. */
export const limitRules = {
  listSettings: listLimitSettings,
  rejectTooLarge,
  rejectTooMany,
  rejectTooManyTags,
}
