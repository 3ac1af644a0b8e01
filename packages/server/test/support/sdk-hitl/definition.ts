// The interface and the plugin `hitl` as far as the test needs them, in the words of the official SDK.
import { InterfaceDefinition, PluginDefinition, z } from '@botpress/sdk'

const conversation = { conversationId: z.string() }
const source = z.union([
  z.object({ type: z.literal('user'), userId: z.string() }),
  z.object({ type: z.literal('bot') }),
])
const past = z.object({
  source,
  type: z.literal('text'),
  payload: z.object({ text: z.string() }),
})
const nothing = { schema: () => z.object({}) }

export const hitl = new InterfaceDefinition({
  name: 'hitl',
  version: '2.0.0',
  events: {
    hitlAssigned: { schema: () => z.object({ ...conversation, userId: z.string() }) },
    hitlStopped: { schema: () => z.object(conversation) },
  },
  actions: {
    createUser: {
      input: { schema: () => z.object({ name: z.string().optional() }) },
      output: { schema: () => z.object({ userId: z.string() }) },
    },
    startHitl: {
      input: {
        schema: () =>
          z.object({
            userId: z.string(),
            title: z.string(),
            messageHistory: z.array(past),
          }),
      },
      output: { schema: () => z.object(conversation) },
    },
    stopHitl: { input: { schema: () => z.object(conversation) }, output: nothing },
  },
  channels: {
    hitl: {
      messages: {
        text: {
          schema: () => z.object({ text: z.string(), userId: z.string().optional() }),
        },
      },
    },
  },
})

const asPackage = {
  type: 'interface',
  name: hitl.name,
  version: hitl.version,
  definition: hitl,
} as const
const link = { downstream: { title: 'Downstream' }, upstream: { title: 'Upstream' } }

export const hitlPlugin = new PluginDefinition({
  name: 'hitl',
  version: '1.5.0',
  configuration: { schema: z.object({}) },
  interfaces: { hitl: asPackage as never },
  user: { tags: link },
  conversation: {
    tags: {
      ...link,
      hitlEndReason: { title: 'End reason' },
      humanAgentId: { title: 'Agent' },
      humanAgentName: { title: 'Name of the agent' },
    },
  },
  states: {
    hitl: { type: 'conversation', schema: z.object({ hitlActive: z.boolean() }) },
  },
  actions: {
    startHitl: {
      input: {
        schema: z.object({ title: z.string(), userId: z.string(), ...conversation }),
      },
      output: { schema: z.object({}) },
    },
    stopHitl: {
      input: { schema: z.object(conversation) },
      output: { schema: z.object({}) },
    },
  },
})
