// The documents of versions, and of the current state.
import type { Client } from '@botstead/client'
import type { SavedVersion } from '@botstead/contract'
import { useQuery } from '@tanstack/react-query'
import { useBot } from '../../api/scope.ts'
import type { Document } from './document-changes.ts'

interface Documents {
  version: Document
  other: Document
}

/**
 * `other` is the current state by default. Each dialog reads both again, because the bot may have changed.
 */
export function useDocuments(
  { id: versionId }: SavedVersion,
  other: SavedVersion | null = null,
) {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['versions', botId, 'documents', versionId, other?.id],
    queryFn: async ({ signal }): Promise<Documents> => {
      const [version, found] = await Promise.all([
        findDocument(client, botId, versionId, signal),
        other
          ? findDocument(client, botId, other.id, signal)
          : client.admin.getBotJson({ params: { id: botId } }, { signal }),
      ])
      return { version, other: found as Document }
    },
    staleTime: 0,
    gcTime: 0,
  })
}

/** A version never changes. */
export function useDocument({ id: versionId }: SavedVersion) {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['version document', botId, versionId],
    queryFn: ({ signal }) => findDocument(client, botId, versionId, signal),
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
