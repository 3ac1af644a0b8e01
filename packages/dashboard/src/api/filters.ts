// Filters of a page in the query of its address, so that the address can be shared.
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Filters } from '../router.tsx'

/** Returns a filter and its setter; an empty value removes it. */
export function useFilter(name: string): [string | undefined, (value: string) => void] {
  const { filters, setFilters } = useFilters()
  return [filters[name], (value) => setFilters({ [name]: value || undefined })]
}

function useFilters() {
  const filters: Filters = useSearch({ strict: false })
  const navigate = useNavigate()
  const setFilters = (changes: Filters) =>
    void navigate({
      to: '.',
      search: (before: Filters) => ({ ...before, ...changes }),
      replace: true,
    })
  return { filters, setFilters }
}
