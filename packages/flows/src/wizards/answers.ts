// The answers of the forms that make dialogues, and the tables that they may name.

/** Kinds of captures that a form offers. */
export const answerKinds = [
  'text',
  'number',
  'email',
  'phone',
  'url',
  'date',
  'confirmation',
  'singleChoice',
  'multipleChoice',
  'file',
] as const
export type AnswerKind = (typeof answerKinds)[number]

export interface Question {
  /** Unique in the form; `columns` of the table refer to it. */
  id: string
  /** Name of the answer in summaries; that of its variable and of a new column follow it. */
  name: string
  kind: AnswerKind
  question: string
  /** Labels of `singleChoice` and `multipleChoice`. */
  choices: string[]
  isOptional: boolean
}

/**
 * Columns are named by the id of a question or by a part of the dialogue, such as `slot`. A part without a
 * column gets a new one, and null stores no value.
 */
export type TableChoice =
  | { kind: 'none' }
  | { kind: 'new'; name: string }
  | { kind: 'existing'; name: string; columns: Record<string, string | null> }

export interface CommonAnswers {
  /** Name of the dialogue; its flow is named after it. */
  title: string
  /** Language of the texts of the wizard; the one of the document if that has one. */
  language: string
  /** A message with one of these begins the dialogue. */
  words: string[]
  /** Label of the button below the greeting; empty for no button. */
  button: string
  /** Pointer of the card with the greeting (`listGreetings`), or null for a new one. */
  greeting: string | null
  /** Text above the buttons of a new greeting. */
  greetingText: string
}

export interface FormAnswers extends CommonAnswers {
  kind: 'contact' | 'own'
  questions: Question[]
  /** Whether the visitor confirms the answers before they are stored. */
  isConfirmed: boolean
  table: TableChoice
  /** Whether the conversation is handed over to a person afterwards. */
  tellsPerson: boolean
  closing: string
}

export interface BookingAnswers extends CommonAnswers {
  kind: 'booking'
  questions: Question[]
  /** From Monday to Sunday: `09:00-12:00, 13:00-17:00`; empty for a day without times. */
  hours: string[]
  /** Length of a booking. */
  minutes: number
  /** Bookings at the same time. */
  capacity: number
  /** Hours before a time until which it can be booked. */
  noticeHours: number
  daysAhead: number
  /** IANA name. Only for a document without one. */
  timezone: string
  table: TableChoice
  tellsPerson: boolean
}

export interface OrderAnswers extends CommonAnswers {
  kind: 'order'
  table: TableChoice
  /** Columns of an existing table; a new one has `number` and `status`. */
  numberColumn: string
  /** Second column that must fit, such as the e-mail address; empty for none. */
  checkColumn: string
  /** Columns are in braces: `Your order is {status}.` */
  sentence: string
  offersPerson: boolean
}

export interface RatingAnswers extends CommonAnswers {
  kind: 'rating'
  question: string
  asksComment: boolean
  /** Ratings up to this one offer a person; 0 for none. */
  lowUpTo: number
  table: TableChoice
  /** Whether it also begins when a person has closed a handoff. */
  afterHandoff: boolean
}

export type DialogueAnswers = FormAnswers | BookingAnswers | OrderAnswers | RatingAnswers
export type DialogueKind = DialogueAnswers['kind']

export const dialogueKinds: readonly DialogueKind[] = [
  'contact',
  'booking',
  'order',
  'rating',
  'own',
]

export interface KnownColumn {
  type: string
  format?: string | undefined
}

/** A table of the document or of the bot on the server. */
export interface KnownTable {
  name: string
  keyColumn?: string | undefined
  columns: Record<string, KnownColumn>
}
