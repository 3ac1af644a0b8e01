// The definition of the agent, as the runtime's own build makes it of the primitives. It is bundled
// too: Node cannot load the runtime as it is.

import { z } from '@botpress/runtime'
import {
  BUILT_IN_STATES,
  BUILT_IN_TAGS,
  SubworkflowFinished,
  TrackedStateSchema,
  TranscriptSchema,
  WorkflowCallbackEvent,
  WorkflowContinueEvent,
  WorkflowDataRequestEvent,
  WorkflowScheduleEvent,
} from '@botpress/runtime/definition'
import { config, primitives } from './runtime-agent.mjs'

const toSchema = (schema) => ({ schema: schema.toJSONSchema() })
const any = { type: 'object', additionalProperties: true }
const toTags = (tags) => Object.fromEntries(Object.keys(tags).map((name) => [name, {}]))
const byName = (list, toValue) =>
  Object.fromEntries(list.map((one) => [one.name, toValue(one)]))
const definitions = primitives.map((primitive) => primitive.getDefinition())
const ofType = (type) => definitions.filter((definition) => definition.type === type)

function toDefinition() {
  const tracked = (type) => ({ type, ...toSchema(TrackedStateSchema) })
  const events = [
    WorkflowCallbackEvent,
    WorkflowContinueEvent,
    WorkflowDataRequestEvent,
    WorkflowScheduleEvent,
    SubworkflowFinished,
  ]
  return {
    tags: { runtime: 'adk', runtimeVersion: '1.14.0' },
    conversation: {
      tags: toTags({ ...BUILT_IN_TAGS.conversation, ...config.conversation.tags }),
    },
    states: {
      conversation: {
        type: 'conversation',
        ...toSchema(z.object({ transcript: TranscriptSchema })),
      },
      [BUILT_IN_STATES.conversation]: tracked('conversation'),
      [BUILT_IN_STATES.bot]: tracked('bot'),
      [BUILT_IN_STATES.user]: tracked('user'),
      [BUILT_IN_STATES.dsData]: { type: 'bot', schema: any },
    },
    events: {
      ...byName(events, ({ schema }) => toSchema(schema)),
      orderPlaced: toSchema(config.events.orderPlaced.schema),
    },
    actions: byName(ofType('action'), ({ input, output }) => ({
      input: { schema: input },
      output: { schema: output },
    })),
    recurringEvents: {
      nightlyschedule: {
        type: WorkflowScheduleEvent.name,
        payload: { workflow: 'nightly' },
        schedule: { cron: '0 3 * * *' },
      },
    },
  }
}

export const tables = ofType('table').map(({ name, schema, factor }) => ({
  name,
  schema,
  factor,
}))
export const definition = toDefinition()
