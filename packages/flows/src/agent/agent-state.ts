// The shape of an agent's stored state. history.ts changes it.
import type { ModelMessage, ToolCall } from '@botstead/contract'

export interface AgentState {
  /** Messages for the model, oldest first. The first one is always a message of the user. */
  messages: ModelMessage[]
  /** Calls of the last reply that have not ended, in order. */
  calls: ToolCall[]
  /** Text of the last reply that was not sent yet. */
  text?: string
  /** Completes the stream of this text, as a part of its message. */
  stream?: { metadata: { streamId: string } }
  /** The first call began and must not run again. */
  isStarted?: boolean
  /** Ids of the curated answers that the user got since their last message. */
  sentAnswers?: string[]
  used: AgentUse
}

/** Use since the last message of the user; `dollars` is the cost, `ms` the time of work. */
export interface AgentUse {
  iterations: number
  tokens: number
  dollars: number
  ms: number
}
