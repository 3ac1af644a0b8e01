// Filters and open dialogs of a page in the query of its address, so that the address can be shared.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'

/** Filters of lists and choices of pages; a page reads those that it knows. */
export type Filters = Record<string, string | undefined>

/** Returns a filter and its setter; an empty value removes it. */
export function useFilter(name: string): [string | undefined, (value: string) => void] {
  const filters: Filters = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = useCallback(
    (value: string) =>
      void navigate({
        to: '.',
        search: (before: Filters) => ({ ...before, [name]: value || undefined }),
        replace: true,
        // The page stays, so it also keeps its position.
        resetScroll: false,
      }),
    [name, navigate],
  )
  return [filters[name], set]
}
