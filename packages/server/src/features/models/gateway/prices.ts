// Costs of calls, in US dollars.
import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { Model } from '../providers/catalog.ts'
import type { Usage } from './call.ts'

const million = 1_000_000

export function toCosts(
  { price }: Pick<Model, 'price'>,
  { inputTokens, outputTokens, cachedTokens }: Usage,
): { inputCost: number; outputCost: number } {
  const { input, output, cachedInput = input } = price
  return {
    inputCost:
      ((inputTokens - cachedTokens) * input + cachedTokens * cachedInput) / million,
    outputCost: (outputTokens * output) / million,
  }
}

/** Characters per token, roughly, in most languages. */
const charactersPerToken = 4
export const estimateTokens = (characters: number) =>
  Math.ceil(characters / charactersPerToken)

/** For responses that do not report their tokens. */
export function estimateUsage(
  prompt: LanguageModelV3Prompt,
  {
    output,
    reasoning,
    toolCalls,
  }: { output: string; reasoning: string; toolCalls: { input: string }[] },
): Usage {
  const written = toolCalls.reduce(
    (sum, { input }) => sum + input.length,
    output.length + reasoning.length,
  )
  const read = prompt.reduce((sum, message) => sum + countCharacters(message.content), 0)
  return {
    inputTokens: estimateTokens(read),
    outputTokens: estimateTokens(written),
    cachedTokens: 0,
  }
}

function countCharacters(content: LanguageModelV3Prompt[number]['content']): number {
  if (typeof content === 'string') return content.length
  return content.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0)
}
