import { type Static, Type as T } from 'typebox'
import { closed } from '../../fields.ts'

/**
 * How many conversations passed a node of a flow, and how many of them `ended` there: at the last
 * node of a day (UTC). A conversation counts once in each node and day.
 * @component
 */
export const FlowNodeCount = closed({
  flow: T.String(),
  node: T.String(),
  passed: T.Integer(),
  ended: T.Integer(),
})
export type FlowNodeCount = Static<typeof FlowNodeCount>
