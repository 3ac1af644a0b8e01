// Replaces what the rules of a bot and of the installation name, in texts and in values of JSON.
// Keys, numbers and other types stay. matching.ts matches: patterns of people in a worker
// (core/compute), because of their cost; the finders of the server in this thread, if a text is short.
import { ApiError, type RedactionPlace, type RedactionRule } from '@botstead/contract'
import { nextSlice } from '@botstead/lib'
import { type Redacted, redactAtOnce, toReadyRules } from './matching.ts'
import { listTexts, withTexts } from './texts-of-values.ts'

/** Replaces matches in one place. */
export interface Redactor {
  text(text: string): Promise<string>
  /** Returns the same object if nothing matches. */
  value<Value>(value: Value): Promise<Value>
}

/** The redactors of a bot; null where no rule applies. */
export type Redactors = Record<RedactionPlace, Redactor | null>

/** Returns the redactors of a bot, from a cache. */
export type GetRedactors = (botId: string) => Promise<Redactors>

/** Redacts texts elsewhere, within the tenant's budget. */
export type RedactElsewhere = (
  rules: RedactionRule[],
  texts: string[],
) => Promise<Redacted['texts']>

/** Redacts a message of a person. Answers, which the bot composes, stay as they are. */
export async function redactMessage<
  Message extends { botId: string; direction: string; payload: Record<string, unknown> },
>(getRedactors: GetRedactors, message: Message): Promise<Message> {
  const { storage } =
    message.direction === 'incoming' ? await getRedactors(message.botId) : none
  if (!storage) return message
  const payload = await storage.value(message.payload)
  return payload === message.payload ? message : { ...message, payload }
}

/** Redacts fields for the storage. */
export async function redactStored<Value>(
  getRedactors: GetRedactors,
  botId: string,
  value: Value,
): Promise<Value> {
  const { storage } = await getRedactors(botId)
  return storage ? storage.value(value) : value
}

const none: Redactors = { storage: null, logs: null, models: null }

export function toRedactors(
  rules: RedactionRule[],
  elsewhere: RedactElsewhere,
): Redactors {
  const at = (place: RedactionPlace) => {
    const used = rules.filter(({ where }) => where.includes(place))
    return used.length === 0 ? null : toRedactor(used, elsewhere)
  }
  return { storage: at('storage'), logs: at('logs'), models: at('models') }
}

/** Characters of one call that this thread reads: at most some milliseconds. */
const maxHere = 16_384

/** Texts of a value that are listed, sent and replaced in one slice. */
export const maxInSlice = 10_000

function toRedactor(rules: RedactionRule[], elsewhere: RedactElsewhere): Redactor {
  const ready = rules.some(({ kind }) => kind === 'custom') ? null : toReadyRules(rules)
  async function redact(texts: string[]): Promise<Redacted['texts']> {
    if (texts.length === 0) return []
    const isShort = texts.reduce((sum, { length }) => sum + length, 0) <= maxHere
    return ready && isShort ? redactAtOnce(ready, texts).texts : elsewhere(rules, texts)
  }
  return {
    text: async (text) => (await redact([text]))[0] ?? text,
    async value(value) {
      const texts = listTexts(value)
      if (!texts)
        throw new ApiError(
          'InvalidPayload',
          'The value is nested too deeply to redact it',
        )
      // Each step takes some milliseconds then: other requests run in between.
      if (texts.length > maxInSlice) await nextSlice()
      const replaced = await redact(texts)
      if (texts.length > maxInSlice) await nextSlice()
      if (replaced.every((text) => text === null)) return value
      const redacted = withTexts(value, replaced)
      if (texts.length > maxInSlice) await nextSlice()
      return redacted
    },
  }
}
