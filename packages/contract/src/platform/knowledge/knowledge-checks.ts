import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../../fields.ts'
import {
  KnowledgeCheck,
  newKnowledgeCheck,
} from '../../models/knowledge/knowledge-check.ts'
import { operation } from '../../operation.ts'

const path = '/v1/platform/knowledge-checks'

export const knowledgeChecks = {
  listKnowledgeChecks: operation({
    method: 'GET',
    path,
    access: 'bot',
    permission: 'knowledge.read',
    summary: 'List checks with their last results',
    description: 'Newest first.',
    query: T.Object(paging),
    response: closed({ knowledgeChecks: T.Array(KnowledgeCheck), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  createKnowledgeCheck: operation({
    method: 'POST',
    path,
    access: 'bot',
    permission: 'knowledge.write',
    summary: 'Add a question with its expected answer',
    description:
      'Needs `expectedFile`, `expectedText` or both. At most 200 checks per bot.',
    body: closed(newKnowledgeCheck),
    status: 201,
    response: closed({ knowledgeCheck: KnowledgeCheck }),
    errors: ['InvalidPayload', 'LimitExceeded'],
  }),
  updateKnowledgeCheck: operation({
    method: 'PUT',
    path: `${path}/{id}`,
    access: 'bot',
    permission: 'knowledge.write',
    summary: 'Change a check',
    description:
      'Replaces question and expectations as a whole. The results of earlier runs are deleted.',
    params: byId,
    body: closed(newKnowledgeCheck),
    response: closed({ knowledgeCheck: KnowledgeCheck }),
    errors: ['InvalidPayload', 'ResourceNotFound'],
  }),
  deleteKnowledgeCheck: operation({
    method: 'DELETE',
    path: `${path}/{id}`,
    access: 'bot',
    permission: 'knowledge.write',
    summary: 'Delete a check',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
  runKnowledgeChecks: operation({
    method: 'POST',
    path: `${path}/run`,
    access: 'bot',
    permission: 'knowledge.write',
    summary: 'Run the checks of a bot',
    description:
      'Asks each question: its curated answer, else the documents; no model answers. Keeps the last two ' +
      'results of each check.',
    body: closed({}),
    response: closed({
      passed: T.Integer(),
      failed: T.Integer(),
      /** Ids of checks that pass now and failed before. */
      better: T.Array(T.String()),
      /** Ids of checks that fail now and passed before. */
      worse: T.Array(T.String()),
      knowledgeChecks: T.Array(KnowledgeCheck),
    }),
    errors: [],
  }),
}
