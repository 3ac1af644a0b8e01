// The card `answer`: searches passages of files, and lets a model answer from them alone. Without suitable
// passages, the model is not called; without a model, the best part of a passage answers.
import { toMessageContent } from '../captures/capture.ts'
import type { CardByType } from '../document/card-shapes.ts'
import { findAnswers, searchKnowledge } from '../engine/knowledge.ts'
import { sendMessage } from '../engine/talking.ts'
import { fillHere, setVariable, type Turn } from '../engine/turn.ts'
import { type CitedAnswer, sourcesText, toPlace } from '../models/citations.ts'
import { type CognitiveRequest, getModelTimeout, ModelFailed } from '../models/models.ts'
import { toAnswerTexts, toLanguageCode } from './answer-texts.ts'
import type { CardKind, CardOutcome } from './card.ts'
import { deliverCurated, readQuestion } from './curated.ts'
import { findChosen, toFoundText, toLabels } from './found-answer.ts'
import { answerFrom } from './model-answer.ts'
import { orOnFail } from './models.ts'
import { texts } from './talking.ts'

export const answer: CardKind<'answer'> = {
  hasSideEffects: true,
  perform: (turn, card) =>
    orOnFail(turn, card.onFail, async () => {
      const deadline = turn.engine.now() + getModelTimeout(turn)
      const filled = await fillFields(turn, card)
      const { knowledgeBases: names, limit = 5, minScore } = card
      const { curated, language } = await readQuestion(turn, { ...filled, names })
      if (curated) {
        await deliverCurated(turn, card, { curated, language })
        return
      }
      const { groundingCheck = true } = card
      const scope = { query: filled.question, names, tags: filled.tags, minScore }
      const search = { scope, language }
      const found = await searchKnowledge(turn, { ...scope, limit })
      const passages = found.results ?? []
      turn.event.kb = found
      if (passages.length === 0)
        return answerWithoutModel(turn, card, { ...filled, search })
      try {
        const request = {
          ...filled,
          passages,
          ...(groundingCheck && { checkedUntil: deadline }),
        }
        const result = await answerFrom(turn, request)
        setAgent(turn, result, { language })
        if (!result) return deliverUnknown(turn, card, search)
        const heading = filled.sources ?? toAnswerTexts(turn, language).sources
        await deliver(turn, card, result, sourcesBelow(result, heading))
      } catch (error) {
        const isWithoutModel =
          error instanceof ModelFailed && error.reason === 'notConfigured'
        if (!isWithoutModel || filled.model !== undefined) throw error
        return answerWithoutModel(turn, card, { ...filled, search })
      }
    }),
}

type Answer = Pick<CitedAnswer, 'answer' | 'citations'>

function setAgent(
  turn: Turn,
  result: Answer | null,
  { language, suggestions = [] }: { language: string | null; suggestions?: string[] },
): void {
  turn.values.KnowledgeAgent = {
    answer: result?.answer ?? null,
    citations: result?.citations ?? [],
    responded: result !== null,
    suggestions,
    language,
  }
}

interface Search {
  scope: Parameters<typeof findAnswers>[1]
  /** The code of the language of the question; null if unknown. */
  language: string | null
  /** Headings of sections that may have the answer. */
  suggestions?: string[]
}

/** Sends the part of a passage that answers, or lets the user choose between equally likely ones. */
async function answerWithoutModel(
  turn: Turn,
  card: CardByType<'answer'>,
  { question, sources, search }: Fields & { search: Search },
): Promise<CardOutcome> {
  const found = await findAnswers(turn, search.scope)
  const language = search.language ?? toLanguageCode(found.language)
  const chosen = findChosen(question, found.answers)
  const [best] = chosen
  const result = best ? toFoundText(best) : null
  const suggestions = toLabels(found.suggestions)
  setAgent(turn, result, { language, suggestions })
  if (!result) return deliverUnknown(turn, card, { ...search, language, suggestions })
  const texts = toAnswerTexts(turn, language)
  if (chosen.length > 1 && !card.into) {
    const { didYouMean = texts.didYouMean } = card
    return offer(turn, String(await fillHere(turn, didYouMean)), toLabels(chosen))
  }
  const heading = sources ?? texts.source
  await deliver(
    turn,
    card,
    result,
    heading && `\n\n${heading} ${toPlace(result.citations[0]!)}`,
  )
}

/** Each button sends its label, which leads to the answer below this heading. */
async function offer(turn: Turn, text: string, labels: string[]): Promise<undefined> {
  const options = labels.map((label) => ({ label, value: label }))
  await sendMessage(turn, { type: 'choice', text, options })
}

interface Fields {
  question: string
  instructions: string
  sources: string | undefined
  tags: Record<string, string> | undefined
  model: CognitiveRequest['model'] | undefined
}

async function fillFields(turn: Turn, card: CardByType<'answer'>): Promise<Fields> {
  const { question = '{{ event.preview }}', instructions = '', sources } = card
  const given = { question, instructions, sources, tags: card.tags, model: card.model }
  const filled = (await fillHere(turn, given)) as Fields
  return {
    question: String(filled.question ?? ''),
    instructions: String(filled.instructions ?? ''),
    sources: sources === undefined ? undefined : String(filled.sources ?? ''),
    tags: filled.tags && texts(filled.tags),
    model: filled.model || undefined,
  }
}

const sourcesBelow = ({ citations }: Answer, heading: string) =>
  heading === '' ? '' : `\n\n${heading}\n${sourcesText(citations)}`

async function deliver(
  turn: Turn,
  { into }: CardByType<'answer'>,
  { answer, citations }: Answer,
  sources: string,
): Promise<void> {
  if (into) return setVariable(turn, into, { answer, citations })
  await sendMessage(turn, {
    type: 'text',
    text: answer + sources,
    metadata: { citations },
  })
}

/** The rules of handoffs count the message as a failed answer; it records the question. */
const asUnanswered = (
  content: ReturnType<typeof toMessageContent>,
  question: string,
) => ({
  ...content,
  metadata: { unanswered: true, question, ...(content.metadata as object | undefined) },
})

/**
 * Sends the standard text, in the language of the question, only if nothing else handles an unknown answer;
 * suggestions below it only if the conversation stays here.
 */
async function deliverUnknown(
  turn: Turn,
  card: CardByType<'answer'>,
  { scope, language, suggestions = [] }: Search,
): Promise<CardOutcome> {
  const { into, unknown, onUnknown } = card
  const isStandard = unknown === undefined && !into && !onUnknown
  if (into) setVariable(turn, into, null)
  const known = language ?? (isStandard ? await findLanguage(turn, scope) : null)
  const standard = toAnswerTexts(turn, known)
  const text = isStandard ? standard.unknown : unknown && (await fillHere(turn, unknown))
  if (text !== undefined)
    await sendMessage(turn, asUnanswered(toMessageContent(text), scope.query))
  if (onUnknown !== undefined) return { goTo: onUnknown }
  if (!into && suggestions.length > 0) return offer(turn, standard.perhaps, suggestions)
}

const findLanguage = async (turn: Turn, scope: Search['scope']) =>
  toLanguageCode((await findAnswers(turn, scope)).language)
