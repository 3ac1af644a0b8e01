// Checks that the cited passages support an answer: one further request asks a model about each sentence.
// Unsupported sentences are removed. An answer that could not be checked stays as it is.
import type { JsonSchema } from '../document/shapes.ts'
import { PlatformRejection } from '../engine/platform.ts'
import type { Turn } from '../engine/turn.ts'
import { type CitedAnswer, numberCitations } from './citations.ts'
import type { CognitiveRequest } from './models.ts'
import { toSentences } from './sentences.ts'
import { generateTyped } from './typed-replies.ts'

interface GroundingCheck {
  question: string
  answer: CitedAnswer
  model: CognitiveRequest['model'] | undefined
  /** The check ends at this time of the engine's clock, in ms. */
  deadline: number
}

interface Verdict {
  number: number
  verdict: 'supported' | 'unsupported' | 'noStatement'
  /** Number of a passage that supports the sentence. */
  passage?: number | null
  reason?: string | null
}

/** Of requests that check an answer, in `meta`. */
export const groundingCategory = 'groundingCheck'

const maxSentences = 60

/** Returns the answer with its supported sentences only; null if there are none. */
export async function removeUnsupported(
  turn: Turn,
  check: GroundingCheck,
): Promise<CitedAnswer | null> {
  const { answer } = check
  const sentences = toSentences(answer.answer, maxSentences)
  const verdicts = await judgeOrReport(turn, check, sentences)
  if (!verdicts) return answer
  const isRemoved = (at: number) => verdicts[at]!.verdict === 'unsupported'
  for (const [at, sentence] of sentences.entries())
    if (isRemoved(at)) note(turn, toRemoval(sentence, verdicts[at]!))
  if (!sentences.some((_, at) => isRemoved(at))) {
    note(turn, 'the cited passages support each sentence')
    return answer
  }
  const supported = verdicts.find(({ verdict }) => verdict === 'supported')
  if (!supported) return null
  return withCitation(join(sentences, isRemoved), supported.passage ?? 1, answer)
}

/** A removed sentence leaves the line breaks behind it, unless its line is empty now. */
const join = (sentences: string[], isRemoved: (at: number) => boolean): string =>
  sentences.reduce((text, sentence, at) => {
    if (!isRemoved(at)) return text + sentence
    const [breaks] = /\n*$/.exec(sentence)!
    return breaks === '' || text === '' || text.endsWith('\n')
      ? text
      : text.trimEnd() + breaks
  }, '')

/** A removed sentence may have had the only citation. */
function withCitation(
  text: string,
  passage: number,
  { passages }: CitedAnswer,
): CitedAnswer {
  const shortened = text.trim().replace(/\n{3,}/g, '\n\n')
  const cited = numberCitations(shortened, passages)
  return cited.citations.length > 0
    ? cited
    : numberCitations(`${shortened} [${passage}]`, passages)
}

const note = ({ trace }: Turn, text: string) => trace.note({ kind: 'note', text })

function toRemoval(sentence: string, { reason }: Verdict): string {
  const shown = sentence.trim().slice(0, 150).toWellFormed()
  return `removed “${shown}”: no cited passage supports it${reason ? ` (${reason})` : ''}`
}

/** Returns null if the check fails for any reason. Throws only if the user has stopped the answer. */
async function judgeOrReport(
  turn: Turn,
  check: GroundingCheck,
  sentences: string[],
): Promise<Verdict[] | null> {
  try {
    return await judge(turn, check, sentences)
  } catch (error) {
    if (error instanceof PlatformRejection && error.type === 'ResourceGone') throw error
    const message = error instanceof Error ? error.message : String(error)
    note(turn, `the sentences of the answer were not checked: ${message}`)
    turn.engine.log('warn', `The sentences of an answer were not checked: ${message}`)
    return null
  }
}

const rules = [
  'Check an answer to the question of the data: decide for each sentence whether the passages say it.',
  '`supported`: the passages say all of it, or it follows from them. `passage` is the number of one.',
  '`unsupported`: a part of it is not in the passages, also if it is true or likely. Names, numbers, times ' +
    'and conditions must be the same. `reason` says in a few words what is missing.',
  '`noStatement`: it states no fact, such as a greeting, a question, an offer of help or a heading.',
  'Do not use other knowledge. Give one entry for each sentence, in their order.',
]

const verdictSchema: JsonSchema = {
  type: 'object',
  properties: {
    sentences: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          number: { type: 'integer' },
          verdict: { type: 'string', enum: ['supported', 'unsupported', 'noStatement'] },
          passage: { type: ['integer', 'null'] },
          reason: { type: ['string', 'null'] },
        },
        required: ['number', 'verdict'],
        additionalProperties: false,
      },
    },
  },
  required: ['sentences'],
  additionalProperties: false,
}

/** Returns a verdict for each sentence. */
async function judge(
  turn: Turn,
  { question, answer: { passages }, model, deadline }: GroundingCheck,
  sentences: string[],
): Promise<Verdict[]> {
  const numbered = (text: string, index: number) => ({
    number: index + 1,
    text: text.trim(),
  })
  const value = await generateTyped(turn, {
    instructions: rules.join('\n'),
    data: {
      question,
      passages: passages.map(({ content }, index) => numbered(content, index)),
      sentences: sentences.map(numbered),
    },
    schema: verdictSchema,
    model,
    repairs: 1,
    meta: { promptCategory: groundingCategory },
    limits: { deadline, attempts: 1 },
    check: (value) => findFault(toVerdicts(value), sentences.length, passages.length),
  })
  const verdicts = toVerdicts(value)
  return sentences.map((_, index) => findVerdict(verdicts, index + 1)!)
}

const toVerdicts = (value: unknown) => (value as { sentences: Verdict[] }).sentences

/** Of several verdicts on a sentence, the one against it counts. */
function findVerdict(verdicts: Verdict[], number: number): Verdict | undefined {
  const found = verdicts.filter((each) => each.number === number)
  return found.find(({ verdict }) => verdict === 'unsupported') ?? found[0]
}

function findFault(
  verdicts: Verdict[],
  sentences: number,
  passages: number,
): string | null {
  for (let number = 1; number <= sentences; number++) {
    const found = findVerdict(verdicts, number)
    if (!found) return `/sentences has no entry for the sentence ${number}`
    const { verdict, passage } = found
    const isUnknown = passage != null && (passage < 1 || passage > passages)
    if (verdict === 'supported' && isUnknown)
      return `/sentences names the passage ${passage} for the sentence ${number}. It does not exist`
  }
  return null
}
