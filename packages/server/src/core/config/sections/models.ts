// Language models, embeddings and reranking.
import { apiKeyForm, isApiKey } from '@botstead/lib'
import { ConfigError, readInteger, readPath, readUrl } from '../environment.ts'
import type { ModelSettings } from '../provider-settings.ts'

export interface ModelSection {
  /**
   * BOTSTEAD_EMBEDDINGS_URL [none]: Base URL of an OpenAI-compatible endpoint for embeddings; the server
   * calls `<url>/embeddings`.
   * BOTSTEAD_EMBEDDINGS_MODEL [none]: Model name; required with the URL.
   * BOTSTEAD_EMBEDDINGS_KEY [none]: Bearer token for the endpoint.
   */
  embeddings: ModelSettings | null
  /**
   * BOTSTEAD_INCLUDED_MODEL [1]: With 0, the included model embeds no files and questions; without
   * another embedding model, search is then by words only.
   */
  includedModel: boolean
  /**
   * BOTSTEAD_MODELS [none]: Path of a JSON or YAML file with the providers and models of the model gateway.
   */
  models: string | null
  /**
   * BOTSTEAD_MODELS_RECORD [none]: Folder in which the server stores each call of a language model as a file.
   */
  modelsRecord: string | null
  /**
   * BOTSTEAD_MODELS_REPLAY [none]: Folder of recorded calls, by which the server answers without a model. A
   * request that was not recorded fails with its difference from the most similar one.
   */
  modelsReplay: string | null
  /**
   * BOTSTEAD_LOCAL_MODELS [none]: Folder of ONNX models that the server runs on its CPU for embeddings
   * and reranking.
   */
  localModels: string | null
  /** BOTSTEAD_LOCAL_MODEL_MEMORY_MB: Memory limit of the process of local models. */
  localModelMemoryMb: number
  /** BOTSTEAD_LOCAL_MODEL_SECONDS: Time limit of one batch of a local model. */
  localModelSeconds: number
  /**
   * BOTSTEAD_RERANK_PASSAGES: How many of the best passages of a search the reranking model of
   * BOTSTEAD_LOCAL_MODELS reads; 0 disables it.
   */
  rerankPassages: number
  /**
   * BOTSTEAD_MODEL_URL [none]: Base URL of an OpenAI-compatible endpoint for bots and computed
   * columns; the server calls `<url>/chat/completions`.
   * BOTSTEAD_MODEL [none]: Model name; required with the URL.
   * BOTSTEAD_MODEL_KEY [none]: Bearer token for the endpoint.
   */
  model: ModelSettings | null
}

export const readModelSection = (env: NodeJS.ProcessEnv): ModelSection => ({
  embeddings: readModel(env, 'BOTSTEAD_EMBEDDINGS', 'BOTSTEAD_EMBEDDINGS_MODEL'),
  includedModel: env.BOTSTEAD_INCLUDED_MODEL !== '0',
  models: readPath(env, 'BOTSTEAD_MODELS'),
  modelsRecord: readPath(env, 'BOTSTEAD_MODELS_RECORD'),
  modelsReplay: readPath(env, 'BOTSTEAD_MODELS_REPLAY'),
  localModels: readPath(env, 'BOTSTEAD_LOCAL_MODELS'),
  localModelMemoryMb: readInteger(
    env,
    'BOTSTEAD_LOCAL_MODEL_MEMORY_MB',
    2_048,
    128,
    1_048_576,
  ),
  localModelSeconds: readInteger(env, 'BOTSTEAD_LOCAL_MODEL_SECONDS', 60, 1, 3_600),
  rerankPassages: readInteger(env, 'BOTSTEAD_RERANK_PASSAGES', 20, 0, 200),
  model: readModel(env, 'BOTSTEAD_MODEL', 'BOTSTEAD_MODEL'),
})

function readModel(
  env: NodeJS.ProcessEnv,
  prefix: string,
  name: string,
): ModelSettings | null {
  const baseUrl = readUrl(env, `${prefix}_URL`, ['http:', 'https:'])
  if (!baseUrl && env[name])
    throw new ConfigError(
      `${name} requires ${prefix}_URL, the base URL of the endpoint: set both`,
    )
  if (!baseUrl) return null
  if (!env[name])
    throw new ConfigError(`${name} must be set to the name of a model at ${prefix}_URL`)
  const key = env[`${prefix}_KEY`] || null
  if (key !== null && !isApiKey(key))
    throw new ConfigError(`${prefix}_KEY must ${apiKeyForm}`)
  return { url: baseUrl, model: env[name], key }
}
