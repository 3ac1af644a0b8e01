// Rules by which the server hands conversations over. They are in the bot's row.
import { ApiError, type HandoffRules } from '@botstead/contract'
import { plainText } from '@botstead/extraction'
import { storeRules } from '../../core/bots/index.ts'
import { type Db, toJson } from '../../core/db/index.ts'

type Hours = NonNullable<HandoffRules['hours']>

/** Rules with their keywords as normalized words between spaces. */
export interface ReadyRules extends HandoffRules {
  phrases: string[]
}

/** The server looks for keywords in this part of a message. */
const maxCharacters = 10_000

const toPhrase = (text: string) => ` ${plainText(text.slice(0, maxCharacters))} `

const hasRule = ({ keywords, afterFailures, hours }: HandoffRules) =>
  Boolean(keywords?.length || afterFailures || hours?.handsOver)

/** Returns null if the rules never hand over. */
export const toReadyRules = (rules: HandoffRules | null): ReadyRules | null =>
  rules && hasRule(rules)
    ? { ...rules, phrases: (rules.keywords ?? []).map(toPhrase) }
    : null

/** Returns why a message of a user hands over. Opening hours alone are a rule, too. */
export function findReason(
  rules: ReadyRules,
  payload: Record<string, unknown>,
): string | undefined {
  const { keywords, afterFailures, hours } = rules
  if (keywords?.length) {
    const keyword = findKeyword(rules, payload)
    return keyword && `The message contains "${keyword}"`
  }
  const isClosed = hours && !afterFailures && !isOpenAt(hours, new Date())
  return isClosed ? 'The message came outside the opening hours' : undefined
}

/** Returns the first keyword in the text of a message. */
export function findKeyword(
  { keywords = [], phrases }: ReadyRules,
  { text }: Record<string, unknown>,
): string | undefined {
  if (phrases.length === 0 || typeof text !== 'string') return undefined
  const words = toPhrase(text)
  return keywords[phrases.findIndex((phrase) => words.includes(phrase))]
}

export function isOpenAt({ timezone, open }: Hours, at: Date): boolean {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at)
  const [day, hour, minute] = (['weekday', 'hour', 'minute'] as const).map(
    (type) => parts.find((part) => part.type === type)!.value,
  )
  const time = `${hour}:${minute}`
  return open.some(
    ({ days, from, to }) =>
      days.some((one) => one === day!.toLowerCase()) && from <= time && time < to,
  )
}

export async function findHandoffRules(db: Db, botId: string): Promise<HandoffRules> {
  const found = await db
    .selectFrom('bot')
    .select('handoff_rules')
    .where('id', '=', botId)
    .executeTakeFirst()
  return found?.handoff_rules ?? {}
}

/** Throws InvalidPayload. */
export async function setHandoffRules(
  db: Db,
  botId: string,
  rules: HandoffRules,
): Promise<void> {
  check(rules)
  const stored = Object.keys(rules).length === 0 ? null : toJson(rules)
  await storeRules(db, botId, { handoff_rules: stored })
}

function check(rules: HandoffRules): void {
  const { keywords = [], hours } = rules
  for (const [index, keyword] of keywords.entries())
    if (toPhrase(keyword).trim() === '')
      throw invalid(`\`keywords[${index}]\` "${keyword}" has no letter or digit`)
  if (!hours) return
  if (!hasRule(rules))
    throw invalid(
      '`hours` need `keywords` or `afterFailures`, or `hours.handsOver: true`',
    )
  if (!isTimezone(hours.timezone))
    throw invalid(`\`hours.timezone\` "${hours.timezone}" is not an IANA time zone`)
  for (const [index, { from, to }] of hours.open.entries())
    if (from >= to)
      throw invalid(
        `\`hours.open[${index}].to\` "${to}" must be after \`from\` "${from}"`,
      )
}

const invalid = (message: string) => new ApiError('InvalidPayload', message)

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }) !== null
  } catch {
    return false
  }
}
