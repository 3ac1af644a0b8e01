// Written by `npm run generate` from the files beside it.
import { knowledgeBases } from './files/knowledge-bases.ts'
import { passages } from './files/passages.ts'
import { knowledge } from './platform/knowledge.ts'
import { knowledgeSources } from './platform/knowledge-sources.ts'

export const handlers = {
  files: {
    knowledgeBases,
    passages,
  },
  platform: {
    knowledge,
    knowledgeSources,
  },
}
