// Written by `npm run generate` from the files beside it.
import { knowledgeBases } from './files/knowledge-bases.ts'
import { passages } from './files/passages.ts'
import { curatedAnswers } from './platform/curated-answers.ts'
import { knowledge } from './platform/knowledge.ts'
import { knowledgeChecks } from './platform/knowledge-checks.ts'
import { knowledgeSources } from './platform/knowledge-sources.ts'
import { missedQuestions } from './platform/missed-questions.ts'

export const handlers = {
  files: {
    knowledgeBases,
    passages,
  },
  platform: {
    curatedAnswers,
    knowledge,
    knowledgeChecks,
    knowledgeSources,
    missedQuestions,
  },
}
