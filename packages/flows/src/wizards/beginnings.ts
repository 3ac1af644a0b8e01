// The answers with which the forms begin: standard questions and texts in the language of the bot.
import type { Json } from '../edits/edit.ts'
import { readLanguages } from '../texts/catalogue.ts'
import type {
  AnswerKind,
  BookingAnswers,
  CommonAnswers,
  DialogueAnswers,
  DialogueKind,
  FormAnswers,
  OrderAnswers,
  Question,
  RatingAnswers,
} from './answers.ts'
import { listGreetings } from './reach.ts'
import { toKnownLanguage, wordsIn } from './text.ts'
import { catalogue } from './texts/catalogue.ts'
import type { TextId } from './texts/en.ts'

const presets: Record<string, { kind: AnswerKind; question: TextId }> = {
  name: { kind: 'text', question: 'askName' },
  email: { kind: 'email', question: 'askEmail' },
  phone: { kind: 'phone', question: 'askPhone' },
  date: { kind: 'date', question: 'askDate' },
  message: { kind: 'text', question: 'askMessage' },
}

/** Names of the standard questions. */
export const presetNames = ['name', 'email', 'phone', 'date', 'message'] as const
export type PresetName = (typeof presetNames)[number]

/** Languages of the standard texts. */
export const wizardLanguages: readonly string[] = Object.keys(catalogue)

const textIn = (id: TextId, language: string) =>
  catalogue[toKnownLanguage(language) ?? 'en']![id]

/** Returns a standard question in the language. `id` is its id in the form. */
export const toPreset = (name: PresetName, id: string, language: string): Question => ({
  id,
  name: textIn(name, language),
  kind: presets[name]!.kind,
  question: textIn(presets[name]!.question, language),
  choices: [],
  isOptional: false,
})

interface Surroundings {
  /** For a document that names no language. */
  language: string
  timezone: string
}

/** Returns the answers with which a form begins. */
export function toBeginning(
  kind: DialogueKind,
  document: Json,
  { language: wanted, timezone }: Surroundings,
): DialogueAnswers {
  const { original, translations } = readLanguages(document)
  const language = original ?? toKnownLanguage(wanted) ?? 'en'
  const common = {
    title: textIn(`${kind}Title`, language),
    language,
    words: wordsIn(`${kind}Words`, [language, ...Object.keys(translations)]),
    button: textIn(`${kind}Button`, language),
    greeting: listGreetings(document)[0]?.pointer ?? null,
    greetingText: textIn('greeting', language),
    table: { kind: 'new', name: tableNames[kind] } as const,
  }
  if (kind === 'booking') return { ...common, ...toBooking(language), timezone }
  if (kind === 'order') return { ...common, ...toOrder(language) }
  return {
    ...common,
    ...(kind === 'rating' ? toRating(language) : toForm(kind, language)),
  }
}

type Own<Answers> = Omit<Answers, keyof CommonAnswers | 'table'>

const ask = (names: PresetName[], language: string) =>
  names.map((name, index) => toPreset(name, `q${index + 1}`, language))

const toForm = (kind: FormAnswers['kind'], language: string): Own<FormAnswers> => ({
  kind,
  questions: kind === 'own' ? [] : ask(['name', 'email', 'message'], language),
  isConfirmed: true,
  tellsPerson: kind === 'contact',
  closing: textIn('closing', language),
})

const toBooking = (language: string): Omit<Own<BookingAnswers>, 'timezone'> => ({
  kind: 'booking',
  questions: ask(['name', 'email'], language),
  hours: [...Array.from({ length: 5 }, () => '09:00-12:00, 13:00-17:00'), '', ''],
  minutes: 60,
  capacity: 1,
  noticeHours: 2,
  daysAhead: 60,
  tellsPerson: false,
})

const toOrder = (language: string): Own<OrderAnswers> => ({
  kind: 'order',
  numberColumn: 'number',
  checkColumn: '',
  sentence: textIn('sentence', language),
  offersPerson: true,
})

const toRating = (language: string): Own<RatingAnswers> => ({
  kind: 'rating',
  question: textIn('askRating', language),
  asksComment: true,
  lowUpTo: 2,
  afterHandoff: false,
})

/** Names of new tables. */
export const tableNames: Record<DialogueKind, string> = {
  contact: 'ContactsTable',
  booking: 'BookingsTable',
  order: 'OrdersTable',
  rating: 'RatingsTable',
  own: 'AnswersTable',
}
