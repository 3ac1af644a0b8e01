// The schemas of the parts of a document, which the build takes from packages/flows.
import { botSchema } from 'virtual:bot-schema'
import type { Schema } from './schema-fields.ts'

export const {
  cards,
  trigger,
  hook,
  settings,
  node,
  agent,
  flow,
  variable,
  messageNeeds,
} = botSchema as {
  cards: Record<string, Schema>
  messageNeeds: Record<string, string[]>
} & Record<
  'trigger' | 'hook' | 'settings' | 'node' | 'agent' | 'flow' | 'variable',
  Schema
>
