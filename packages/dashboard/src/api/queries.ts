// Cache of responses. The first part of a query's key is a topic of the live stream, the second the
// bot or workspace that it belongs to, so that a note of the stream finds the queries to refetch.
import { RequestError } from '@botstead/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { sessionExpired, sessionQuery } from './session.ts'

/**
 * Shows the sign-in dialog over the page if its session expired. After a 403, the role may have
 * changed: the session has its permissions.
 */
const onError = (error: Error) => {
  const session = queryClient.getQueryData(sessionQuery.queryKey)
  if (!session || !(error instanceof RequestError)) return
  if (error.status === 401) sessionExpired()
  if (error.status === 403)
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // The server rejected these; a repetition gets the same response.
      retry: (count, error) =>
        count < 3 &&
        !(error instanceof RequestError && error.status < 500 && error.status !== 429),
      refetchOnWindowFocus: false,
    },
    // Signing in is one.
    mutations: { networkMode: 'always' },
  },
})
