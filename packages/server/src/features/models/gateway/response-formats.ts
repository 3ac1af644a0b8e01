// The format of a response in the words that the provider accepts. Not every server has JSON Schemas
// or JSON objects as formats; the prompt describes the format as well, so a request is repeated with
// less. The form that a model accepts is kept for its next calls.
import { APICallError, type LanguageModelV3CallOptions } from '@ai-sdk/provider'
import type { Model, ProviderSettings } from '../providers/catalog.ts'
import type { CallWarning } from './call.ts'

type Format = LanguageModelV3CallOptions['responseFormat']

/** By provider and name of the model: how many forms it rejects. */
const rejected = new WeakMap<ProviderSettings, Map<string, number>>()

/**
 * Calls `run` with the format, then with a JSON object, then without a format, while the provider
 * rejects the request for its format. Adds a warning for a format that was left out.
 */
export async function inAcceptedFormat<Result>(
  { provider, name }: Pick<Model, 'provider' | 'name'>,
  options: LanguageModelV3CallOptions,
  warnings: CallWarning[],
  run: (options: LanguageModelV3CallOptions) => PromiseLike<Result>,
): Promise<Result> {
  const forms = toForms(options.responseFormat)
  const counts = rejected.get(provider) ?? new Map<string, number>()
  rejected.set(provider, counts)
  const key = `${forms.length} ${name}`
  for (let at = Math.min(counts.get(key) ?? 0, forms.length - 1); ; at++) {
    const { responseFormat: _, ...others } = options
    const form = forms[at]
    try {
      const result = await run({ ...others, ...(form && { responseFormat: form }) })
      if (at > 0) {
        counts.set(key, at)
        const message = `The provider rejects the response format; used: ${form ? 'JSON' : 'none'}`
        warnings.push({ type: 'parameter_ignored', message })
      }
      return result
    } catch (error) {
      if (at === forms.length - 1 || !rejectsFormat(error)) throw error
    }
  }
}

function toForms(format: Format): Format[] {
  if (format?.type !== 'json') return [format]
  return format.schema ? [format, { type: 'json' }, undefined] : [format, undefined]
}

const formatWords = /response_?format|json|schema|structured|grammar|guided/i

/** With 400 and 422, servers may give no reason at all. */
function rejectsFormat(error: unknown): boolean {
  if (!APICallError.isInstance(error) || error.statusCode === undefined) return false
  if (error.statusCode === 400 || error.statusCode === 422) return true
  const isOther = [404, 405, 415, 500, 501].includes(error.statusCode)
  return isOther && formatWords.test((error.responseBody ?? '').slice(0, 10_000))
}
