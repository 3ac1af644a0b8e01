import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, Moment, paging } from '../../fields.ts'
import {
  ModelBudget,
  ModelCall,
  ModelProvider,
  ModelTotal,
  NewModelBudget,
  NewModelProvider,
} from '../../models/language-models/model-gateway.ts'
import { operation } from '../../operation.ts'

const text = T.Optional(T.String())
const times = { afterDate: T.Optional(Moment), beforeDate: T.Optional(Moment) }
const byName = T.Object({ name: T.String() })
const inWorkspace = { access: 'workspace', permission: 'models.write' } as const

export const models = {
  listModelCalls: operation({
    method: 'GET',
    path: '/v1/platform/model-calls',
    access: 'bot',
    permission: 'models.read',
    summary: "List a bot's calls of models",
    query: T.Object({ ...paging, conversationId: text, eventId: text, ...times }),
    response: closed({ calls: T.Array(ModelCall), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  getModelTotals: operation({
    method: 'GET',
    path: '/v1/platform/model-totals',
    access: 'workspace',
    permission: 'usage.read',
    summary: 'Sum the calls of models',
    description: 'Returns the 1,000 keys with the highest cost.',
    query: T.Object({
      by: T.Enum([
        'bot',
        'conversation',
        'user',
        'event',
        'model',
        'provider',
        'source',
        'kind',
        'outcome',
        'day',
      ]),
      botId: text,
      ...times,
    }),
    response: closed({ totals: T.Array(ModelTotal) }),
    errors: ['InvalidQuery'],
  }),
  listModelBudgets: operation({
    method: 'GET',
    path: '/v1/platform/model-budgets',
    access: 'workspace',
    permission: 'usage.read',
    summary: 'List the budgets for models',
    response: closed({ budgets: T.Array(ModelBudget) }),
  }),
  createModelBudget: operation({
    method: 'POST',
    path: '/v1/platform/model-budgets',
    ...inWorkspace,
    summary: 'Create a budget for models',
    body: NewModelBudget,
    response: closed({ budget: ModelBudget }),
    errors: ['LimitExceeded'],
  }),
  deleteModelBudget: operation({
    method: 'DELETE',
    path: '/v1/platform/model-budgets/{id}',
    ...inWorkspace,
    summary: 'Delete a budget for models',
    params: byId,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
  listModelProviders: operation({
    method: 'GET',
    path: '/v1/platform/model-providers',
    access: 'workspace',
    permission: 'models.read',
    summary: "List the workspace's providers of models",
    response: closed({ providers: T.Array(ModelProvider) }),
  }),
  setModelProvider: operation({
    method: 'PUT',
    path: '/v1/platform/model-providers/{name}',
    ...inWorkspace,
    summary: 'Create or replace a provider of models',
    description:
      'The server stores the key encrypted. The rules for URLs of workspaces apply to the provider.',
    params: byName,
    body: NewModelProvider,
    response: closed({ provider: ModelProvider }),
    errors: ['LimitExceeded'],
  }),
  deleteModelProvider: operation({
    method: 'DELETE',
    path: '/v1/platform/model-providers/{name}',
    ...inWorkspace,
    summary: 'Delete a provider of models',
    params: byName,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}
