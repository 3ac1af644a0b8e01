// Whether models are configured, and the error for an unknown one.
import { ApiError } from '@botstead/contract'
import type { Catalog, ModelKind } from '../providers/catalog.ts'

/** Settings by which an operator configures a model; other kinds only have BOTSTEAD_MODELS. */
const settingsFor: Partial<Record<ModelKind, string>> = {
  text: 'BOTSTEAD_MODEL_URL and BOTSTEAD_MODEL, or BOTSTEAD_MODELS',
  embedding: 'BOTSTEAD_EMBEDDINGS_URL and BOTSTEAD_EMBEDDINGS_MODEL, or BOTSTEAD_MODELS',
}

export const hasModel = ({ models }: Catalog, kind: ModelKind) =>
  [...models.values()].some((model) => model.kind === kind)

export function unknownModel(
  { models }: Catalog,
  kind: ModelKind,
  names: string[],
): ApiError {
  const known = [...models.values()].flatMap((model) =>
    model.kind === kind ? [model.id] : [],
  )
  const named = names.map((name) => `"${name}"`).join(', ')
  return new ApiError(
    'ReferenceNotFound',
    known.length === 0
      ? `No model for ${kind} is configured (${settingsFor[kind] ?? 'BOTSTEAD_MODELS'})`
      : `There is no model ${named} for ${kind}. Use one of ${known.slice(0, 20).join(', ')}`,
    { metadata: { subtype: 'MODEL_NOT_FOUND' } },
  )
}
