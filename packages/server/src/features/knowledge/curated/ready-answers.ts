// Finds the curated answer to a question. The questions of a bot stay in memory until one changes, so a bot
// without curated answers costs no statement, and one with them a statement for the stems.
import type { CuratedMatch } from '@botstead/contract'
import { openCache } from '@botstead/lib'
import type { Db } from '../../../core/db/index.ts'
import { listBaseNames } from '../search/knowledge-bases.ts'
import {
  type CuratedAnswerRow,
  hasCuratedAnswers,
  listCuratedAnswers,
  maxAnswers,
} from './curated-answers.ts'
import { languageOfCode } from './function-words.ts'
import {
  type AskedQuestion,
  type KnownQuestion,
  type KnownQuestions,
  matchMisspelt,
  matchText,
  matchWords,
  type QuestionMatch,
  toKnownQuestions,
} from './matching.ts'
import { languageOfQuestion, readQuestion } from './questions.ts'
import { findStems, isInDocuments, type Stemmer } from './stems.ts'
import { findWordList } from './word-lists.ts'

interface Asked {
  question: string
  /** Names: answers of other knowledge bases are left out. Undefined: all answers. */
  knowledgeBases?: string[] | undefined
}

export interface CuratedAnswers {
  /** Returns null if no answer has the question. */
  find(db: Db, botId: string, asked: Asked): Promise<CuratedMatch | null>
  /** Returns the questions that an answer has: one statement for the stems of all. */
  findAnswered(db: Db, botId: string, questions: string[]): Promise<Set<string>>
  /** Null: of all bots. */
  invalidate(botId: string | null): void
}

interface ReadyAnswers {
  questions: KnownQuestions
  languages: string[]
  answers: Map<string, AnswerFacts>
}

/** What decides whether an answer is used; the answer itself is read when it is sent. */
interface AnswerFacts extends Pick<CuratedAnswerRow, 'valid_from' | 'valid_to'> {
  /** Name of the knowledge base; null for all. */
  baseName: string | null
}

/** A change by another server takes effect after this time, if its notification was lost. */
const ttlMs = 30_000
/** Questions of these bots stay in memory: at most some megabytes each. */
const maxBots = 100

export function openCuratedAnswers(db: Db): CuratedAnswers {
  const known = openCache((botId) => hasCuratedAnswers(db, botId), {
    size: 50_000,
    ttlMs,
  })
  const ready = openCache((botId) => loadAnswers(db, botId), { size: maxBots, ttlMs })
  const hasAny = async (botId: string) => known.peek(botId) ?? (await known.get(botId))
  return {
    async find(db, botId, { question, knowledgeBases }) {
      if (!(await hasAny(botId))) return null
      const usable = findUsable(await ready.get(botId), knowledgeBases)
      const [match] = await findMatches(db, botId, [question], usable)
      return match ? toMatch(db, botId, match) : null
    },
    async findAnswered(db, botId, questions) {
      if (questions.length === 0 || !(await hasAny(botId))) return new Set()
      const matches = await findMatches(
        db,
        botId,
        questions,
        findUsable(await ready.get(botId)),
      )
      return new Set(questions.filter((_, i) => matches[i]))
    },
    invalidate(botId) {
      for (const cache of [known, ready])
        if (botId === null) cache.clear()
        else cache.invalidate((key) => key === botId)
    },
  }
}

async function loadAnswers(db: Db, botId: string): Promise<ReadyAnswers> {
  const rows = await listCuratedAnswers(db, botId, { limit: maxAnswers })
  const latest = rows.sort((a, b) => b.updated_at.getTime() - a.updated_at.getTime())
  const usual = await languageOfQuestion(
    latest.flatMap(({ questions }) => questions).join(' '),
  )
  const languages = await Promise.all(latest.map((row) => languageOfAnswer(row, usual)))
  const read = latest.flatMap(({ id, questions }, at) =>
    questions.map((text) => ({
      ...readQuestion(text, languages[at]!),
      answerId: id,
      text,
    })),
  )
  const findStem = await findStems(db, read.flatMap(toWords))
  const questions = read.map((each): KnownQuestion => withStems(each, findStem))
  return {
    questions: toKnownQuestions(questions),
    languages: [...new Set(questions.map(({ language }) => language))],
    answers: await toFacts(db, botId, latest),
  }
}

async function toFacts(
  db: Db,
  botId: string,
  rows: CuratedAnswerRow[],
): Promise<Map<string, AnswerFacts>> {
  const isLimited = rows.some(({ knowledge_base_id: id }) => id !== null)
  const names = isLimited ? await listBaseNames(db, botId) : new Map<string, string>()
  return new Map(
    rows.map(({ id, knowledge_base_id: base, valid_from, valid_to }) => [
      id,
      { valid_from, valid_to, baseName: base && (names.get(base) ?? '') },
    ]),
  )
}

/** Its own, or that of its words; `usual` if these do not tell. */
async function languageOfAnswer(
  { language, questions, text }: CuratedAnswerRow,
  usual: string,
): Promise<string> {
  if (language !== null) return languageOfCode(language) ?? 'simple'
  const asked = questions.join(' ')
  for (const words of [asked, `${asked} ${text}`]) {
    const found = await languageOfQuestion(words)
    if (found !== 'simple') return found
  }
  return usual
}

const toWords = ({ language, content }: { language: string; content: string[] }) =>
  content.map((word) => ({ language, word }))

const withStems = <Read extends { language: string; content: string[] }>(
  question: Read,
  findStem: Stemmer,
) => ({
  ...question,
  stems: question.content.map((word) => findStem(question.language, word)),
})

interface Usable extends Pick<ReadyAnswers, 'questions' | 'languages'> {
  isUsable: (question: KnownQuestion) => boolean
}

function findUsable(
  { questions, languages, answers }: ReadyAnswers,
  knowledgeBases?: string[],
): Usable {
  const names = knowledgeBases && new Set(knowledgeBases)
  const now = new Date()
  const isUsable = ({ answerId }: KnownQuestion) =>
    isUsed(answers.get(answerId)!, now, names)
  return { questions, languages, isUsable }
}

/** Without names of knowledge bases, answers of all are used. */
const isUsed = (
  { baseName, valid_from: from, valid_to: to }: AnswerFacts,
  now: Date,
  names: Set<string> | undefined,
) =>
  (from === null || from <= now) &&
  (to === null || now < to) &&
  (baseName === null || !names || names.has(baseName))

/** Returns the match of each text, or null. */
async function findMatches(
  db: Db,
  botId: string,
  texts: string[],
  usable: Usable,
): Promise<(QuestionMatch | null)[]> {
  const { questions, languages, isUsable } = usable
  const read = texts.map((text) =>
    languages.map((language) => readQuestion(text, language)),
  )
  const equal = read.map(([first]) => first && matchText(questions, first, isUsable))
  const others = read.filter((_, i) => !equal[i])
  const findStem = await findStems(db, others.flat().flatMap(toWords))
  return Promise.all(
    read.map((each, i) => {
      const asked = () => each.map((one): AskedQuestion => withStems(one, findStem))
      return equal[i] ?? findSimilar(db, botId, asked(), usable)
    }),
  )
}

/** Finds a question with the same words, or with misspelt ones. */
async function findSimilar(
  db: Db,
  botId: string,
  asked: AskedQuestion[],
  { questions, isUsable }: Usable,
): Promise<QuestionMatch | null> {
  for (const each of asked) {
    const same = matchWords(questions, each, isUsable)
    if (same) return same
  }
  for (const each of asked) {
    const list = await findWordList(each.language)
    const alike = matchMisspelt(questions, each, isUsable, list)
    if (alike && !(await isInDocuments(db, botId, alike.typed))) return alike
  }
  return null
}

/** Returns null if the answer was deleted in the meantime. */
async function toMatch(
  db: Db,
  botId: string,
  { question, kind }: QuestionMatch,
): Promise<CuratedMatch | null> {
  const row = await db
    .selectFrom('curated_answer')
    .select(['id', 'text', 'buttons', 'image_url'])
    .where('bot_id', '=', botId)
    .where('id', '=', question.answerId)
    .executeTakeFirst()
  if (!row) return null
  const { id, text, buttons, image_url: imageUrl } = row
  return {
    id,
    question: question.text,
    kind,
    text,
    buttons,
    ...(imageUrl && { imageUrl }),
  }
}
