// The embedder of a server whose embedding model may change while it runs. The former one ends first, so
// that it marks no file after the new one has begun to compute all vectors again.
import { createNoEmbedder, type Embedder } from './embedder.ts'

export interface ReplaceableEmbedder extends Embedder {
  /** Opens another one, of the model that is configured now. Searches use words only meanwhile. */
  replace(): Promise<void>
}

export function openReplaceableEmbedder(open: () => Embedder): ReplaceableEmbedder {
  let current = open()
  let replaced = Promise.resolve()
  let isClosed = false
  const replace = async () => {
    const former = current
    current = createNoEmbedder('disabled')
    await former.close()
    if (!isClosed) current = open()
  }
  return {
    get source() {
      return current.source
    },
    embedQuery: (...question) => current.embedQuery(...question),
    replace: () => {
      replaced = replaced.then(replace)
      return replaced
    },
    async close() {
      isClosed = true
      await replaced
      await current.close()
    },
  }
}
