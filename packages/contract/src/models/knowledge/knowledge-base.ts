import { type Static, Type as T } from 'typebox'
import { closed, Tags } from '../../fields.ts'

const knowledgeBase = { id: T.String(), name: T.String(), tags: Tags }

/** A named set of files: those tagged with its id. */
export const KnowledgeBase = closed(knowledgeBase)
export type KnowledgeBase = Static<typeof KnowledgeBase>

export const ListedKnowledgeBase = T.Object({ ...knowledgeBase, createdAt: T.String() })
