// Where knowledge follows what the core does: stored files are indexed, after the commit.
import type { FileHooks } from '../../core/files/index.ts'
import type { KnowledgeServices } from './services.ts'

export function addKnowledgeHooks(
  hooks: FileHooks,
  { indexer }: Pick<KnowledgeServices, 'indexer'>,
) {
  hooks.fileStored.push(() => indexer.soon())
}
