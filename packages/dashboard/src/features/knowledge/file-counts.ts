import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'

/** The numbers of files by status: those of a knowledge base, of all of them, or of the bot. */
export function useFileCounts(isKnowledge: boolean, base?: string) {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['fileLists', botId, 'counts', base, isKnowledge],
    queryFn: ({ signal }) =>
      client.platform.countFiles(
        { query: { isKnowledge, ...(base && { knowledgeBaseId: base }) } },
        { signal },
      ),
  })
}
