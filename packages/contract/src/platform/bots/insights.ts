import { Type as T } from 'typebox'
import { closed, Meta, Moment, paging } from '../../fields.ts'
import { FlowNodeCount } from '../../models/usage/flow-node-count.ts'
import { AnalyticsCount, Observation } from '../../models/usage/observation.ts'
import { operation } from '../../operation.ts'

const text = T.Optional(T.String())
const filters = {
  ...paging,
  name: text,
  afterDate: T.Optional(Moment),
  beforeDate: T.Optional(Moment),
}

export const insights = {
  listAnalytics: operation({
    method: 'GET',
    path: '/v1/platform/analytics',
    access: 'bot',
    permission: 'insights.read',
    summary: 'List analytics counters by hour, newest first',
    query: T.Object(filters),
    response: closed({ analytics: T.Array(AnalyticsCount), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  listFlowNodeCounts: operation({
    method: 'GET',
    path: '/v1/platform/flow-node-counts',
    access: 'bot',
    permission: 'bots.read',
    summary: 'List how many conversations passed each node',
    description:
      'Sums of the last `days` (UTC, with today; by default 30), by flow and node. The server counts the ' +
      'traces of turns, a few minutes after them. Nodes without conversations are absent.',
    query: T.Object({
      ...paging,
      flow: text,
      days: T.Optional(T.Integer({ minimum: 1, maximum: 90 })),
    }),
    response: closed({ counts: T.Array(FlowNodeCount), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  listObservations: operation({
    method: 'GET',
    path: '/v1/platform/observations',
    access: 'bot',
    summary: 'List observations, newest first',
    query: T.Object({ ...filters, id: text, conversationId: text, traceId: text }),
    response: closed({ observations: T.Array(Observation), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
}
