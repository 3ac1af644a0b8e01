// The summary of a call of a text model: usage, costs, why it stopped, and warnings.
import type { ModelFailure } from '../providers/failures.ts'
import type { CallWarning, TextCall, TextSummary, Transcription } from './call.ts'
import type { Attempt } from './chain.ts'
import { estimateUsage, toCosts } from './prices.ts'
import type { Collected } from './text.ts'

/** The models that failed before, each once. */
export const listFailedModels = (failures: ModelFailure[]) => [
  ...new Set(failures.map(({ model }) => model)),
]

interface Ended {
  attempt: Attempt
  collected: Collected
  call: TextCall
  failures: ModelFailure[]
  ms: number
  transcription: Transcription | null
  warnings: CallWarning[]
}

export function summarize(ended: Ended): TextSummary {
  const { attempt, collected, call, failures, ms, warnings, transcription } = ended
  const { model } = attempt
  const usage = collected.usage ?? estimateUsage(call.options.prompt, collected)
  const fallbackPath = listFailedModels(failures).filter((id) => id !== model.id)
  return {
    model: model.id,
    provider: model.provider.name,
    usage,
    ms,
    firstTokenMs: null,
    ...toCosts(model, usage),
    stopReason: toStopReason(collected),
    cached: false,
    warnings: [
      ...warnings,
      ...collected.warnings,
      ...fallbackPath.map((id) => warn('fallback_used', `The model "${id}" failed`)),
    ],
    citations: collected.citations,
    fallbackPath,
    toolCalls: collected.toolCalls,
    transcription,
  }
}

/** Calls that a limit cut have incomplete arguments. */
const toStopReason = ({ toolCalls, stopReason }: Collected) =>
  toolCalls.length > 0 && stopReason !== 'max_tokens' && stopReason !== 'content_filter'
    ? 'tool_calls'
    : stopReason

export const warn = (type: string, message: string): CallWarning => ({ type, message })
