// The documents of a version and of the current state.
import type { Client } from '@botstead/client'
import type { SavedVersion } from '@botstead/contract'
import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import type { Document } from './document-changes.ts'

export interface Documents {
  version: Document
  current: Document
}

/** Each dialog reads both again, because the bot may have changed. */
export function useDocuments({ id: versionId }: SavedVersion) {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['versions', botId, 'documents', versionId],
    queryFn: async ({ signal }): Promise<Documents> => {
      const [version, current] = await Promise.all([
        findDocument(client, botId, versionId, signal),
        client.admin.getBotJson({ params: { id: botId } }, { signal }),
      ])
      return { version, current: current as Document }
    },
    staleTime: 0,
    gcTime: 0,
  })
}

/** Downloads a version. The URL expires, so it is requested each time. */
export async function findDocument(
  client: Client,
  id: string,
  versionId: string,
  signal?: AbortSignal,
): Promise<Document> {
  const options = signal ? { signal } : {}
  const { url } = await client.admin.getBotVersion({ params: { id, versionId } }, options)
  // The server may know itself by another address.
  const { pathname, search } = new URL(url)
  const response = await fetch(pathname + search, options)
  if (!response.ok) throw new Error(`The download failed with status ${response.status}`)
  return response.json()
}
