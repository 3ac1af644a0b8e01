// Compares what people sent, what the server stored, and what listeners received. Counts each kind
// of broken promise. Knows no server: audit.test.ts shows that each count can rise.
import type { Attempt, Person, Sent } from '../people.ts'

export interface StoredMessage {
  id: string
  text: string
  userId: string
}

/** A time during which requests may fail, on the monotonic clock. */
export interface Outage {
  from: number
  to: number
}

/** Promises: each count must be 0. */
export interface Broken {
  /** Accepted, but not stored. */
  lost: number
  /** Copies of a message beyond the first. */
  doubled: number
  /** Accepted messages that are stored after later ones. */
  reordered: number
  /** Stored although the response said that nothing was changed. */
  storedAfterRejection: number
  /** Repeated with an Idempotency-Key until the end of the run, and never accepted. */
  neverAccepted: number
  unanswered: number
  /** Answers beyond the first. */
  answeredAgain: number
  answersReordered: number
  /** Stored messages that the person's listener did not receive. */
  missedByListener: number
  repeatedToListener: number
  reorderedToListener: number
  /** Responses that no outage explains: 4xx, and 5xx or none outside of an outage. */
  unexplainedErrors: number
}

export const nothingBroken = (): Broken => ({
  lost: 0,
  doubled: 0,
  reordered: 0,
  storedAfterRejection: 0,
  neverAccepted: 0,
  unanswered: 0,
  answeredAgain: 0,
  answersReordered: 0,
  missedByListener: 0,
  repeatedToListener: 0,
  reorderedToListener: 0,
  unexplainedErrors: 0,
})

/** Adds the broken promises to one person. `stored` is in the order of the conversation. */
export function auditPerson(
  person: Person,
  stored: StoredMessage[],
  outages: Outage[],
  broken: Broken,
) {
  const own = stored.filter(({ userId }) => userId === person.userId)
  const answers = stored.filter(({ userId }) => userId !== person.userId)
  auditSent(person, own, broken)
  auditAnswers(own, answers, broken)
  auditFrames(person.frames, stored, broken)
  broken.unexplainedErrors += unexplainedErrors(person, outages).length
}

export const unexplainedErrors = (person: Person, outages: Outage[]) =>
  countAttempts([person]).filter(
    (attempt) => isFailure(attempt) && !isExplained(attempt, outages),
  )

function auditSent({ sent, keyed }: Person, own: StoredMessage[], broken: Broken) {
  const positions = new Map(own.map(({ id }, position) => [id, position]))
  const texts = new Set(own.map(({ text }) => text))
  const accepted = sent.filter(({ messageId }) => messageId !== null)
  const kept = accepted.filter(({ messageId }) => positions.has(messageId!))
  broken.lost += accepted.length - kept.length
  broken.doubled += own.length - texts.size
  broken.reordered += inversions(kept.map(({ messageId }) => positions.get(messageId!)!))
  broken.storedAfterRejection += sent.filter(
    (message) => message.attempts.every(changedNothing) && texts.has(message.text),
  ).length
  if (keyed) broken.neverAccepted += sent.length - accepted.length
}

/** A bot answers each message with the same text, so texts are unique in each direction. */
function auditAnswers(own: StoredMessage[], answers: StoredMessage[], broken: Broken) {
  const positions = new Map(own.map(({ text }, position) => [text, position]))
  const answered = new Set(
    answers.map(({ text }) => text).filter((text) => positions.has(text)),
  )
  broken.unanswered += positions.size - answered.size
  broken.answeredAgain += answers.length - answered.size
  broken.answersReordered += inversions([...answered].map((text) => positions.get(text)!))
}

function auditFrames(frames: string[], stored: StoredMessage[], broken: Broken) {
  const positions = new Map(stored.map(({ id }, position) => [id, position]))
  const received = new Set(frames.filter((id) => positions.has(id)))
  broken.missedByListener += positions.size - received.size
  broken.repeatedToListener += frames.length - received.size
  broken.reorderedToListener += inversions([...received].map((id) => positions.get(id)!))
}

/** Returns how many numbers follow a larger one. */
export function inversions(numbers: number[]): number {
  let largest = Number.NEGATIVE_INFINITY
  let count = 0
  for (const number of numbers) {
    if (number < largest) count++
    largest = Math.max(largest, number)
  }
  return count
}

const isFailure = ({ status }: Attempt) => status === null || status >= 300
/** After no response, 500, 502 and 504 the server may have stored the message. */
const changedNothing = ({ status }: Attempt) =>
  status !== null && status >= 300 && ![500, 502, 504].includes(status)

const isExplained = ({ at, answeredAt, status, gaveUp }: Attempt, outages: Outage[]) =>
  gaveUp ||
  ((status === null || status >= 500) &&
    outages.some(({ from, to }) => at <= to && answeredAt >= from))

const countAttempts = (people: { sent: Sent[] }[]) =>
  people.flatMap(({ sent }) => sent.flatMap(({ attempts }) => attempts))

/** Counts failed requests by status; without a response, by `none`. */
export function countFailures(people: Person[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of countAttempts(people).filter(isFailure))
    counts[status ?? 'none'] = (counts[status ?? 'none'] ?? 0) + 1
  return counts
}

interface Availability {
  /** Sum for each person, mean over all people. */
  unavailableSeconds: number
  /** The longest single interruption. */
  longestSeconds: number
}

/** A person is without a server from the start of a failed request to the next accepted message. */
export function availability(people: Person[]): Availability {
  const gaps = people.map(findGaps)
  const sum = gaps.flat().reduce((total, ms) => total + ms, 0)
  return {
    unavailableSeconds: toSeconds(sum / people.length),
    longestSeconds: toSeconds(Math.max(0, ...gaps.flat())),
  }
}

function findGaps(person: Person): number[] {
  const gaps: number[] = []
  let since: number | null = null
  for (const attempt of countAttempts([person])) {
    if (isFailure(attempt)) since ??= attempt.at
    else if (since !== null) {
      gaps.push(attempt.answeredAt - since)
      since = null
    }
  }
  return gaps
}

const toSeconds = (ms: number) => Math.round(ms / 10) / 100
