// Curated answers: people wrote them to questions. The card `answer` and agents that search knowledge send
// one without a search and without a model.
import type { CardByType } from '../document/card-shapes.ts'
import { sendMessage } from '../engine/talking.ts'
import { setVariable, type Turn } from '../engine/turn.ts'

/** As `POST /v1/platform/curated-answers/find` returns it. */
export interface CuratedAnswer {
  id: string
  /** The question of the answer that matched. */
  question: string
  text: string
  buttons: { label: string; value?: string }[]
  imageUrl?: string
}

interface Asked {
  question: string
  /** Knowledge bases by their names in the document; by default all of them. */
  names: string[] | undefined
  /** Tags of files in place of knowledge bases: then only answers of all knowledge bases are used. */
  tags?: Record<string, string> | undefined
}

const maxQuestion = 1_000

/** A question as the server reads it. */
interface ReadQuestion {
  /** Null if no curated answer has the question. */
  curated: CuratedAnswer | null
  /** The code of its language, such as `de`; null if its words do not tell. */
  language: string | null
}

const unread: ReadQuestion = { curated: null, language: null }

export async function readQuestion(
  { engine, delivered }: Turn,
  { question, names, tags }: Asked,
): Promise<ReadQuestion> {
  const text = question.trim()
  // The beginning of a longer text could be another question.
  if (text === '' || text.length > maxQuestion) return unread
  const declared = engine.program.document.knowledgeBases ?? {}
  const bases = tags ? [] : (names ?? Object.keys(declared))
  const body = {
    question: text,
    knowledgeBases: bases.map((name) => declared[name]?.name ?? name),
  }
  const { match, language = null } = (await engine.platform({
    method: 'POST',
    path: '/v1/platform/curated-answers/find',
    body,
    cause: delivered.id,
  })) as { match?: CuratedAnswer; language?: string }
  return { curated: match ?? null, language }
}

export async function deliverCurated(
  turn: Turn,
  { into }: Pick<CardByType<'answer'>, 'into'>,
  { curated, language }: { curated: CuratedAnswer; language: string | null },
): Promise<void> {
  const { id, question, text, buttons, imageUrl } = curated
  const curatedAnswer = { id, question }
  const note = `answered by a curated answer: ${id} (“${question}”)`
  turn.trace.note({ kind: 'note', text: note, curatedAnswer })
  turn.values.KnowledgeAgent = { answer: text, citations: [], responded: true, language }
  if (into) return setVariable(turn, into, { answer: text, citations: [], curatedAnswer })
  if (imageUrl !== undefined) await sendMessage(turn, { type: 'image', imageUrl })
  const options = buttons.map(({ label, value = label }) => ({ label, value }))
  const content =
    options.length > 0 ? { type: 'choice', text, options } : { type: 'text', text }
  await sendMessage(turn, { ...content, metadata: { curatedAnswer } })
}
