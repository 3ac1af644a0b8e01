// Compares what people wrote in a messenger with the answers of a bot that repeats each text with the id of
// its message. Knows no server: channel-audit.test.ts shows that each count can rise.
import type { ChatMessage } from '../../channels/telegram.ts'
import { inversions } from './audit.ts'

/** The end of a server, from the signal to the exit, on the monotonic clock. */
export interface Kill {
  from: number
  to: number
}

interface Observed {
  written: ChatMessage[]
  /** What the bot sent to the provider, in the order of its arrival. */
  sent: ChatMessage[]
  /** Times at which a server asked the provider for messages. */
  polledAt: number[]
  kills: Kill[]
}

/** Promises: each count must be 0. */
interface Broken {
  /** Messages of people without an answer. */
  lost: number
  /** Messages of people that the bot received under several ids. */
  doubledToBot: number
  /** Answers in another order than the messages of the chat. */
  reordered: number
  /** Answers in another chat, and texts that answer no message. */
  misdirected: number
  /** Answers that a person got again, which no kill explains. */
  doubledToPerson: number
  /** Kills after which no server received within five seconds. */
  lateResumes: number
}

interface Measured {
  /** Answers that a person got again, because the server was killed before it recorded the first one. */
  repeatedToPerson: number
  /** From a kill until a server received again. */
  longestResumeSeconds: number
  /** From a message to its answer. */
  longestAnswerSeconds: number
}

const maxResumeMs = 5_000
/** A killed server may have sent an answer so long ago without its record, and its last ones arrive later. */
const recordMs = 2_000
/** Requests that were on their way at the kill have arrived by then. */
const arrivedMs = 50

interface Answer extends ChatMessage {
  messageId: string
}

export function auditChannel({ written, sent, polledAt, kills }: Observed): {
  promises: Broken
  measurements: Measured
} {
  const { answers, misdirected } = readAnswers(written, sent)
  const answered = written.filter(({ text }) => answers.has(text))
  const ids = answered.reduce((sum, { text }) => sum + countIds(answers.get(text)!), 0)
  const copies = [...answers.values()].flatMap(findCopies)
  const resumes = kills.map((kill) => findResumeMs(kill, polledAt))
  const waits = answered.map(({ text, at }) => answers.get(text)![0]!.at - at)
  return {
    promises: {
      lost: written.length - answered.length,
      doubledToBot: ids - answered.length,
      reordered: countReordered(written, answers),
      misdirected,
      doubledToPerson: copies.filter(
        (copy) => !kills.some((kill) => explains(kill, copy)),
      ).length,
      lateResumes: resumes.filter((ms) => ms > maxResumeMs).length,
    },
    measurements: {
      repeatedToPerson: copies.length,
      longestResumeSeconds: toSeconds(Math.max(0, ...resumes)),
      longestAnswerSeconds: toSeconds(
        waits.reduce((longest, ms) => Math.max(longest, ms), 0),
      ),
    },
  }
}

/** Returns the answers by the text of their message, each list in the order of its arrival. */
function readAnswers(written: ChatMessage[], sent: ChatMessage[]) {
  const chats = new Map(written.map(({ text, chat }) => [text, chat]))
  const answers = new Map<string, Answer[]>()
  let misdirected = 0
  for (const { chat, text: whole, at } of sent) {
    const [, messageId = '', text = ''] = /^(\S+) (.*)$/s.exec(whole) ?? []
    if (chats.get(text) !== chat) misdirected++
    else answers.set(text, [...(answers.get(text) ?? []), { chat, text, at, messageId }])
  }
  return { answers, misdirected }
}

const countIds = (answers: Answer[]) =>
  new Set(answers.map(({ messageId }) => messageId)).size

interface Copy {
  before: number
  at: number
}

/** Returns each answer that had the same id as one before, with the time of that one. */
function findCopies(answers: Answer[]): Copy[] {
  return answers.flatMap(({ messageId, at }, i) => {
    const former = answers.slice(0, i).findLast((one) => one.messageId === messageId)
    return former ? [{ before: former.at, at }] : []
  })
}

/** The server died between the answer of the provider and its record. */
const explains = ({ from, to }: Kill, { before, at }: Copy) =>
  before > from - recordMs && before < to + recordMs && at > from

function countReordered(written: ChatMessage[], answers: Map<string, Answer[]>): number {
  const positions = new Map(written.map(({ text }, position) => [text, position]))
  const inTime = [...answers.values()]
    .map(([first]) => first!)
    .toSorted((a, b) => a.at - b.at)
  const chats = new Map<number, number[]>()
  for (const { chat, text } of inTime)
    chats.set(chat, [...(chats.get(chat) ?? []), positions.get(text)!])
  return [...chats.values()].reduce((sum, order) => sum + inversions(order), 0)
}

function findResumeMs({ from, to }: Kill, polledAt: number[]): number {
  const next = polledAt.find((at) => at > to + arrivedMs)
  return next === undefined ? Number.POSITIVE_INFINITY : next - from
}

const toSeconds = (ms: number) => Math.round(ms / 10) / 100
