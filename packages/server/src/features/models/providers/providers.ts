// Opens the packages of the AI SDK for providers. Each is loaded by the first call that needs it,
// so that a server without models has no cost. Only the packages of providers are used, not the
// package `ai` above them: retries, fallbacks and limits are the gateway's.
import type {
  EmbeddingModelV3,
  ImageModelV3,
  LanguageModelV3,
  RerankingModelV3,
  SpeechModelV3,
  TranscriptionModelV3,
} from '@ai-sdk/provider'
import type { Model, ProviderSettings } from './catalog.ts'
import { tolerant } from './tolerant-answers.ts'

export interface OpenedProvider {
  /** `searches` selects the API of the provider that can search the web. */
  text(name: string, searches?: boolean): LanguageModelV3
  embedding(name: string): EmbeddingModelV3
  speech(name: string): SpeechModelV3
  transcription(name: string): TranscriptionModelV3
  image(name: string): ImageModelV3
  reranking(name: string): RerankingModelV3
}

/** The model cannot be of this kind: the provider's package does not offer it. */
export class KindUnsupported extends Error {}

type Fetch = typeof fetch

/** Some endpoints need no key, but the packages require one. */
const noKey = 'none'

async function openProvider(
  settings: ProviderSettings,
  fetch: Fetch,
): Promise<OpenedProvider> {
  const { type, url, key } = settings
  const options = { apiKey: key ?? noKey, fetch, ...(url && { baseURL: url }) }
  switch (type) {
    case 'openai':
      return { ...unsupported(settings), ...(await openOpenAi(options)) }
    case 'openai-compatible':
      return { ...unsupported(settings), ...(await openCompatible(settings, fetch)) }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      const opened = createAnthropic(options)
      return { ...unsupported(settings), text: (name) => opened(name) }
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      const opened = createGoogleGenerativeAI(options)
      return {
        ...unsupported(settings),
        text: (name) => opened(name),
        embedding: (name) => opened.embedding(name),
        image: (name) => opened.image(name),
      }
    }
    case 'mistral': {
      const { createMistral } = await import('@ai-sdk/mistral')
      const opened = createMistral(options)
      return {
        ...unsupported(settings),
        text: (name) => opened(name),
        embedding: (name) => opened.embedding(name),
      }
    }
    case 'integration':
      return { ...unsupported(settings), text: settings.integration!.text }
    case 'local':
      return { ...unsupported(settings), ...settings.local! }
  }
}

interface Options {
  apiKey: string
  fetch: Fetch
  baseURL?: string
}

type WithoutReranking = Omit<OpenedProvider, 'reranking'>

async function openOpenAi(options: Options): Promise<WithoutReranking> {
  const { createOpenAI } = await import('@ai-sdk/openai')
  const opened = createOpenAI(options)
  return {
    // Only Responses can search; only Chat Completions have stop sequences.
    text: (name, searches) => (searches ? opened.responses(name) : opened.chat(name)),
    embedding: (name) => opened.embedding(name),
    speech: (name) => opened.speech(name),
    transcription: (name) => opened.transcription(name),
    image: (name) => opened.image(name),
  }
}

/** Text by the tolerant package, audio and images by OpenAI's, which have the same formats. */
async function openCompatible(
  { name: provider, url, key }: ProviderSettings,
  fetch: Fetch,
): Promise<WithoutReranking> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const opened = createOpenAICompatible({
    name: provider,
    baseURL: url!,
    fetch: tolerant(fetch),
    includeUsage: true,
    // A server that rejects schemas gets the request again without (response-formats.ts).
    supportsStructuredOutputs: true,
    ...(key !== null && { apiKey: key }),
  })
  const { createOpenAI } = await import('@ai-sdk/openai')
  const openAi = createOpenAI({ apiKey: key ?? noKey, fetch, baseURL: url! })
  return {
    text: (name) => opened.chatModel(name),
    embedding: (name) => opened.embeddingModel(name),
    speech: (name) => openAi.speech(name),
    transcription: (name) => openAi.transcription(name),
    image: (name) => openAi.image(name),
  }
}

function unsupported({ type }: ProviderSettings): OpenedProvider {
  const reject = (kind: string) => (): never => {
    throw new KindUnsupported(`providers of the type ${type} have no models for ${kind}`)
  }
  return {
    text: reject('text'),
    embedding: reject('embeddings'),
    speech: reject('speech'),
    transcription: reject('transcription'),
    image: reject('images'),
    reranking: reject('reranking'),
  }
}

/**
 * Keeps the models: a package builds the schemas of its responses for each one that it makes, which
 * takes milliseconds and half a megabyte.
 */
const makingEachModelOnce = (opened: OpenedProvider): OpenedProvider => ({
  text: once(opened.text),
  embedding: once(opened.embedding),
  speech: once(opened.speech),
  transcription: once(opened.transcription),
  image: once(opened.image),
  reranking: once(opened.reranking),
})

function once<M>(make: (name: string, searches?: boolean) => M) {
  const made = new Map<string, M>()
  return (name: string, searches = false): M => {
    const key = `${searches} ${name}`
    const model = made.get(key) ?? make(name, searches)
    made.set(key, model)
    return model
  }
}

/** Opened providers, each once. A failed load is repeated by the next call. */
export class Providers {
  readonly #opened = new WeakMap<ProviderSettings, Promise<OpenedProvider>>()
  readonly #fetchOf: (settings: ProviderSettings) => Promise<Fetch>

  constructor(fetchOf: (settings: ProviderSettings) => Promise<Fetch>) {
    this.#fetchOf = fetchOf
  }

  of({ provider }: Pick<Model, 'provider'>): Promise<OpenedProvider> {
    const known = this.#opened.get(provider)
    if (known) return known
    const opened = this.#fetchOf(provider)
      .then((fetch) => openProvider(provider, fetch))
      .then(makingEachModelOnce)
    this.#opened.set(provider, opened)
    opened.catch(() => this.#opened.delete(provider))
    return opened
  }
}
