// The terms of a call of a model that the gateway's files share.
import type { JSONSchema7, LanguageModelV3CallOptions } from '@ai-sdk/provider'
import type { ModelKind } from '../providers/catalog.ts'

/** The caller, for budgets and the ledger. */
export interface ModelCaller {
  workspaceId: string
  botId: string
  /** Id of the event that the caller is processing. */
  eventId: string | null
  /** Null if unknown; the event then determines both. */
  conversationId: string | null
  userId: string | null
  /** The caller's name for the origin of the call. */
  source: string | null
}

export interface TextCall {
  /** Names of models; the others are fallbacks. */
  models: string[]
  options: Omit<LanguageModelV3CallOptions, 'abortSignal'>
  /**
   * JSON Schema of a response in JSON, which the prompt describes, too. It is not part of the
   * identity of the call.
   */
  responseSchema?: JSONSchema7 | null
  /** Whether the schema of the response has the form that strict providers require. */
  strictSchema?: boolean
  reasoningEffort: 'none' | 'low' | 'medium' | 'high' | null
  searches: boolean
  excludedDomains: string[]
  /** Null: the time-out of the provider. */
  firstTokenMs: number | null
  idleMs: number
  midStreamFallback: boolean
  skipCache: boolean
  /** The model for audio that the model of the call cannot read. */
  transcriptionModel: string
  /** The caller manages without a model, so a missing one is no issue. */
  isOptional?: boolean
  signal: AbortSignal
}

export interface Usage {
  inputTokens: number
  outputTokens: number
  /** Of the input tokens. */
  cachedTokens: number
}
export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 }

export interface CallWarning {
  type: string
  message: string
}

export interface TextToolCall {
  id: string
  name: string
  /** JSON, as the model wrote it. */
  input: string
}

export type StopReason = 'stop' | 'max_tokens' | 'content_filter' | 'tool_calls' | 'other'

/** Of the audio in a prompt. */
export interface Transcription {
  model: string
  provider: string
  cost: number
  seconds: number
  parts: number
}

/** The end of a call. */
export interface TextSummary {
  model: string
  provider: string
  usage: Usage
  inputCost: number
  outputCost: number
  ms: number
  firstTokenMs: number | null
  stopReason: StopReason
  cached: boolean
  warnings: CallWarning[]
  citations: { url: string; title?: string }[]
  fallbackPath: string[]
  toolCalls: TextToolCall[]
  /** Null: no audio was transcribed. */
  transcription: Transcription | null
}

export interface TextResult extends TextSummary {
  output: string
  reasoning: string
}

export type TextEvent =
  | { type: 'text' | 'reasoning'; text: string; model: string }
  | {
      type: 'restart'
      attempt: number
      fromModel: string
      toModel: string
      reason: string
    }
  | { type: 'finish'; summary: TextSummary }

/** What the ledger stores of a call. */
export interface CallRecord extends ModelCaller {
  kind: ModelKind
  model: string
  provider: string
  fallbackPath: string[]
  usage: Usage
  cost: number
  ms: number
  firstTokenMs: number | null
  cached: boolean
  outcome: 'ok' | 'failed' | 'canceled' | 'rejected'
  error: string | null
  startedAt: Date
}
