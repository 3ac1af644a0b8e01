// Where knowledge follows what the core does: stored files are indexed, after the commit.
import type { Hooks } from '../../core/http/index.ts'
import { defer } from '../../core/lib/index.ts'
import type { KnowledgeServices } from './services.ts'

export function addKnowledgeHooks(hooks: Hooks, { indexer }: Pick<KnowledgeServices, 'indexer'>) {
  hooks.fileStored.push(() => indexer.soon())
  hooks.bind.push((services: KnowledgeServices, _inside, afterwards) => ({
    indexer: defer(services.indexer, ['soon'], afterwards),
    websites: defer(services.websites, ['soon'], afterwards),
  }))
}
