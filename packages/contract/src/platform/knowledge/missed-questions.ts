import { Type as T } from 'typebox'
import { closed, Done, Meta, paging } from '../../fields.ts'
import { MissedQuestion } from '../../models/knowledge/missed-question.ts'
import { operation } from '../../operation.ts'

export const missedQuestions = {
  listMissedQuestions: operation({
    method: 'GET',
    path: '/v1/platform/missed-questions',
    access: 'bot',
    permission: 'knowledge.read',
    summary: 'List questions without a good answer',
    description:
      'Questions that the bot could not answer, and those with a badly rated answer, grouped by their ' +
      'words; the most frequent first. Leaves out questions that a curated answer or a newer document ' +
      'answers now, unless a user waits for an answer by e-mail, and dismissed ones. Marks those that ' +
      'the bot would answer since a minimum score was lowered. Reads the last 20,000 questions.',
    query: T.Object({
      ...paging,
      pageSize: T.Optional(T.Integer({ minimum: 1, maximum: 50 })),
    }),
    response: closed({
      missedQuestions: T.Array(MissedQuestion),
      /** Of passages of knowledge bases without another one. */
      defaultMinScore: T.Number(),
      meta: Meta,
    }),
    errors: ['InvalidQuery'],
  }),
  dismissMissedQuestion: operation({
    method: 'POST',
    path: '/v1/platform/missed-questions/dismiss',
    access: 'bot',
    permission: 'knowledge.write',
    summary: 'Remove a missed question from the list',
    description:
      'It is no question: it is not listed again, also if more people write it.',
    body: closed({ key: T.String({ minLength: 1, maxLength: 64 }) }),
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
