// The limits of the platform, each with the original's value (`strict`) and a generous one (`relaxed`, what holds unless BOTSTEAD_LIMITS says
// otherwise). Any of them can be set alone: messagesPerMinute is BOTSTEAD_LIMIT_MESSAGES_PER_MINUTE; 0 is no limit.
import { ApiError } from '@botstead/contract'

const KB = 1_024
const MB = 1_024 * KB

const profiles = {
  /** Bytes of a message's payload, as JSON. */
  messageBytes: { strict: 128 * KB, relaxed: MB },
  /** Bytes of an event's payload, as JSON. */
  eventBytes: { strict: 128 * KB, relaxed: MB },
  /** Bytes of a state's payload, as JSON. */
  stateBytes: { strict: 128 * KB, relaxed: MB },
  /** Tags that one request gives a conversation, a message, a user. Their values have 500 characters at most, as the contract says. */
  tagsPerObject: { strict: 50, relaxed: 1_000 },
  /** Characters of a tag's name. */
  tagNameLength: { strict: 200, relaxed: 1_000 },
  /** What one bot declares. */
  statesPerBot: { strict: 20, relaxed: 1_000 },
  eventsPerBot: { strict: 20, relaxed: 1_000 },
  recurringEventsPerBot: { strict: 50, relaxed: 1_000 },
  /** Tags that a bot declares for its users; as many for its conversations, and its messages. */
  tagDefinitions: { strict: 50, relaxed: 1_000 },
  /** What one version of an integration declares. */
  statesPerIntegration: { strict: 20, relaxed: 1_000 },
  eventsPerIntegration: { strict: 20, relaxed: 1_000 },
  channelsPerIntegration: { strict: 10, relaxed: 1_000 },
  messageTypesPerChannel: { strict: 20, relaxed: 1_000 },
  /** Shared by all versions of its name. */
  secretsPerIntegration: { strict: 25, relaxed: 1_000 },
  /** Of one name, those under development apart. */
  versionsPerPackage: { strict: 200, relaxed: 10_000 },
  /** What one workspace may have. */
  botsPerWorkspace: { strict: 5, relaxed: 0 },
  membersPerWorkspace: { strict: 3, relaxed: 0 },
  integrationsPerWorkspace: { strict: 20, relaxed: 0 },
  /** Rows of tables; with a factor of two, a row counts as two. */
  tableRowsPerWorkspace: { strict: 5_000, relaxed: 0 },
  /** Bytes of the content of files. The original's depends on what is paid for. */
  storageBytesPerWorkspace: { strict: 0, relaxed: 0 },
  /** Requests of one token, or one chat user. Who shows neither is counted by address. */
  requestsPerSecond: { strict: 100, relaxed: 0 },
  /** Calls of third parties to the integrations of one bot. */
  webhooksPerSecond: { strict: 100, relaxed: 0 },
  /** Messages and events that reach one bot; and as many that it sends. */
  messagesPerMinute: { strict: 600, relaxed: 0 },
  /** Messages and events of one chat user. */
  userMessagesPerMinute: { strict: 0, relaxed: 0 },
  /** Wrong credentials from one address. */
  failuresPerMinute: { strict: 20, relaxed: 20 },
  /** Deliveries that wait for one bot; past that, integrations are asked to come back later. */
  queuedPerBot: { strict: 10_000, relaxed: 10_000 },
  /** The same, in bytes of what they carry. */
  queuedBytesPerBot: { strict: 64 * MB, relaxed: 64 * MB },
  /** Bytes of large webhooks and their answers that one process holds at a time; who comes past that is asked to try again. */
  webhookBytes: { strict: 256 * MB, relaxed: 512 * MB },
  /** Identifiers that the bots of one workspace have claimed with one integration. */
  identifiersPerIntegration: { strict: 50, relaxed: 1_000 },
  /** Bytes of a file. */
  fileBytes: { strict: 1_024 * MB, relaxed: 1_024 * MB },
  /** Days ahead that the end of a file may lie. */
  fileDays: { strict: 90, relaxed: 0 },
  /** Seconds that a bot may take for one call; its own maxExecutionTime may be less. */
  invocationSeconds: { strict: 60, relaxed: 900 },
  /** Seconds that an integration may take for one call. */
  integrationSeconds: { strict: 60, relaxed: 60 },
  /** Bytes of a file that is indexed. */
  indexableBytes: { strict: 95 * MB, relaxed: 95 * MB },
} as const

export type LimitName = keyof typeof profiles
/** Infinity where there is none. */
export type Limits = Record<LimitName, number>

export const limitNames = Object.keys(profiles) as LimitName[]
export const profileNames = ['strict', 'relaxed'] as const
export type Profile = (typeof profileNames)[number]

export const settingOf = (name: LimitName) =>
  `BOTSTEAD_LIMIT_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

/** `given` is what the operator set alone. */
export function limitsOf(profile: Profile, given: Partial<Limits> = {}): Limits {
  const values = limitNames.map((name) => [name, given[name] ?? profiles[name][profile]] as const)
  return Object.fromEntries(
    values.map(([name, value]) => [name, value === 0 ? Number.POSITIVE_INFINITY : value]),
  ) as Limits
}

/** Bytes of a value as JSON. */
export const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '')

/** Throws LimitExceeded. */
export function refuseLarge(
  limits: Limits,
  name: 'messageBytes' | 'eventBytes' | 'stateBytes',
  payload: unknown,
) {
  if (limits[name] === Number.POSITIVE_INFINITY) return
  const bytes = jsonBytes(payload)
  if (bytes > limits[name])
    throw new ApiError('LimitExceeded', `The payload has ${bytes} bytes; ${limits[name]} are allowed`)
}

/** Throws LimitExceeded. */
export function refuseMany(limits: Limits, name: LimitName, what: string, all: object) {
  const count = Object.keys(all).length
  if (count > limits[name])
    throw new ApiError('LimitExceeded', `${count} ${what} are too many: ${limits[name]} are allowed`)
}

/** Throws LimitExceeded. */
export function refuseManyTags(limits: Limits, tags: Record<string, unknown>) {
  const names = Object.keys(tags)
  refuseMany(limits, 'tagsPerObject', 'tags', tags)
  if (names.some((name) => name.length > limits.tagNameLength))
    throw new ApiError('LimitExceeded', `The name of a tag has at most ${limits.tagNameLength} characters`)
}
