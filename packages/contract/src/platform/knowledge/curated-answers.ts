import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../../fields.ts'
import {
  CuratedAnswer,
  CuratedMatch,
  newCuratedAnswer,
  RejectedAnswer,
} from '../../models/knowledge/curated-answer.ts'
import { operation } from '../../operation.ts'

const { questions, text, ...optional } = newCuratedAnswer
const response = closed({ curatedAnswer: CuratedAnswer })
const path = '/v1/platform/curated-answers'

export const curatedAnswers = {
  listCuratedAnswers: operation({
    method: 'GET',
    path,
    access: 'bot',
    permission: 'answers.read',
    summary: 'List curated answers',
    description:
      'Newest first. `search`: words that questions or answer contain, in any order.',
    query: T.Object({
      ...paging,
      search: T.Optional(T.String({ minLength: 1, maxLength: 200 })),
      language: T.Optional(T.String({ minLength: 2, maxLength: 20 })),
      knowledgeBaseId: T.Optional(T.String({ minLength: 1, maxLength: 200 })),
    }),
    response: closed({ curatedAnswers: T.Array(CuratedAnswer), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  createCuratedAnswer: operation({
    method: 'POST',
    path,
    access: 'bot',
    permission: 'answers.create',
    summary: 'Create a curated answer',
    description:
      'The card `answer`, and an agent that searches knowledge, send it when a person asks one of its ' +
      'questions, without a search of documents and without a model. At most 1,000 answers and 5,000 ' +
      'questions per bot.',
    body: closed(newCuratedAnswer),
    status: 201,
    response,
    errors: ['InvalidPayload', 'ReferenceNotFound', 'LimitExceeded'],
  }),
  getCuratedAnswer: operation({
    method: 'GET',
    path: `${path}/{id}`,
    access: 'bot',
    permission: 'answers.read',
    summary: 'Get a curated answer',
    params: byId,
    response,
    errors: ['ResourceNotFound'],
  }),
  updateCuratedAnswer: operation({
    method: 'PUT',
    path: `${path}/{id}`,
    access: 'bot',
    permission: 'knowledge.write',
    summary: 'Update a curated answer',
    description: 'Absent fields stay unchanged; null clears a field.',
    params: byId,
    body: closed({
      questions: T.Optional(questions),
      text: T.Optional(text),
      ...optional,
    }),
    response,
    errors: ['ResourceNotFound', 'InvalidPayload', 'ReferenceNotFound', 'LimitExceeded'],
  }),
  deleteCuratedAnswer: operation({
    method: 'DELETE',
    path: `${path}/{id}`,
    access: 'bot',
    permission: 'knowledge.write',
    summary: 'Delete a curated answer',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
  findCuratedAnswer: operation({
    method: 'POST',
    path: `${path}/find`,
    access: 'bot',
    permission: 'knowledge.read',
    audit: false,
    summary: 'Find the curated answer to a question',
    description:
      'Returns no answer if none has the same question. `knowledgeBases`: names; answers of others are ' +
      'left out. Without it, all answers are considered. `language`: the code of the language of the ' +
      'question, such as `de`; absent if its words do not tell.',
    body: closed({
      question: T.String({ maxLength: 5_000 }),
      knowledgeBases: T.Optional(
        T.Array(T.String({ maxLength: 200 }), { maxItems: 100 }),
      ),
    }),
    response: closed({
      match: T.Optional(CuratedMatch),
      language: T.Optional(T.String()),
    }),
    errors: [],
  }),
  importCuratedAnswers: operation({
    method: 'POST',
    path: `${path}/import`,
    access: 'bot',
    permission: 'knowledge.write',
    summary: 'Import curated answers from CSV',
    description:
      'The first line names the columns: `questions` (one per line of the cell) and `answer`; optional ' +
      'are `id`, `buttons` (one per line, `label` or `label = message`), `picture`, `language`, ' +
      '`knowledgeBase` (a name), `validFrom` and `validTo`. A row with an `id` changes this answer. ' +
      'Invalid rows are reported, and the others imported.',
    body: closed({ csv: T.String({ minLength: 1, maxLength: 900_000 }) }),
    response: closed({
      created: T.Integer(),
      updated: T.Integer(),
      /** Rows with an answer that exists already. */
      unchanged: T.Integer(),
      errors: T.Array(RejectedAnswer),
    }),
    errors: ['InvalidPayload'],
  }),
  exportCuratedAnswers: operation({
    method: 'GET',
    path: `${path}/export`,
    access: 'bot',
    permission: 'knowledge.read',
    summary: 'Export curated answers as CSV',
    description: 'In the columns of the import.',
    response: closed({ csv: T.String() }),
    errors: [],
  }),
}
