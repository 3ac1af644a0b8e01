// How long data is kept, and patterns to redact.
import { type RedactionRule, redactionKinds, redactionPlaces } from '@botstead/contract'
import { ConfigError, parseList, readInteger } from '../environment.ts'

export interface RetentionSection {
  /** BOTSTEAD_INSIGHT_DAYS: How long observations, traces and action runs are kept. */
  insightDays: number
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
}

export const readRetentionSection = (env: NodeJS.ProcessEnv): RetentionSection => ({
  insightDays: readInteger(env, 'BOTSTEAD_INSIGHT_DAYS', 30, 1, 3650),
  logDays: readInteger(env, 'BOTSTEAD_LOG_DAYS', 30, 1, 3650),
  eventDays: readInteger(env, 'BOTSTEAD_EVENT_DAYS', 0, 0, 36_500),
  messageDays: readInteger(env, 'BOTSTEAD_MESSAGE_DAYS', 0, 0, 36_500),
  conversationDays: readInteger(env, 'BOTSTEAD_CONVERSATION_DAYS', 0, 0, 36_500),
  userDays: readInteger(env, 'BOTSTEAD_USER_DAYS', 0, 0, 36_500),
  fileDays: readInteger(env, 'BOTSTEAD_FILE_DAYS', 0, 0, 36_500),
  deadLetterDays: readInteger(env, 'BOTSTEAD_DEAD_LETTER_DAYS', 0, 0, 36_500),
  webhookRequestDays: readInteger(env, 'BOTSTEAD_WEBHOOK_REQUEST_DAYS', 0, 0, 36_500),
  redact: readRedactionRules(env, 'BOTSTEAD_REDACT'),
})

function readRedactionRules(env: NodeJS.ProcessEnv, name: string): RedactionRule[] {
  return parseList(env[name]).map((entry) => {
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
