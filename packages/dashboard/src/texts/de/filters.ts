import type { filters as English } from '../en/filters.ts'

export const filters: typeof English = {
  label: 'Filter',
  button: (active: number) => (active === 0 ? 'Filter' : `Filter (${active})`),
  clear: 'Filter zurücksetzen',
  remove: (label: string) => `Filter entfernen: ${label}`,
}
