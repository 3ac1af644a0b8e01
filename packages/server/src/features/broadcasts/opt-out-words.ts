// Owns the table broadcast_words. A message that consists of one of these words opts out, or in again.
import { ApiError, type OptOutWords } from '@botstead/contract'
import { plainText } from '@botstead/extraction'
import { type Cache, openCache } from '@botstead/lib'
import { type Db, toJson } from '../../core/db/index.ts'

/** In English, German, French, Spanish, Italian, Portuguese, Dutch and Polish. */
const defaultWords: OptOutWords = {
  stop: [
    ...['stop', 'stop all', 'unsubscribe', 'opt out'],
    ...['stopp', 'abmelden', 'abbestellen'],
    ...['arrêt', 'arrêter', 'désabonner', 'se désabonner'],
    ...['baja', 'darme de baja', 'cancelar suscripción'],
    ...['disiscrivi', 'disiscrivimi', 'cancellami'],
    ...['parar', 'sair', 'cancelar inscrição', 'cancelar subscrição'],
    ...['afmelden', 'uitschrijven'],
    ...['wypisz', 'rezygnuję'],
  ],
  start: [
    ...['start', 'subscribe', 'opt in'],
    ...['anmelden', 'abonnieren'],
    ...["s'abonner", 'abonner'],
    ...['alta', 'darme de alta'],
    ...['iscrivi', 'iscrivimi'],
    ...['inscrever', 'subscrever'],
    ...['aanmelden', 'inschrijven'],
    ...['zapisz'],
  ],
}

/** Longer messages are no words for opting out. In characters. */
const maxLength = 100

interface ReadyWords {
  stop: ReadonlySet<string>
  start: ReadonlySet<string>
}

const normalized = (text: string): string => plainText(text).trim()

const toReady = ({ stop, start }: OptOutWords): ReadyWords => ({
  stop: new Set(stop.map(normalized)),
  start: new Set(start.map(normalized)),
})

export interface OptOutWordCache {
  get(botId: string): Promise<ReadyWords>
  invalidate(botId: string | null): void
}

const defaults = toReady(defaultWords)
/** Other servers notify this one of changes; a lost notification counts for this long. */
const cacheMs = 60_000

export function openOptOutWords(db: Db): OptOutWordCache {
  const cache: Cache<ReadyWords> = openCache(
    async (botId) => {
      const own = await findOwnWords(db, botId)
      return own ? toReady(own) : defaults
    },
    { size: 10_000, ttlMs: cacheMs },
  )
  return {
    get: (botId) => cache.get(botId),
    invalidate(botId) {
      if (botId === null) cache.clear()
      else cache.invalidate((key) => key === botId)
    },
  }
}

/** Returns whether a message of a person opts out or in. */
export async function findWish(
  words: Pick<OptOutWordCache, 'get'>,
  botId: string,
  { text }: Record<string, unknown>,
): Promise<keyof OptOutWords | null> {
  if (typeof text !== 'string' || text.length > maxLength) return null
  const word = normalized(text)
  if (word === '') return null
  const { stop, start } = await words.get(botId)
  if (stop.has(word)) return 'stop'
  return start.has(word) ? 'start' : null
}

async function findOwnWords(db: Db, botId: string): Promise<OptOutWords | null> {
  const found = await db
    .selectFrom('broadcast_words')
    .select('words')
    .where('bot_id', '=', botId)
    .executeTakeFirst()
  return found?.words ?? null
}

interface FoundWords {
  words: OptOutWords
  isDefault: boolean
}

export async function findOptOutWords(db: Db, botId: string): Promise<FoundWords> {
  const own = await findOwnWords(db, botId)
  return { words: own ?? defaultWords, isDefault: own === null }
}

/** Without words, the default ones apply. Throws InvalidPayload. */
export async function setOptOutWords(
  db: Db,
  botId: string,
  words: OptOutWords | undefined,
): Promise<FoundWords> {
  if (words === undefined) {
    await db.deleteFrom('broadcast_words').where('bot_id', '=', botId).execute()
    return { words: defaultWords, isDefault: true }
  }
  checkWords(words)
  await db
    .insertInto('broadcast_words')
    .values({ bot_id: botId, words: toJson(words) })
    .onConflict((conflict) =>
      conflict.column('bot_id').doUpdateSet({ words: toJson(words) }),
    )
    .execute()
  return { words, isDefault: false }
}

function checkWords(words: OptOutWords): void {
  for (const name of ['stop', 'start'] as const)
    for (const [index, word] of words[name].entries())
      if (normalized(word) === '')
        throw new ApiError(
          'InvalidPayload',
          `\`words.${name}[${index}]\` has no letter or digit`,
        )
  const { stop, start } = toReady(words)
  const both = [...stop].find((word) => start.has(word))
  if (both !== undefined)
    throw new ApiError(
      'InvalidPayload',
      `"${both}" is in \`words.stop\` and in \`words.start\``,
    )
  // Without it, no message could opt out.
  if (stop.size === 0)
    throw new ApiError('InvalidPayload', '`words.stop` must have at least one word')
}
