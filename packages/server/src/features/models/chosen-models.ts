// The models that the operator chooses in the dashboard: they complete the catalog of the environment.
import type { Section } from '../../core/config/index.ts'
import {
  type Catalog,
  defaultConcurrency,
  defaultTimeoutSeconds,
  type Model,
  type ProviderType,
  toModel,
} from './providers/catalog.ts'
import { ModelFailure, toFailure } from './providers/failures.ts'
import { Providers } from './providers/providers.ts'
import { type Send, toFetch } from './providers/transport.ts'

export interface ChosenModel {
  kind: 'text' | 'embedding'
  type: ProviderType
  /** Base URL; null for the provider's own. */
  url: string | null
  /** The provider's name of the model. */
  model: string
  key: string | null
  /** Whose addresses it may have; null for the server's own. */
  workspaceId: string | null
}

/** The variable that configures models of each kind; null without one. */
export type FixedModels = Record<ChosenModel['kind'], string | null>

/** `catalog` has the models of the environment, without the local ones. */
export function findFixedModels(
  { model, embeddings, localModels }: Section<'models'>,
  catalog: Catalog,
): FixedModels {
  const has = (kind: Model['kind']) =>
    [...catalog.models.values()].some((one) => one.kind === kind)
  const file = (kind: Model['kind']) => (has(kind) ? 'BOTSTEAD_MODELS' : null)
  return {
    text: model ? 'BOTSTEAD_MODEL_URL' : file('text'),
    embedding: embeddings
      ? 'BOTSTEAD_EMBEDDINGS_URL'
      : (file('embedding') ?? (localModels === null ? null : 'BOTSTEAD_LOCAL_MODELS')),
  }
}

function toChosen({ kind, type, url, key, model, workspaceId }: ChosenModel): Model {
  const ofText = type === 'openai-compatible' ? 'default' : type
  const name = kind === 'embedding' ? 'embeddings' : ofText
  const [concurrency, timeoutMs] = [defaultConcurrency, defaultTimeoutSeconds * 1_000]
  const provider = { name, type, url, key, workspaceId, concurrency, timeoutMs }
  return toModel(`${name}:${model}`, provider, { kind })
}

/** Models of the catalog have precedence. */
export const withChosenModels = (catalog: Catalog, chosen: ChosenModel[]): Catalog => ({
  ...catalog,
  models: new Map([
    ...catalog.models,
    ...chosen
      .map(toChosen)
      .flatMap((model) =>
        catalog.models.has(model.id) ? [] : [[model.id, model] as const],
      ),
  ]),
})

/** Asks the model once, as bots would. Never throws for a provider that fails. */
export async function probeModel(
  chosen: ChosenModel,
  send: Send,
  timeoutMs: number,
): Promise<{ isGood: boolean; message: string }> {
  const model = toChosen(chosen)
  const began = performance.now()
  try {
    const answer = await ask(model, send, AbortSignal.timeout(timeoutMs))
    const seconds = ((performance.now() - began) / 1_000).toFixed(1)
    return {
      isGood: true,
      message: `"${model.name}" answered in ${seconds} s: ${answer}`,
    }
  } catch (error) {
    if (isTimeout(error))
      return {
        isGood: false,
        message: `No answer within ${timeoutMs / 1_000} s. ${compareAddress}`,
      }
    return { isGood: false, message: explain(toFailure(model, error)) }
  }
}

const isTimeout = (error: unknown) =>
  error instanceof Error && error.name === 'TimeoutError'

const maxAnswer = 200

async function ask(model: Model, send: Send, abortSignal: AbortSignal): Promise<string> {
  const opened = await new Providers(async () => toFetch(send)).of(model)
  if (model.kind === 'embedding') {
    const { embeddings } = await opened
      .embedding(model.name)
      .doEmbed({ values: ['test'], abortSignal })
    const size = embeddings[0]?.length ?? 0
    if (size === 0) throw new ModelFailure(garbage(model), 'The answer has no numbers')
    return `a vector of ${size} numbers.`
  }
  const text = 'This is a test of the connection. Answer with one word: OK'
  const { content } = await opened.text(model.name).doGenerate({
    prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
    abortSignal,
  })
  const answer = content
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('')
  return `"${answer.trim().slice(0, maxAnswer).toWellFormed()}".`
}

const garbage = ({ id }: Model) => ({ kind: 'garbage', model: id }) as const

const compareAddress = 'Compare the address with the documentation of the provider.'

function explain({ status, kind, message }: ModelFailure): string {
  if (status === 401 || status === 403)
    return `The provider does not accept the key (${status}). Create a new one there, and enter it again.`
  if (status === 402 || status === 429)
    return `The provider accepts no requests with this key now (${status}): check its limits and credit.`
  if (status === 404)
    return `The provider has no such model or address (404). Compare the model's name. ${compareAddress}`
  if (kind === 'unavailable') return `${message}. ${compareAddress}`
  return message
}
