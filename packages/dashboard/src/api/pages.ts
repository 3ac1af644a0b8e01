// Lists that the API returns in pages.

import type { CallOptions } from '@botstead/client'
import { keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'

interface PageToken {
  nextToken?: string
}

interface PagesOptions {
  /** False while a part of the key is unknown. */
  isEnabled?: boolean
  /** Shows the former list while one with other filters loads. */
  keepsFormer?: boolean
  refetchInterval?: number
  /** For lists without notes of the live stream. */
  refetchOnFocus?: boolean
}

/** `read` gets the token of its page, for the query: `{ query: { status, ...page } }`. */
export const usePages = <Page extends { meta: PageToken }>(
  queryKey: QueryKey,
  read: (page: PageToken, options: CallOptions) => Promise<Page>,
  {
    isEnabled = true,
    keepsFormer = false,
    refetchInterval,
    refetchOnFocus = false,
  }: PagesOptions = {},
) =>
  useInfiniteQuery({
    queryKey,
    enabled: isEnabled,
    queryFn: ({ pageParam, signal }) =>
      read(pageParam === '' ? {} : { nextToken: pageParam }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ meta }: Page) => meta.nextToken,
    ...(keepsFormer && { placeholderData: keepPreviousData }),
    ...(refetchInterval && { refetchInterval }),
    ...(refetchOnFocus && { refetchOnWindowFocus: 'always' as const }),
  })
