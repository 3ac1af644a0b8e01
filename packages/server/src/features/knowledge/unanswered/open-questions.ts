// Missed questions that nothing answers by now: neither a curated answer, nor a document that is newer than
// the question. The check takes place when a page of the list is read, so it needs no state, and a question
// returns when its answer is deleted or expires. Two kinds of answered questions stay in the list, marked
// as answered: those of people who wait for an e-mail, and those that an older passage answers, because a
// minimum score was lowered.
import type { ExplainedPassage, MissedQuestion } from '@botstead/contract'
import type { Db } from '../../../core/db/index.ts'
import type { TableServices } from '../../../core/tables/index.ts'
import type { CuratedAnswers } from '../curated/ready-answers.ts'
import { findAnswers } from '../search/answers.ts'
import { findBestPassages } from '../search/explanation.ts'
import type { Rankers } from '../search/fusion.ts'
import { isAboveMinimum } from '../search/minimum.ts'
import { findMailRequests, type MailRequest } from './mail-requests.ts'
import type { MissedGroup } from './missed-questions.ts'

interface Deps {
  db: Db
  curatedAnswers: Pick<CuratedAnswers, 'findAnswered'>
  tableCache: TableServices['tableCache']
  rankers: Rankers
}

/** Searches at a time: a list must not take the database from the answers of bots. */
const atOnce = 4

/** Returns the questions of these groups that are still open, in their order. */
export async function findOpenQuestions(
  deps: Deps,
  botId: string,
  groups: MissedGroup[],
): Promise<MissedQuestion[]> {
  const open: MissedQuestion[] = []
  const texts = groups.flatMap((group) => group.texts)
  const requests = await findMailRequests(deps.db, deps.tableCache, botId, texts)
  const findRequests = (group: MissedGroup) =>
    requests.filter(({ question }) => group.texts.includes(question))
  const wordings = groups.flatMap((group) => group.wordings)
  const curated = await deps.curatedAnswers.findAnswered(deps.db, botId, wordings)
  for (let from = 0; from < groups.length; from += atOnce) {
    const some = groups.slice(from, from + atOnce)
    const found = await Promise.all(
      some.map((group) =>
        toOpenQuestion(deps, botId, { group, requests: findRequests(group), curated }),
      ),
    )
    open.push(...found.filter((question) => question !== null))
  }
  return open
}

interface Listed {
  group: MissedGroup
  requests: MailRequest[]
  /** Questions with a curated answer. */
  curated: Set<string>
}

async function toOpenQuestion(
  { db, rankers }: Deps,
  botId: string,
  { group, requests, curated }: Listed,
): Promise<MissedQuestion | null> {
  const unanswered = group.wordings.filter((wording) => !curated.has(wording))
  const hasCurated = unanswered.length === 0
  const query = unanswered[0] ?? group.wordings[0]!
  const search = { query, limit: maxCompared }
  const found = hasCurated ? [] : await findBestPassages(db, botId, search, rankers)
  const isMended = hasCurated || found.some((passage) => isNewAnswer(passage, group))
  if (isMended && requests.length === 0) return null
  const passages = found.map(({ passage }) => passage)
  const isAnswered =
    isMended || (await isAnsweredByOld(db, botId, { query, passages, group }, rankers))
  return {
    ...toMissedQuestion(group, hasCurated ? group.wordings : unanswered, passages[0]),
    ...(requests.length > 0 && { mailRequests: requests.map(toListed) }),
    ...(isAnswered && { isAnswered }),
  }
}

const toListed = ({ rowId, email }: MailRequest) => ({ rowId, email })

/** Passages among which a newer one is searched. */
const maxCompared = 5

/** A passage that was there when the bot failed does not mend the question, whatever its score. */
const isNewAnswer = (
  { passage, changedAt }: { passage: ExplainedPassage; changedAt: Date },
  { last_at: lastAt }: MissedGroup,
) => changedAt > lastAt && isAboveMinimum(passage)

interface Asked {
  query: string
  passages: ExplainedPassage[]
  group: MissedGroup
}

/** Whether the bot would answer from passages that were there: not if people rated such an answer badly. */
async function isAnsweredByOld(
  db: Db,
  botId: string,
  { query, passages, group }: Asked,
  rankers: Rankers,
): Promise<boolean> {
  if (group.rated > 0 || !passages.some(isAboveMinimum)) return false
  const { answers } = await findAnswers(
    db,
    botId,
    { query, viewer: null, tags: [] },
    rankers,
  )
  return answers.length > 0
}

const toMissedQuestion = (
  group: MissedGroup,
  wordings: string[],
  best: ExplainedPassage | undefined,
): MissedQuestion => ({
  key: group.key,
  question: wordings[0]!,
  wordings,
  count: group.count,
  unanswered: group.unanswered,
  rated: group.rated,
  firstAt: group.first_at.toISOString(),
  lastAt: group.last_at.toISOString(),
  conversationId: group.conversation_id,
  messageId: group.message_id,
  ...(best && { best }),
})
