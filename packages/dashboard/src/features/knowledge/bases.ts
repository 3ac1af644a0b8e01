// The knowledge bases of a bot, and the pace at which lists of files follow changes.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNotes } from '../../api/live.tsx'
import { useBot } from '../../api/scope.ts'

export interface Base {
  id: string
  name: string
  tags: Record<string, string>
}

/** Flows find knowledge bases by name, so two of one name are not offered. */
export const isTaken = (bases: Base[], name: string, except?: string) =>
  bases.some((base) => base.id !== except && base.name === name.trim())

/** The only knowledge base needs no choice. */
export const findBase = (bases: Base[], chosen: string | undefined): Base | undefined =>
  bases.find(({ id }) => id === chosen) ?? (bases.length === 1 ? bases[0] : undefined)

/** More knowledge bases are not offered for choice. */
const maxBases = 1_000

/** Returns the newest first. */
export function useBases({ isNeeded = true } = {}) {
  const { botId, client } = useBot()
  return useQuery({
    queryKey: ['files', botId, 'bases'],
    queryFn: async ({ signal }) => {
      const bases: Base[] = []
      let nextToken: string | undefined
      do {
        const query = { pageSize: 100, ...(nextToken && { nextToken }) }
        const page = await client.files.listKnowledgeBases({ query }, { signal })
        bases.push(...page.knowledgeBases)
        nextToken = page.meta.nextToken
      } while (nextToken && bases.length < maxBases)
      return bases
    },
    enabled: isNeeded,
  })
}

const pauseMs = 1_500
/** A list with many pages takes longer to read again. */
const pausePerPageMs = 150

/**
 * Queries with the key `fileLists` follow changes of files with pauses: an import changes
 * thousands of files in a minute.
 */
export function useFileLists() {
  const { botId } = useBot()
  const queries = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useNotes(({ topic, botId: changed }) => {
    if (topic !== 'files' || changed !== botId || timer.current) return
    const lists = queries.getQueriesData<{ pages?: unknown[] }>({
      queryKey: ['fileLists', botId],
    })
    const pages = Math.max(...lists.map(([, data]) => data?.pages?.length ?? 0), 0)
    timer.current = setTimeout(
      () => {
        timer.current = undefined
        void queries.invalidateQueries({ queryKey: ['fileLists', botId] })
      },
      pauseMs + pages * pausePerPageMs,
    )
  })
  useEffect(() => () => clearTimeout(timer.current), [])
}

/** The last part of a key, or the URL of a web page. */
export const toName = (key: string) =>
  /(?:^|\/)(https?:\/\/.+)$/.exec(key)?.[1] ??
  (key.slice(key.lastIndexOf('/') + 1) || key)

/** The key within its knowledge base. */
export const toPath = ({ key, tags }: { key: string; tags: Record<string, string> }) =>
  tags.kbId && key.startsWith(`knowledge/${tags.kbId}/`)
    ? key.slice(`knowledge/${tags.kbId}/`.length)
    : key
