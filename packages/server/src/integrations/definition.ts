// What an integration declares, in the shape of the external contract.
import type { JsonSchema } from '../lib/json-schemas.ts'

interface Titled {
  title?: string
  description?: string
}
type TagDefinitions = Record<string, Titled>
interface Creation {
  enabled: boolean
  requiredTags: string[]
}

export interface ConfigurationDefinition extends Titled {
  identifier: { required: boolean; linkTemplateScript?: string }
  schema: JsonSchema
}

export interface ChannelDefinition extends Titled {
  messages: Record<string, { schema: JsonSchema }>
  conversation: { tags: TagDefinitions; creation: Creation }
  message: { tags: TagDefinitions }
}

export interface ActionDefinition extends Titled {
  input: { schema: JsonSchema }
  output: { schema: JsonSchema }
  billable?: boolean
  cacheable?: boolean
  attributes?: Record<string, string>
}

export interface IntegrationDefinition {
  title: string
  description: string
  iconUrl: string
  readmeUrl: string
  visibility: 'public' | 'private' | 'unlisted'
  verificationStatus: 'unapproved' | 'pending' | 'approved' | 'rejected'
  lifecycleStatus: 'published' | 'deprecated'
  identifier: { extractScript?: string; fallbackHandlerScript?: string }
  configuration: ConfigurationDefinition
  configurations: Record<string, ConfigurationDefinition>
  channels: Record<string, ChannelDefinition>
  states: Record<string, { type: 'conversation' | 'user' | 'integration'; schema: JsonSchema }>
  events: Record<string, Titled & { schema: JsonSchema; attributes?: Record<string, string> }>
  actions: Record<string, ActionDefinition>
  user: { tags: TagDefinitions; creation: Creation }
  entities: Record<string, Titled & { schema: JsonSchema }>
  interfaces: Record<string, unknown>
  attributes: Record<string, string>
  secrets: string[]
}
