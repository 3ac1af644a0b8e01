// What requests say in each provider's own words: the effort of reasoning, strict schemas, and the
// search of the web.
import type {
  LanguageModelV3ProviderTool,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import type { Model } from '../providers/catalog.ts'
import type { TextCall } from './call.ts'

type Effort = NonNullable<TextCall['reasoningEffort']>

/** Tokens of reasoning, for providers without levels. */
const budgets = { none: 0, low: 2_048, medium: 8_192, high: 24_576 }

export function providerOptions(model: Model, call: TextCall): SharedV3ProviderOptions {
  const { reasoningEffort: effort, strictSchema = false } = call
  const { type, name } = model.provider
  const own = effort === null ? {} : reasoningOptions(model, effort)
  const key = type === 'openai-compatible' ? name : type
  // The packages are strict by default, but strict schemas must not have optional properties.
  return type === 'openai' || type === 'openai-compatible' || type === 'mistral'
    ? { ...own, [key]: { ...own[key], strictJsonSchema: strictSchema } }
    : own
}

function reasoningOptions({ provider }: Model, effort: Effort): SharedV3ProviderOptions {
  switch (provider.type) {
    case 'openai':
      return { openai: { reasoningEffort: effort } }
    case 'openai-compatible':
      return { [provider.name]: { reasoningEffort: effort } }
    case 'anthropic':
      return {
        anthropic: {
          thinking:
            effort === 'none'
              ? { type: 'disabled' }
              : { type: 'enabled', budgetTokens: budgets[effort] },
        },
      }
    case 'google':
      return { google: { thinkingConfig: { thinkingBudget: budgets[effort] } } }
    default:
      return {}
  }
}

/** Other providers answer without a search; the response has a warning. */
export function searchTools(
  { provider }: Model,
  { excludedDomains }: TextCall,
): LanguageModelV3ProviderTool[] {
  const tool = (
    id: `${string}.${string}`,
    name: string,
    args: Record<string, unknown> = {},
  ) => [{ type: 'provider' as const, id, name, args }]
  switch (provider.type) {
    case 'openai':
      return tool('openai.web_search', 'web_search')
    case 'anthropic':
      return tool('anthropic.web_search_20250305', 'web_search', {
        ...(excludedDomains.length > 0 && { blockedDomains: excludedDomains }),
      })
    case 'google':
      return tool('google.google_search', 'google_search')
    default:
      return []
  }
}
