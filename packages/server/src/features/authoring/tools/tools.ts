import {
  checkDocument,
  editDraft,
  publishDraft,
  readDraft,
  runTests,
} from './draft-tools.ts'
import { listExamples, readExample } from './example-tools.ts'
import { listBots, listNames, readTrace } from './reading-tools.ts'
import { readSchema } from './schema-tool.ts'
import { talk } from './talk-tool.ts'
import type { AuthoringTool } from './tool.ts'

/** In the order in which one uses them. */
export const authoringTools: AuthoringTool[] = [
  readSchema,
  listExamples,
  readExample,
  listBots,
  readDraft,
  listNames,
  editDraft,
  checkDocument,
  runTests,
  talk,
  readTrace,
  publishDraft,
]
